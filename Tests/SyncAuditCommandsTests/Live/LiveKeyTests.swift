import AuditLive
import Foundation
import Testing

@testable import SyncAuditCommands

/// Keys as terminals send them, and what is no terminal.
@Suite struct LiveKeyTests {
    @Test func sequencesAreKeysHoweverTheyArrive() {
        var parser = LiveKeyParser()
        let bytes = Array("\u{1b}[Aj\u{1b}OB\u{1b}[5~\u{1b}[1;5Cé\r\t\u{1b}[Z\u{1b}[C\u{1b}OD\u{1b}[3~\u{15}\u{3}".utf8)
        let expected: [LiveKeyParser.Press] = [
            .key(.up), .key(.character("j")), .key(.down), .key(.pageUp), .key(.character("é")), .key(.enter), .key(.tab),
            .key(.backTab), .key(.right), .key(.left), .key(.delete), .key(.clear), .interrupt,
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

    @Test(arguments: 0..<20) func whatIsCopiedIsBase64(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 200) }
        #expect(LiveTerminal.base64(bytes) == Data(bytes).base64EncodedString())
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
