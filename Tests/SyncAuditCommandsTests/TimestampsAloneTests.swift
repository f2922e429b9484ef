import SyncAuditCommands
import SyncModel
import Testing

/// A fleet that records nothing but who wrote what and when: what is suspected within five minutes, and within an hour.
@Suite struct TimestampsAloneTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static func write(_ device: String, _ number: Int, _ time: String, _ operation: String) -> String {
        #"{"event":"write","ts":"2026-01-15T\#(time):00.000Z","device":"\#(device)","n":\#(number),"recordType":"Card","recordID":"42","#
            + #"\#(operation)}"# + "\n"
    }

    private static func put(_ device: String, _ number: Int, _ time: String, _ field: String) -> String {
        write(device, number, time, #""op":"put","fields":{"\#(field)":"\#(time)"}"#)
    }

    private func audited(_ trace: String, _ options: String...) throws -> (lines: [FieldMap], note: String) {
        let world = TestWorld()
        try #require(world.run(["audit", try directory.path(trace)] + options) == .success)
        return (try world.lines, world.errorText)
    }

    @Test func twoFieldsEditedFiveMinutesApartAreBothKept() throws {
        let trace = Self.put("A", 1, "14:00", "email") + Self.put("B", 1, "14:05", "phone")
        let (lines, note) = try audited(trace)
        #expect(lines.map { $0["kind"] } == ["disjoint_update"] && lines.map { $0["basis"] } == ["window"])
        #expect(note.contains("1 conflict, suspected (by clocks alone); none of them would have lost an edit"))
        // A millisecond more is outside.
        #expect(try audited(trace.replacing("14:05:00.000Z", with: "14:05:00.001Z")).lines.isEmpty)
    }

    @Test func aDeleteFiveMinutesBeforeAnEditMayHaveDiscardedIt() throws {
        let trace = Self.write("A", 1, "14:00", #""op":"delete""#) + Self.put("B", 1, "14:05", "email")
        let (lines, note) = try audited(trace)
        #expect(lines.map { $0["kind"] } == ["delete_update"] && lines.map { $0["severity"] } == ["destructive"])
        #expect(lines.first?["winner"]?.object?["device"] == "A" && lines.first?["loser"]?.object?["value"] == "14:05")
        #expect(note.contains("1 edit may have been lost"))
    }

    /// B's edits were there first; A had made its own without a network.
    @Test func editsOfAnHourOfflineAreFoundWithinAnHourAndAllKept() throws {
        let trace = [
            Self.put("B", 1, "13:15", "company"), Self.put("B", 2, "13:45", "address"), Self.put("A", 1, "13:10", "email"),
            Self.put("A", 2, "13:20", "phone"), Self.put("A", 3, "13:30", "notes"),
        ].joined()
        let state = directory.file("state.jsonl")
        let (lines, note) = try audited(trace, "--window", "1h", "--state", state)
        #expect(lines.allSatisfy { $0["kind"] == "disjoint_update" && $0["severity"] == "merged" && $0["basis"] == "window" })
        #expect(Set(lines.compactMap { $0["loser"]?.object?["value"]?.object?.names.first?.rawValue }) == ["email", "phone", "notes"])
        #expect(note.contains("3 conflicts, all suspected (by clocks alone); none of them would have lost an edit"))
        let merged = directory.content("state.jsonl") ?? ""
        for (field, time) in [
            ("address", "13:45"), ("company", "13:15"), ("email", "13:10"), ("notes", "13:30"), ("phone", "13:20"),
        ] { #expect(merged.contains(#""\#(field)":"\#(time)""#)) }
    }
}
