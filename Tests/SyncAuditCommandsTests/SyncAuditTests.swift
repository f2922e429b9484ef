import AuditLog
import ConflictAudit
import Testing

@testable import SyncAuditCommands

@Suite struct SyncAuditTests {
    private let world = TestWorld()

    @Test func withoutArgumentsUsageGoesToStandardError() {
        #expect(world.run() == .usage)
        #expect(world.output.text == "")
        #expect(
            world.errorText == """
                Usage: syncaudit VERB [OPTIONS] [FILES…|-]
                Verbs: audit, report, tail, top, browse, show, story, lost, restore, check, verify, doctor, replay, init, export, import, simulate, completions, man, help
                syncaudit: a verb is missing
                Try 'syncaudit --help'.

                """)
    }

    @Test(arguments: [["--help"], ["-h"], ["help"], ["help", "help"], ["help", "--help"]]) func helpOfTheCommand(_ arguments: [String]) {
        #expect(SyncAudit.run(arguments: arguments, context: world.context) == .success)
        #expect(world.output.text == HelpText.command(SyncAudit.verbs.map(\.definition)))
        #expect(world.errorText == "")
    }

    @Test(arguments: [["help", "audit"], ["audit", "--help"], ["audit", "-h"], ["audit", "file", "-h", "--bogus"]])
    func helpOfAVerb(_ arguments: [String]) {
        #expect(SyncAudit.run(arguments: arguments, context: world.context) == .success)
        #expect(world.output.text == HelpText.verb(AuditVerb.definition))
    }

    @Test func versionIsOneLine() {
        #expect(world.run("--version") == .success)
        #expect(world.output.text == "syncaudit 0.1.0\n")
    }

    @Test(arguments: [
        (["adit"], "syncaudit: there is no verb \"adit\"; did you mean audit?\nTry 'syncaudit --help'.\n"),
        (["help", "adit"], "syncaudit: there is no verb \"adit\"; did you mean audit?\nTry 'syncaudit --help'.\n"),
        (["x\u{1b}]0;"], "syncaudit: there is no verb \"x\\u001b]0;\"\nTry 'syncaudit --help'.\n"),
        (["--verson"], "syncaudit: there is no option \"--verson\"; did you mean --version?\nTry 'syncaudit --help'.\n"),
        (
            ["--lenient", "audit"],
            "syncaudit: there is no option \"--lenient\" before the verb; the verb comes first\nTry 'syncaudit --help'.\n"
        ),
        (
            ["audit", "--polcy=x"],
            "syncaudit: there is no option \"--polcy\" in audit; did you mean --policy?\nTry 'syncaudit audit --help'.\n"
        ),
    ]) func wrongUsageIsExplained(_ arguments: [String], _ text: String) {
        #expect(SyncAudit.run(arguments: arguments, context: world.context) == .usage)
        #expect(world.errorText == text)
        #expect(world.output.text == "")
    }

    @Test func aFailureOfTheLastFlushIsTold() {
        world.output.failure = CommandError(.inputOutput, "writing failed")
        #expect(world.run("--version") == .inputOutput)
        #expect(world.errorText == "syncaudit: writing failed\n")
    }

    @Test func aReaderThatHasSeenEnoughIsNoFailure() {
        world.output.failure = .outputClosed
        #expect(world.run("--help") == .success)
        #expect(world.errorText == "")
    }

    @Test func notesHoldNothingThatATerminalActsOn() {
        world.context.note("a\u{1b}[31mb\nc")
        #expect(world.errorText == #"syncaudit: a\u{1b}[31mb\u{a}c"# + "\n")
    }

    @Test(arguments: [(AuditLogError.Code.badData, ExitCode.badData), (.noInput, .noInput), (.inputOutput, .inputOutput)])
    func errorsOfLogsHaveExitCodes(_ code: AuditLogError.Code, _ exitCode: ExitCode) {
        let error = AuditLogError(code, "file:1: problem")
        #expect(CommandError(error, of: ReportVerb.definition) == CommandError(exitCode, "file:1: problem"))
    }

    @Test func exitCodesAreTheirNumbers() {
        #expect([ExitCode.success, .limitExceeded, .usage, .badData, .noInput, .inputOutput].map(\.rawValue) == [0, 1, 2, 65, 66, 74])
    }

    @Test func optionsOfTheVerbsAreAsDocumented() throws {
        let audit = try AuditVerb.definition.parse([
            "--window", "5m", "--tolerance=2s", "--policy", "prefer-devices:A,B", "--policy-for", "Note.tags=set",
            "--policy-for=Note=manual",
            "--deletes", "edit-wins", "--outside-window", "count", "--unique", "User.email", "--reference", "Note.author=User", "--state",
            "s", "--edited", "--whole-records", "--whole-records-of", "Note", "--bookkeeping", "Note.version", "--name", "Note=title",
            "--privacy", "omitted", "--privacy=Note.title=full", "--statistics", "--joined", "--lenient", "--config", "c", "--output", "o",
            "in", "-",
            "--times", "+02:00", "--integer-ids", "--csv", "--sqlite", "d", "--query", "SELECT 1", "--table", "t", "--keeps", "merged",
            "--map", "ts=a", "--fields", "b",
            "--rows",
            "changes", "--empty=null", "--trace-out", "t", "--separator", "tab", "--memory", "2G", "--grouped", "--minimal-trace",
            "4f", "--keep-values", "--in-line-order",
        ])
        #expect(audit.operands == ["in", "-"])
        #expect(AuditVerb.definition.options.filter { !audit.isSet($0.name) }.map(\.name) == ["help"])
        let report = try ReportVerb.definition.parse([
            "--all", "--format=json", "--top", "3", "--rows=0", "--since", "2d", "--until=2026-01-15", "--device=a", "--record-type",
            "Note",
            "--record", "Note/1", "--field=title",
            "--kind", "update_update", "--severity=lossy", "--severity", "divergent", "--color", "never", "--all-copies", "--clock-what-if",
            "--lenient", "--config=none", "--name", "Note=title", "--title", "t", "--for", "user", "--user", "a", "--show-others",
            "--language", "de", "--zone", "UTC", "--watch", "5s",
            "--output", "o",
        ])
        #expect(ReportVerb.definition.options.filter { !report.isSet($0.name) }.map(\.name) == ["help"])
        #expect(try report.choices("severity", as: Conflict.Severity.self) == [.lossy, .divergent])
    }
}
