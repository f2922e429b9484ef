import ProjectDoctor
import Testing

@Suite struct SwiftCallTests {
    private func arguments(_ call: SwiftFacts.Call?) -> [String] { call?.arguments.map { "\($0.label ?? "_"): \($0.text)" } ?? [] }

    @Test func readsTheContainersOfAnApp() {
        let facts = SwiftFixtures.facts(SwiftFixtures.app)
        #expect(facts.problems.isEmpty)
        #expect(facts.containers.map(\.callee) == ["ModelContainer", "ModelContainer", "modelContainer", "modelContainer"])
        #expect(facts.containers.map(\.tryForm) == ["try", "try!", nil, nil])
        #expect(facts.containers.map(\.fallsBackSilently) == [true, false, false, false])
        #expect(facts.containers.map(\.context.member) == ["container", "container", "body", nil])
        #expect(facts.containers.map(\.context.isPreview) == [false, false, false, true])
        #expect(facts.containers[2].argument("inMemory") == "true")
        #expect(facts.containers[2].argument("for") == "[Book.self, Author.self]")
        #expect(facts.configurations.map(\.assignedTo) == ["configuration", "fallback"])
        #expect(
            arguments(facts.configurations.first) == [
                "_: \"Books\"", "schema: schema", "isStoredInMemoryOnly: false", "cloudKitDatabase: .private(Constants.containerID)",
            ])
        #expect(facts.schemaCalls.map(\.assignedTo) == ["schema"])
        #expect(arguments(facts.schemaCalls.first) == ["_: [Book.self, Author.self]"])
    }

    @Test func keepsTheOffsetsOfArguments() {
        let source = "let c = try ModelContainer(for: A.self, B . self , configurations: [ModelConfiguration(url: f(1, 2))])"
        let facts = SwiftFixtures.facts(source)
        #expect(arguments(facts.containers.first) == ["for: A.self", "_: B . self", "configurations: [ModelConfiguration(url: f(1, 2))]"])
        for argument in facts.containers[0].arguments {
            #expect(SwiftFixtures.string(source, from: argument.offset).hasPrefix(argument.text))
        }
        let inner = facts.configurations[0].context.offset
        #expect(SwiftFixtures.string(source, from: inner).hasPrefix("ModelConfiguration(url"))
        #expect(arguments(facts.configurations.first) == ["url: f(1, 2)"])
    }

    @Test(arguments: [
        ("let c = ModelConfiguration(a: 1)", "c", nil), ("self.c = try? ModelConfiguration(a: 1)", "c", "try?"),
        ("c = try! await ModelConfiguration(a: 1)", "c", "try!"), ("let c: ModelConfiguration = .init(a: 1)", "c", nil),
        ("var c: ModelConfiguration? = .init(a: 1)", "c", nil), ("return ModelConfiguration.init(a: 1)", nil, nil),
        ("let c: [ModelConfiguration] = [.init(a: 1)]", "c", nil), ("f(configurations: .init(a: 1))", nil, nil),
        ("f(configurations: [.init(a: 1)])", nil, nil), ("let c = [other, ModelConfiguration(a: 1)]", "c", nil),
        ("f(configurations: [f(2), .init(a: 1)])", nil, nil), ("func f(c: ModelConfiguration = .init(a: 1)) {}", "c", nil),
        ("let c = SwiftData.ModelConfiguration(a: 1)", "c", nil), ("struct S { static let c = ModelConfiguration(a: 1) }", "c", nil),
        ("let c = f(ModelConfiguration(a: 1))", nil, nil), ("let x = 1, c = ModelConfiguration(a: 1)", nil, nil),
    ])
    func readsAConfiguration(_ source: String, _ assigned: String?, _ tried: String?) {
        let calls = SwiftFixtures.facts(source).configurations
        #expect(calls.count == 1)
        #expect(arguments(calls.first) == ["a: 1"])
        // A second name of one declaration is given or not; it must not be the wrong one.
        if !source.contains("x = 1") { #expect(calls.first?.assignedTo == assigned) } else { #expect(calls.first?.assignedTo != "x") }
        #expect(calls.first?.tryForm == tried)
    }

    @Test(arguments: [
        "let c: ModelConfiguration", "// ModelConfiguration(a: 1)", "\"ModelConfiguration(a: 1)\"", "Other.ModelConfiguration(a: 1)",
        "let c: Thing = .init(a: 1)", "func f() -> ModelConfiguration\n(a).b()", "let t = ModelConfiguration.self",
    ])
    func findsNoConfiguration(_ source: String) { #expect(SwiftFixtures.facts(source).configurations.isEmpty) }

    @Test(arguments: [
        ("v.modelContainer(for: [A.self, B.self], inMemory: true, isAutosaveEnabled: false, onSetup: { r in x(r) })", 1),
        ("v\n  .modelContainer(for: A.self)", 1), ("v.modelContainer(shared)", 0), ("v.modelContainer(container: c)", 0),
        ("func modelContainer(for x: Int) {}", 0), ("let modelContainer: ModelContainer", 0), ("modelContainer.mainContext", 0),
    ])
    func readsAModifierThatMakesAContainer(_ source: String, _ count: Int) {
        #expect(SwiftFixtures.facts(source).containers.count == count)
    }

    @Test func readsOtherCalls() {
        let facts = SwiftFixtures.facts("let s = Schema(versionedSchema: V1.self)\nlazy var p = NSPersistentCloudKitContainer(name: \"M\")")
        #expect(arguments(facts.schemaCalls.first) == ["versionedSchema: V1.self"])
        #expect(facts.containers.map(\.callee) == ["NSPersistentCloudKitContainer"])
        #expect(facts.containers.first?.assignedTo == "p")
        #expect(facts.containers.first?.context.member == "p")
    }

    @Test(arguments: [
        (
            "do { try ModelContainer(for: A.self) } catch { c = try? ModelContainer(for: A.self, configurations: .init(isStoredInMemoryOnly: true)) }",
            true
        ),
        (
            "do { try ModelContainer(for: A.self) } catch let e as X where e.y(1) { } catch { m = ModelConfiguration(cloudKitDatabase: .none) }",
            true
        ),
        (
            "do throws(E) { try ModelContainer(for: A.self) } catch { ModelConfiguration(cloudKitDatabase: ModelConfiguration.CloudKitDatabase.none) }",
            true
        ),
        ("do { if x { f { try ModelContainer(for: A.self) } } } catch { ModelConfiguration(isStoredInMemoryOnly: true) }", true),
        ("do { try ModelContainer(for: A.self) } catch { fatalError() }", false),
        ("do { try ModelContainer(for: A.self) } catch { ModelConfiguration(isStoredInMemoryOnly: false) }", false),
        ("do { try ModelContainer(for: A.self) } catch { ModelConfiguration(cloudKitDatabase: .automatic) }", false),
        ("do { func f() { try ModelContainer(for: A.self) } } catch { ModelConfiguration(isStoredInMemoryOnly: true) }", false),
        ("do { x() } catch { ModelConfiguration(isStoredInMemoryOnly: true) }; try ModelContainer(for: A.self)", false),
        ("do { try ModelContainer(for: A.self) }", false), ("let c = try? ModelContainer(for: A.self)", true),
        ("let c = (try? ModelContainer(for: A.self)) ?? other", true),
        ("guard let c = try? SwiftData.ModelContainer(for: A.self) else { }", true),
        ("let c = try! ModelContainer(for: A.self)", false),
    ])
    func seesAFallback(_ source: String, _ expected: Bool) {
        #expect(SwiftFixtures.facts(source).containers.first?.fallsBackSilently == expected)
    }
}
