import AuditLog
package import ConflictAudit
import SyncModel

/// Which conflicts and writes have been counted, so that what several devices logged counts once.
///
/// A conflict is known by its id, a write by its dot. The copy that is read first counts; where others tell otherwise of the conflict, say
/// by another winner, that is for `check` to find. A clock is suspect where any copy says so, for a device may know of others' clocks what
/// another does not. A later line of a conflict that waits for a decision may tell the decision, and then the
/// conflict waits no longer. An edit that loses to several writes, on one device to this and on another to that, is lost once: of its
/// conflicts the one that is read first tells of the loss, and the others tell of it again, as ``ConflictAudit/Conflict/isRepeated`` says.
///
/// Exact for the first ``limit`` conflicts and as many writes; of those that come later every line counts, and `DistinctCount` says how
/// many different ones there are. Dots are known by 64-bit hashes: among 4 million writes the chance that any two share one is less than
/// one in a million.
///
/// - Complexity: O(1) expected for each line. At most 64 MiB each for conflicts and for writes, and half as much again while the table
///   grows.
package struct FirstCopies: Sendable {
    /// How many conflicts, and how many writes, are counted exactly.
    package static let limit = 4_000_000

    /// What was counted and left out.
    package struct Tallies: Sendable {
        /// The lines of conflicts that had been counted before.
        var copiesLeftOut = 0
        /// The lines of conflicts that counted though they may have been counted before.
        var unchecked = 0
        /// The conflicts that waited for a decision, proven and suspected, of which a later line told the decision.
        var decided = (proven: 0, suspected: 0)
        /// Conflicts of which a later line alone calls a clock suspect, by the device that won.
        var lateSuspects: [DeviceID: (proven: Int, suspected: Int)] = [:]
        /// Each write once.
        var writes = WriteTally.Distinct()
    }

    private var conflicts: IDTable
    private var writes: IDTable
    /// The edits that conflicts have discarded.
    private var edits: IDTable
    /// The conflicts that wait for a decision, and whether they are suspected only.
    private var waiting: [UInt64: Bool] = [:]
    /// The conflicts of which a line calls a clock suspect.
    private var suspects: Set<UInt64> = []
    package private(set) var tallies = Tallies()

    /// Nothing counted.
    package init() { self.init(limit: Self.limit) }

    /// - Parameter limit: How many conflicts, and how many writes, are counted exactly.
    package init(limit: Int) {
        conflicts = IDTable(limit: limit)
        writes = IDTable(limit: limit)
        edits = IDTable(limit: limit)
    }

    /// What has been counted, to be kept in a file: conflicts, hashes of the dots of writes, and the conflicts that wait for a decision.
    package struct Identities: Sendable {
        /// Each conflict once.
        package var conflicts: [UInt64] = []
        /// Each write once.
        package var writes: [UInt64] = []
        /// Each edit that was lost once.
        package var edits: [UInt64] = []
        /// Those of the conflicts that wait and are proven.
        package var waitingProven: [UInt64] = []
        /// Those of the conflicts that wait and are suspected.
        package var waitingSuspected: [UInt64] = []
        /// Those of the conflicts of which a line calls a clock suspect.
        package var clockSuspects: [UInt64] = []

        /// None.
        package init() {}
    }

    /// What has been counted.
    ///
    /// - Complexity: O(*n*) in the conflicts and writes.
    package var identities: Identities {
        var identities = Identities()
        (identities.conflicts, identities.writes, identities.edits) = (conflicts.all, writes.all, edits.all)
        identities.waitingProven = waiting.filter { !$0.value }.map(\.key)
        identities.waitingSuspected = waiting.filter(\.value).map(\.key)
        identities.clockSuspects = Array(suspects)
        return identities
    }

    /// What has been counted, from a file; nil where an identity occurs twice, there are more than ``limit``, or one waits that is not
    /// there.
    package init?(_ identities: Identities) {
        self.init()
        for id in identities.conflicts where conflicts.insert(id) != .new { return nil }
        for id in identities.writes where writes.insert(id) != .new { return nil }
        for id in identities.edits where edits.insert(id) != .new { return nil }
        for (ids, isSuspected) in [(identities.waitingProven, false), (identities.waitingSuspected, true)] {
            for id in ids {
                guard conflicts.contains(id), waiting.updateValue(isSuspected, forKey: id) == nil else { return nil }
            }
        }
        for id in identities.clockSuspects { guard conflicts.contains(id), suspects.insert(id).inserted else { return nil } }
    }

    /// Gives away what was counted and left out; what is known stays known.
    mutating func drainTallies() -> Tallies {
        defer { tallies = Tallies() }
        return tallies
    }

    /// Whether a line of a conflict is the first.
    ///
    /// - Parameters:
    ///   - id: The conflict.
    ///   - isPending: Whether the line says that it waits for a decision.
    ///   - isFinal: Whether the line says that somebody has decided.
    ///   - isSuspected: Whether timestamps alone tell of it.
    ///   - isClockSuspect: Whether the line calls a clock suspect.
    ///   - winner: The device that won.
    @inline(__always) mutating func isFirst(
        _ id: UInt64, isPending: Bool, isFinal: Bool, isSuspected: Bool, isClockSuspect: Bool, winner: @autoclosure () -> DeviceID
    ) -> Bool {
        switch conflicts.insert(id) {
        case .new:
            if isPending { waiting[id] = isSuspected }
            if isClockSuspect { suspects.insert(id) }
            return true
        case .known:
            tallies.copiesLeftOut += 1
            if isClockSuspect, suspects.insert(id).inserted {
                let path: WritableKeyPath<(proven: Int, suspected: Int), Int> = isSuspected ? \.suspected : \.proven
                tallies.lateSuspects[winner(), default: (0, 0)][keyPath: path] += 1
            }
            if isFinal, let wasSuspected = waiting.removeValue(forKey: id) {
                if wasSuspected { tallies.decided.suspected += 1 } else { tallies.decided.proven += 1 }
            }
            return false
        case .unknown:
            tallies.unchecked += 1
            return true
        }
    }

    /// Whether another conflict has told that an edit was lost.
    ///
    /// - Parameter edit: Its hash, by `EditHash`.
    @inline(__always) mutating func isKnownLoss(_ edit: UInt64) -> Bool { edits.insert(edit) == .known }

    /// Counts a write where it is the first of its dot.
    ///
    /// - Parameter dot: A hash of the dot, nil where the write has no number.
    @inline(__always) mutating func count(dot: UInt64?, hasContext: Bool) {
        if let dot {
            if writes.insert(dot) == .known { return }
            tallies.writes.dots.insert(ConflictID(rawValue: dot))
        } else {
            tallies.writes.unnumbered += 1
        }
        tallies.writes.count += 1
        if hasContext { tallies.writes.withContext += 1 }
    }

    /// Looks at an event, and returns it as it counts; nil where it tells of a conflict that has been counted.
    package mutating func admitted(_ event: AuditEvent) -> AuditEvent? {
        switch event.content {
        case .conflict(var conflict):
            let isFirst = isFirst(
                conflict.id.rawValue, isPending: conflict.resolution == .manualPending, isFinal: conflict.resolution.isFinal,
                isSuspected: !conflict.isProven, isClockSuspect: conflict.clockSuspect, winner: conflict.winner.dot.device)
            guard isFirst else { return nil }
            guard conflict.losesEdit, isKnownLoss(EditHash.value(of: conflict)) else { return event }
            conflict.flags[.repeated] = true
            return AuditEvent(at: event.milliseconds, .conflict(conflict))
        case .write(let write):
            let hash = DotHash(write.dot.device.rawValue)
            // The highest number is what a decoder gives to writes that carry none.
            let isNumbered = write.isNumbered && write.dot.sequence < Int64.max
            count(dot: isNumbered ? hash.value(of: write.dot.sequence) : nil, hasContext: write.hasCausalContext)
            return event
        default: return event
        }
    }

    /// Looks where identities are or would be.
    func touch(conflict id: UInt64) -> UInt64 { conflicts.touch(id) }
    func touch(dot: UInt64) -> UInt64 { writes.touch(dot) }
}
