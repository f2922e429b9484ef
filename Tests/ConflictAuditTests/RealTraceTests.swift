import AuditLog
import ConflictAudit
import ConflictAuditTesting
import Foundation
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// The edit history of a data file kept by 1,352 people, with exact causality.
///
/// It is not part of the repository; without it these tests are skipped.
@Suite(.enabled(if: RealTrace.isPresent, "the trace is beside the repository, not in it"))
struct RealTraceTests {
    private func audited(_ writes: [TaggedWrite]) -> TraceAuditor {
        var auditor = TraceAuditor()
        for write in writes { auditor.observe(write) }
        return auditor
    }

    @Test func theConflictsAreExactlyThoseThatHappened() throws {
        let statistics = audited(try RealTrace.writes()).statistics
        #expect(statistics.writesObserved == 7103)
        #expect(statistics.totalConflicts == 915)
        #expect(statistics.byKind == [.updateUpdate: 641, .disjointUpdate: 216, .insertInsert: 55, .deleteUpdate: 3])
        #expect(statistics.bySeverity == [.benign: 633, .merged: 216, .lossy: 63, .destructive: 3])
        #expect(statistics.byBasis == [.causal: 915])
        #expect(statistics.withinWindow == 6)
        #expect(statistics.dataLost == 66)
    }

    @Test func withoutCausalityAWindowFindsSixAndCallsThemSuspected() throws {
        let stripped = try RealTrace.writes().map { write in
            TaggedWrite(
                dot: write.dot, timestamp: write.timestamp, key: write.key, operation: write.operation, seen: nil, receipt: write.receipt)
        }
        let statistics = audited(stripped).statistics
        #expect(statistics.byBasis == [.window: 6])
        #expect(statistics.dataLost == 0)
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func theMergedStateIsTheSameInAnyOrder(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let writes = try RealTrace.writes()
        let expected = audited(writes).records()
        let shuffled = audited(writes.shuffled(using: &random)).records()
        #expect(expected.count == 829)
        #expect(expected.map(\.key) == shuffled.map(\.key))
        #expect(expected.map(\.fields) == shuffled.map(\.fields))
    }

    @Test func everyConflictReachesTheSinkOnce() throws {
        let sink = CollectingAuditSink()
        var auditor = TraceAuditor(sink: sink)
        for write in try RealTrace.writes() { auditor.observe(write) }
        #expect(sink.conflicts.count == 915)
        #expect(Set(sink.conflicts.map(\.id)).count == 915)
    }
}

enum RealTrace {
    /// Beside the checkout, where the project's developers keep it.
    static let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/data/languages-writes.jsonl")
        .path

    static var isPresent: Bool { FileManager.default.isReadableFile(atPath: path) }

    static func writes() throws -> [TaggedWrite] {
        var reader = AuditLogReader()
        var writes: [TaggedWrite] = []
        try reader.read(path: path) { line, _ in
            if case .write(let write) = line.event.content { writes.append(write) }
        }
        return writes
    }
}
