import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel
import Testing

/// Conflicts that wait for a decision.
@Suite struct ActiveConflictTests {
    private func write(_ device: String, _ number: Int, seen: String, _ scanner: inout WriteScanner) throws -> TaggedWrite {
        let line =
            #"{"event":"write","ts":"2026-01-15T14:00:0\#(number).000Z","device":"\#(device)","n":\#(number),"recordType":"Note","recordID":"1","#
            + #""op":"put","fields":{"text":"\#(String(repeating: "x", count: 100))","title":"by \#(device)"},"seen":{\#(seen)}}"#
        let write = scanner.scan(Array(line.utf8).span, number: { _ in nil })?.write
        return try #require(write)
    }

    @Test func activeConflictsKeepValuesAndNotWritesOfTheTrace() throws {
        var scanner = WriteScanner()
        var auditor = TraceAuditor(mergeRules: MergeRules(standard: .fields(.manual)))
        auditor.observe(try write("a", 1, seen: "", &scanner))
        let found = auditor.observe(try write("b", 1, seen: "", &scanner))
        #expect(found.map(\.resolution) == [.manualPending, .manualPending])
        let active = auditor.activeConflicts
        #expect(Set(active) == Set(found))
        for conflict in found { #expect("\(conflict.winner)".contains("Content.text")) }
        for conflict in active { #expect(!"\(conflict.winner) \(conflict.loser)".contains("Content.text")) }
    }
}
