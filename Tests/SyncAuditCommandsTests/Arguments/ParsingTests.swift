import ConflictAudit
import SyncAuditCommands
import SyncModel
import Testing

@Suite struct ParsingTests {
    private static let accepted: [(arguments: [String], option: String, values: [String], operands: [String])] = [
        ([], "count", [], []),
        (["--count", "5"], "count", ["5"], []),
        (["--count=5"], "count", ["5"], []),
        (["-n", "5"], "count", ["5"], []),
        (["-n5"], "count", ["5"], []),
        (["-qn5"], "count", ["5"], []),
        (["-qln", "5", "x"], "count", ["5"], ["x"]),
        (["x", "--count", "5", "y"], "count", ["5"], ["x", "y"]),
        (["--name", "a", "--name=b", "--name", "a"], "name", ["a", "b", "a"], []),
        (["--name=a=b"], "name", ["a=b"], []),
        (["--name=-x"], "name", ["-x"], []),
        (["--name", "-"], "name", ["-"], []),
        (["--", "--count", "5"], "count", [], ["--count", "5"]),
        (["--count", "5", "--", "--", "-n"], "count", ["5"], ["--", "-n"]),
        (["-"], "count", [], ["-"]),
        (["x", "-", "y"], "count", [], ["x", "-", "y"]),
        ([""], "count", [], [""]),
        (["--lenient"], "lenient", [""], []),
        (["-lll", "--lenient"], "lenient", [""], []),
    ]

    @Test(arguments: accepted.indices) func optionsAndOperandsAreToldApart(_ index: Int) throws {
        let (arguments, option, values, operands) = Self.accepted[index]
        let parsed = try sampleVerb.parse(arguments)
        #expect(parsed.texts(option) == values, "\(arguments)")
        #expect(parsed.isSet(option) == !values.isEmpty, "\(arguments)")
        #expect(parsed.operands == operands, "\(arguments)")
        #expect(!parsed.wantsHelp)
    }

    private static let rejected: [(arguments: [String], sentence: String)] = [
        (["--cuont", "5"], #"there is no option "--cuont" in sample; did you mean --count?"#),
        (["--unrelated"], #"there is no option "--unrelated" in sample"#),
        (["--unrelated=5"], #"there is no option "--unrelated" in sample"#),
        (["--=5"], #"there is no option "--" in sample"#),
        (["-x"], #"there is no option "-x" in sample; a file of that name is written ./-x"#),
        (["-lx"], #"there is no option "-x" in sample; a file of that name is written ./-lx"#),
        (["--count"], "--count needs a value: --count N"),
        (["-n"], "--count needs a value: --count N"),
        (["--count", "--lenient"], "--count needs a value: --count N; a value that begins with a dash is written --count=VALUE"),
        (["--lenient=yes"], #"--lenient takes no value, but "yes" is given; write --lenient"#),
        (["--lenient="], #"--lenient takes no value, but "" is given; write --lenient"#),
        (["--count", "5", "-n6"], "--count is given more than once; give it one value"),
        (["--count=five"], #"--count: "five" is not a whole number of 1 or more"#),
        (["--count="], #"--count: "" is not a whole number of 1 or more"#),
        (["--name="], "--name: the value is empty"),
        (["--mode", "medium"], #"--mode: "medium" is not one of fast, slow"#),
        (["--unique", "Note."], #"--unique: "Note." has an empty field; write it like TYPE.FIELD"#),
        (
            ["--since", "soon"],
            #"--since: "soon" is no time that exists; write it like 2h for two hours ago, 2026-01-15 or 2026-01-15T14:00:00Z"#
        ),
        (["--name=\u{1b}[31m\n", "--count=\u{1b}"], #"--count: "\u001b" is not a whole number of 1 or more"#),
    ]

    @Test(arguments: rejected.indices) func errorsNameTheValueAndTheRemedy(_ index: Int) {
        let (arguments, sentence) = Self.rejected[index]
        let error = #expect(throws: UsageError.self) { try sampleVerb.parse(arguments) }
        #expect(error?.sentence == sentence)
        #expect(error?.verb == "sample")
        #expect(error?.hint == "Try 'syncaudit sample --help'.")
    }

    @Test(arguments: [["--help"], ["-h"], ["-lh"], ["x", "--help", "--unknown"]]) func helpEndsTheParsing(_ arguments: [String]) throws {
        #expect(try sampleVerb.parse(arguments).wantsHelp)
    }

    @Test func helpAfterTheEndOfOptionsIsAnOperand() throws {
        let parsed = try sampleVerb.parse(["--", "--help"])
        #expect(!parsed.wantsHelp)
        #expect(parsed.operands == ["--help"])
    }

    @Test func typedValuesComeFromTheDefinition() throws {
        let parsed = try sampleVerb.parse([
            "-n7", "--a-rather-long-option=1m", "--since=2026-01-15", "--until=2026-01-15", "--unique=Note.a.b", "--set", "Note=set",
        ])
        #expect(try parsed.positiveInteger("count") == 7)
        #expect(try parsed.duration("a-rather-long-option") == 60_000)
        #expect(try parsed.time("since", now: 0) == 1_768_435_200_000)
        #expect(try parsed.time("until", now: 0) == 1_768_435_200_000 + 86_400_000)
        #expect(try parsed.fields("unique").flatMap(\.fields).map(\.field) == ["a.b", "b"])
        #expect(try parsed.assignments("set") == [Assignment(.named("Note", type: "Note", fields: []), "set")])
        #expect(try parsed.choice("mode", as: ColorChoice.self) == nil)
    }
}
