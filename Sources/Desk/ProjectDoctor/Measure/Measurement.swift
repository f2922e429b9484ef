import SyncBytes

/// What a store or a log shows of a project's records: their sizes, what waits to be sent, and which edits were lost.
package struct Measurement: Sendable {
    /// The values of a field.
    package struct Field: Sendable {
        /// The values and their bytes together.
        package fileprivate(set) var values = 0
        package fileprivate(set) var bytes = 0
        /// The bytes of the largest value, and whose it is.
        package fileprivate(set) var largest = 0
        package fileprivate(set) var largestRecord = ""
        /// Whether values are kept beside their records.
        package fileprivate(set) var isAsset = false
    }

    /// The records of a type.
    package struct Records: Sendable {
        /// The records and their bytes together, assets included.
        package fileprivate(set) var count = 0
        package fileprivate(set) var bytes = 0
        /// The bytes of the largest record beside its assets, and its name.
        package fileprivate(set) var largest = 0
        package fileprivate(set) var largestRecord = ""
    }

    /// A value of a record.
    package struct Value: Sendable {
        package let field: String
        package let bytes: Int
        package let isAsset: Bool

        package init(field: String, bytes: Int, isAsset: Bool) { (self.field, self.bytes, self.isAsset) = (field, bytes, isAsset) }
    }

    /// The edits to a field that lost to others.
    package struct Loss: Sendable {
        package let type: String
        package let field: String
        /// The edits lost as CloudKit merges: by what arrives last.
        package let edits: Int
        /// What the field is edited as, where that tells of a cure.
        package let shape: Shape

        package init(type: String, field: String, edits: Int, shape: Shape) {
            (self.type, self.field, self.edits, self.shape) = (type, field, edits, shape)
        }
    }

    /// What a field is edited as.
    package enum Shape: Sendable {
        /// Numbers that count up or down.
        case counter
        /// Lists to which elements are added and from which they are removed.
        case set
        case value
    }

    /// The file as it was named.
    package let source: String
    /// By type.
    package private(set) var records: [String: Records] = [:]
    /// By type and field.
    package private(set) var fields: [String: [String: Field]] = [:]
    /// The writes that wait to be sent, with their bytes; nil where nothing tells.
    package var waiting: (writes: Int, bytes: Int)?
    /// Where most was lost first.
    package var losses: [Loss] = []
    /// Bytes written, by the day since 1970 of the write.
    package private(set) var bytesByDay: [Int: Int] = [:]

    /// Nothing measured.
    package init(source: String) { self.source = source }

    /// Adds a record with its values.
    package mutating func add(_ record: String, of type: String, _ values: [Value]) {
        var rest = 0
        for value in values {
            var field = fields[type]?[value.field] ?? Field()
            field.values += 1
            field.bytes += value.bytes
            field.isAsset = field.isAsset || value.isAsset
            if value.bytes > field.largest { (field.largest, field.largestRecord) = (value.bytes, record) }
            fields[type, default: [:]][value.field] = field
            if !value.isAsset { rest += value.bytes }
        }
        var all = records[type] ?? Records()
        all.count += 1
        all.bytes += values.reduce(0) { $0 + $1.bytes }
        if rest > all.largest { (all.largest, all.largestRecord) = (rest, record) }
        records[type] = all
    }

    /// Counts bytes that were written on a day.
    package mutating func addWritten(_ bytes: Int, day: Int) { bytesByDay[day, default: 0] += bytes }

    /// The records and bytes of all types.
    package var total: (records: Int, bytes: Int) {
        records.values.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.bytes) }
    }

    /// The bytes written in 30 days, on average from the first day of which something is known to the last; nil of less than a week.
    package var bytesPerMonth: Int? {
        guard let first = bytesByDay.keys.min(), let last = bytesByDay.keys.max(), last - first >= 6 else { return nil }
        return Int(min(Double(bytesByDay.values.reduce(0, +)) * 30 / Double(last - first + 1), 1e18))
    }

    /// By how many bytes all records grow in 30 days at most; nil where less than a week is known.
    ///
    /// What replaces a value is written and makes nothing grow, so that it is no more than there is.
    package var growthPerMonth: Int? {
        let written = bytesByDay.values.reduce(0, +)
        guard let bytesPerMonth, written > 0 else { return bytesPerMonth }
        return Int(Double(bytesPerMonth) * min(1, Double(total.bytes) / Double(written)))
    }

    /// The fields with the most bytes, most first.
    package var largestFields: [(type: String, name: String, field: Field)] {
        fields.flatMap { type, fields in fields.map { (type, $0.key, $0.value) } }
            .ordered { $0.2.bytes != $1.2.bytes ? $0.2.bytes > $1.2.bytes : ($0.0, $0.1) < ($1.0, $1.1) }
    }

    /// The values of a field of a project's entity, whose name a store may have without its case.
    func field(_ name: String, of entity: String) -> Field? {
        let fields = fields.first { $0.key.lowercased() == entity.lowercased() }?.value
        return fields?.first { $0.key.lowercased() == name.lowercased() }?.value
    }

    /// What a field of a project's entity has lost.
    func loss(_ name: String, of entity: String) -> Loss? {
        losses.first { $0.type.lowercased() == entity.lowercased() && $0.field.lowercased() == name.lowercased() }
    }
}
