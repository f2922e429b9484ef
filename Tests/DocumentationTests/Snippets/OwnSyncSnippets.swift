import Foundation
import SyncAudit
import TemporaryDirectory
import Testing

/// The lines by which an app logs a sync of its own.
@Suite struct OwnSyncSnippets {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func loggingASyncOfYourOwn() throws {
        let folder = directory.path
        let log = try AuditLogWriter(directory: folder, source: "iPhone")
        var clock = HybridClock()
        let number: UInt64 = 1
        let shown: [RecordID: VersionVector] = ["42": ["iPad": 3]]
        let write = TaggedWrite(
            dot: Dot(device: "iPhone", sequence: number),  // this device's own count of its writes: 1, 2, 3 …
            timestamp: clock.now(wall: systemWallClock()),  // a HybridClock that lives as long as the app
            key: RecordKey(type: "Card", id: "42"),
            operation: .put(["phone": "555-0100"]),  // the fields that were edited and no others, or .delete
            seen: shown["42"] ?? [:])  // for each device, the number of its last write that is in what was shown; [:] creates the record
        log.record(AuditEvent(at: systemWallClock(), .write(write)))

        let saved = TaggedWrite(
            revision: TaggedWrite.Revision(rev: "3-9f", parents: ["2-1c"]),  // such as ETags, row versions, commits; [] creates the record
            device: "iPhone", timestamp: clock.now(wall: systemWallClock()), key: RecordKey(type: "Card", id: "42"),
            operation: .put(["phone": "555-0100"]))
        log.record(AuditEvent(at: systemWallClock(), .write(saved)))

        let (base, mine, theirs): (FieldMap, FieldMap, FieldMap) = (["phone": "1"], ["phone": "2"], ["phone": "3"])
        let merged = mine
        let merge = RecordedMerge(
            key: RecordKey(type: "Card", id: "42"), at: systemWallClock(), by: "iPhone", ancestor: .init(fields: base),
            client: .init(fields: mine), server: .init(fields: theirs, device: "iPad"), result: .init(fields: merged))
        log.record(AuditEvent(at: merge.time, .merge(merge)))

        log.flush()
        var reader = AuditLogReader()
        var read: [AuditEvent.Content] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".jsonl") {
            try reader.read(path: folder + "/" + name) { line, _ in read.append(line.event.content) }
        }
        #expect(read.contains { if case .write(let write) = $0 { write.seen == ["iPad": 3] } else { false } })
        #expect(read.contains { if case .merge = $0 { true } else { false } })
        #expect(read.count { if case .write = $0 { true } else { false } } == 2)
    }
}
