import SyncLines
import SyncModel

/// A table whose first rows are looked at before they are read.
final class SampledRows: RowSource {
    /// The most rows that are looked at.
    static let maximumRows = 1000
    /// How many bytes of rows are looked at, beside the last of them.
    private static let maximumBytes = 1 << 20

    private let rest: any RowSource
    private var first: FirstRows<Row>
    /// The rows that were looked at and could be understood.
    let sample: RowSample

    var columns: [String] { rest.columns }

    /// Reads the first rows of a table.
    init(_ rows: any RowSource) {
        rest = rows
        first = FirstRows(maximumRows: Self.maximumRows, maximumBytes: Self.maximumBytes) { row in
            row.values.reduce(0) { $0 + 16 + ($1.string?.utf8.count ?? 0) }
        } _: { () throws(RowProblem) in
            try rows.next()
        }
        sample = RowSample(rows: first.understood, isWhole: first.isWhole)
    }

    func next() throws(RowProblem) -> Row? { try first.next { () throws(RowProblem) in try rest.next() } }
}

/// The first rows of a table, by which its columns are judged.
///
/// - Complexity: linear in the rows and columns asked about.
struct RowSample {
    let rows: [Row]
    /// Whether there are no others.
    let isWhole: Bool

    /// What a table needs for its columns to be judged: of fewer rows chance alone makes as much.
    static let fewestRows = 4

    private func values(_ column: Int) -> some Sequence<FieldValue> { rows.lazy.map { $0.values[column] } }

    /// Whether each row has a value in a column that no other has.
    func isUnique(_ column: Int) -> Bool {
        var seen: Set<FieldValue> = []
        return !rows.isEmpty && values(column).allSatisfy { $0 != .null && seen.insert($0).inserted }
    }

    /// How many different values a column has; nil where none of them comes twice.
    func repeatedValues(_ column: Int) -> Int? {
        var (seen, count) = (Set<FieldValue>(), 0)
        for value in values(column) where value != .null {
            count += 1
            seen.insert(value)
        }
        return seen.count < count ? seen.count : nil
    }

    /// Whether a column numbers or names the rows: whole numbers that rise or fall from row to row, or that have few gaps; or different
    /// UUIDs or hashes.
    func numbersRows(_ column: Int) -> Bool {
        guard rows.count >= Self.fewestRows, isUnique(column) else { return false }
        if values(column).allSatisfy({ Self.isRandomName($0.plainText) }) { return true }
        var numbers: [Int64] = []
        for value in values(column) {
            guard let number = Int64(value.plainText) else { return false }
            numbers.append(number)
        }
        let pairs = zip(numbers, numbers.dropFirst())
        if pairs.allSatisfy({ $0 < $1 }) || pairs.allSatisfy({ $0 > $1 }) { return true }
        guard numbers.count >= 16, let least = numbers.min(), let most = numbers.max() else { return false }
        let (range, overflows) = most.subtractingReportingOverflow(least)
        return !overflows && range < 2 * numbers.count
    }

    /// Whether a value is one as programs draw or compute it: 16 hexadecimal digits or more, with hyphens or without.
    private static func isRandomName(_ text: String) -> Bool {
        var (digits, letters) = (0, 0)
        for byte in text.utf8 where byte != UInt8(ascii: "-") {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): letters += 1
            default: return false
            }
        }
        return digits + letters >= 16
    }

    /// How the times in a column lie to those of the rows.
    struct Nearness {
        /// Whether none is earlier, but for what clocks differ.
        var isLater = true
    }

    /// Where a column holds times near those of the rows, how they lie; nil where it does not.
    ///
    /// Near are times from a day before to thirty days after, for devices that were long offline, at least half of them within an hour.
    func times(_ column: Int, near timestamps: [Int64?], _ form: TimestampForm) -> Nearness? {
        forms(form).lazy.compactMap { nearness(column, timestamps, $0) }.first
    }

    private func nearness(_ column: Int, _ timestamps: [Int64?], _ form: TimestampForm) -> Nearness? {
        var (count, near, nearness) = (0, 0, Nearness())
        for (value, timestamp) in zip(values(column), timestamps) where value != .null {
            guard let timestamp else { continue }
            guard let time = try? form.milliseconds(value, named: "") else { return nil }
            let (distance, overflows) = time.subtractingReportingOverflow(timestamp)
            guard !overflows, (-86_400_000...30 * 86_400_000).contains(distance) else { return nil }
            count += 1
            if abs(distance) <= 3_600_000 { near += 1 }
            if distance < -60_000 { nearness.isLater = false }
        }
        return count >= Self.fewestRows && 2 * near >= count ? nearness : nil
    }

    /// The times of the rows, nil where one is none.
    func timestamps(_ column: Int, _ form: TimestampForm) -> [Int64?] {
        values(column).map { try? form.milliseconds($0, named: "") }
    }

    /// Whether a column holds times and nothing else, as far as anybody can tell.
    func holdsTimes(_ column: Int, _ form: TimestampForm) -> Bool {
        forms(form).contains { form in
            var hasAny = false
            for value in values(column) where value != .null {
                guard let time = try? form.milliseconds(value, named: ""), time > 0 else { return false }
                // Small numbers are times of 1970 only to those who want them to be.
                if case .epoch = form, time < 31_536_000_000 { return false }
                hasAny = true
            }
            return hasAny
        }
    }

    /// The given form first: a column may be written otherwise than the timestamp.
    private func forms(_ given: TimestampForm) -> [TimestampForm] {
        var forms = [given]
        for form in [TimestampForm.local(minutesAhead: 0), .epoch(.milliseconds), .epoch(.seconds)] where form != given {
            forms.append(form)
        }
        return forms
    }

    /// Whether all rows with one value in a column have one value in another, and so some of them have it more than once.
    func isTold(_ column: Int, by other: Int) -> Bool {
        var told: [FieldValue: FieldValue] = [:]
        for row in rows {
            guard told.updateValue(row.values[column], forKey: row.values[other]) ?? row.values[column] == row.values[column] else {
                return false
            }
        }
        return told.count < rows.count && Set(told.values).count > 1
    }
}

extension FieldValue {
    /// A string or a number as it was written; empty for anything else.
    var plainText: String {
        switch self {
        case .string(let text): text
        case .number(let number): number.text
        default: ""
        }
    }
}
