import ConflictAudit
import Foundation
import SyncMerge
import SyncModel
import SyncSimulation
import Testing

/// The table of what is found without causal context is what simulated histories give.
///
/// The writes of a history, whose clocks are right, lose what their writers had seen, and their devices' clocks are put off. What is then
/// found is held against the histories as they were.
@Suite struct SuspicionTableTests {
    /// What was found, beside what had happened.
    private struct Score {
        var found = 0
        /// Of those found, the pairs of writes neither of which had seen the other.
        var concurrent = 0
        /// What the audit with causal context finds.
        var happened = 0
        /// Of that, what was found.
        var hit = 0

        /// Percentages, rounded down, so that 100 says all.
        var cell: String { (found == 0 ? "–" : String(concurrent * 100 / found)) + " / " + String(hit * 100 / happened) }

        static func += (left: inout Score, right: Score) {
            left.found += right.found
            left.concurrent += right.concurrent
            left.happened += right.happened
            left.hit += right.hit
        }
    }

    /// Two writes to one register.
    private struct Pair: Hashable {
        let key: RecordKey
        let field: FieldName?
        let writes: Set<Dot>

        init(_ conflict: Conflict) {
            key = conflict.key
            field = conflict.field
            writes = [conflict.winner.dot, conflict.loser.dot]
        }
    }

    /// A simulated history.
    private struct History {
        let writes: [TaggedWrite]
        private let seen: [Dot: VersionVector]
        private let happened: Set<Pair>
        private let devices: [DeviceID]

        init(seed: UInt64, partitions: Double) async throws {
            var configuration = SimulationConfiguration(seed: seed)
            configuration.steps = 600
            configuration.records = 60
            configuration.partitions = partitions
            configuration.skew = 0
            configuration.rules = MergeRules()
            let result = try await Simulation.run(configuration)
            #expect(result.problems.isEmpty)
            writes = result.trace
            seen = Dictionary(uniqueKeysWithValues: writes.map { ($0.dot, $0.seen ?? VersionVector()) })
            happened = Set(Self.conflicts(in: writes, AuditRules()).map(Pair.init))
            devices = result.devices.map(\.id)
        }

        /// How long after each write the hub had it, in milliseconds.
        var delays: [Int64] { writes.compactMap { write in write.receipt?.milliseconds.map { $0 - write.timestamp.milliseconds } } }

        static func conflicts(in writes: [TaggedWrite], _ rules: AuditRules) -> [Conflict] {
            var auditor = TraceAuditor(auditRules: rules)
            return writes.flatMap { auditor.observe($0) }
        }

        /// - Parameters:
        ///   - speed: By how much faster everything happens.
        ///   - offset: By how much the first device's clock is behind the hub's, and the last one's ahead, in milliseconds.
        ///   - basis: By what conflicts are found: by arrival the writes carry their receipts, by the window nothing but their timestamps.
        func score(speed: Int64, offset: Int64, _ basis: Conflict.Basis, _ rules: AuditRules) -> Score {
            let start = writes[0].timestamp.milliseconds
            let stripped = writes.map { write in
                let clock = Int64((devices.firstIndex(of: write.dot.device) ?? 1) - 1) * offset
                let received = write.receipt?.milliseconds.map { start + ($0 - start) / speed }
                return TaggedWrite(
                    dot: write.dot,
                    timestamp: HybridTimestamp(
                        milliseconds: start + (write.timestamp.milliseconds - start) / speed + clock, counter: write.timestamp.counter),
                    key: write.key, operation: write.operation, seen: nil,
                    receipt: basis == .arrival ? TaggedWrite.Receipt(milliseconds: received) : nil)
            }
            let found = Set(Self.conflicts(in: stripped, rules).filter { $0.basis == basis }.map(Pair.init))
            return Score(
                found: found.count, concurrent: found.count { isConcurrent($0.writes) }, happened: happened.count,
                hit: found.intersection(happened).count)
        }

        private func isConcurrent(_ writes: Set<Dot>) -> Bool {
            writes.allSatisfy { writer in writes.allSatisfy { $0 == writer || seen[writer]?.covers($0) == false } }
        }
    }

    /// By how much clocks are off.
    private enum Offset: Int64, CaseIterable {
        case none = 0
        case twoSeconds = 1900
        case tenSeconds = 10_000
        case tenMinutes = 600_000

        var name: String {
            switch self {
            case .none: "0"
            case .twoSeconds: "1.9 s"
            case .tenSeconds: "10 s"
            case .tenMinutes: "10 min"
            }
        }
    }

    private static let tolerances: [Int64] = [0, 2000, 30_000]
    private static let windows: [Int64] = [5000, 300_000, 3_600_000]

    private func histories(partitions: Double) async throws -> [History] {
        var histories: [History] = []
        for seed in 1...4 as ClosedRange<UInt64> { histories.append(try await History(seed: seed, partitions: partitions)) }
        return histories
    }

    private func row(_ histories: [History], speed: Int64, _ offset: Offset) -> String {
        func score(_ basis: Conflict.Basis, _ rules: AuditRules) -> Score {
            var score = Score()
            for history in histories { score += history.score(speed: speed, offset: offset.rawValue, basis, rules) }
            return score
        }
        var cells = [median(histories, speed: speed), offset.name]
        for tolerance in Self.tolerances {
            let measured = score(.arrival, AuditRules(clockTolerance: tolerance))
            if offset.rawValue < tolerance { #expect(measured.concurrent == measured.found && measured.found > 0) }
            cells.append(measured.cell)
        }
        for window in Self.windows { cells.append(score(.window, AuditRules(window: window)).cell) }
        return "| " + cells.joined(separator: " | ") + " |"
    }

    /// The median of the times after which the hub had a write.
    private func median(_ histories: [History], speed: Int64) -> String {
        let delays = histories.flatMap(\.delays).sorted()
        let seconds = Double(delays[delays.count / 2] / speed) / 1000
        if seconds < 60 { return String(format: "%.1f s", seconds) }
        return seconds < 3600 ? String(format: "%.1f min", seconds / 60) : String(format: "%.1f h", seconds / 3600)
    }

    @Test func theTableIsWhatIsMeasured() async throws {
        let (cutOff, connected) = (try await histories(partitions: 0.3), try await histories(partitions: 0))
        var rows = [Offset.none, .tenMinutes].map { row(cutOff, speed: 1, $0) }
        rows += [Offset.none, .tenMinutes].map { row(connected, speed: 1, $0) }
        rows += Offset.allCases.map { row(connected, speed: 60, $0) } + Offset.allCases.map { row(connected, speed: 600, $0) }
        let page = try Repository.text("Sources/syncaudit/syncaudit.docc/AuditYourWrites.md")
        let isShown = page.contains(rows.joined(separator: "\n") + "\n")
        #expect(isShown, "measured:\n\(rows.joined(separator: "\n"))")
    }
}
