import ProjectDoctor
import Testing

@Suite struct SwiftModelTests {
    private let facts = SwiftFixtures.facts(SwiftFixtures.library)

    private func model(_ source: String) -> SwiftFacts.ModelClass? { SwiftFixtures.facts(source).models.first }

    private func properties(_ body: String) -> [String] {
        (model("@Model class A {\n\(body)\n}")?.properties ?? []).map { "\($0.name):\($0.type ?? "-")=\($0.initialValue ?? "-")" }
    }

    @Test func findsTheModelsOfALibrary() {
        #expect(facts.problems.isEmpty)
        #expect(facts.models.map(\.name) == ["Book", "Author", "Note"])
        #expect(facts.models.map(\.inherits) == [["Identifiable"], ["Person"], []])
        #expect(facts.models.map(\.context.types) == [[], [], ["Library"]])
        #expect(SwiftFixtures.string(SwiftFixtures.library, from: facts.models[0].context.offset).hasPrefix("class Book"))
    }

    @Test func findsTheStoredPropertiesOfABook() {
        let book = facts.models[0]
        #expect(
            book.properties.map(\.name) == [
                "isbn", "cover", "title", "added", "read", "id", "shelf", "tags", "pages", "genre", "address", "note", "revision",
                "history",
                "callback", "color", "blob", "author", "notes", "device",
            ])
        let byName = Dictionary(book.properties.map { ($0.name, $0) }) { first, _ in first }
        #expect(byName["isbn"]?.type == "String")
        #expect(byName["isbn"]?.initialValue == "\"\"")
        #expect(byName["title"]?.initialValue == "\"untitled: @Model class Title { }\"")
        #expect(byName["added"]?.initialValue == "Date.now")
        #expect(byName["read"]?.isOptional == true)
        #expect(byName["read"]?.hasDefault == false)
        #expect(byName["id"]?.type == nil)
        #expect(byName["id"]?.initialValue == "UUID()")
        #expect(byName["shelf"]?.isConstant == true)
        #expect(byName["tags"]?.isConstant == false)
        #expect(byName["pages"]?.type == "[String:[Int]]")
        #expect(byName["address"]?.isOptional == true)
        #expect(byName["note"]?.type == "String!")
        #expect(byName["revision"]?.initialValue == "0")
        #expect(byName["history"]?.initialValue?.hasSuffix("}()") == true)
        #expect(byName["callback"]?.type == "(@Sendable(Int,String)async throws->Void)?")
        #expect(byName["callback"]?.initialValue == "nil")
    }

    @Test func keepsTheEndOfTypeOrValue() {
        for property in facts.models.flatMap(\.properties) {
            let bytes = Array(SwiftFixtures.library.utf8)
            let declared = String(decoding: bytes[property.offset..<property.end], as: UTF8.self)
            #expect(declared.hasPrefix(property.name))
            if let value = property.initialValue { #expect(declared.hasSuffix(value)) }
        }
    }

    @Test func readsAttributes() {
        let byName = Dictionary(facts.models[0].properties.map { ($0.name, $0.attribute) }) { first, _ in first }
        #expect(byName["isbn"]??.options == ["unique"])
        #expect(byName["isbn"]??.originalName == "code")
        #expect(byName["cover"]??.options == ["externalStorage", "allowsCloudEncryption"])
        #expect(byName["color"]??.options == ["transformable"])
        #expect(byName["color"]??.transformer == "ColorTransformer")
        #expect(byName["blob"]??.transformer == "NSSecureUnarchiveFromData")
        #expect(byName["device"]??.options == ["preserveValueOnDeletion"])
        #expect(byName["title"]??.options == nil)
    }

    @Test func readsRelationships() {
        let byName = Dictionary(facts.models.flatMap(\.properties).map { ($0.name, $0.relationship) }) { first, _ in first }
        #expect(byName["author"]??.deleteRule == "nullify")
        #expect(byName["author"]??.inverse == "books")
        #expect(byName["notes"]??.deleteRule == "cascade")
        #expect(byName["notes"]??.inverse == "book")
        #expect(byName["notes"]??.originalName == "remarks")
        #expect(byName["books"]??.deleteRule == nil)
        #expect(byName["books"]??.inverse == nil)
        #expect(byName["friend"]??.inverse == "nil")
    }

    @Test func readsUniqueConstraints() {
        #expect(facts.models[0].unique.map(\.names) == [["isbn"], ["title", "author.name"]])
        #expect(SwiftFixtures.string(SwiftFixtures.library, from: facts.models[0].unique[0].offset).hasPrefix("#Unique"))
    }

    @Test(arguments: [
        "@Model final class A {}", "@Model\npublic\nfinal class A {}", "public @Model class A {}",
        "@available(iOS 17, *) @Model class A {}",
        "@Model @MainActor(unsafe) open class A {}", "@SwiftData.Model class A {}", "@Model // x {\n/* y */ class A {}",
        "#if canImport(SwiftData)\n@Model\n#endif\nfinal class A {}", "@Model() class A<T>: B<Int, T> where T: C {}",
        "@Model class A\n{\n}",
        "struct S { @Model class A {} }", "func f() { @Model class A {} }", "class `class` {}; @Model class A {}",
    ])
    func findsAModel(_ source: String) { #expect(SwiftFixtures.facts(source).models.map(\.name) == ["A"]) }

    @Test(arguments: [
        "// @Model class A {}", "/* /* */ @Model class A {} */", "let s = \"@Model class A {}\"",
        "let s = \"\"\"\n@Model\nclass A {}\n\"\"\"",
        "let s = #\"\"\"\n@Model class A { \\#(f(\"}\")) }\n\"\"\"#", "@Model struct A {}", "@Models class A {}",
        "@Other.Models class A {}",
        "@Model\nlet x = 1\nclass A {}", "let r = /@Model class A {}/", "let r = #/\n@Model class A {}\n/#", "@Model class func a() {}",
    ])
    func findsNoModel(_ source: String) { #expect(SwiftFixtures.facts(source).models.isEmpty) }

    @Test(arguments: [
        ("var a = 1, b: String?", ["a:-=1", "b:String?=-"]),
        ("var a, b: Int", ["a:Int=-", "b:Int=-"]),
        ("var a: [String : Int]=[:]", ["a:[String:Int]=[:]"]),
        ("var a: any P & Q", ["a:any P&Q=-"]),
        ("var a: Array<Pair<Int, String>>? = nil", ["a:Array<Pair<Int,String>>?=nil"]),
        ("var a: (Int, String) -> [Int]", ["a:(Int,String)->[Int]=-"]),
        ("var a: Int { 1 }", []), ("var a: Int { get { 1 } }", []), ("var a: Int\n{ 1 }", []),
        ("var a: Int { get async throws { 1 } }", []),
        ("var a: Int { didSet { } }", ["a:Int=-"]), ("var a = 1 { didSet(old) { } }", ["a:-=1"]),
        ("var a = 1\n{ @MainActor willSet { } }", ["a:-=1"]),
        ("var a = f { $0 }", ["a:-=f { $0 }"]), ("var a = A<B, C>()", ["a:-=A<B, C>()"]), ("var a = 1 < 2, b = 3", ["a:-=1 < 2", "b:-=3"]),
        ("var a = B\n  .c\n  .d(1)\nvar e = 1", ["a:-=B\n  .c\n  .d(1)", "e:-=1"]), ("var a = b\n  ? 1\n  : 2", ["a:-=b\n  ? 1\n  : 2"]),
        ("var a =\n  1 +\n  2\nvar b = 3", ["a:-=1 +\n  2", "b:-=3"]), ("var a = x ?? y // z\nvar b = 1", ["a:-=x ?? y", "b:-=1"]),
        ("var a = if x { 1 } else { 2 }\nvar b = 1", ["a:-=if x { 1 } else { 2 }", "b:-=1"]),
        ("var a = try! f()\nlet b = 1", ["a:-=try! f()", "b:-=1"]), ("var a = -1; var b = 2", ["a:-=-1", "b:-=2"]),
        ("var `default`: Int = 0", ["default:Int=0"]), ("weak var a: B?", ["a:B?=-"]), ("nonisolated(unsafe) var a = 1", ["a:-=1"]),
        ("static var a = 1", []), ("lazy var a = 1", []), ("class var a: Int { 1 }", []), ("static let a = 1, b = 2\nvar c = 1", ["c:-=1"]),
        ("@Transient var a = 1", []), ("@Transient\npublic var a: Int = 1", []), ("@SwiftData.Transient var a = 1", []),
        ("@Attribute(.ephemeral) var a = 1", []), ("@Attribute var a = 1", ["a:-=1"]), ("@Attribute (.unique) var a = 1", ["a:-=1"]),
        ("func f() { var a = 1 }", []), ("init() { let a = 1; class B { var c = 1 } }", []), ("struct B { var c = 1 }", []),
        ("enum K: Int { case a, b }\nvar k = K.a", ["k:-=K.a"]), ("subscript(i: Int) -> Int { var a = 1; return a }", []),
        ("var a = { () -> Int in let b = 1; return b }()", ["a:-={ () -> Int in let b = 1; return b }()"]),
        ("#if A\nvar a = 1\n#else\nvar b = 2\n#endif\nvar c = 3", ["a:-=1", "b:-=2", "c:-=3"]),
        ("#if X\n@Relationship(inverse: \\B.a)\n#endif\nvar a: [B] = []", ["a:[B]=[]"]),
        ("var a: Int /* { */ = /* x */ 1 // }", ["a:Int=1"]), ("var a: String = \"\\(\"}\")\"", ["a:String=\"\\(\"}\")\""]),
        ("var grössé: Int = 0", ["grössé:Int=0"]), ("@ObservationIgnored var a = 1", ["a:-=1"]),
        ("var a = #Predicate<B> { $0.x }", ["a:-=#Predicate<B> { $0.x }"]),
        ("var a: B.C<D>.E!", ["a:B.C<D>.E!=-"]), ("var a: [any P.Type]", ["a:[any P.Type]=-"]),
    ])
    func findsStoredProperties(_ body: String, _ expected: [String]) {
        #expect(properties(body) == expected)
        #expect(SwiftFixtures.facts("@Model class A {\n\(body)\n}").problems.isEmpty)
    }

    @Test(arguments: ["var (a, b) = (1, 2)", "let = 1", "var a", "var : Int"])
    func reportsAPropertyThatCannotBeRead(_ body: String) {
        let facts = SwiftFixtures.facts("@Model class A {\n\(body)\nvar z = 1\n}\n@Model class B { var y = 1 }")
        #expect(facts.problems.count == 1)
        #expect(facts.models.map { $0.properties.map(\.name) } == [["z"], ["y"]])
    }

    @Test(arguments: [
        ("@Attribute(Schema.Attribute.Option.unique)", ["unique"], nil), ("@Attribute(.transformable)", ["transformable"], nil),
        ("@Attribute(.transformable(by: A.B.self), .unique)", ["transformable", "unique"], "A.B"),
        ("@Attribute(.transformable(by: Name.x.rawValue))", ["transformable"], "Name.x.rawValue"),
        ("@Attribute(originalName: \"a\")", [], nil), ("@Attribute()", [], nil), ("@SwiftData.Attribute(.unique)", ["unique"], nil),
    ])
    func readsAnAttribute(_ attribute: String, _ options: [String], _ transformer: String?) {
        let property = model("@Model class A { \(attribute) var a: Int }")?.properties.first
        #expect(property?.attribute?.options == options)
        #expect(property?.attribute?.transformer == transformer)
    }

    @Test(arguments: [
        ("@Relationship(.cascade)", "cascade", nil), ("@Relationship(deleteRule: Schema.Relationship.DeleteRule.deny)", "deny", nil),
        ("@Relationship(inverse: \\.owner)", nil, "owner"), ("@Relationship(inverse: \\V1.Item.owner!)", nil, "owner"),
        ("@Relationship()", nil, nil),
    ])
    func readsARelationship(_ attribute: String, _ rule: String?, _ inverse: String?) {
        let property = model("@Model class A { \(attribute) var a: B? }")?.properties.first
        #expect(property?.relationship != nil)
        #expect(property?.relationship?.deleteRule == rule)
        #expect(property?.relationship?.inverse == inverse)
    }

    @Test func listsOtherTypesWithTheirConformances() {
        let source = """
            enum A: String, Codable { case a }
            struct B<T>: Codable, P & Q where T: R { struct Inner {} }
            final class C: @unchecked Sendable, Module.D<Int> {}
            actor E {}
            protocol F: AnyObject {}
            extension G: Codable {}
            struct H: ~Copyable, Equatable {}
            @Model class I {}
            """
        let types = SwiftFixtures.facts(source).valueTypes
        #expect(types.map(\.name) == ["A", "B", "Inner", "C", "E", "H"])
        #expect(types.map(\.kind) == [.enumeration, .structure, .structure, .otherClass, .otherClass, .structure])
        #expect(types.map(\.conforms) == [["String", "Codable"], ["Codable", "P", "Q"], [], ["Sendable", "D"], [], ["Equatable"]])
        #expect(types[2].context.types == ["B"])
    }

    @Test func readsTheBranchesThatOpenABrace() {
        let facts = SwiftFixtures.facts(
            "#if A\n@Model class X: B {\n#else\n@Model class X {\n#endif\nvar a = 1\n}\n@Model class Y { var b = 1 }")
        #expect(facts.problems.isEmpty)
        #expect(facts.models.map(\.name) == ["X", "X", "Y"])
        #expect(facts.models.map { $0.properties.map(\.name) } == [["a"], [], ["b"]])
        #expect(facts.models.map(\.context.types) == [[], [], []])
    }
}
