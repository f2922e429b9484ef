import ConflictAudit
import SyncModel

/// Where a shadow is kept: rows of bytes, changed in transactions.
protocol ShadowStorage: Sendable {
    /// Runs a body alone; its changes are kept when it returns and undone when it throws.
    ///
    /// - Parameter isDurable: Whether the changes must outlast a power failure before this returns.
    func write<Result: Sendable>(isDurable: Bool, _ body: (any ShadowAccess) throws -> Result) throws -> Result
}

/// The rows of a shadow, for the length of a transaction.
protocol ShadowAccess: LostEditRowWriter {
    /// What is known of the device and the engine; nil in a new shadow.
    func state() throws -> [UInt8]?
    func setState(_ content: [UInt8]) throws

    func record(_ key: RecordKey) throws -> [UInt8]?
    func setRecord(_ key: RecordKey, _ content: [UInt8]) throws
    /// The records after one, or from the first one on, in order of key: as many as a limit or more, or all that there are.
    func records(after key: RecordKey?, limit: Int) throws -> [(key: RecordKey, content: [UInt8])]

    /// What the sink has not been told, in order, with its numbers.
    func journal() throws -> [(number: Int64, content: [UInt8])]
    func appendToJournal(_ content: [UInt8]) throws -> Int64
    func removeFromJournal(through number: Int64) throws

    /// A value that was lost in a conflict, by the conflict's hash; nil where it is not kept.
    func lostValue(_ conflict: UInt64) throws -> [UInt8]?
    /// Keeps a lost value, and of all the latest ones only.
    func setLostValue(_ conflict: UInt64, _ content: [UInt8], maximum: Int) throws
}

extension ShadowAccess {
    /// Calls a body with every record, in order of key, and replaces each by what it returns.
    func replaceRecords(_ body: (RecordKey, [UInt8]) throws -> [UInt8]) throws {
        var last: RecordKey?
        repeat {
            let records = try records(after: last, limit: 500)
            for (key, content) in records { try setRecord(key, try body(key, content)) }
            last = records.last?.key
        } while last != nil
    }
}
