import AuditLog
import ConflictAudit
import Foundation
import SyncLayer
import SyncMerge
import SyncModel
import SyncSimulation
import TemporaryDirectory
import Testing

/// One seed, one run.
@Suite struct DeterminismTests {
    private func bytes(_ result: SimulationResult) -> [[UInt8]] { result.devices.map(\.lines) + [result.traceLines] }

    private func configuration(_ seed: UInt64) -> SimulationConfiguration {
        var configuration = SimulationConfiguration(seed: seed)
        configuration.crashes = 0.1
        configuration.skew = .seconds(120)
        return configuration
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func theSameSeedGivesTheSameBytes(_ seed: UInt64) async throws {
        let first = try await Simulation.run(configuration(seed))
        let second = try await Simulation.run(configuration(seed))
        #expect(bytes(first) == bytes(second))
        #expect(first.faults.crashes > 0)
    }

    @Test func theSameSeedGivesTheSameBytesOnSQLite() async throws {
        var runs: [[[UInt8]]] = []
        for _ in 0..<2 {
            let directory = try TemporaryDirectory()
            var configuration = configuration(4)
            configuration.storage = .sqlite(directory: directory.path)
            runs.append(bytes(try await Simulation.run(configuration)))
        }
        #expect(runs[0] == runs[1])
    }

    @Test func anotherSeedGivesOtherBytes() async throws {
        let first = try await Simulation.run(configuration(1))
        let second = try await Simulation.run(configuration(2))
        #expect(first.traceLines != second.traceLines)
    }

    @Test(arguments: DeletePolicy.allCases) func theTraceReadBackAndAuditedGivesTheStateOfTheReplicas(_ deletes: DeletePolicy) async throws
    {
        var configuration = configuration(9)
        configuration.rules.deletes = deletes
        let result = try await Simulation.run(configuration)
        var auditor = TraceAuditor(mergeRules: configuration.rules)
        let directory = try TemporaryDirectory()
        let path = directory.path + "/trace.jsonl"
        try Data(result.traceLines).write(to: URL(fileURLWithPath: path))
        var reader = AuditLogReader()
        try reader.read(path: path) { line, _ in
            if case .write(let write) = line.event.content { auditor.observe(write) }
        }
        #expect(auditor.statistics.writesObserved == result.trace.count)
        let records = auditor.records()
        #expect(records.map(\.key) == result.devices[0].records.map(\.key))
        #expect(records.map(\.fields) == result.devices[0].records.map(\.fields))
    }
}
