import ConflictAudit
import SyncMerge
import SyncModel

/// Finds the fields that nobody edits: nearly every put of their type names them, and in a record their values only ever rise.
///
/// Of those whose value is the time of its own write no rule need say anything, and they are not among those found.
///
/// - Complexity: O(*f*) for a put of *f* fields; memory for each device and record of a field that may be one of them.
struct BookkeepingSearch {
    private struct Field {
        var puts = 0
        var stamps = 0
        var rises = 0
        /// The last value of each writer in each record.
        var last: [Writer: Double] = [:]
    }

    private struct Writer: Hashable {
        let record: RecordID
        let device: DeviceID
    }

    private var puts: [RecordType: Int] = [:]
    /// Nil for a field that is edited: a value has fallen, or is none that rises.
    private var fields: [ConflictStatistics.FieldKey: Field?] = [:]

    /// Fewer puts, or fewer rises, say nothing of a field.
    private static let fewestPuts = 20
    private static let fewestRises = 10

    mutating func observe(_ write: TaggedWrite) {
        guard let values = write.fields else { return }
        puts[write.key.type, default: 0] += 1
        for element in values {
            let key = ConflictStatistics.FieldKey(type: write.key.type, field: element.name)
            guard var field = fields.removeValue(forKey: key) ?? Field() else {
                fields[key] = .some(nil)
                continue
            }
            fields[key] = .some(Self.observe(element, write, &field) ? field : nil)
        }
    }

    /// Looks at one more value; false where it is one that somebody edits.
    private static func observe(_ element: FieldMap.Element, _ write: TaggedWrite, _ field: inout Field) -> Bool {
        guard let value = measure(element.value) else { return false }
        field.puts += 1
        if write.isStamped(in: element.name) { field.stamps += 1 }
        let writer = Writer(record: write.key.id, device: write.dot.device)
        if let before = field.last.updateValue(value, forKey: writer) {
            guard before < value else { return false }
            field.rises += 1
        }
        return true
    }

    /// A number, or a time as one.
    private static func measure(_ value: FieldValue) -> Double? {
        if case .number(let number) = value { return number.double }
        guard case .string = value else { return nil }
        return TimestampForm.meanings(of: value).first.map { Double($0) }
    }

    /// The fields found, in order.
    var found: [ConflictStatistics.FieldKey] {
        fields.compactMap { key, field -> ConflictStatistics.FieldKey? in
            guard let field, let all = puts[key.type], field.puts >= Self.fewestPuts, field.rises >= Self.fewestRises,
                field.puts * 20 >= all * 19, field.stamps * 20 < field.puts * 19
            else { return nil }
            return key
        }.sorted()
    }
}
