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
            "*--policy=[A policy to compare]:\\[WHAT=\\]NAME:(\(ValueKind.policy.offeredWords.joined(separator: " ")))"
                .replacingOccurrences(of: "prefer-devices:", with: "prefer-devices\\:"),
            "(-f --format)-f+[What is written]:FORMAT:(table json)", "(-f --format)--format=[What is written]:FORMAT:(table json)",
            "(-o --output)-o+[Writes to a file, complete or not at all, instead of standard output]:FILE:_files", "*:file:_files",
        ] {
            #expect(specifications.contains(specification), "\(specification)")
        }
    }

    /// A log of one conflict, and a field and a device whose names are commands to a shell.
    private func createLog() throws {
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

    @Test func wordsOfALog() throws {
        try createLog()
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

    /// What is offered for the last of some words in a directory with one log.
    private static let logged: [([String], String)] = [
        (["show", ""], "id"), (["report", "--device", "p"], "pad,phone"), (["audit", "--unique", ""], "Card.title"),
    ]

    @Test(.enabled(if: has("bash") && has("fish"), "there is no bash or no fish"), arguments: ["bash", "fish"])
    func shellsOfferTheWordsOfALog(_ shell: String) throws {
        try createLog()
        let world = TestWorld()
        #expect(world.run("completions", "ids", "--", directory.file("log.jsonl")) == .success)
        let setUp = "export PATH=\"\(ChildProcess.helperDirectory):$PATH\"; cd \"\(directory.path)\"; rm trace.jsonl; "
        let script =
            shell == "fish"
            ? "source $argv[1]; " + setUp + "complete -C \"$argv[2..-1]\""
            : """
            complete() { :; }; compopt() { :; }
            source "$1"; shift; \(setUp)
            COMP_WORDS=(syncaudit "$@"); COMP_CWORD=$#; _syncaudit
            for word in "${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done
            """
        for (words, offered) in Self.logged {
            try createLog()
            let found = try output(shell, script, shell == "fish" ? [(["syncaudit"] + words).joined(separator: " ")] : words)
                .split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }.filter { !$0.hasPrefix("log.jsonl") }.sorted()
            #expect(found.joined(separator: ",") == (offered == "id" ? String(world.output.text.prefix(16)) : offered))
        }
        #expect(directory.content("pwned") == nil)
    }

    @Test(.enabled(if: has("zsh"), "there is no zsh")) func zshOffersTheWordsOfALog() throws {
        try createLog()
        let script = """
            compdef() { :; }; compadd() { print -r -- "${@[6]} ${@[7]}" }
            source "$1"
            export PATH="\(ChildProcess.helperDirectory):$PATH"; cd "\(directory.path)"
            words=(report --device p log.jsonl); _syncaudit_log devices
            """
        #expect(try output("zsh", script, []) == "pad phone\n")
        let specifications = try #require(directory.content("zsh"))
        #expect(specifications.contains("'1:conflict: _syncaudit_log ids'"))
        #expect(specifications.contains("[Only conflicts in which this device wrote]:DEVICE: _syncaudit_log devices'"))
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
