/// A saved row by the numbers of what it names: see ``SavedRowNumbers``.
package struct NumberedRow: Sendable {
    /// The record, and its type.
    package var record: Int
    package var type: Int
    /// As ``SavedRow`` has it; nil where the row does not tell.
    @Compact<Int32, Int> package var author: Int? = nil
    @Compact<Int64, Int64> package var made: Int64? = nil
    @Compact<Int64, Int64> package var received: Int64? = nil
    @Compact<Int64, Int64> package var until: Int64? = nil
    @Compact<Int64, Int64> package var order: Int64? = nil
    @Compact<Int32, Int> package var version: Int? = nil
    @Compact<Int32, Int> package var base: Int? = nil
    package var isDelete: Bool
    /// The values by the numbers of their fields, ``SavedRowNumbers/none`` where the row does not name the field.
    package var fields: [Int32] = []
    /// The same of the row before; nil where the table does not remember it.
    package var before: [Int32]?

    /// A row of which only the record is known.
    package init(record: Int, type: Int, isDelete: Bool) { (self.record, self.type, self.isDelete) = (record, type, isDelete) }

    /// A row of nothing, to be filled.
    package init() { self.init(record: 0, type: 0, isDelete: false) }

    /// Becomes a row of which only the record is known, and keeps the memory for its fields.
    package mutating func reset(record: Int, type: Int, isDelete: Bool) {
        var memory: [Int32] = []
        swap(&memory, &fields)
        memory.removeAll(keepingCapacity: true)
        self = NumberedRow(record: record, type: type, isDelete: isDelete)
        swap(&memory, &fields)
    }
}
