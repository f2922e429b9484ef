import AuditLog
import ConflictAudit
import SyncLayer
package import SyncMerge
import SyncModel
import SyncSimulation
import TemporaryDirectory
package import Testing

/// One seed, one run.
package enum DeterminismChecks {
    private static func bytes(_ result: SimulationResult) -> [[UInt8]] { result.devices.map(\.lines) + [result.traceLines] }

    private static func configuration(_ seed: UInt64, _ steps: Int) -> SimulationConfiguration {
        var configuration = SimulationConfiguration(seed: seed)
        configuration.steps = steps
        configuration.crashes = 0.1
        configuration.skew = .seconds(120)
        return configuration
    }

    /// Expects that the same seed gives the same bytes, and another one others.
    package static func checkSameBytes(seed: UInt64, steps: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let first = try await Simulation.run(configuration(seed, steps))
        let second = try await Simulation.run(configuration(seed, steps))
        let isSame = bytes(first) == bytes(second)
        #expect(isSame, "seed \(seed)", sourceLocation: sourceLocation)
        #expect(first.faults.crashes > 0, "seed \(seed)", sourceLocation: sourceLocation)
        let other = try await Simulation.run(configuration(seed + 1000, steps))
        #expect(first.traceLines != other.traceLines, "seed \(seed)", sourceLocation: sourceLocation)
    }

    /// Expects the same where stores are files.
    package static func checkSameBytesOnSQLite(seed: UInt64, steps: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        var runs: [[[UInt8]]] = []
        for _ in 0..<2 {
            let directory = try TemporaryDirectory()
            var configuration = configuration(seed, steps)
            configuration.storage = .sqlite(directory: directory.path)
            runs.append(bytes(try await Simulation.run(configuration)))
        }
        let isSame = runs[0] == runs[1]
        #expect(isSame, "seed \(seed)", sourceLocation: sourceLocation)
    }

    /// Expects that the trace, read back and audited, gives the state of the replicas.
    package static func checkTrace(
        _ deletes: DeletePolicy, seed: UInt64, steps: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var configuration = configuration(seed, steps)
        configuration.rules.deletes = deletes
        let result = try await Simulation.run(configuration)
        var auditor = TraceAuditor(mergeRules: configuration.rules)
        let directory = try TemporaryDirectory()
        let path = try directory.create("trace.jsonl", String(decoding: result.traceLines, as: UTF8.self))
        var reader = AuditLogReader()
        try reader.read(path: path) { line, _ in
            if case .write(let write) = line.event.content { auditor.observe(write) }
        }
        #expect(auditor.statistics.writesObserved == result.trace.count, "seed \(seed)", sourceLocation: sourceLocation)
        let (records, shown) = (auditor.records(), result.devices[0].records)
        #expect(records.map(\.key) == shown.map(\.key), "seed \(seed)", sourceLocation: sourceLocation)
        #expect(records.map(\.fields) == shown.map(\.fields), "seed \(seed)", sourceLocation: sourceLocation)
    }
}
