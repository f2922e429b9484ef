package import AuditLog
import SyncBytes
package import SyncModel

/// How a table is read as saved rows.
package struct TableReading: Sendable {
    /// Which columns are what, where a person has said it.
    package var mapping = RowMapping()
    /// What a cell without characters and SQL's NULL mean of a field; nil for null, as whole rows show their empty fields.
    package var empty: RowReading.EmptyValue?
    /// Whether nobody has said what an empty cell means, so that the rows may tell it.
    private(set) var mayTellEmpty = false
    /// How times are written that are numbers, or have no zone; nil to find it out for each column by itself.
    package var times: TimestampForm?
    /// The time, in milliseconds since 1970: what is written lies before the end of the next year.
    package var now: Int64 = 4_102_444_800_000
    /// Whether rows that cannot be understood are counted and passed over.
    package var isLenient = false
    /// The table of a database; nil for the one that looks most like a history.
    package var table: String?
    /// The statement that gives the rows of a database; nil for all of its table.
    package var query: String?
    /// What separates the values of CSV; nil for what the header tells.
    package var separator: UInt8?

    /// What a configuration says of tables by their names, as far as nothing above does.
    package var tables: [String: TableSettings] = [:]

    /// Nothing stated.
    package init() {}

    /// The same with what a configuration says of one table.
    func completed(for table: String) throws(RowMapping.Problem) -> TableReading {
        var reading = self
        if let settings = tables[table] {
            func word<Value>(_ text: String?, _ key: String, _ parse: (String) -> Value?) throws(RowMapping.Problem) -> Value? {
                guard let text else { return nil }
                if let value = parse(text) { return value }
                throw RowMapping.Problem(
                    sentence: "\(settings.origin).\(key): \(text.quoted) means nothing; see --\(key) of 'syncaudit audit --help'")
            }
            do throws(RowMapping.Problem) { try reading.mapping.complete(by: settings) } catch {
                throw RowMapping.Problem(sentence: "\(settings.origin).map: \(error.sentence)")
            }
            if times == nil { reading.times = try word(settings.times, "times", TimestampForm.init(optionName:)) }
            if empty == nil { reading.empty = try word(settings.empty, "empty", RowReading.EmptyValue.init(rawValue:)) }
        }
        reading.mayTellEmpty = reading.empty == nil
        // Whole rows show their empty fields.
        reading.empty = reading.empty ?? .null
        return reading
    }
}
