import SyncBytes
import SyncModel

/// A column of the first rows, by which it is judged.
struct SampleColumn {
    let source: TableValue
    /// The name by which a person maps it.
    let shown: String
    let name: ColumnName
    /// One number for each row, the same for equal values; -1 where there is none.
    let ids: [Int32]
    /// The value of each number.
    let values: [FieldValue]
    /// How many rows have a value.
    let told: Int
    /// The form in which all values are times.
    let times: ColumnTimes?

    /// How many different values there are.
    var distinct: Int { values.count }
    /// Whether it is a field of the record after.
    var isImage: Bool { if case .image = source { true } else { false } }
    /// Whether it is made of others.
    var isMade: Bool {
        switch source {
        case .joined, .collections, .documents: true
        default: false
        }
    }
    /// Whether no value comes twice.
    var isUnique: Bool { distinct == told }

    init(source: TableValue, shown: String, _ column: [FieldValue?], times form: TimestampForm?) {
        (self.source, self.shown, name) = (source, shown, ColumnName(shown))
        var numbers: [FieldValue: Int32] = [:]
        var (ids, values, told) = ([Int32](), [FieldValue](), 0)
        ids.reserveCapacity(column.count)
        for value in column {
            // Plain values may have been wrapped.
            guard let value = value?.unwrapped, !value.isBlank else {
                ids.append(-1)
                continue
            }
            told += 1
            if let known = numbers[value] {
                ids.append(known)
            } else {
                numbers[value] = Int32(values.count)
                ids.append(Int32(values.count))
                values.append(value)
            }
        }
        (self.ids, self.values, self.told) = (ids, values, told)
        times = values.allSatisfy(\.isPlain) ? ColumnTimes(values.map { $0.canonical }, stated: form) : nil
    }

    /// The value in a row; nil where there is none.
    func value(_ row: Int) -> FieldValue? { ids[row] < 0 ? nil : values[Int(ids[row])] }

    /// The whole number in a row; nil where there is none.
    func number(_ row: Int) -> Int64? { value(row)?.wholeNumber }

    /// The time in a row.
    func time(_ row: Int) -> Int64? { value(row).flatMap { times?.milliseconds($0.canonical) } }

    /// Whether all values are whole numbers.
    var areNumbers: Bool { !values.isEmpty && values.allSatisfy { $0.wholeNumber != nil } }

    /// Whether it holds times: by its form, and where that could be anything by its name.
    var holdsTimes: Bool {
        switch times {
        case nil: false
        case .written: name.saysTime || name.saysAuthorTime || name.saysReceipt || values.contains { ($0.string?.utf8.count ?? 0) > 10 }
        case .since1970(1), .apple: name.saysTime || name.saysAuthorTime || name.saysReceipt || name.plain == "ts"
        case .since1970: true
        }
    }

    /// Whether each row with one value here has one value in another column.
    func determines(_ other: SampleColumn) -> Bool {
        var known = [Int32](repeating: -1, count: distinct)
        for (mine, theirs) in zip(ids, other.ids) where mine >= 0 && theirs >= 0 {
            if known[Int(mine)] < 0 { known[Int(mine)] = theirs } else if known[Int(mine)] != theirs { return false }
        }
        return true
    }

    /// Whether the rows are parted alike by both.
    func partsLike(_ other: SampleColumn) -> Bool { determines(other) && other.determines(self) }

    /// The share of the rows with both values in which these are equal.
    func agreement(with other: SampleColumn) -> Double {
        var (both, equal) = (0, 0)
        for row in ids.indices {
            guard let mine = value(row), let theirs = other.value(row) else { continue }
            both += 1
            if mine.plainText == theirs.plainText { equal += 1 }
        }
        return both == 0 ? 0 : Double(equal) / Double(both)
    }

    /// Whether each value is one as programs draw or compute it, or a whole number that rises or falls from row to row.
    var numbersRows: Bool {
        guard told >= RowSample.fewestRows, told == ids.count, isUnique else { return false }
        if values.allSatisfy({ Self.isRandomName($0.plainText) }) { return true }
        let numbers = values.compactMap(\.wholeNumber)
        guard numbers.count == values.count else { return false }
        let pairs = zip(numbers, numbers.dropFirst())
        return pairs.allSatisfy { $0 < $1 } || pairs.allSatisfy { $0 > $1 }
    }

    private static func isRandomName(_ text: String) -> Bool {
        var digits = 0
        for byte in text.utf8 where byte != UInt8(ascii: "-") {
            switch byte | 0x20 {
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digits += 1
            default:
                guard byte.isDigit else { return false }
                digits += 1
            }
        }
        return digits >= 16
    }
}
