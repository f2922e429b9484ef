import SyncAuditCommands
import SyncModel
import SyncOracle
import Testing

/// What `audit` says of a loser: whose edits a save carries, in whatever form the context is and in whatever order the lines come.
@Suite struct CarriedEditTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static func line(_ device: String, _ minute: Int, _ value: String, _ context: String, _ field: String = "g") -> String {
        #"{"event":"write","ts":"2026-01-15T09:\#(minute < 10 ? "0" : "")\#(minute):00Z","device":"\#(device)","recordType":"Card","#
            + #""recordID":"1","op":"put","fields":{"\#(field)":\#(value)},\#(context)}"# + "\n"
    }

    private func vector(_ device: String, _ number: Int, _ minute: Int, _ value: String, _ seen: String) -> String {
        Self.line(device, minute, value, #""n":\#(number),"seen":{\#(seen)}"#)
    }

    /// Each conflict as `severity winner>loser`, with what is marked on it.
    private func audit(_ lines: [String], _ options: String...) throws -> [String] {
        let world = TestWorld()
        #expect(world.run(["audit"] + options + [try directory.path(lines.joined())]) == .success, "\(world.errorText)")
        return try world.lines.compactMap { line in
            guard line["event"] == "conflict", let winner = line["winner"]?.object, let loser = line["loser"]?.object else { return nil }
            let marks = ["stale", "repeated"].filter { line[FieldName($0)] == true }
            return ([line["severity"]?.string ?? "", "\(winner["device"]?.string ?? "")>\(loser["device"]?.string ?? "")"] + marks)
                .joined(separator: " ")
        }
    }

    @Test func anOldValueIsKnownForOneHoweverManyEditsCameBetween() throws {
        let edits = [
            vector("B", 1, 0, #""old""#, ""), vector("A", 1, 1, #""new""#, #""B":1"#), vector("A", 2, 2, #""newer""#, #""A":1,"B":1"#),
        ]
        #expect(try audit(edits + [vector("B", 2, 3, #""old""#, #""B":1"#)]) == ["lossy B>A stale"])
        // Saved again before it was edited; and losing.
        let saved = [edits[0], vector("A", 1, 1, #""old""#, #""B":1"#), edits[2]]
        #expect(try audit(saved + [vector("B", 2, 3, #""old""#, #""B":1"#)]) == ["lossy B>A stale"])
        #expect(try audit(saved + [Self.line("B", 1, #""old""#, #""n":2,"seen":{"B":1}"#)]) == ["benign A>B"])
    }

    @Test func everyFormOfContextSaysTheSame() throws {
        let cursors = [
            Self.line("B", 0, #""old""#, #""cursor":0,"hubSequence":1"#), Self.line("A", 1, #""new""#, #""cursor":1,"hubSequence":2"#),
            Self.line("A", 2, #""newer""#, #""cursor":2,"hubSequence":3"#), Self.line("B", 3, #""old""#, #""cursor":1,"hubSequence":4"#),
        ]
        let revisions = [
            Self.line("B", 0, #""old""#, #""rev":"1","parents":[]"#), Self.line("A", 1, #""new""#, #""rev":"2a","parents":["1"]"#),
            Self.line("A", 2, #""newer""#, #""rev":"3a","parents":["2a"]"#), Self.line("B", 3, #""old""#, #""rev":"2b","parents":["1"]"#),
        ]
        for lines in [cursors, revisions] {
            #expect(try audit(lines) == ["lossy B>A stale"])
            // Newest first; the edit between may have met the old value too.
            #expect(Set(try audit(lines.reversed())) == ["lossy B>A stale"])
        }
    }

    /// Two tick a box, one of them unticks it: the tick of the other is gone, though nobody overwrote it.
    @Test func aLossBehindAnEqualValueIsTold() throws {
        let box = [
            vector("A", 1, 0, "false", ""), vector("B", 1, 1, "true", #""A":1"#), vector("C", 1, 2, "true", #""A":1"#),
            vector("C", 2, 3, "false", #""A":1,"C":1"#),
        ]
        #expect(try audit(box) == ["benign C>B", "lossy C>B"])
    }

    @Test func anEditThatAFormSavesAgainIsLostOnce() throws {
        let lines = [
            vector("A", 1, 0, #""old""#, ""), vector("B", 1, 30, #""won""#, #""A":1"#), vector("C", 1, 1, #""lost""#, #""A":1"#),
            vector("C", 2, 2, #""lost""#, #""A":1,"C":1"#),
        ]
        #expect(try audit(lines) == ["lossy B>C", "lossy B>C repeated"])
        let world = TestWorld()
        _ = world.run(["audit", try directory.path(lines.joined())])
        #expect(world.errorText.contains("4 writes, 2 conflicts; 1 edit lost"))
    }

    /// Vectors name a device's latest number, of whatever record.
    @Test func numbersThatTheRecordLacksAreWritesToOthers() throws {
        let lines = [
            vector("A", 282, 0, #""none""#, ""), vector("A", 444, 1, #""text""#, #""A":443"#), vector("B", 2, 2, #""none""#, #""A":296"#),
        ]
        #expect(try audit(lines) == ["lossy B>A stale"])
        // But nothing is known of a device that is nowhere.
        #expect(try audit(Array(lines.prefix(2)) + [vector("B", 2, 2, #""none""#, #""A":296,"C":1"#)]) == ["lossy B>A"])
    }

    /// A device's clock that goes back puts none of its writes before an earlier one.
    @Test func writesWithoutNumbersAreInTheHubsOrder() throws {
        let lines = [
            Self.line("B", 47, #""first""#, #""cursor":49,"hubSequence":57"#),
            Self.line("B", 35, #""second""#, #""cursor":49,"hubSequence":58"#),
            Self.line("A", 38, #""from A""#, #""cursor":49,"hubSequence":59"#),
        ]
        for order in [lines, lines.reversed()] { #expect(try audit(order) == ["lossy A>B"]) }
    }

    @Test func aShuffledTraceEndsInTheSameState() async throws {
        let fleet = try await SimulatedFleet(directory, SimulatedFleet.Size(devices: 4, steps: 120), seed: 7)
        let sound = try fleet.lines("trace.jsonl")
        func state(_ lines: [String], _ options: String...) throws -> (state: String?, errors: String) {
            let (world, printing) = (TestWorld(), TestWorld())
            let path = try directory.create("order.jsonl", lines.joined(separator: "\n") + "\n")
            #expect(
                world.run(["audit", "--state", directory.file("state"), "-o", directory.file("o")] + fleet.rules + options + [path])
                    == .success)
            // What was written to a file before the order was known is taken back; what goes elsewhere waits.
            #expect(printing.run(["audit"] + fleet.rules + options + [path]) == .success)
            #expect(printing.output.text == directory.content("o"))
            return (directory.content("state"), world.errorText)
        }
        let expected = try state(sound)
        var random = SplitMix64(seed: 3)
        for lines in [random.shuffled(sound), sound.reversed()] {
            let found = try state(lines)
            #expect(found.state == expected.state)
            #expect(found.errors.contains("taken in causal order, which is not that of the lines"))
            #expect(try state(lines, "--in-line-order").errors.contains("were taken in the order of the lines"))
        }
        #expect(!expected.errors.contains("order"))
    }

    @Test func aTraceFromAPipeIsPutInOrderToo() throws {
        let lines = [vector("A", 1, 0, "1", ""), vector("B", 1, 1, "2", #""A":1"#), vector("C", 1, 2, "3", #""A":1"#)]
        let (file, pipe) = (TestWorld(), TestWorld())
        #expect(file.run(["audit", try directory.path(lines.reversed().joined())]) == .success)
        try pipe.pipe(lines.reversed().joined())
        #expect(pipe.run("audit") == .success)
        #expect(file.output.text == pipe.output.text && file.errorText == pipe.errorText)
        #expect(file.errorText.contains("3 writes, 1 conflict; 1 edit lost"))
    }
}
