import ChildProcess
import CommandWorld
import Foundation
import SyncAuditCommands
import Testing

/// An audit of more than fits into memory, in a process of its own, which finds a disk full or is killed.
@Suite struct AuditMemoryRunTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.create("tmp/keep", "")
    }

    /// More writes than pass between two looks at the memory in use.
    private func trace() throws -> String { try directory.path(MemoryCheck.trace(records: 900, writes: 12_000).joined()) }

    private func script(_ text: String, _ path: String) -> (status: Int32, errors: String) {
        ChildProcess.run([
            "sh", "-c", text, "sh", ChildProcess.helperDirectory + "/syncaudit", path, directory.file("out.jsonl"), directory.file("tmp"),
        ])
    }

    @Test func aDiskThatIsFullLeavesNothing() throws {
        let path = try trace()
        // Where output goes to no file, the files of what does not fit are the first that are too long.
        for (arguments, sentence) in [(#"> /dev/null"#, "cannot be kept in"), (#"-o "$3""#, "File too large")] {
            let outcome = script(#"trap '' XFSZ; ulimit -f 16; TMPDIR=$4 exec "$1" audit --memory 1 "$2" "# + arguments, path)
            #expect(outcome.status == ExitCode.inputOutput.rawValue, "\(outcome.errors)")
            #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("tmp")) == ["keep"])
            #expect(directory.content("out.jsonl") == nil)
        }
    }

    #if os(Linux)
        /// Killed when files have been made, and while the input goes on.
        @Test func aProcessThatIsKilledLeavesNothing() throws {
            let path = try trace()
            let outcome = script(
                """
                mkfifo "$2.pipe"
                TMPDIR="$4" "$1" audit --memory 1 -o "$3" - < "$2.pipe" 2>/dev/null &
                exec 3> "$2.pipe"
                cat "$2" >&3
                while kill -0 $! 2>/dev/null; do
                    if ls -l /proc/$!/fd 2>/dev/null | grep -q 'syncaudit-.*(deleted)'; then kill -9 $!; echo killed >&2; exit; fi
                    sleep 0.05
                done
                """, path)
            #expect(outcome.errors == "killed\n")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.file("tmp")) == ["keep"])
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.contains("syncaudit") || $0 == "out.jsonl" }
                    == [])
        }
    #endif
}
