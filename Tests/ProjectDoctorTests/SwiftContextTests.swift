import ProjectDoctor
import Testing

@Suite struct SwiftContextTests {
    /// The context of the only call of a schema in a source.
    private func context(_ source: String) -> SwiftFacts.Context { SwiftFixtures.facts(source).schemaCalls.first?.context ?? .init() }

    @Test(arguments: [
        ("Schema(x)", [], nil), ("struct A { enum B { func f() { Schema(x) } } }", ["A", "B"], "f"),
        ("extension A.B { var c: D { Schema(x) } }", ["A", "B"], "c"),
        ("class A { init?(a: Int) throws { Schema(x) } }", ["A"], "init"), ("class A { deinit { Schema(x) } }", ["A"], "deinit"),
        ("class A { let b = Schema(x) }", ["A"], "b"), ("class A { lazy var b: C = { f { Schema(x) } }() }", ["A"], "b"),
        ("class A { var b: C { get { 1 } set { Schema(x) } } }", ["A"], "b"),
        ("class A { var b = 1 { didSet { Schema(x) } } }", ["A"], "b"),
        ("class A { var b = 1\nfunc c() {}\nstatic let d = Schema(x) }", ["A"], "d"), ("func a() { func b() { } \n Schema(x) }", [], "a"),
        ("func a() { func b() { Schema(x) } }", [], "b"), ("func a() { struct B { let c = { Schema(x) } } }", ["B"], "c"),
        ("func a(b: C = { Schema(x) }()) {}", [], nil),
        ("func a<T: P>(b: [T]) async throws(E) -> [T: U] where T: Q { Schema(x) }", [], "a"),
        ("protocol P { func a()\nvar b: Int { get }\n}\nstruct C { func d() { Schema(x) } }", ["C"], "d"),
        ("struct A { static func == (a: A, b: A) -> Bool { Schema(x) } }", ["A"], "=="),
        ("actor A { subscript(i: Int) -> B { Schema(x) } }", ["A"], "subscript"),
        ("let actor = b\nactor.run()\nfunc c() { Schema(x) }", [], "c"), ("struct `A B` { func `in`() { Schema(x) } }", ["A B"], "in"),
        ("class A { class func f() { Schema(x) } }", ["A"], "f"), ("class A { let a = B { $0 }, b = Schema(x) }", ["A"], "b"),
    ])
    func knowsTypesAndMember(_ source: String, _ types: [String], _ member: String?) {
        let found = context(source)
        #expect(found.types == types)
        #expect(found.member == member)
    }

    @Test(arguments: [
        ("#if DEBUG\nSchema(x)\n#endif", true, []), ("#if DEBUG\n#else\nSchema(x)\n#endif", false, []),
        ("#if !DEBUG\n#else\nSchema(x)\n#endif", true, []),
        ("#if !DEBUG\nSchema(x)\n#endif", false, []), ("#if DEBUG && os(iOS) // y\nSchema(x)\n#endif", true, ["os(iOS)"]),
        ("#if DEBUG || BETA\nSchema(x)\n#endif", false, ["DEBUG || BETA"]), ("#if false\nSchema(x)\n#endif", true, []),
        ("#if !(DEBUG || false)\nSchema(x)\n#endif", false, []), ("#if true || A\n#else\nSchema(x)\n#endif", true, []),
        ("#if targetEnvironment(simulator)\nSchema(x)\n#endif", true, []), ("#if canImport(SwiftData)\nSchema(x)\n#endif", false, []),
        ("#if !(A && DEBUG)\n#else\nSchema(x)\n#endif", true, []), ("#if A || !DEBUG\nSchema(x)\n#endif", false, []),
        ("#if os(iOS)\n#elseif DEBUG\nSchema(x)\n#endif", true, []),
        ("#if os(iOS)\n#else\nSchema(x)\n#endif", false, ["!os(iOS)"]),
        ("#if !A\n#elseif B && C\n#else\nSchema(x)\n#endif", false, ["A", "!(B && C)"]),
        ("#if A\n#if DEBUG\nSchema(x)\n#endif\n#endif", true, ["A"]), ("#if A\n#endif\nSchema(x)", false, []),
        ("#if canImport(B)\nclass C { func d() {\n#if swift(>=6)\nSchema(x)\n#endif\n} }\n#endif", false, ["canImport(B)", "swift(>=6)"]),
        ("#if DEBUG\nclass A {}\n#endif\nclass B { func c() { Schema(x) } }", false, []),
    ])
    func knowsConditions(_ source: String, _ isDebugOnly: Bool, _ conditions: [String]) {
        let found = context(source)
        #expect(found.isDebugOnly == isDebugOnly)
        #expect(found.conditions == conditions)
    }

    @Test(arguments: [
        ("#Preview { Schema(x) }", true), ("#Preview(\"a\", traits: .b) { C { Schema(x) } }", true), ("#Preview { }\nSchema(x)", false),
        ("struct A: PreviewProvider { static var previews: some View { Schema(x) } }", true),
        ("struct A: PreviewModifier { func b() { Schema(x) } }", true),
        ("struct A: View { var body: some View { Schema(x) } }", false),
        ("extension A: PreviewProvider { class B { let c = Schema(x) } }", true),
    ])
    func knowsPreviews(_ source: String, _ expected: Bool) { #expect(context(source).isPreview == expected) }

    // MARK: Increments

    @Test(arguments: [
        ("item.count += 1", ["count"]), ("self.count -= 1", ["count"]), ("count += n", ["count"]), ("a.b?.count += 1.0", ["count"]),
        ("a.count! += 1", ["count"]), ("count = count + 1", ["count"]), ("a.count = a.count - 1", ["count"]),
        ("self.count = count + 1", ["count"]),
        ("a[0].count += 1", ["count"]), ("$0.count += 1", ["count"]), ("count &+= 1", ["count"]),
        ("var count = 0\nfunc f() { count += 1 }", ["count"]), ("class A { var count = 0; func f() { count += 1 } }", ["count"]),
        ("func f() { var count = 0; count += 1 }", []), ("func f() { var count = 0; a.count += 1 }", ["count"]),
        ("func f() { var a = 0, count = 0; count += 1 }", []), ("func f() { var (a, count) = (0, 0); count += 1 }", []),
        ("func f() { if x { var count = 0 }\ncount += 1 }", ["count"]), ("func f() { var count = 0; g { count += 1 } }", []),
        ("func f() { var count = 0 }\nfunc g() { count += 1 }", ["count"]), ("func f(count: inout Int) { count += 1 }", []),
        ("func f(count: inout Int) { }\nfunc g() { count += 1 }", ["count"]), ("a.reduce(into: 0) { count, item in count += 1 }", []),
        ("f { (count: inout Int) in count += 1 }", []), ("for var count in a { count += 1 }", ["count"]),
        ("$0 += 1", []), ("a[count] += 1", []), ("a.0 += 1", []), ("count = a.count + 1", []), ("a.count = b.count + 1", []),
        ("let count = count + 1", []),
        ("count = count * 2", []), ("f(count: count + 1)", []), ("count == count + 1", []), ("static func += (a: inout A, b: A) {}", []),
        ("// count += 1\n\"count += 1\"", []), ("func f() { guard var count = g else { return }\ncount += 1 }", []),
    ])
    func findsIncrements(_ source: String, _ expected: [String]) {
        // A file's own `for` has no function around it, so its variable is no local one.
        #expect(SwiftFixtures.facts(source).increments.map(\.property) == expected)
    }

    @Test func saysWhereAnIncrementIs() {
        let source = "class A { func f() { self.item.count += 1 } }"
        let context = SwiftFixtures.facts(source).increments[0].context
        #expect(context.types == ["A"])
        #expect(context.member == "f")
        #expect(SwiftFixtures.string(source, from: context.offset).hasPrefix("self.item"))
    }
}
