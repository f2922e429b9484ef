import ConflictAudit
import Foundation
import SyncMerge
import SyncModel
import SyncSimulation
import Testing

/// Two writes to one register.
struct ConflictPair: Hashable {
    let key: RecordKey
    let field: FieldName?
    let writes: Set<Dot>

    init(_ conflict: Conflict) { self.init(conflict, writes: [conflict.winner.dot, conflict.loser.dot]) }

    init(_ conflict: Conflict, writes: Set<Dot>) {
        key = conflict.key
        field = conflict.field
        self.writes = writes
    }
}

/// A simulated history of devices whose clocks are right.
struct SimulatedHistory {
    /// The rules by which the devices merge.
    static let rules = MergeRules()

    /// The hub's writes in its order, with their receipts.
    let writes: [TaggedWrite]
    let devices: [SimulationResult.Device]
    /// The conflicts that `seen` proves.
    let happened: Set<ConflictPair>
    private let seen: [Dot: VersionVector]

    /// - Parameter configure: Changes the configuration: a run of 60 records, of which many are edited by several devices at once.
    init(seed: UInt64, _ configure: (inout SimulationConfiguration) -> Void) async throws {
        var configuration = SimulationConfiguration(seed: seed)
        configuration.records = 60
        configuration.skew = .zero
        configuration.rules = Self.rules
        configure(&configuration)
        let result = try await Simulation.run(configuration)
        #expect(result.problems.isEmpty)
        writes = result.trace
        devices = result.devices
        seen = Dictionary(uniqueKeysWithValues: writes.map { ($0.dot, $0.seen ?? VersionVector()) })
        happened = Set(Self.conflicts(in: writes, AuditRules()).map(ConflictPair.init))
    }

    static func conflicts(in writes: [TaggedWrite], _ rules: AuditRules) -> [Conflict] {
        var auditor = TraceAuditor(auditRules: rules)
        return writes.flatMap { auditor.observe($0) }
    }

    /// Whether neither of two writes had seen the other.
    func isConcurrent(_ writes: Set<Dot>) -> Bool {
        writes.count == 2 && writes.allSatisfy { writer in !writes.contains { hasSeen($0, by: writer) } }
    }

    /// Whether the writer of one write had seen another to the same record.
    func hasSeen(_ write: Dot, by writer: Dot) -> Bool {
        write.device == writer.device ? write.sequence < writer.sequence : seen[writer]?.covers(write) == true
    }

    /// How long after each write the hub had it, in milliseconds.
    var delays: [Int64] { writes.compactMap { write in write.receipt?.milliseconds.map { $0 - write.timestamp.milliseconds } } }

    /// The median of the times after which the hub had a write, where everything happens so many times as fast.
    static func medianDelay(_ histories: [SimulatedHistory], speed: Int64 = 1) -> String {
        let delays = histories.flatMap(\.delays).sorted()
        let seconds = Double(delays[delays.count / 2] / speed) / 1000
        if seconds < 60 { return String(format: "%.1f s", seconds) }
        return seconds < 3600 ? String(format: "%.1f min", seconds / 60) : String(format: "%.1f h", seconds / 3600)
    }
}
