import ConflictAudit
import SyncModel

/// What an engine has moved since the last step of a sync was told, and how old it was; of bounded memory.
struct Deliveries {
    private struct Waiting {
        let transaction: Int64
        let milliseconds: Int64
        var isSent = false
    }

    /// What was moved in one direction.
    struct Moved {
        var writes = 0
        var delays = GapHistogram()
    }

    private static let limit = 10_000
    private var waiting: [RecordKey: [Waiting]] = [:]
    private var waitingCount = 0
    private var moved: [SyncActivity.Phase: Moved] = [:]

    /// Remembers when records were saved, as far as there is room.
    mutating func saved(_ keys: some Sequence<RecordKey>, in transaction: Int64, at milliseconds: Int64) {
        for key in keys where waitingCount < Self.limit {
            waiting[key, default: []].append(Waiting(transaction: transaction, milliseconds: milliseconds))
            waitingCount += 1
        }
    }

    /// What is saved of these records later is not in the export.
    mutating func exportBegan(of keys: [RecordKey]) {
        for key in keys {
            for index in waiting[key]?.indices ?? 0..<0 { waiting[key]?[index].isSent = true }
        }
    }

    /// Counts what the server has taken of some records.
    mutating func acknowledged(_ keys: some Sequence<RecordKey>, at milliseconds: Int64) {
        for key in keys { take(key, at: milliseconds) { $0.isSent } }
    }

    /// Counts what the server has taken up to a transaction.
    mutating func exportEnded(through transaction: Int64, at milliseconds: Int64) {
        for key in Array(waiting.keys) { take(key, at: milliseconds) { $0.transaction <= transaction } }
    }

    private mutating func take(_ key: RecordKey, at now: Int64, where isTaken: (Waiting) -> Bool) {
        guard let all = waiting[key] else { return }
        let left = all.filter { !isTaken($0) }
        waiting[key] = left.isEmpty ? nil : left
        waitingCount -= all.count - left.count
        for write in all where isTaken(write) {
            moved[.export, default: Moved()].writes += 1
            moved[.export]?.delays.record(milliseconds: max(0, now - write.milliseconds))
        }
    }

    /// Counts versions of other devices.
    ///
    /// - Parameter delays: How old those were whose stamps say when they were made, in milliseconds.
    mutating func arrived(_ count: Int, delays: [Int64]) {
        moved[.import, default: Moved()].writes += count
        for delay in delays { moved[.import]?.delays.record(milliseconds: delay) }
    }

    /// What was moved since this was last asked.
    mutating func takeMoved(_ phase: SyncActivity.Phase) -> Moved { moved.removeValue(forKey: phase) ?? Moved() }

    /// Forgets what waits, as the engine does.
    mutating func forgetWaiting() { (waiting, waitingCount) = ([:], 0) }
}
