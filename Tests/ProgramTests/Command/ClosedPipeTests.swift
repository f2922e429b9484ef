import ChildProcess
import CommandWorld
import Foundation
import GitRepository
import Testing

/// A reader that has seen enough is silent success, for every verb in a process of its own.
@Suite struct ClosedPipeTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func theReaderHasGone() throws {
        let repository = try GitRepository()
        try Data("1".utf8).write(to: URL(fileURLWithPath: repository.path + "/a"))
        try repository.run(["add", "a"])
        try repository.run(["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "a"])
        let names = try WritingCommands.names(directory, repository: repository.path)
        let tool = ChildProcess.helperDirectory + "syncaudit"
        let help = WritingCommands.verbs.map { [$0, "--help"] }
        for command in WritingCommands.all + help {
            let arguments = command.map { names[$0] ?? $0 }
            // The shell waits for a line, so that the pipe is closed before the verb begins.
            let child = try ChildProcess(path: "/bin/sh", ["-c", "read -r go; exec \"$@\"", "sh", tool] + arguments)
            child.closeOutput()
            child.closeInput()
            let errors = String(decoding: child.errorsToEnd(), as: UTF8.self)
            #expect(child.wait() == 0, "\(command)")
            #expect(errors == "", "\(command)")
        }
    }
}
