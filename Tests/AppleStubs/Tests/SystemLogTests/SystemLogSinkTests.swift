import AuditLog
import ConflictAudit
import ConflictAuditTesting
import SyncModel
import SystemLogAdapter
import Testing
import os

@Suite struct SystemLogSinkTests {
    private func lines(_ subsystem: String, _ privacy: ValuePrivacy, _ events: [AuditEvent]) -> [String] {
        let sink = SystemLogSink(subsystem: subsystem, source: "phone", privacy: privacy)
        for event in events { sink.record(event) }
        return Logger.messages(subsystem: subsystem, category: "sync")
    }

    private func write(_ text: String, field: FieldName = "title") -> AuditEvent {
        var fields = FieldMap()
        fields[field] = .string(text)
        let write = TaggedWrite(
            dot: Dot(device: "phone", sequence: 1), timestamp: HybridTimestamp(milliseconds: 1_768_482_000_000),
            key: RecordKey(type: "Card", id: "1"), operation: .put(fields), seen: [:])
        return AuditEvent(at: WallTime(millisecondsSince1970: 1_768_482_000_000), .write(write))
    }

    @Test func everyEventIsALineOfTheFormat() {
        let lines = lines("every", .full, AuditEventSamples.all)
        #expect(lines.count == AuditEventSamples.all.count)
        #expect(lines.allSatisfy { $0.hasPrefix(#"{"v":1,"ts":""#) && $0.utf8.count <= SystemLogSink.maximumLength && !$0.contains("\n") })
    }

    @Test func valuesAreLeftOutUnlessAskedFor() {
        #expect(!lines("omitted", .omitted, [write("secret")]).joined().contains("secret"))
        #expect(lines("full", .full, [write("shown")]).joined().contains("shown"))
    }

    @Test func whatIsTooLongLosesItsValuesAndThenIsCounted() {
        let long = String(repeating: "x", count: 2000)
        let lines = lines("long", .full, [write(long), write("a", field: FieldName(long))])
        #expect(lines[0].contains("$omitted"))
        #expect(lines[1].hasSuffix(#""event":"log","dropped":1}"#))
    }
}
