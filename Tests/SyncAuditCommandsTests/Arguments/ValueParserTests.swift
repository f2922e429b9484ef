import ConflictAudit
import SyncAuditCommands
import SyncBytes
import SyncModel
import Testing

@Suite struct ValueParserTests {
    @Test(arguments: [("1", 1), ("10", 10), ("007", 7), ("9223372036854775807", Int.max)]) func number(_ text: String, _ number: Int) throws
    {
        #expect(try ValueParser.positiveInteger(text) == number)
    }

    @Test(arguments: [
        ("", #""" is not a whole number of 1 or more"#), ("-1", #""-1" is not a whole number of 1 or more"#),
        ("+1", #""+1" is not a whole number of 1 or more"#), ("1.0", #""1.0" is not a whole number of 1 or more"#),
        ("٣", #""٣" is not a whole number of 1 or more"#), ("0", "0 is too small; the smallest number is 1"),
        ("9223372036854775808", #""9223372036854775808" is too large; the largest number is 9223372036854775807"#),
    ]) func numberThatIsNone(_ text: String, _ sentence: String) {
        #expect(throws: ValueProblem(sentence)) { try ValueParser.positiveInteger(text) }
    }

    @Test(arguments: [
        "last-writer-wins", "record-last-writer-wins", "first-writer-wins", "maximum", "minimum", "counter", "set", "manual",
        "prefer-devices:A", "prefer-devices:A,B", "prefer-devices:a=b",
    ])
    func policyIsKeptAsText(_ text: String) throws {
        #expect(try ValueParser.policy(text) == text)
    }

    @Test(arguments: ["", "lastWriterWins", "prefer-devices", "Set"]) func policyThatIsNone(_ text: String) {
        let all =
            "last-writer-wins, record-last-writer-wins, first-writer-wins, last-arrival-wins, record-last-arrival-wins, maximum, minimum, "
            + "counter, set, manual, prefer-devices:A,B"
        #expect(throws: ValueProblem("\"\(text)\" is not one of \(all)")) { try ValueParser.policy(text) }
    }

    @Test(arguments: ["prefer-devices:", "prefer-devices:A,", "prefer-devices:,A", "prefer-devices:A,,B"])
    func policyThatNamesAnEmptyDevice(_ text: String) {
        #expect(throws: ValueProblem("\"\(text)\" names an empty device; write the devices like prefer-devices:A,B")) {
            try ValueParser.policy(text)
        }
    }

    @Test func wordsAreComparedByTheirBytes() {
        #expect(throws: ValueProblem.self) { try ValueParser.choice("e\u{301}", of: ["\u{e9}"]) }
    }

    @Test(arguments: [
        ("Note.title", [("Note", "title")]), ("Note.a.b", [("Note", "a.b"), ("Note.a", "b")]), ("N..", [("N", ".")]),
        ("N.a=b", [("N", "a=b")]),
        ("com.example.Card.email", [("com", "example.Card.email"), ("com.example", "Card.email"), ("com.example.Card", "email")]),
    ])
    func fieldMayBeginAfterAnyDot(_ text: String, _ halves: [(type: String, field: String)]) throws {
        #expect(
            try ValueParser.fields(text)
                == halves.map { ConflictStatistics.FieldKey(type: RecordType($0.type), field: FieldName($0.field)) })
    }

    @Test(arguments: [
        ("", #""" does not name a field; write it like TYPE.FIELD"#), ("Note", #""Note" does not name a field; write it like TYPE.FIELD"#),
        (".title", #"".title" has an empty type; write it like TYPE.FIELD"#),
        ("Note.", #""Note." has an empty field; write it like TYPE.FIELD"#),
    ]) func fieldThatIsNone(_ text: String, _ sentence: String) {
        #expect(throws: ValueProblem(sentence)) { try ValueParser.fields(text) }
    }

    @Test func aWordAloneIsAFieldOfAnyType() throws {
        #expect(try ValueParser.fieldOfAnyType("title").any == "title")
        #expect(try ValueParser.fieldOfAnyType("title").fields.isEmpty)
        let dotted = try ValueParser.fieldOfAnyType("Note.title")
        #expect(dotted.any == "Note.title" && dotted.fields == [.init(type: "Note", field: "title")])
        #expect(throws: ValueProblem.self) { try ValueParser.fieldOfAnyType("") }
        #expect(throws: ValueProblem.self) { try ValueParser.fieldOfAnyType("Note.") }
    }

    private static let title = AssignmentTarget.named(
        "Note.title", type: nil, fields: [.init(type: "Note", field: "title")], anyField: "Note.title")
    private static let titleOrType = AssignmentTarget.named("Note.title", type: "Note.title", fields: [.init(type: "Note", field: "title")])
    private static let odd = AssignmentTarget.named(
        "Note.a.b=c", type: "Note.a.b=c", fields: [.init(type: "Note", field: "a.b=c"), .init(type: "Note.a", field: "b=c")])
    private static let policies = AssignmentForm(allowsType: true, value: .policy)
    private static let references = AssignmentForm(value: .text)
    private static let privacy = AssignmentForm(allowsEverything: true, value: .choice(["full", "omitted"]))

    @Test(arguments: [
        ("Note.title=set", policies, Assignment(titleOrType, "set")),
        ("Note=set", policies, Assignment(.named("Note", type: "Note", fields: []), "set")),
        ("Note.title=prefer-devices:A,B", policies, Assignment(titleOrType, "prefer-devices:A,B")),
        ("Note.a.b=c=set", policies, Assignment(odd, "set")),
        ("Note.title=Author", references, Assignment(title, "Author")),
        ("full", privacy, Assignment(.everything, "full")),
        ("Note.title=omitted", privacy, Assignment(title, "omitted")),
        ("title=omitted", privacy, Assignment(.named("title", type: nil, fields: [], anyField: "title"), "omitted")),
        ("author=Author", references, Assignment(.named("author", type: nil, fields: [], anyField: "author"), "Author")),
    ]) func assignmentIsSplitAtTheLastEqualsSign(_ text: String, _ form: AssignmentForm, _ assignment: Assignment) throws {
        #expect(try ValueParser.assignment(text, form) == assignment)
    }

    @Test(arguments: [
        ("Note.title", policies, #""Note.title" sets nothing; write it like TYPE.FIELD=VALUE or TYPE=VALUE"#),
        ("=set", policies, #""" in "=set" does not name what is set; write it like TYPE.FIELD=VALUE or TYPE=VALUE"#),
        ("=Author", references, #""" in "=Author" does not name what is set; write it like TYPE.FIELD=VALUE or FIELD=VALUE"#),
        ("=full", privacy, #""" in "=full" does not name what is set; write it like TYPE.FIELD=VALUE or FIELD=VALUE or VALUE"#),
        ("Note.title=", references, "the value is empty"),
        ("Note.=Author", references, #""Note." has an empty field; write it like TYPE.FIELD"#),
        ("none", privacy, #""none" is not one of full, omitted"#),
        ("Note.title=none", privacy, #""none" is not one of full, omitted"#),
    ]) func assignmentThatIsNone(_ text: String, _ form: AssignmentForm, _ sentence: String) {
        #expect(throws: ValueProblem(sentence)) { try ValueParser.assignment(text, form) }
    }

    @Test func equalsSignsMayStandInFieldsAndInDevices() throws {
        let policy = AssignmentForm(allowsType: true, value: .policy)
        #expect(
            try ValueParser.assignment("Note.title=prefer-devices:aGk=,b", policy) == Assignment(Self.titleOrType, "prefer-devices:aGk=,b"))
        #expect(
            try ValueParser.assignment("Note.a=b=set", policy)
                == Assignment(.named("Note.a=b", type: "Note.a=b", fields: [.init(type: "Note", field: "a=b")]), "set"))
    }
}
