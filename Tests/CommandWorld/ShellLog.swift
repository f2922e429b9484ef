import Foundation
import SyncAuditCommands
import Testing

/// A log of one conflict, and a field and a device whose names are commands to a shell.
package enum ShellLog {
    /// Writes it, as `log.jsonl`, and the trace that it is of.
    package static func create(in directory: TemporaryDirectory) throws {
        try directory.create(
            "trace.jsonl",
            """
            {"event":"write","ts":"2026-03-14T10:00:00Z","device":"phone","n":1,"recordType":"Card","recordID":"1","op":"put","fields":{"title":"A"}}
            {"event":"write","ts":"2026-03-14T10:01:00Z","device":"pad","n":1,"recordType":"Card","recordID":"1","op":"put","fields":{"title":"B"}}
            {"event":"write","ts":"2026-03-15T10:00:00Z","device":"$(touch pwned)","n":1,"recordType":"Card","recordID":"2","op":"put","fields":{"`touch pwned`":1}}

            """)
        let world = TestWorld()
        #expect(world.run("audit", directory.file("trace.jsonl"), "-o", directory.file("log.jsonl")) == .success)
        let trace = try #require(directory.content("trace.jsonl"))
        try directory.create("log.jsonl", trace + (try #require(directory.content("log.jsonl"))) + "no line\n")
    }
}
