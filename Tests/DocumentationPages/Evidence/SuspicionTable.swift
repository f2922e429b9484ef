import AuditAnalysis
import ConflictAudit
import SyncModel
import SyncSimulation
import Testing

/// The table of what is found without causal context is what simulated histories give.
///
/// The writes of a history, whose clocks are right, lose what their writers had seen, and their devices' clocks are put off. What is then
/// found is held against the histories as they were.
package enum SuspicionTable {
    /// What was found, beside what had happened.
    private struct Score {
        var found = 0
        /// Of those found, the pairs of writes neither of which had seen the other.
        var concurrent = 0
        /// What the audit with causal context finds.
        var happened = 0
        /// Of that, what was found.
        var hit = 0

        init() {}

        /// - Parameters:
        ///   - speed: By how much faster everything happens.
        ///   - offset: By how much the first device's clock is behind the hub's, and the last one's ahead, in milliseconds.
        ///   - basis: By what conflicts are found: by arrival the writes carry their receipts, by the window nothing but their timestamps.
        init(_ history: SimulatedHistory, speed: Int64, offset: Int64, _ basis: Conflict.Basis, _ rules: AuditRules) {
            let devices = history.devices.map(\.id)
            let start = history.writes[0].timestamp.milliseconds
            let stripped = history.writes.map { write in
                let clock = Int64((devices.firstIndex(of: write.dot.device) ?? 1) - 1) * offset
                let received = write.receipt?.milliseconds.map { start + ($0 - start) / speed }
                return TaggedWrite(
                    dot: write.dot,
                    timestamp: HybridTimestamp(
                        milliseconds: start + (write.timestamp.milliseconds - start) / speed + clock, counter: write.timestamp.counter),
                    key: write.key, operation: write.operation, seen: nil,
                    receipt: basis == .arrival ? TaggedWrite.Receipt(milliseconds: received) : nil)
            }
            let pairs = Set(SimulatedHistory.conflicts(in: stripped, rules).filter { $0.basis == basis }.map(ConflictPair.init))
            found = pairs.count
            concurrent = pairs.count { history.isConcurrent($0.writes) }
            happened = history.happened.count
            hit = pairs.intersection(history.happened).count
        }

        /// Percentages, rounded down, so that 100 says all.
        var cell: String { (found == 0 ? "–" : String(concurrent * 100 / found)) + " / " + String(hit * 100 / happened) }

        static func += (left: inout Score, right: Score) {
            left.found += right.found
            left.concurrent += right.concurrent
            left.happened += right.happened
            left.hit += right.hit
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

    private static func histories(partitions: Double) async throws -> [SimulatedHistory] {
        var histories: [SimulatedHistory] = []
        for seed in 1...4 as ClosedRange<UInt64> {
            histories.append(
                try await SimulatedHistory(seed: seed) { configuration in
                    configuration.steps = 600
                    configuration.partitions = partitions
                })
        }
        return histories
    }

    private static func row(_ histories: [SimulatedHistory], speed: Int64, _ offset: Offset) -> String {
        func score(_ basis: Conflict.Basis, _ rules: AuditRules) -> Score {
            var score = Score()
            for history in histories { score += Score(history, speed: speed, offset: offset.rawValue, basis, rules) }
            return score
        }
        var cells = [SimulatedHistory.medianDelay(histories, speed: speed), offset.name]
        for tolerance in tolerances {
            let measured = score(.arrival, AuditRules(clockTolerance: .milliseconds(tolerance)))
            if offset.rawValue < tolerance { #expect(measured.concurrent == measured.found && measured.found > 0) }
            cells.append(measured.cell)
        }
        for window in windows { cells.append(score(.window, AuditRules(window: .milliseconds(window))).cell) }
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private static let page = "Sources/Desk/syncaudit/syncaudit.docc/AuditYourWrites.md"

    /// Expects a row of devices that are often cut off and have right clocks.
    package static func checkFirstRow() async throws {
        let row = row(try await histories(partitions: 0.3), speed: 1, .none)
        let isShown = try Repository.text(page).contains(row + "\n")
        #expect(isShown, "measured:\n\(row)")
    }

    /// Expects every row.
    package static func check() async throws {
        let (cutOff, connected) = (try await histories(partitions: 0.3), try await histories(partitions: 0))
        var rows = [Offset.none, .tenMinutes].map { row(cutOff, speed: 1, $0) }
        rows += [Offset.none, .tenMinutes].map { row(connected, speed: 1, $0) }
        rows += Offset.allCases.map { row(connected, speed: 60, $0) } + Offset.allCases.map { row(connected, speed: 600, $0) }
        let page = try Repository.text(page)
        let isShown = page.contains(rows.joined(separator: "\n") + "\n")
        #expect(isShown, "measured:\n\(rows.joined(separator: "\n"))")
        func count(_ number: Int) -> String { HumanNumber.count(number) }
        func conflicts(_ histories: [SimulatedHistory]) -> String { count(histories.reduce(0) { $0 + $1.happened.count }) }
        func writes(_ histories: [SimulatedHistory]) -> String { count(histories.reduce(0) { $0 + $1.writes.count }) }
        let sentence =
            "There are \(conflicts(cutOff)) conflicts in the \(writes(cutOff)) writes of the first two rows, and \(conflicts(connected)) in the "
            + "\(writes(connected)) of the others"
        #expect(try Repository.prose(Self.page).contains(sentence), "\(sentence)")
    }
}
