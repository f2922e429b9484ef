import ProjectDoctor
import Testing

/// What is kept in one attribute, and whether several devices edit it apart.
struct LossShapeTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The rules about schema and losses that are broken.
        let rules: [String]
        let property: String
        let code: String

        init(_ property: String, _ rules: [String], _ code: String = "") {
            (testDescription, self.property, self.code, self.rules) = (property + " " + code, property, code, rules)
        }
    }

    static let types: [Case] = [
        Case("var x: Maybe<String>", [], "typealias Maybe<T> = Optional<T>"),
        Case("var x: Maybe<String>", [], "typealias Maybe<Value> = Value?"),
        Case("var x: Pair<Int, String>", ["losses.dictionary"], "typealias Pair<A, B> = [A: B]?\n@Model final class Z { var x = 0 }\n"),
        Case("var x: Name", [], "typealias Name = Optional<String>"),
        Case("var x: Types.Name", [], "enum Types { typealias Name = String? }"),
        Case("var x: Swift.Optional<Int>", []), Case("var x: Int!", []), Case("var x: Optional<Int>", []),
        Case("typealias Text = String?; var x: Text", []), Case("var x: Box<String>", ["schema.optional"], "typealias Box<T> = T"),
        Case("#if false\n    var x: Int\n    #endif", []), Case("#if DEBUG\n    var x: Int\n    #endif", []),
        Case("#if !DEBUG\n    var x: Int\n    #endif", ["schema.optional"]),
    ]

    static let values: [Case] = [
        Case("var x: [UInt8] = []", []), Case("var x: [UInt8]?", []), Case("var x: Data?", []),
        Case("var tint: [Double] = []", ["losses.list"]),
        Case("var coordinates: [Double] = []", []), Case("var embedding: [Float]?", []), Case("var colorComponents: [CGFloat] = []", []),
        Case("var weekdays: [Int] = []", ["losses.list"]), Case("var tags: Set<String> = []", ["losses.list"]),
        Case("@Attribute(.transformable(by: \"T\")) var x: [String]?", ["losses.list"]),
        Case("var name: String = \"\"", []), Case("var text: String = \"\"", []), Case("var summary: String = \"\"", []),
        Case("var details: String = \"\"", [], "let a = TextField(\"a\", text: $note.details)"),
        Case("var details: String = \"\"", ["losses.text"], "let a = TextEditor(text: $note.details)"),
        Case(
            "var details: String = \"\"", ["losses.text"],
            "let a = TextEditor(text: Binding(get: { n.details }, set: { n.details = $0 }))"),
        Case("var details: String?", ["losses.text"], "let a = TextEditor(text: $note.details.bound)"),
        Case("var boundingBox: [CGFloat] = []", []), Case("var content: String = \"\"", []),
        Case("var details: String = \"\"", ["losses.text"], "let a = TextField(\"a\", text: $note.details, axis: .vertical)"),
        Case("var notes: String = \"\"", ["losses.text"]),
        Case("var notes: String = \"\"", [], "let a = TextField(\"a\", text: $item.notes)"),
        Case("var text: String = \"\"", ["losses.text"], "let a = TextEditor(text: $draft)\nfunc save() { note.text = draft }"),
        Case("var text: String = \"\"", ["losses.text"], "let a = TextEditor(text: $draft)\nfunc save() { _ = Note(text: draft) }"),
    ]

    static let encoded: [Case] = [
        Case("var rule: Data?", ["losses.structure"], "func f(_ n: Note) { n.rule = try? JSONEncoder().encode(value) }"),
        Case("var rule: Data?", ["losses.structure"], "func f(_ n: Note) { n.rule = (try? encoder.encode(value)) ?? Data() }"),
        Case(
            "var rule: Data?", ["losses.structure"], "func f(_ n: Note) -> [Int] { try! JSONDecoder().decode([Int].self, from: n.rule!) }"),
        Case(
            "var rule: Data?", ["losses.structure"],
            "func f(_ n: Note) throws { let coded = try JSONEncoder().encode(value); n.rule = coded }"),
        Case(
            "private var rule: Data = Data(); var parts: [Part] { get { [] } set { rule = try! JSONEncoder().encode(newValue) } }",
            ["losses.structure"], "struct Part: Codable { var a = 0 }"),
        Case("var rule: Data?", ["losses.structure"], "extension Note { func set(_ v: V) { rule = try? JSONEncoder().encode(v) } }"),
        Case("var rule: Data?", ["losses.structure"], "func f() throws { _ = Note(rule: try JSONEncoder().encode(value)) }"),
        Case(
            "var rule: Data?", ["losses.structure"],
            "func f(_ n: Note) -> Part? { guard let coded = n.rule else { return nil }; return try? JSONDecoder().decode(Part.self, from: coded) }"
        ),
        Case("var data: Data?", [], "func f(_ r: Response) throws { let data = try JSONEncoder().encode(r); r.data = data }"),
        Case("var rule: Data?", [], "func f() throws { let rule = try JSONEncoder().encode(value); send(rule) }"),
        Case("var rule: Data?", [], "func f(_ n: Note) { n.rule = image.pngData() }"),
    ]

    static let counters: [Case] = [
        Case("var uses: Int = 0", ["losses.counter"], "func f(_ n: Note) { n.uses += 1 }"),
        Case("var uses: Int = 0", [], "struct View { var uses = 0; mutating func f() { uses += 1 } }"),
        Case("var uses: Int = 0", [], "final class Model { var uses = 0 }\nfunc f(_ m: Model) { m.uses += 1 }"),
        Case("var uses: Int = 0", ["losses.counter"], "extension Note { func f() { uses += 1 } }"),
        Case("var uses: Int = 0", ["losses.counter"], "struct View { @Bindable var note: Note; func f() { note.uses += 1 } }"),
        Case("var uses: Int = 0", [], "#if DEBUG\nfunc f(_ n: Note) { n.uses += 1 }\n#endif"),
        Case("var uses: Int = 0", ["losses.counter"], "func f() { let n = Note(); n.uses -= 1 }"),
        Case("var uses: Int = 0", ["losses.counter"], "func f() { notes[0].uses += 1 }"),
    ]

    @Test(arguments: types + values + encoded + counters) func whatOneAttributeKeeps(judged: Case) {
        var fixture = DoctorFixture()
        fixture.contents["Notes.ckdb"] = nil
        fixture.replace("    var title: String?\n", with: "    \(judged.property)\n", in: RuleTests.models)
        fixture.contents["Notes/Code.swift"] = judged.code
        let found = fixture.diagnosis().findings.filter { $0.rule.hasPrefix("schema.") || $0.rule.hasPrefix("losses.") }
        #expect(found.map(\.rule) == judged.rules, "\(found.map(\.message))")
    }

    /// A number of one name in two classes is that of the class that is counted.
    @Test(arguments: [
        ("_ old: Tag, into new: Tag", "new", ["Tag.uses"]), ("_ n: Note", "n", ["Note.uses"]), ("", "list[0]", []),
        ("", "tag", ["Tag.uses"]),
    ])
    func theClassOfTheVariableIsCounted(parameters: String, object: String, entities: [String]) {
        var fixture = DoctorFixture()
        fixture.contents["Notes.ckdb"] = nil
        fixture.replace("var title: String?", with: "var uses: Int = 0", in: RuleTests.models)
        fixture.replace("var name: String = \"\"", with: "var uses: Int = 0", in: RuleTests.models)
        fixture.contents["Notes/Code.swift"] = "func merge(\(parameters)) { \(object).uses += 1 }"
        let found = fixture.diagnosis().findings.filter { $0.rule == "losses.counter" }.map(\.message)
        #expect(found == entities.map { "\($0) may be counted up or down where it is" })
    }

    @Test(arguments: [
        ("customClassName=\"[Double]\"", "", ["losses.list"]), ("customClassName=\"NSArray\"", "", ["losses.list"]),
        ("customClassName=\"[String: Int]\"", "", ["losses.dictionary"]), ("customClassName=\"UIColor\"", "", []),
        ("", "extension Card { @NSManaged public var values: [String]? }", ["losses.list"]), ("", "", []),
    ]) func transformableAttributesOfCoreData(attribute: String, code: String, rules: [String]) {
        var fixture = DoctorFixture()
        RuleTests.addCoreData(
            &fixture,
            "<entity name=\"Card\"><attribute name=\"values\" optional=\"YES\" attributeType=\"Transformable\" valueTransformerName=\"T\" \(attribute)/></entity>"
        )
        fixture.contents["Notes/Card.swift"] = code
        #expect(fixture.diagnosis().findings.map(\.rule).filter { $0.hasPrefix("losses") } == rules)
    }
}
