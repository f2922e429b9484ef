import AuditReport
import SyncAuditCommands
import Testing

@Suite struct CommandContextTests {
    private let world = TestWorld()

    @Test(
        arguments: [
            (ColorChoice.auto, true, [:], false, true),
            (.auto, false, [:], false, false),
            (.auto, true, [:], true, false),
            (.auto, true, ["NO_COLOR": "1"], false, false),
            (.auto, true, ["NO_COLOR": ""], false, true),
            (.auto, true, ["TERM": "dumb"], false, false),
            (.auto, true, ["TERM": "xterm"], false, true),
            (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true, true),
            (.never, true, [:], false, false),
        ] as [(ColorChoice, Bool, [String: String], Bool, Bool)])
    func coloursAreForTerminals(_ choice: ColorChoice, _ isTerminal: Bool, _ environment: [String: String], _ isFile: Bool, _ isOn: Bool) {
        world.terminals.output = isTerminal
        world.environment = environment
        #expect(world.context.style(color: choice, isFile: isFile).isEnabled == isOn)
    }

    @Test(
        arguments: [
            (nil, nil, 80), (nil, 132, 132), (nil, 3, 20), ("100", 132, 100), ("0", 132, 132), ("-5", nil, 80), ("wide", nil, 80),
            ("", 90, 90),
            ("100000", nil, 80),
        ] as [(String?, Int?, Int)]) func widthIsSensible(_ columns: String?, _ reported: Int?, _ width: Int)
    {
        world.environment["COLUMNS"] = columns
        world.reportedWidth = reported
        #expect(world.context.width == width)
    }

    @Test func outputGoesToStandardOutputOrToAFile() throws {
        let directory = try TemporaryDirectory()
        try world.context.withOutput(path: nil) { try $0.write("a") }
        try world.context.withOutput(path: "-") { try $0.write("b") }
        #expect(world.output.text == "ab")
        #expect(world.output.flushes == 2)
        try world.context.withOutput(path: directory.file("x")) { try $0.write("c") }
        #expect(world.output.text == "ab")
        #expect(directory.content("x") == "c")
    }
}
