import SyncAuditCommands
import SyncModel
import Testing

/// Nothing is called safe that was not proven safe: neither writes that nobody has audited, nor those without a causal context.
@Suite struct FalseAllClearTests {
    private let world = TestWorld()
    private let directory: TemporaryDirectory
    /// Two edits of one value, one of which was lost, and nobody has looked.
    private let writes: String
    /// The same, and what the writers had seen is not told.
    private let bare: String

    init() throws {
        directory = try TemporaryDirectory()
        writes = try directory.path(Trace.clash(), as: "writes.jsonl")
        bare = try directory.path(Trace.clash(saw: nil), as: "bare.jsonl")
    }

    private func output(_ arguments: [String], input: String? = nil) throws -> String {
        let world = TestWorld()
        if let input { try world.pipe(input) }
        _ = world.run(arguments)
        return world.output.text + world.errorText
    }

    /// The conflict lines of a trace.
    private func audited(_ arguments: String...) throws -> String {
        let world = TestWorld()
        try #require(world.run(["audit"] + arguments) == .success)
        return world.output.text
    }

    private static let reports: [(arguments: [String], sentence: String)] = [
        (["report"], "Nobody has audited these 2 writes: whether edits were lost is not known\n"),
        (["report", "--format", "markdown"], "**Nobody has audited these 2 writes"),
        (["report", "--format", "html"], "<h1>Nobody has audited these 2 writes: whether edits were lost is not known</h1>"),
        (["report", "--format", "html"], "To find out: syncaudit audit FILE | syncaudit report"),
        (["report", "--format", "csv"], "syncaudit_unaudited_writes,gauge,,,,,,,,,,,,,,,,2"),
        (["report", "--device", "nobody"], "Nobody has audited the writes: whether edits were lost is not known\n"),
        (["lost"], "To find out: syncaudit audit FILE | syncaudit lost\n"),
        (["lost", "--format", "json"], #""isUnaudited":true"#),
        (["lost", "--format", "csv"], "syncaudit: Nobody has audited these 2 writes"),
        (["check"], "Nobody has audited these 2 writes: whether edits were lost is not known."),
        (["check", "--format", "json"], #""isUnaudited":true"#),
        (["export"], "\nsyncaudit_unaudited_writes 2\n"),
        (["export", "--format", "csv"], "syncaudit_unaudited_writes,gauge,,,,,,,,,,,,,,,,2"),
        (["show", "3f2a"], "'syncaudit audit FILE | syncaudit show 3f2a - FILE' looks for conflicts first"),
    ]

    @Test(arguments: reports)
    func writesThatNobodyHasAuditedAreSaidToBe(arguments: [String], sentence: String) throws {
        let text = try output(arguments + [writes])
        #expect(text.contains(sentence), "\(text.prefix(2000))")
        #expect(!text.contains("othing was lost"))
        // Whoever does what the sentence says is told of the loss.
        #expect(!(try output(arguments + ["-", writes], input: audited(writes))).contains(sentence))
    }

    private static let evidence = [
        #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":9,"source":"a","event":"checkpoint","seen":{"a":1},"records":1,"digest":"00"}"#,
        #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":9,"source":"a","event":"remote_change","changes":1,"refreshVersion":1}"#,
        #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":9,"source":"a","event":"statistics","writesObserved":0,"writesWithContext":0}"#,
    ]

    @Test(arguments: evidence) func aReplicasLogIsAudited(line: String) throws {
        #expect(try output(["report", "-", writes], input: line + "\n").hasPrefix("No conflicts in 2 writes: nothing was lost\n"))
        #expect(try output(["report", "--record-type", "Card", "-", writes], input: line + "\n").hasPrefix("No conflicts pass the filter"))
        #expect(try output(["lost", "-", writes], input: line + "\n") == "Nothing was lost\n")
    }

    @Test func aLogThatWasOnlyOpenedIsNot() throws {
        let line = #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":1,"source":"a","event":"log","opened":true}"#
        #expect(try output(["report", "-", writes], input: line + "\n").hasPrefix("Nobody has audited these 2 writes"))
    }

    @Test func whatCannotBeProvenIsNotCalledSafe() throws {
        let apart = try directory.path(Trace.clash(after: 3600, saw: nil), as: "apart.jsonl")
        #expect(world.run("audit", "--statistics", apart) == .success)
        #expect(
            world.errorText == """
                syncaudit: 2 writes, no conflict is suspected within 5 min. None of the 2 writes says what its writer had seen, so nothing can be proven, \
                and suspicion rests on times alone; see 'syncaudit help audit'

                """)
        let log = world.output.text
        let report = try output(["report"], input: log)
        #expect(report.hasPrefix("No conflict is suspected in 2 writes\nNone of the 2 writes says what its writer had seen"))
        #expect(
            try output(["lost", "-", apart], input: log).hasPrefix("No loss is known\nNone of the writes says what its writer had seen"))
        #expect(try output(["check", "-", apart], input: log).contains("None of the 2 writes says what its writer had seen"))
        #expect(try output(["export"], input: log).contains("\nsyncaudit_writes_without_context_total 2\n"))
        #expect(try output(["report", "--format", "html"], input: log).contains("None of the 2 writes says what its writer had seen"))
    }

    @Test func whatIsSuspectedIsNotCalledLostNorSafe() throws {
        #expect(world.run("audit", bare) == .success)
        #expect(
            world.errorText.hasPrefix(
                "syncaudit: 2 writes, 1 conflict, suspected (by clocks alone); 1 edit may have been lost. None of"))
        let equal = try directory.path(
            Trace.put("a", at: 0, #"{"v":5}"#, saw: nil) + Trace.put("b", at: 9, #"{"v":5}"#, saw: nil), as: "equal.jsonl")
        #expect(
            try output(["report"], input: audited(equal)).hasPrefix(
                "1 suspected conflict, none of which would have lost an edit\n"))
    }

    @Test func mixedWritesAreCountedApart() throws {
        let mixed = try directory.path(
            Trace.put("a", at: 0, #"{"v":5}"#) + Trace.put("b", at: 3600, #"{"v":3}"#, saw: nil)
                + Trace.put("c", at: 9000, #"{"v":3}"#, saw: nil),
            as: "mixed.jsonl")
        let report = try output(["report"], input: audited("--statistics", mixed))
        #expect(
            report.hasPrefix(
                "No conflict is known in 3 writes\n1 of the 3 writes says what its writer had seen; of the others"))
        // Statistics of an earlier version do not say.
        let old = #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":1,"source":"a","event":"statistics","writesObserved":2}"# + "\n"
        #expect(try output(["report"], input: old).hasPrefix("No conflict is known in 2 writes\nHow many of the 2 writes say what their"))
    }

    // MARK: What is decided again

    /// Traces of which nothing or not all can be proven, the final value of each record, and what `audit` says of them.
    private static let unproven: [(trace: String, rows: [String], sentence: String)] = [
        (Trace.clash(after: 3600, saw: nil), ["3"], "None of the 2 writes says what its writer had seen, so nothing can be proven"),
        (
            Trace.clash(after: 3600) + Trace.put("a", 2, at: 9000, #"{"v":3}"#, saw: nil), ["3"],
            "2 of the 3 writes say what their writer had seen; of the others nothing can be proven"
        ),
        (
            Trace.put("a", at: 0, #"{"v":5}"#) + Trace.put("a", 2, at: 9, #"{"v":3}"#, saw: #"{"a":1}"#), ["3"],
            "all writes are of one device, so that no two can conflict"
        ),
        (
            Trace.put("a", at: 0, #"{"v":5}"#) + Trace.put("b", at: 9, "2", #"{"v":3}"#), ["5", "3"],
            "no record is written twice, so that no two writes can conflict"
        ),
    ]

    @Test(arguments: unproven)
    func whatCannotBeProvenIsNotCalledSafeWhenDecidedAgain(_ trace: String, _ values: [String], _ sentence: String) throws {
        let file = try directory.path(trace, as: "unproven.jsonl")
        let rows = values.enumerated().map { #"{"recordType":"Note","recordID":"\#($0 + 1)","fields":{"v":\#($1)}}"# + "\n" }.joined()
        let outcome = try directory.path(rows, as: "outcome.jsonl")
        #expect(try output(["audit", file]).contains(sentence))
        for arguments in [["replay"], ["replay", "--outcome", outcome]] {
            let text = try output(arguments + [file]).replacing("\n", with: " ")
            #expect(text.contains(sentence), "\(text)")
            for lie in ["no edit loses", "none was lost", "o edit was lost", "edit loses so far", "; no edit lost"] {
                #expect(!text.contains(lie), "\(lie): \(text)")
            }
            let json = try output(arguments + ["-f", "json", file])
            #expect(json.contains(#""isConclusive":false"#) && json.contains(sentence), "\(json)")
        }
    }

    @Test func whatIsProvenIsCalledSafeWhenDecidedAgain() throws {
        let trace = Trace.put("a", at: 0, #"{"v":5}"#) + Trace.put("b", at: 60, #"{"v":3}"#, saw: #"{"a":1}"#)
        let file = try directory.path(trace, as: "sound.jsonl")
        let outcome = try directory.path(#"{"recordType":"Note","recordID":"1","fields":{"v":3}}"# + "\n", as: "outcome.jsonl")
        #expect(try output(["replay", file]).contains("no edit loses."))
        #expect(try output(["replay", "-f", "json", file]).contains(#""writesWithoutContext":0,"isConclusive":true"#))
        let text = try output(["replay", "--outcome", outcome, file]).replacing("\n", with: " ")
        #expect(text.contains("No edit was lost: each is in the outcome, or was replaced by a writer who had seen it."), "\(text)")
        // What is not compared may have been lost.
        let other = try directory.path(trace + Trace.put("a", 2, at: 90, "7", #"{"x":1}"#, type: "Card"), as: "more.jsonl")
        #expect(try output(["replay", "--outcome", outcome, other]).contains("Of what was compared and is explained, no edit was lost"))
    }

    @Test func suspectedLossesAreCountedApartWhenDecidedAgain() throws {
        let mixed = try directory.path(
            Trace.clash(saw: nil) + Trace.put("a", 2, at: 0, "2", #"{"v":5}"#) + Trace.put("b", 2, at: 9, "2", #"{"v":3}"#),
            as: "mixed.jsonl")
        let text = try output(["replay", "--policy", "first-writer-wins", mixed]).replacing("\n", with: " ")
        #expect(text.contains("Under last-writer-wins, 2 conflicts, 1 of them suspected (by clocks alone); 2 edits lost or perhaps lost."))
        for name in ["Recorded", "A"] { #expect(text.contains("\(name): 1 of the edits that lose is only suspected."), "\(text)") }
        #expect(try output(["replay", "-f", "json", mixed]).contains(#""editsLost":2,"editsSuspected":1"#))
        let rows = ["1", "2"].map { #"{"recordType":"Note","recordID":"\#($0)","fields":{"v":3}}"# + "\n" }.joined()
        let outcome = try directory.path(rows, as: "outcome.jsonl")
        let lost = try output(["replay", "--outcome", outcome, mixed]).replacing("\n", with: " ")
        #expect(lost.contains("1 edit was lost, and 1 more may have been, suspected and not proven"), "\(lost)")
        #expect(lost.contains(#"Note "2": v was 5 by a at 2026-01-15T14:00:00.000Z, is 3   Note "1": v was 5 by a at"#), "\(lost)")
        #expect(try output(["replay", "-f", "json", "--outcome", outcome, mixed]).contains(#""editsLost":2,"editsSuspected":1,"lost":[{"#))
    }

    @Test func whatNoLineTellsHasARemedy() throws {
        let directory = try TemporaryDirectory()
        let story = try Story(directory)
        let world = TestWorld()
        #expect(world.run("report", "--all", story.log) == .success)
        let words = world.output.text.replacing("\n", with: " ")
        #expect(words.contains("no line tells. 'syncaudit audit --statistics' writes a line that does"), "\(words)")
        #expect(words.contains("'syncaudit lost' with the trace tells what came back"), "\(words)")
        let counted = try Story(directory, trace: Story.writes, ["--statistics"])
        let other = TestWorld()
        #expect(other.run("report", "--all", counted.log) == .success)
        #expect(!other.output.text.contains("no line tells"))
    }
}
