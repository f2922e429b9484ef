import SyncBytes
import SyncLines
import SyncModel

extension TableJudge {
    /// Says what each column was taken for, and how to say otherwise.
    mutating func describe() {
        var lines: [String] = []
        if let known { lines.append("the columns are those of the \(known.name)") }
        for key in Self.described {
            for (index, source) in (result.sources[key] ?? []).enumerated() {
                guard let line = sentence(key, source, isFallback: index > 0) else { continue }
                lines.append(line)
            }
        }
        if let end = result.end, let name = shown(.cell(end.cell)) {
            lines.append("\(name.quoted) is the time until which a row was shown, \(end.times.sentence)")
        }
        lines += images
        if result.sources[.field] == nil { lines.append(fieldSentence) }
        if result.showsChangesAlone {
            lines.append("rows show only what they changed: an empty cell is a field that stays; --empty null takes it as emptied")
        }
        lines += rejections
        let stated = Set(rejected.map(\.column.source) + kept.map(\.source))
        let ignored = sample.columns.filter { !$0.isImage && !$0.isMade && !taken.contains($0.source) && !stated.contains($0.source) }
        if let first = ignored.first {
            let isOne = ignored.count == 1
            lines.append(
                "left out \(isOne ? "is" : "are") \(Self.list(ignored)); --map KEY=\(RowMapping.item(first.shown)) says what \(isOne ? "it" : "one of them") is"
            )
        }
        lines += orderSentences
        result.sentences = lines
    }

    private static let described: [RowKey] = [
        .recordType, .recordID, .device, .received, .timestamp, .hubSequence, .revision, .parents, .operation, .deleted, .field, .value,
    ]

    private func shown(_ source: TableValue) -> String? {
        sample.columns.first { $0.source == source }?.shown
    }

    private func sentence(_ key: RowKey, _ source: TableValue, isFallback: Bool) -> String? {
        if case .constant(let text) = source {
            return
                "\(key.savedNoun) is always \(text.quoted); "
                + "\(RowColumns.option(map: [(key, "COLUMN")]).replacing(key.rawValue, with: key.shown)) says otherwise"
        }
        guard let name = shown(source), let column = sample.columns.first(where: { $0.source == source }) else { return nil }
        var line = "\(name.quoted) \(key.predicate)"
        if isFallback, key != .deleted { line += " where the column before is empty" }
        if let times = result.times[source], key == .received || key == .timestamp {
            line += ", \(times.sentence)\(zone(of: column, times))"
        }
        return line + "; \(otherwise(key, column))"
    }

    /// How times without a zone were taken.
    private func zone(of column: SampleColumn, _ times: ColumnTimes) -> String {
        guard times == .written(minutesAhead: 0), reading.times == nil,
            column.values.contains(where: { (try? TimestampForm.zoned.milliseconds($0.canonical, named: "")) == nil })
        else { return "" }
        return " without a zone and taken as UTC, which --times +02:00 changes"
    }

    /// The option that takes another column, or takes the column as something else.
    private func otherwise(_ key: RowKey, _ column: SampleColumn) -> String {
        func option(_ key: RowKey, _ name: String) -> String {
            "--map " + RowMapping.item("\(key.shown)=\(name)").shellWordUnlessPlain
        }
        switch key {
        case .received where result.sources[.timestamp] == nil:
            return "\(option(.timestamp, column.shown)) takes it as the author's clock"
        case .timestamp where result.sources[.received] == nil:
            return "\(option(.received, column.shown)) takes it as the server's clock"
        case .device:
            let other = result.authorCandidates.first { $0 != column.shown }
            return "\(option(key, other ?? "COLUMN")) says otherwise"
        default: return "\(option(key, "COLUMN")) says otherwise"
        }
    }

    private var images: [String] {
        var lines: [String] = []
        for name in shape.afterColumns { lines.append("\(name.quoted) is the record after the row") }
        for name in shape.beforeColumns { lines.append("\(name.quoted) is the record before the row") }
        if let name = shape.changesColumn { lines.append("\(name.quoted) is what the row changed") }
        return lines
    }

    private var fieldSentence: String {
        guard !kept.isEmpty else { return "no column is left to be a field; --fields NAME,… names some" }
        return "\(kept.count == 1 ? "the field is" : "the fields are") \(Self.list(kept)); --fields NAME,… takes others"
    }

    private var rejections: [String] {
        NoField.allCases.compactMap { reason in
            let columns = rejected.filter { $0.reason == reason }.map(\.column)
            guard let first = columns.first else { return nil }
            let isOne = columns.count == 1
            return
                "\(Self.list(columns)) \(reason.sentence(isOne: isOne)), so \(isOne ? "it is no field" : "they are no fields"); "
                + "\(RowColumns.option(fields: kept.prefix(12).map(fieldName) + [fieldName(first)])) takes \(isOne ? "it" : "one") as a field all the same"
        }
    }

    private func fieldName(_ column: SampleColumn) -> String {
        if case .image(let name) = column.source { name.rawValue } else { column.shown }
    }

    private static func list(_ columns: [SampleColumn]) -> String {
        let names = columns.prefix(16).map { column -> String in
            if case .image(let name) = column.source { name.rawValue.quoted } else { column.shown.quoted }
        }
        return names.joined(separator: ", ") + (columns.count > 16 ? ", …" : "")
    }

    private var orderSentences: [String] {
        if result.isReversed { return ["the rows come newest first, \(result.reversal)"] }
        guard result.isOrderUnknown else { return [] }
        return [
            "no column tells in which order the rows were saved, so they are taken in the order in which they are: oldest first; --map order=COLUMN or "
                + "--map received=COLUMN says otherwise"
        ]
    }
}

extension RowKey {
    /// What is always so, for a person.
    fileprivate var savedNoun: String { self == .device ? "who saved" : noun }

    /// What a column of it does for a saved row, for a person.
    fileprivate var predicate: String {
        switch self {
        case .recordType: "names the record's type"
        case .recordID: "names the record"
        case .device: "says who saved"
        case .timestamp: "is the time by the author's clock"
        case .received: "is the time by the server's clock"
        case .hubSequence: "numbers the rows in the server's order"
        case .revision: "names the version"
        case .parents: "names the version that the author had been looking at"
        case .operation: "is the operation"
        case .deleted: "says whether the record is removed"
        case .field: "names the field"
        case .value: "is the field's value"
        default: "is \(noun)"
        }
    }
}

extension String {
    /// The string for an option's list: a word of a shell, in quotes only where it needs them.
    fileprivate var shellWordUnlessPlain: String {
        let plain = replacing("=", with: "")
        return plain.shellWord == plain ? self : shellWord
    }
}
