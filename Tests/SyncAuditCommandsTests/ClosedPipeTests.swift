import ChildProcess
import Foundation
import GitRepository
import Testing

@testable import SyncAuditCommands

/// A reader that has seen enough is silent success, for every verb in a process of its own.
@Suite struct ClosedPipeTests {
    /// What each verb that writes is asked for; `LOG`, `TRACE` and `ID` are those of a story, `TWICE` is a trace with findings.
    private static let commands: [[String]] = [
        ["audit", "TRACE"], ["audit", "--statistics", "--privacy", "omitted", "TRACE"],
        ["report", "LOG"], ["report", "-f", "json", "LOG"], ["report", "-f", "csv", "LOG"], ["report", "-f", "markdown", "LOG"],
        ["report", "--all", "LOG"], ["report", "--all-copies", "LOG"], ["report", "--clock-what-if", "LOG"],
        ["tail", "LOG"], ["tail", "-f", "LOG"], ["tail", "--format", "json", "LOG"],
        ["show", "ID", "LOG", "TRACE"], ["show", "-f", "json", "ID", "LOG", "TRACE"],
        ["lost", "LOG", "TRACE"], ["lost", "-f", "csv", "LOG"], ["lost", "-f", "json", "LOG"],
        ["restore", "ID", "LOG", "TRACE"],
        // With findings too, of which it says so otherwise.
        ["check", "LOG", "TRACE"], ["check", "TWICE"], ["check", "-f", "json", "TWICE"],
        ["check", "--fail-on", "lossy>0", "LOG"],
        ["verify", "LOG"], ["verify", "-f", "LOG"], ["verify", "--format", "json", "LOG"],
        ["doctor", "PROJECT"], ["doctor", "--all", "PROJECT"], ["doctor", "-f", "sarif", "PROJECT"],
        ["replay", "TRACE"], ["replay", "-f", "json", "TRACE"],
        ["init", "-o", "-", "TRACE"],
        ["export", "LOG"], ["export", "-f", "csv", "LOG"], ["export", "-f", "json", "LOG"],
        ["import", "git", "REPOSITORY"],
        ["completions", "bash"], ["completions", "zsh"], ["completions", "fish"], ["man"],
        ["--help"], ["--version"], ["help", "audit"],
    ]

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Where output goes to a directory, or to a terminal only, no pipe can be closed.
    private static let silent: Set<String> = ["simulate", "top", "browse"]

    @Test func everyVerbIsTried() {
        #expect(
            Set(SyncAudit.verbs.map(\.definition.name)).subtracting(Self.silent).isSubset(of: Self.commands.map { $0[0] }))
    }

    @Test func theReaderHasGone() throws {
        let story = try Story(directory)
        let repository = try GitRepository()
        try Data("1".utf8).write(to: URL(fileURLWithPath: repository.path + "/a"))
        try repository.run(["add", "a"])
        try repository.run(["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "a"])
        let id = try TestWorld.id(in: story.log)
        let twice = try directory.path(Story.writes + Story.writes, as: "twice.jsonl")
        let project = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/project").path
        let names = [
            "PROJECT": project, "TWICE": twice, "LOG": story.log, "TRACE": story.trace, "ID": id, "REPOSITORY": repository.path,
        ]
        let tool = ChildProcess.helperDirectory + "syncaudit"
        let help = SyncAudit.verbs.map { [$0.definition.name, "--help"] }
        for command in Self.commands + help {
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
