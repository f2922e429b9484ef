import ChildProcess
import Testing

@testable import SyncAuditCommands

/// Which program shows long output, and that none is run where there is no terminal.
@Suite struct PagerTests {
    @Test(
        arguments: [
            ([:], "less", true), (["PAGER": "more -s"], "more -s", true), (["PAGER": "more", "SYNCAUDIT_PAGER": "most"], "most", true),
            (["PAGER": "cat"], nil, true), (["PAGER": " cat "], nil, true), (["PAGER": ""], nil, true),
            (["PAGER": "less", "SYNCAUDIT_PAGER": ""], nil, true), (["TERM": "dumb"], nil, true), (["LESS": "-i"], "less", false),
            (["LESS": "-iR"], "less", true), (["LESS": "", "PAGER": "less -R"], "less -R", true),
        ] as [([String: String], String?, Bool)])
    func theEnvironmentChooses(_ variables: [String: String], _ command: String?, _ showsColors: Bool) {
        let pager = Pager { name in variables[name] ?? (name == "TERM" ? "xterm" : nil) }
        #expect(pager?.command == command)
        #expect(pager?.showsColors ?? true == showsColors)
    }

    @Test func withoutATerminalThereIsNone() throws {
        let directory = try TemporaryDirectory()
        let story = try Story(directory)
        let tests = CommandLine.arguments[0]
        let tool = (tests.lastIndex(of: "/").map { String(tests[...$0]) } ?? "./") + "syncaudit"
        let script = #"TERM=xterm PAGER="touch $2" exec "$1" report --all "$3""#
        let result = ChildProcess.run(["sh", "-c", script, "sh", tool, directory.file("ran"), story.log])
        #expect(result.status == 0 && directory.content("ran") == nil)
    }
}
