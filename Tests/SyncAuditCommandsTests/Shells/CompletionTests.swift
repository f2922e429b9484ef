import ChildProcess
import Foundation
import Testing

@testable import SyncAuditCommands

/// The completion scripts in the shells themselves.
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

    private static func has(_ shell: String) -> Bool { ChildProcess.run([shell, "-c", "exit 0"]).status == 0 }

    /// What a shell prints for a script; the first argument is the path of the completion script.
    private func output(_ shell: String, _ script: String, _ arguments: [String]) throws -> String {
        let name = shell == "fish" ? [] : [shell]
        let child = try ChildProcess(path: "/usr/bin/env", [shell, "-c", script] + name + [directory.file(shell)] + arguments)
        child.closeInput()
        let output = String(decoding: child.readToEnd(), as: UTF8.self)
        #expect(child.wait() == 0)
        return output
    }

    /// A command line as words, the last of which is to be completed, and what is offered.
    private static let lines: [([String], [String])] = [
        (["repl"], ["replay"]), (["--v"], ["--version"]), (["help", "exp"], ["export"]), (["completions", "z"], ["zsh"]),
        (["import", ""], ["cloudkit", "coredata", "git"]), (["replay", "--recorded-d"], ["--recorded-deletes"]),
        (["replay", "--policy", "fi"], ["first-writer-wins"]), (["audit", "--privacy", "om"], ["omitted"]),
        (["export", "-f", "ot"], ["otlp-logs", "otlp-metrics"]), (["simulate", "--store", ""], ["memory", "sqlite"]),
        (["tail", "--until", ""], []),
    ]

    @Test(.enabled(if: has("bash"), "there is no bash"), arguments: lines) func bash(_ words: [String], _ offered: [String]) throws {
        let script = """
            complete() { :; }; compopt() { :; }
            source "$1"; shift
            COMP_WORDS=(syncaudit "$@"); COMP_CWORD=$#; _syncaudit
            for word in "${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done
            """
        #expect(try output("bash", script, words).split(separator: "\n").map(String.init).sorted() == offered)
    }

    @Test(.enabled(if: has("bash"), "there is no bash")) func bashTakesAnEqualsSignForAWord() throws {
        let script = """
            source "$1"; shift
            COMP_WORDS=(syncaudit "$@"); COMP_CWORD=$#; _syncaudit; printf '%s,' "${COMPREPLY[@]}"
            """
        #expect(try output("bash", script, ["replay", "--policy", "=", "cou"]) == "counter,")
        #expect(try output("bash", script, ["report", "--color", "="]) == "auto,always,never,")
    }

    @Test(.enabled(if: has("fish"), "there is no fish"), arguments: lines) func fish(_ words: [String], _ offered: [String]) throws {
        let script = "source $argv[1]; complete -C $argv[2]"
        let found = try output("fish", script, [(["syncaudit"] + words).joined(separator: " ")])
        #expect(found.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }.sorted() == offered)
    }

    @Test(.enabled(if: has("zsh"), "there is no zsh")) func zsh() throws {
        // What is handed to the shell's own completer, word by word.
        let script = """
            compdef() { :; }; _files() { :; }
            _arguments() { for word in "$@"; print -r -- "$word"; [[ "$*" = *arguments* ]] && { state=arguments; line=(replay); }; true }
            _describe() { :; }
            source "$1"; _syncaudit
            """
        let specifications = try output("zsh", script, []).split(separator: "\n").map(String.init)
        for specification in [
            "*--policy=[A policy to compare]:[WHAT=]NAME:(last-writer-wins record-last-writer-wins first-writer-wins maximum minimum counter set manual prefer-devices\\:)"
                .replacingOccurrences(of: "[WHAT=]", with: "\\[WHAT=\\]"),
            "(-f --format)-f+[What is written]:FORMAT:(table json)", "(-f --format)--format=[What is written]:FORMAT:(table json)",
            "(-o --output)-o+[Writes to a file, complete or not at all, instead of standard output]:FILE:_files", "*:file:_files",
        ] {
            #expect(specifications.contains(specification), "\(specification)")
        }
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
