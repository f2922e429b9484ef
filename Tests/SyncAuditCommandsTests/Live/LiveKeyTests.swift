import AuditLive
import Testing

@testable import SyncAuditCommands

/// Keys as terminals send them, and what is no terminal.
@Suite struct LiveKeyTests {
    @Test func sequencesAreKeysHoweverTheyArrive() {
        var parser = LiveKeyParser()
        let bytes = Array("\u{1b}[Aj\u{1b}OB\u{1b}[5~\u{1b}[1;5Cé\r\u{3}".utf8)
        let expected: [LiveKeyParser.Press] = [
            .key(.up), .key(.character("j")), .key(.down), .key(.pageUp), .key(.character("é")), .key(.enter), .interrupt,
        ]
        #expect(parser.append(bytes) == expected)
        #expect(bytes.flatMap { parser.append([$0]) } == expected)
    }

    @Test func escapeAloneIsAKeyOnceNothingFollows() {
        var parser = LiveKeyParser()
        #expect(parser.append([0x1b]).isEmpty)
        #expect(parser.isWaiting)
        #expect(parser.finish() == [.key(.escape)])
        #expect(!parser.isWaiting)
    }

    @Test(arguments: ["top", "browse"]) func whatIsNoTerminalIsToldSo(verb: String) throws {
        let world = TestWorld()
        try world.pipe("")
        #expect(world.run(verb, "-") == .usage)
        #expect(world.errorText.contains("standard output is no terminal"))
        world.errorText = ""
        world.terminals.output = true
        world.environment["TERM"] = "dumb"
        #expect(world.run(verb, "-") == .usage)
        #expect(world.errorText.contains("needs one that can move its cursor"))
    }
}
