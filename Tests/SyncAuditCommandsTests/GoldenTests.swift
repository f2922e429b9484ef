import Foundation
import GitRepository
import GoldenFiles
import SyncModel
import Testing

@testable import SyncAuditCommands

/// What every verb writes in every format, of one small trace that a person can follow: `Golden/trace.jsonl`.
@Suite struct GoldenTests {
    /// An output, and the file that holds it.
    struct Output: CustomTestStringConvertible {
        let file: String
        let arguments: [String]
        var input = Input.log
        var exitCode = ExitCode.success

        var testDescription: String { file }
    }

    enum Input {
        /// The writes.
        case trace
        /// The conflicts in them.
        case conflicts
        /// The conflicts, then the writes.
        case log
        /// What devices logged of sync itself: `Golden/health.jsonl`.
        case health
        /// The same, with a line missing, a winner swapped and something that is no line.
        case unsound
    }

    private static let outputs: [Output] = [
        Output(file: "audit.jsonl", arguments: ["audit", "--statistics", "--unique", "Card.email", "-"], input: .trace),
        Output(
            file: "audit-policies.jsonl",
            arguments: [
                "audit", "--policy-for", "Card.visits=counter", "--policy-for", "Card.tags=set", "--deletes", "edit-wins", "--privacy",
                "Card.phone=omitted", "-",
            ],
            input: .trace),
        Output(
            file: "audit-rows.jsonl",
            arguments: [
                "audit", "--csv", "--map", "recordID=card_id,recordType=:Card",
                folder.appending(path: "../../../Samples/traces/updates.csv").path,
            ]),
        Output(file: "report.txt", arguments: ["report", "-"], input: .conflicts),
        Output(file: "report.all.txt", arguments: ["report", "--all", "-"], input: .conflicts),
        Output(file: "report.json", arguments: ["report", "--format", "json", "-"], input: .conflicts),
        Output(file: "report.summary.json", arguments: ["report", "--format", "summary", "-"], input: .conflicts),
        Output(file: "report.csv", arguments: ["report", "--format", "csv", "-"], input: .conflicts),
        Output(file: "report.md", arguments: ["report", "--format", "markdown", "-"], input: .conflicts),
        Output(file: "tail.txt", arguments: ["tail", "-n", "100", "-"], input: .conflicts),
        Output(file: "tail.json", arguments: ["tail", "-n", "100", "--format", "json", "-"], input: .conflicts),
        Output(file: "story.txt", arguments: ["story", "Card/42", "-"]),
        Output(file: "story.json", arguments: ["story", "--format", "json", "Card/42", "-"]),
        Output(file: "story.html", arguments: ["story", "--format", "html", "Card/42", "-"]),
        Output(file: "show.html", arguments: ["show", "--format", "html", phone, "-"]),
        Output(file: "show.txt", arguments: ["show", phone, "-"]),
        Output(file: "show.json", arguments: ["show", "--format", "json", phone, "-"]),
        Output(file: "show-delete.txt", arguments: ["show", deleted, "-"]),
        Output(file: "lost.txt", arguments: ["lost", "-"]),
        Output(file: "lost.json", arguments: ["lost", "--format", "json", "-"]),
        Output(file: "lost.csv", arguments: ["lost", "--format", "csv", "-"]),
        Output(file: "restore.jsonl", arguments: ["restore", deleted, "-"]),
        Output(file: "check.txt", arguments: ["check", "-"], input: .unsound, exitCode: .limitExceeded),
        Output(file: "check.json", arguments: ["check", "--format", "json", "-"], input: .unsound, exitCode: .limitExceeded),
        Output(file: "check.html", arguments: ["check", "--format", "html", "-"], input: .unsound, exitCode: .limitExceeded),
        Output(
            file: "check.sarif", arguments: ["check", "--fail-on", "lossy,decision", "--format", "sarif", "-"], input: .unsound,
            exitCode: .limitExceeded),
        Output(
            file: "check.github", arguments: ["check", "--fail-on", "lossy,decision", "--format", "github", "-"], input: .unsound,
            exitCode: .limitExceeded),
        Output(file: "check.gitlab", arguments: ["check", "--format", "gitlab", "-"], input: .unsound, exitCode: .limitExceeded),
        Output(
            file: "check-gate.json",
            arguments: [
                "check", "--fail-on", "lossy,hoursWithoutSync>24", "--ignore", "schema=a test", "--baseline",
                folder.appending(path: "check-baseline.json").path, "--format", "json", "-",
            ],
            input: .unsound, exitCode: .limitExceeded),
        Output(
            file: "check-gate.txt",
            arguments: [
                "check", "--fail-on", "lossy,clock", "--ignore", "schema=a test", "--baseline",
                folder.appending(path: "check-baseline.json").path, "-",
            ],
            input: .unsound, exitCode: .limitExceeded),
        Output(file: "verify.html", arguments: ["verify", "--format", "html", "-"]),
        Output(file: "check-sound.txt", arguments: ["check", "-"]),
        Output(file: "verify.txt", arguments: ["verify", "-"]),
        Output(file: "verify.json", arguments: ["verify", "--format", "json", "-"]),
        Output(file: "doctor.txt", arguments: ["doctor", project], exitCode: .limitExceeded),
        Output(file: "doctor-all.txt", arguments: ["doctor", "--all", project], exitCode: .limitExceeded),
        Output(file: "doctor.patch", arguments: ["doctor", "--fix", "--dry-run", project], exitCode: .limitExceeded),
        Output(file: "doctor.json", arguments: ["doctor", "--format", "json", project], exitCode: .limitExceeded),
        Output(file: "doctor.sarif", arguments: ["doctor", "--format", "sarif", project], exitCode: .limitExceeded),
        Output(file: "doctor.github", arguments: ["doctor", "--format", "github", project], exitCode: .limitExceeded),
        Output(file: "doctor.gitlab", arguments: ["doctor", "--format", "gitlab", project], exitCode: .limitExceeded),
        Output(file: "doctor.md", arguments: ["doctor", "--format", "markdown", project], exitCode: .limitExceeded),
        Output(file: "replay.txt", arguments: ["replay", "-"], input: .trace),
        Output(file: "init.json", arguments: ["init", "--output", "-", "-"], input: .trace),
        Output(file: "replay.json", arguments: ["replay", "--format", "json", "-"], input: .trace),
        Output(
            file: "replay-outcome.txt", arguments: ["replay", "--outcome", folder.appending(path: "Card.csv").path, "-"], input: .trace),
        Output(file: "export.prometheus", arguments: ["export", "-"], input: .conflicts),
        Output(file: "export.openmetrics", arguments: ["export", "--format", "openmetrics", "-"], input: .conflicts),
        Output(file: "export.otlp-metrics", arguments: ["export", "--format", "otlp-metrics", "-"], input: .conflicts),
        Output(file: "export.otlp-logs", arguments: ["export", "--format", "otlp-logs", "--values", "-"], input: .conflicts),
        Output(file: "export.csv", arguments: ["export", "--format", "csv", "-"], input: .conflicts),
        Output(file: "health.txt", arguments: ["report", "--all", "-"], input: .health),
        Output(file: "health.md", arguments: ["report", "--format", "markdown", "-"], input: .health),
        Output(file: "health.json", arguments: ["report", "--format", "json", "-"], input: .health),
        Output(file: "health.prometheus", arguments: ["export", "-"], input: .health),
        Output(file: "health.openmetrics", arguments: ["export", "--format", "openmetrics", "-"], input: .health),
        Output(file: "health.csv", arguments: ["report", "--format", "csv", "-"], input: .health),
        Output(file: "export.json", arguments: ["export", "--format", "json", "-"], input: .conflicts),
    ]

    /// The conflict over the telephone number, and the note that was deleted while it was edited.
    private static let phone = "4806505146189f5a"
    private static let deleted = "dc9076b23ff77828"

    /// An app's project with something for the doctor to say.
    private static let project = folder.appending(path: "project").path

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    private static func input(_ input: Input) throws -> String {
        let trace = try String(contentsOf: folder.appending(path: "trace.jsonl"), encoding: .utf8)
        let world = TestWorld()
        try world.pipe(trace)
        #expect(world.run("audit", "--statistics", "--unique", "Card.email", "-") == .success)
        var log = world.output.text
        switch input {
        case .trace: return trace
        case .conflicts: return log
        case .log: return log + trace
        case .health: return try String(contentsOf: folder.appending(path: "health.jsonl"), encoding: .utf8)
        case .unsound:
            var lines = log.components(separatedBy: "\n")
            lines[3] = lines[3].replacing("\"winner\"", with: "\"was\"").replacing("\"loser\"", with: "\"winner\"")
                .replacing("\"was\"", with: "\"loser\"")
            lines.remove(at: 1)
            log = lines.joined(separator: "\n")
            return log + trace + "this is no line\n"
        }
    }

    @Test(arguments: outputs) func outputIsThatOfTheFile(output: Output) throws {
        let world = TestWorld()
        try world.pipe(try Self.input(output.input))
        #expect(world.run(output.arguments) == output.exitCode, "\(world.errorText)")
        var text = world.output.text
        // The style is the same in every page: it has a file of its own.
        if output.file.hasSuffix(".html"), let style = text.firstMatch(of: /<style>(?s:.*)<\/style>/)?.output {
            let problem = GoldenFile("page.style").problem(with: String(style))
            #expect(problem == nil)
            text = text.replacing(style, with: "<style>…</style>")
        }
        let problem = GoldenFile(output.file).problem(with: text)
        #expect(problem == nil)
    }

    @Test func aSimulatedFleet() async throws {
        let directory = try TemporaryDirectory()
        let logs = directory.file("logs")
        let simulated = await TestWorld.onThread(
            ["simulate", "--devices", "2", "--steps", "4", "--records", "1", "--policy", "counter", "-o", logs])
        #expect(simulated.code == .success)
        let files = try FileManager.default.contentsOfDirectory(atPath: logs).sorted()
        let text = files.map { "\($0)\n" + (directory.content("logs/\($0)") ?? "") }.joined()
        let problem = GoldenFile("simulate.txt").problem(with: text)
        #expect(problem == nil)
        #expect(files.count == 3)
    }

    @Test(arguments: CompletionsVerb.Shell.allCases) func completionOfOneVerb(_ shell: CompletionsVerb.Shell) {
        let script =
            switch shell {
            case .bash: BashCompletion.script([sampleVerb])
            case .zsh: ZshCompletion.script([sampleVerb])
            case .fish: FishCompletion.script([sampleVerb])
            }
        let problem = GoldenFile("completion.\(shell.rawValue)").problem(with: script)
        #expect(problem == nil)
    }

    /// Two people edit one field on branches of their own, and one of them wins in the merge.
    @Test func aRepository() throws {
        let repository = try GitRepository()
        var stream = CommitStream()
        let root = stream.commit("Ada", at: 1000, on: [], put: ["cards.json": #"{"john":{"phone":"0"}}"#, "notes": "a"])
        let ada = stream.commit("Ada", at: 1010, on: [root], put: ["cards.json": #"{"john":{"phone":"1"}}"#], branch: "main")
        let bob = stream.commit("Bob", at: 1020, on: [root], put: ["cards.json": #"{"john":{"phone":"2"}}"#], branch: "side")
        _ = stream.commit("Ada", at: 1030, on: [ada, bob], put: ["cards.json": #"{"john":{"phone":"2"}}"#], delete: ["notes"])
        try repository.fastImport(stream.text)
        let world = TestWorld()
        #expect(world.run("import", "git", repository.path) == .success)
        let problem = GoldenFile("import-git.jsonl").problem(with: world.output.text)
        #expect(problem == nil)
    }

    /// A format that nobody thought of here would have no file.
    @Test func everyFormatHasAFile() {
        for verb in SyncAudit.verbs.map(\.definition) {
            guard case .value(let kind, _)? = verb.option(named: "format")?.argument else { continue }
            for format in kind.words ?? [] {
                // The page is tested as a page.
                if verb.name == "report", format == "html" { continue }
                let isUsual = Self.outputs.contains { $0.arguments.first == verb.name && !$0.arguments.contains("--format") }
                let isNamed = Self.outputs.contains { $0.arguments.starts(with: [verb.name]) && $0.arguments.contains(format) }
                #expect(isNamed || isUsual && ["table", "text", "prometheus"].contains(format), "\(verb.name) --format \(format)")
            }
        }
    }
}
