import AuditLog
import ConflictAudit
import SyncModel
import TemporaryDirectory
import Testing

/// Writes of a system that names revisions: in lines, and in an audit without them.
@Suite struct RevisionLineTests {
    private static let key = RecordKey(type: "Card", id: "42")

    private static func write(
        _ rev: String, _ parents: [String]?, by device: DeviceID, _ value: FieldValue, at seconds: Int64
    ) -> TaggedWrite {
        TaggedWrite(
            revision: TaggedWrite.Revision(rev: rev, parents: parents), device: device,
            timestamp: HybridTimestamp(milliseconds: 1_768_485_600_000 + seconds * 1000), key: key, operation: .put(["phone": value]))
    }

    /// Two devices edit what one has made, without each other.
    private static let writes = [
        write("1-a", [], by: "iPhone", "0", at: 0), write("2-a", ["1-a"], by: "iPhone", "1", at: 10),
        write("2-b", ["1-a"], by: "iPad", "2", at: 20), write("3-a", ["2-a", "2-b"], by: "iPhone", "3", at: 30),
    ]

    private func line(_ write: TaggedWrite) -> String {
        var bytes: [UInt8] = []
        LineEncoder.append(
            AuditLine(sequence: 1, source: "iPhone", event: AuditEvent(at: WallTime(millisecondsSince1970: 0), .write(write))), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func aLineHasRevAndParentsAndNoNumber() {
        let line = line(Self.writes[3])
        #expect(line.contains(#""rev":"3-a","parents":["2-a","2-b"]"#), "\(line)")
        #expect(!line.contains(#""n":"#) && !line.contains(#""seen""#))
        #expect(self.line(Self.write("1-a", nil, by: "iPhone", "0", at: 0)).contains(#""rev":"1-a""#))
        #expect(!self.line(Self.write("1-a", nil, by: "iPhone", "0", at: 0)).contains(#""parents""#))
    }

    @Test func aLineSaysOnceWhatTheWriterHadSeen() {
        let write = TaggedWrite(
            dot: Dot(device: "iPhone", sequence: 2), timestamp: HybridTimestamp(milliseconds: 1), key: Self.key, operation: .delete,
            seen: ["iPad": 1], revision: TaggedWrite.Revision(rev: "2-a", parents: ["1-a"]))
        let line = line(write)
        #expect(line.contains(#""seen":{"iPad":1}"#) && line.contains(#""rev":"2-a""#) && !line.contains("parents"), "\(line)")
    }

    @Test func whatIsReadHasSeenWhatTheParentsLeadBackTo() throws {
        var reader = AuditLogReader()
        var read: [TaggedWrite] = []
        let directory = try TemporaryDirectory()
        let path = try directory.create("log.jsonl", Self.writes.map(line).joined())
        try reader.read(path: path) { line, _ in if case .write(let write) = line.event.content { read.append(write) } }
        #expect(read.map(\.seen) == [[:], ["iPhone": 1], ["iPhone": 1], ["iPhone": 2, "iPad": 1]])
        #expect(read.map(\.dot.sequence) == [1, 2, 1, 3] && read.allSatisfy { $0.revision == nil })
    }

    @Test func anAuditOfTheWritesThemselvesProvesTheConflict() {
        var auditor = TraceAuditor()
        let conflicts = Self.writes.flatMap { auditor.observe($0) }
        #expect(conflicts.map(\.isProven) == [true])
        #expect(conflicts.first?.winner.value == "2" && conflicts.first?.loser.value == "1")
        #expect(auditor.statistics.writesWithContext == 4)
    }

    /// The revision that both were made from is not in the trace.
    @Test func aRevisionOfUnknownParentsSaysNothing() {
        var auditor = TraceAuditor()
        let conflicts = Self.writes[1...2].flatMap { auditor.observe($0) }
        #expect(conflicts.map(\.isProven) == [false])
    }

    @Test func writesAreEqualOnlyWithTheirRevisions() {
        let (one, other) = (Self.write("1-a", [], by: "a", 1, at: 0), Self.write("1-a", nil, by: "a", 1, at: 0))
        #expect(one != other && one == Self.write("1-a", [], by: "a", 1, at: 0))
        #expect(one.received(TaggedWrite.Receipt(time: nil, hubSequence: 3)).revision == one.revision)
    }
}
