import Foundation
import Testing

@testable import SyncAuditCommands

/// The completion scripts as texts; `ProgramTests` runs them in the shells themselves.
@Suite struct CompletionTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for shell in CompletionsVerb.Shell.allCases {
            let world = TestWorld()
            #expect(world.run("completions", shell.rawValue) == .success)
            try directory.create(shell.rawValue, world.output.text)
        }
    }

    @Test func wordsOfALog() throws {
        try ShellLog.create(in: directory)
        func words(_ arguments: String...) -> [String] {
            let world = TestWorld()
            #expect(world.run(["completions"] + arguments) == .success)
            return world.output.text.split(separator: "\n").map(String.init)
        }
        let log = directory.file("log.jsonl")
        let ids = words("ids", "--", "--color", log, "no such file")
        #expect(ids.count == 1 && ids.allSatisfy { $0.dropFirst(16) == "\t2026-03-14T10:01:00.000Z  lossy  Card/1.title, pad over phone" })
        #expect(words("fields", "--", log) == ["Card.title"])
        #expect(words("types", "--", log) == ["Card"])
        #expect(words("devices", "--", log) == ["pad", "phone"])
        #expect(words("devices", "--", "/dev/zero", "/dev/null") == [])
    }

    @Test func everyOptionOfEveryVerbIsInEveryScript() throws {
        for shell in CompletionsVerb.Shell.allCases {
            let script = try #require(directory.content(shell.rawValue))
            for verb in SyncAudit.verbs.map(\.definition) {
                #expect(script.contains(verb.name))
                for option in verb.options {
                    #expect(script.contains(shell == .fish ? "-l \(option.name) " : option.spelling), "\(verb.name) \(option.name)")
                }
            }
        }
    }

    @Test(arguments: [
        ([], "the shell is missing; name one of bash, zsh, fish"), (["tcsh"], "\"tcsh\" is not one shell"),
        (["bash", "zsh"], "\"bash zsh\" is not one shell"),
    ]) func whatIsNoShell(_ arguments: [String], _ complaint: String) {
        let world = TestWorld()
        #expect(world.run(["completions"] + arguments) == .usage)
        #expect(world.errorText.contains(complaint))
    }
}
