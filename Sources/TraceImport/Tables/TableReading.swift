package import SyncLines

/// How a table is read as saved rows.
package struct TableReading: Sendable {
    /// Which columns are what, where a person has said it.
    package var mapping = RowMapping()
    /// What a cell without characters and SQL's NULL mean of a field: null unless stated, as whole rows show their empty fields.
    package var empty = RowReading.EmptyValue.null
    /// How times are written that are numbers, or have no zone; nil to find it out for each column by itself.
    package var times: TimestampForm?
    /// Whether rows that cannot be understood are counted and passed over.
    package var isLenient = false
    /// The table of a database; nil for the one that looks most like a history.
    package var table: String?
    /// The statement that gives the rows of a database; nil for all of its table.
    package var query: String?
    /// What separates the values of CSV; nil for what the header tells.
    package var separator: UInt8?

    /// Nothing stated.
    package init() {}
}
