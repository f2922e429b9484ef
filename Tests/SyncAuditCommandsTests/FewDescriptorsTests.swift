import ChildProcess
import Foundation
import SyncAuditCommands
import Testing

/// A process that may have few files open does its work with them, or says in one sentence what it lacks.
@Suite(.timeLimit(.minutes(10))) struct FewDescriptorsTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func script(_ text: String, _ path: String) -> (status: Int32, errors: String) {
        ChildProcess.run(["sh", "-c", text, "sh", ChildProcess.helperDirectory + "syncaudit", path, directory.file("out.jsonl")])
    }

    @Test func whatDoesNotFitIntoMemoryIsDividedIntoFewerFiles() throws {
        let path = try directory.path(MemoryCheck.trace(records: 900, writes: 12_000).joined())
        let expected = script(#"exec "$1" audit -o "$3" "$2""#, path)
        let whole = directory.content("out.jsonl")
        #expect(expected.status == 0 && whole != nil)
        let found = script(#"ulimit -n 64; exec "$1" audit --memory 1 -o "$3" "$2""#, path)
        #expect(found.status == 0, "\(found.errors)")
        #expect(directory.content("out.jsonl") == whole)
    }

    @Test func tooFewAreSaidWithTheRemedyAndNothingIsWritten() throws {
        let path = try directory.path(MemoryCheck.trace(records: 900, writes: 12_000).joined())
        let found = script(#"ulimit -n 10; exec "$1" audit --memory 1 -o "$3" "$2""#, path)
        #expect(found.status == ExitCode.inputOutput.rawValue)
        #expect(found.errors.contains("Too many open files; let the process have more, as by 'ulimit -n 1024'"), "\(found.errors)")
        #expect(directory.content("out.jsonl") == nil)
    }

    @Test func filesThatCannotBeFollowedAreSaidOnce() throws {
        for number in 1...100 { try directory.create("logs/\(number).jsonl", Trace.put("a", at: number, "\(number)", #"{"v":1}"#)) }
        let found = script(#"ulimit -n 40; timeout 4 "$1" tail -f "$2" > "$3""#, directory.file("logs"))
        #expect(found.errors.components(separatedBy: "Too many open files").count == 2, "\(found.errors)")
        #expect(found.errors.contains("ulimit -n 4096"), "\(found.errors)")
    }
}
