import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// The edit history of a data file kept by many people: with other contexts, and in other orders.
@Suite struct RealTraceHistories {
    @Test func withoutCausalityTimestampsFindAFewAndCallThemSuspected() throws {
        let stripped = try RealHistory.writes().map { write in
            TaggedWrite(dot: write.dot, timestamp: write.timestamp, key: write.key, operation: write.operation, seen: nil)
        }
        let statistics = RealHistory.audited(stripped).statistics
        #expect(statistics.byBasis == [.window: 10])
        #expect(statistics.dataLost == 4)
        let received = zip(stripped, try RealHistory.writes()).map { write, whole in whole.receipt.map(write.received) ?? write }
        #expect(RealHistory.audited(received).statistics.byBasis == [.window: 6, .arrival: 50])
    }

    @Test func revisionsGiveTheSameConflictsAsVersionVectors() throws {
        let writes = try RealHistory.writes()
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
        let writes = try RealHistory.writes()
        let expected = RealHistory.audited(writes).records()
        let shuffled = RealHistory.audited(writes.shuffled(using: &random)).records()
        #expect(expected.count == 829)
        #expect(expected.map(\.key) == shuffled.map(\.key))
        #expect(expected.map(\.fields) == shuffled.map(\.fields))
    }
}
