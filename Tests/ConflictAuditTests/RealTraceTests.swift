import AuditLog
import ConflictAudit
import ConflictAuditTesting
import Foundation
import SyncLines
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
        #expect(statistics.totalConflicts == 909)
        #expect(statistics.byKind == [.updateUpdate: 641, .disjointUpdate: 210, .insertInsert: 55, .deleteUpdate: 3])
        #expect(statistics.bySeverity == [.benign: 633, .merged: 210, .lossy: 63, .destructive: 3])
        #expect(statistics.byBasis == [.causal: 909])
        #expect(statistics.withinWindow == 6)
        #expect(statistics.dataLost == 66)
    }

    @Test func withoutCausalityTimestampsFindAFewAndCallThemSuspected() throws {
        let stripped = try RealTrace.writes().map { write in
            TaggedWrite(dot: write.dot, timestamp: write.timestamp, key: write.key, operation: write.operation, seen: nil)
        }
        let statistics = audited(stripped).statistics
        #expect(statistics.byBasis == [.window: 10])
        #expect(statistics.dataLost == 4)
        let received = zip(stripped, try RealTrace.writes()).map { write, whole in whole.receipt.map(write.received) ?? write }
        #expect(audited(received).statistics.byBasis == [.window: 6, .arrival: 50])
    }

    @Test func revisionsGiveTheSameConflictsAsVersionVectors() throws {
        let writes = try RealTrace.writes()
        let expected = conflicts(of: writes)
        let histories = Dictionary(grouping: writes) { Writer(key: $0.key, device: $0.dot.device) }
        // Of what a writer had seen, the latest of each device: whoever had seen a write had seen those that its writer had.
        let lines = writes.map { write in
            // The latest of each device that the vector names, and the one before of the writer's own.
            var known = write.seen ?? VersionVector()
            if write.dot.sequence > 1 { known.insert(Dot(device: write.dot.device, sequence: write.dot.sequence - 1)) }
            let parents = known.entries.compactMap { entry in
                histories[Writer(key: write.key, device: entry.device)]?.last { $0.dot.sequence <= entry.sequence }
            }
            return RevisionLine(write: write, parents: parents.map { "\($0.dot)" }).text
        }
        var decoder = LineDecoder()
        let read = try lines.compactMap { line -> TaggedWrite? in
            guard case .line(let line) = try decoder.decode(Array(line.utf8).span), case .write(let write) = line.event.content else {
                return nil
            }
            return write
        }
        #expect(read.count == writes.count)
        #expect(conflicts(of: read).map(\.id) == expected.map(\.id))
    }

    private func conflicts(of writes: [TaggedWrite]) -> [Conflict] {
        var auditor = TraceAuditor()
        return writes.flatMap { auditor.observe($0) }
    }

    private struct Writer: Hashable {
        let key: RecordKey
        let device: DeviceID
    }

    /// A write as a system tells of it that names revisions.
    private struct RevisionLine {
        let write: TaggedWrite
        let parents: [String]

        var text: String {
            var line = LineBuffer()
            line.beginObject()
            line.field("event", "write")
            line.date("ts", write.timestamp.milliseconds)
            line.field("device", write.dot.device.rawValue)
            line.field("n", write.dot.sequence)
            line.field("recordType", write.key.type.rawValue)
            line.field("recordID", write.key.id.rawValue)
            line.field("op", write.isDelete ? "delete" : "put")
            if let fields = write.fields { line.field("fields", .object(fields)) }
            line.field("rev", "\(write.dot)")
            line.field("parents", .array(parents.map(FieldValue.string)))
            line.endObject()
            return String(decoding: line.array, as: UTF8.self)
        }
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
        #expect(sink.conflicts.count == 909)
        #expect(Set(sink.conflicts.map(\.id)).count == 909)
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
