import ChildProcess
import CommandWorld
import Foundation
import SyncAuditCommands
import Testing

/// The completion scripts in the shells themselves.
@Suite struct ShellTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for shell in ["bash", "zsh", "fish"] {
            let world = TestWorld()
            #expect(world.run("completions", shell) == .success)
            try directory.create(shell, world.output.text)
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

    /// What is offered for the last of some words in a directory with one log.
    private static let logged: [([String], String)] = [
        (["show", ""], "id"), (["report", "--device", "p"], "pad,phone"), (["audit", "--unique", ""], "Card.title"),
    ]

    @Test(.enabled(if: has("bash") && has("fish"), "there is no bash or no fish"), arguments: ["bash", "fish"])
    func shellsOfferTheWordsOfALog(_ shell: String) throws {
        try ShellLog.create(in: directory)
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
            try ShellLog.create(in: directory)
            let found = try output(shell, script, shell == "fish" ? [(["syncaudit"] + words).joined(separator: " ")] : words)
                .split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }.filter { !$0.hasPrefix("log.jsonl") }.sorted()
            #expect(found.joined(separator: ",") == (offered == "id" ? String(world.output.text.prefix(16)) : offered))
        }
        #expect(directory.content("pwned") == nil)
    }

    @Test(.enabled(if: has("zsh"), "there is no zsh")) func zshOffersTheWordsOfALog() throws {
        try ShellLog.create(in: directory)
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
}
