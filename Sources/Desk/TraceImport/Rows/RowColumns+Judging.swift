import SyncBytes
import SyncModel

extension RowColumns {
    /// A column that is no field by what its values are.
    struct Rejected {
        /// Why it is none.
        enum Reason: CaseIterable {
            /// It numbers or names the rows.
            case numbers
            /// It holds times near those of the rows.
            case times
            /// It says by whom the rows were written.
            case writers
        }

        let field: (name: String, column: Int)
        let reason: Reason
        /// Whether its times may be those of receipt.
        var mayBeReceipt = false
    }

    /// Takes from the fields what numbers rows, or says when and by whom they were written, unless nothing would be left.
    mutating func reject(_ sample: RowSample, _ times: TimestampForm) {
        guard sample.rows.count >= RowSample.fewestRows else { return }
        var timestamps: [Int64?] = []
        if case .column(let column)? = sources[.timestamp] { timestamps = sample.timestamps(column, times) }
        var (kept, rejected): ([(name: String, column: Int)], [Rejected]) = ([], [])
        for field in fields {
            if let nearness = sample.times(field.column, near: timestamps, times) {
                rejected.append(Rejected(field: field, reason: .times, mayBeReceipt: nearness.isLater))
            } else if sample.numbersRows(field.column) {
                rejected.append(Rejected(field: field, reason: .numbers))
            } else if case .column(let device)? = sources[.device], Self.namesWriter(field.name), sample.isTold(field.column, by: device) {
                rejected.append(Rejected(field: field, reason: .writers))
            } else {
                kept.append(field)
            }
        }
        guard !kept.isEmpty else { return }
        (fields, self.rejected) = (kept, rejected)
    }

    /// What is wrong with the unit that a person says the times of the rows count; nil where nothing is.
    func unitProblem(_ sample: RowSample, _ reading: RowReading) -> RowProblem? {
        guard case .column(let column)? = sources[.timestamp], var stated = StatedTimes(reading.times, now: reading.now) else { return nil }
        for row in sample.rows { stated.observe(row.values[column], line: row.line) }
        return stated.problem(named: RowKey.timestamp.rawValue.quoted, isFoundWithout: false).map { line, sentence in
            RowProblem(line: line, sentence: sentence, isFatal: true)
        }
    }

    /// Which columns were taken as no fields by what their values are, and how they are taken all the same; nil where there are none.
    var rejection: String? {
        guard !rejected.isEmpty else { return nil }
        let parts = Rejected.Reason.allCases.compactMap { reason -> String? in
            let names = rejected.filter { $0.reason == reason }.map(\.field.name)
            guard let first = names.first else { return nil }
            let isOne = names.count == 1
            let subject = isOne ? first.quoted : names.prefix(8).map(\.quoted).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
            switch reason {
            case .numbers: return "\(subject) \(isOne ? "numbers" : "number") the rows"
            case .times: return "\(subject) \(isOne ? "holds" : "hold") times near those of the rows"
            case .writers: return "\(subject) \(isOne ? "says" : "say") who wrote them"
            }
        }
        let all = (fields + rejected.map(\.field)).map(\.name)
        let option = all.count <= 16 ? Self.option(fields: all) : "--fields, which names all fields,"
        var sentence = "no \(rejected.count == 1 ? "field was made of a column" : "fields were made of columns") that nobody edits: "
        sentence += parts.joined(separator: "; ") + ". \(option) takes \(rejected.count == 1 ? "it" : "them") all the same"
        if sources[.received] == nil, let receipt = rejected.first(where: \.mayBeReceipt) {
            sentence +=
                ". If \(receipt.field.name.quoted) says when the server received the row, add "
                + Self.option(map: [(.received, receipt.field.name)])
        }
        return sentence
    }

    /// That no record is written twice, as far as the first rows tell, while other columns repeat that may name it; nil where that is not
    /// so.
    func recordDoubt(_ sample: RowSample) -> String? {
        guard isRecordGuessed, case .column(let record)? = sources[.recordID], sample.rows.count >= 3, sample.isUnique(record) else {
            return nil
        }
        let columns = (fields.map(\.column) + names.indices.filter { unused.contains(names[$0]) })
        let others = columns.compactMap { column in
            Self.isIdentity(names[column]) ? sample.repeatedValues(column).map { (name: names[column], values: $0) } : nil
        }
        // The column with most values parts the rows most finely.
        guard let best = others.max(by: { $0.values < $1.values }) else { return nil }
        let rest = others.map(\.name).filter { $0 != best.name }.prefix(3)
        let part = sample.isWhole ? "" : " of the first \(sample.rows.count)"
        return
            "no two rows\(part) have the same \(names[record].quoted), so no record is written twice and nothing can conflict; if \(best.name.quoted) "
            + "names the record, add \(Self.option(map: [(.recordID, best.name)]))"
            + (rest.isEmpty ? "" : " (\(rest.map(\.quoted).joined(separator: ", ")) \(rest.count == 1 ? "repeats" : "repeat") too)")
            + ", and if each row is a record of its own, \(Self.option(map: [(.recordID, names[record])]))"
    }
}
