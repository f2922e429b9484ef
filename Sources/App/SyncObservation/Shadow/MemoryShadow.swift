import SyncModel
import SyncSystem

/// A shadow in memory, gone with the process.
package final class MemoryShadow: ShadowStorage {
    /// All that it holds: a value, so that a copy is a backup.
    package struct Content: Sendable {
        var state: [UInt8]?
        var records: [RecordKey: [UInt8]] = [:]
        var journal: [(number: Int64, content: [UInt8])] = []
        var nextNumber: Int64 = 1
        var lost: [UInt64: [UInt8]] = [:]
        var lostOrder: [UInt64] = []
        var lostEdits: [UInt64: [UInt8]] = [:]

        /// Nothing.
        package init() {}
    }

    private let held: Locked<Content>
    private let synced: Locked<Content>

    package init(_ content: Content = Content()) {
        held = Locked(content)
        synced = Locked(content)
    }

    /// A copy of all that it holds.
    package var content: Content { held.withLock { $0 } }

    /// A copy of what a power failure would leave at worst.
    package var durableContent: Content { synced.withLock { $0 } }

    func write<Result: Sendable>(isDurable: Bool, _ body: (any ShadowAccess) throws -> Result) throws -> Result {
        try held.withLock { content in
            let access = Access(content)
            let result = try body(access)
            access.commit(to: &content)
            if isDurable { synced.withLock { [content] in $0 = content } }
            return result
        }
    }

    /// The changes of one transaction over what was there before.
    private final class Access: ShadowAccess {
        private let before: Content
        private var changed: [RecordKey: [UInt8]] = [:]
        private var after: Content

        init(_ content: Content) {
            before = content
            after = content
            // Kept once, so that a transaction copies only what it changes.
            after.records = [:]
        }

        func commit(to content: inout Content) {
            let records = content.records
            content = after
            content.records = records
            if changed.isEmpty { return }
            for (key, bytes) in changed { content.records[key] = bytes }
        }

        func state() -> [UInt8]? { after.state }
        func setState(_ content: [UInt8]) { after.state = content }
        func record(_ key: RecordKey) -> [UInt8]? { changed[key] ?? before.records[key] }
        func setRecord(_ key: RecordKey, _ content: [UInt8]) { changed[key] = content }

        func records(after key: RecordKey?, limit: Int) -> [(key: RecordKey, content: [UInt8])] {
            // All of them, for they are sorted each time.
            let later = Set(before.records.keys).union(changed.keys).filter { other in key.map { $0 < other } ?? true }
            return later.sorted().map { ($0, record($0) ?? []) }
        }

        func journal() -> [(number: Int64, content: [UInt8])] { after.journal }

        func appendToJournal(_ content: [UInt8]) -> Int64 {
            after.journal.append((after.nextNumber, content))
            after.nextNumber += 1
            return after.nextNumber - 1
        }

        func removeFromJournal(through number: Int64) { after.journal.removeAll { $0.number <= number } }
        func lostValue(_ conflict: UInt64) -> [UInt8]? { after.lost[conflict] }
        func lostEditRow(_ number: UInt64) -> [UInt8]? { after.lostEdits[number] }

        func lostEditRows(before number: UInt64?, limit: Int) -> [(number: UInt64, content: [UInt8])] {
            let numbers = after.lostEdits.keys.filter { other in other > 0 && number.map { other < $0 } ?? true }
            return numbers.sorted(by: >).prefix(limit).map { ($0, after.lostEdits[$0] ?? []) }
        }

        func setLostEditRow(_ number: UInt64, _ content: [UInt8]) { after.lostEdits[number] = content }
        func removeLostEditRow(_ number: UInt64) { after.lostEdits[number] = nil }

        func setLostValue(_ conflict: UInt64, _ content: [UInt8], maximum: Int) {
            if after.lost.updateValue(content, forKey: conflict) == nil { after.lostOrder.append(conflict) }
            while after.lostOrder.count > max(0, maximum) { after.lost[after.lostOrder.removeFirst()] = nil }
        }
    }
}
