import AuditAnalysis
import ConflictAudit
import SyncMerge
import SyncModel
import SyncSystem

/// A policy that chooses the winner that the log names: for an app's own rule, and for a list of devices that nobody gave, where it does
/// not follow from what other lines tell of the list.
///
/// Which of the writes wins cannot be judged then. All that follows from it can: between which writes there is a conflict, its kind, its
/// values, the ancestor, and whether a line is missing.
///
/// Thread-safe.
final class LoggedWinners: Sendable {
    private struct Register: Hashable {
        let key: RecordKey
        let field: FieldName?
    }

    private struct State {
        /// The write that arrives, and the lines that follow on it.
        var write: TaggedWrite?
        var lines: [Register: Conflict] = [:]
        /// What was chosen last, and among how many.
        var chosen: [Register: (winner: Dot, count: Int)] = [:]
        var crowded: Set<RecordKey> = []
    }

    private let state = Locked(State())
    private let intervals: IntervalRule

    /// The most writes among which a winner is looked for; more cost time that grows with the square of their number.
    private static let limit = 256

    init(intervals: IntervalRule) {
        self.intervals = intervals
    }

    /// Prepares for the arrival of a write.
    ///
    /// - Parameter lines: The conflicts that the log tells of between this line and the next new write.
    func expect(_ lines: some Sequence<Conflict>, on write: TaggedWrite) {
        state.withLock { state in
            state.write = write
            state.lines.removeAll(keepingCapacity: true)
            for line in lines where line.winner.dot == write.dot || line.loser.dot == write.dot {
                state.lines[Register(key: line.key, field: line.field)] = line
            }
        }
    }

    /// Whether a record has had more concurrent writes than are looked at.
    func isCrowded(_ key: RecordKey) -> Bool { state.withLock { $0.crowded.contains(key) } }

    /// - Parameter order: What is known of the list of devices by which the policy goes.
    func resolve(_ context: ConflictContext, _ order: DeviceOrder? = nil) -> CustomResolution {
        let register = Register(key: context.key, field: context.field)
        return state.withLock { state in
            if let (dot, _) = order?.winner(among: context.candidates) {
                state.chosen[register] = (dot, context.candidates.count)
                return .winner(dot)
            }
            guard let write = state.write, let latest = context.candidates.last else { return .undecided }
            if context.candidates.count > Self.limit { state.crowded.insert(context.key) }
            let line = state.lines[register]
            func choose(_ dot: Dot) -> CustomResolution {
                state.chosen[register] = (dot, context.candidates.count)
                return .winner(dot)
            }
            // What was shown before the write arrived: what it replaced, or else what it may replace in silence.
            guard write.isDelete || context.candidates.contains(where: { $0.dot == write.dot }) else {
                if let line, line.winner.dot == write.dot { return choose(line.loser.dot) }
                if let chosen = state.chosen[register], chosen.count == context.candidates.count { return choose(chosen.winner) }
                return choose((context.candidates.first { write.hasSeen($0, intervals: intervals) } ?? latest).dot)
            }
            guard let line, context.candidates.contains(where: { $0.dot == line.winner.dot }) else {
                if write.isDelete { return choose(state.chosen[register]?.winner ?? latest.dot) }
                return choose(write.dot)
            }
            if line.resolution == .manualPending || line.resolution == .manualResolved {
                _ = choose(latest.dot)
                return .undecided
            }
            if let result = line.result {
                _ = choose(latest.dot)
                return .value(result)
            }
            return choose(line.winner.dot)
        }
    }
}
