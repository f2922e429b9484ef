import ProjectDoctor
import Testing

/// Where the database of a store is found, for code as apps have it.
struct ValueFinderTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The states of the stores, in order.
        let states: [String]
        let files: [String: String]

        init(_ name: String, _ states: [String], _ code: String, _ more: [String: String] = [:]) {
            (testDescription, self.states) = (name, states)
            files = more.merging(["Store.swift": code]) { first, _ in first }
        }
    }

    /// A function that opens the container with an argument of its configuration, and what is around it.
    private static func open(_ database: String, _ before: String = "", _ parameters: String = "", _ inside: String = "") -> String {
        """
        \(before)
        func open(\(parameters)) throws -> ModelContainer {
            \(inside)
            let configuration = ModelConfiguration(cloudKitDatabase: \(database))
            return try ModelContainer(for: Note.self, configurations: configuration)
        }
        """
    }

    static let databases: [Case] = [
        Case(
            "a default value that no call replaces", ["local"],
            open("database", "", "_ database: ModelConfiguration.CloudKitDatabase = .none")),
        Case(
            "a default value that one call replaces", ["syncs"],
            open("database", "let a = try open(.automatic)\nlet b = try open()", "_ database: ModelConfiguration.CloudKitDatabase = .none")),
        Case(
            "a call of a preview", ["local"],
            open(
                "database", "#Preview { try! open(.automatic) }\nlet b = try open()",
                "_ database: ModelConfiguration.CloudKitDatabase = .none")),
        Case(
            "a call of debug builds", ["local"],
            open(
                "database", "#if DEBUG\nlet a = try open(.automatic)\n#endif\nlet b = try open()",
                "_ database: ModelConfiguration.CloudKitDatabase = .none")),
        Case(
            "a Boolean parameter", ["syncs"],
            open("isOn ? .private(\"iCloud.example.notes\") : .none", "let a = try open(sync: settings.isOn)", "sync isOn: Bool")),
        Case(
            "a Boolean parameter that is always false", ["local"],
            open("isOn ? .automatic : .none", "let a = try open(isOn: false)", "isOn: Bool")),
        Case("a parameter that nothing tells", ["unknown"], open("database", "", "database: ModelConfiguration.CloudKitDatabase")),
        Case(
            "a parameter through two functions", ["syncs"],
            open(
                "database", "func first() { second(.automatic) }\nfunc second(_ kind: CloudKitDatabase) { try? open(database: kind) }",
                "database: ModelConfiguration.CloudKitDatabase")),
        Case(
            "a static constant of another file", ["local"], open("Config.database"),
            ["Config.swift": "enum Config { static let database: ModelConfiguration.CloudKitDatabase = .none }"]),
        Case(
            "a computed property with branches of #if", ["syncs"],
            open("Config.database"),
            ["Config.swift": "enum Config {\nstatic var database: D {\n#if DEBUG\nreturn .none\n#else\nreturn .automatic\n#endif\n}\n}"]),
        Case(
            "branches of #if without return", ["local"],
            open("Config.database"),
            ["Config.swift": "enum Config {\nstatic var database: D {\n#if DEBUG\n.automatic\n#else\n.none\n#endif\n}\n}"]),
        Case(
            "a choice of an expression", ["syncs"],
            open("database", "", "", "let database: ModelConfiguration.CloudKitDatabase = if isOn { .automatic } else { .none }")),
        Case(
            "a value that branches assign", ["syncs"],
            open(
                "database", "", "",
                "let database: ModelConfiguration.CloudKitDatabase\nif isOn {\ndatabase = .automatic\n} else {\ndatabase = .none\n}")),
        Case(
            "a value that branches of #if assign", ["local"],
            open("database", "", "", "#if DEBUG\nlet database = D.automatic\n#else\nlet database = CloudKitDatabase.none\n#endif")),
        Case(
            "a switch over an enumeration", ["syncs"],
            open("mode.database", "", "mode: Mode"),
            [
                "Mode.swift":
                    "enum Mode {\ncase local, cloud\nvar database: D {\nswitch self {\ncase .local: .none\ncase .cloud: .private(\"iCloud.example.notes\")\n}\n}\n}"
            ]),
        Case(
            "a switch that never syncs", ["local"],
            open("mode.database", "", "mode: Mode"),
            [
                "Mode.swift":
                    "enum Mode {\ncase local, cloud\nvar database: D {\nswitch self {\ncase .local: return .none\ncase .cloud: return .none\n}\n}\n}"
            ]),
        Case(
            "a function", ["syncs"],
            open("database(true)", "func database(_ isOn: Bool) -> D {\nguard isOn else { return .none }\nreturn .automatic\n}")),
        Case(
            "a function by its argument", ["local"],
            open("database(false)", "func database(_ isOn: Bool) -> D { isOn ? .automatic : .none }")),
        Case("a value with a default", ["syncs"], open("given ?? .automatic", "", "given: D? = nil")),
        Case(
            "a property that the initializer sets", ["syncs"],
            """
            final class Store {
                private let database: ModelConfiguration.CloudKitDatabase
                init(isCloud: Bool) { self.database = isCloud ? .automatic : .none }
                func open() throws -> ModelContainer {
                    try ModelContainer(for: Note.self, configurations: ModelConfiguration(cloudKitDatabase: database))
                }
            }
            let store = Store(isCloud: Settings.isOn)
            """),
        Case(
            "a structure's own initializer", ["local"],
            """
            struct Options { let database: ModelConfiguration.CloudKitDatabase }
            func open(_ options: Options) throws -> ModelContainer {
                try ModelContainer(for: Note.self, configurations: ModelConfiguration(cloudKitDatabase: options.database))
            }
            let store = try open(Options(database: .none))
            """),
        Case(
            "the variable of a loop", ["syncs"],
            """
            func open() throws -> ModelContainer {
                for database in [ModelConfiguration.CloudKitDatabase.automatic, .none] {
                    if let c = try? ModelContainer(for: Note.self, configurations: ModelConfiguration(cloudKitDatabase: database)) { return c }
                }
                fatalError()
            }
            """),
        Case("a circle", ["unknown"], open("a", "var a: D { b }\nvar b: D { a }")),
        Case(
            "a shared object", ["local"], open("Flags.shared.database"),
            ["Flags.swift": "final class Flags { static let shared = Flags(); let database: D = .none }"]),
        Case("a container's name by a constant", ["syncs"], open(".private(Self.id)", "let id = \"iCloud.example.notes\"")),
    ]

    static let configurations: [Case] = [
        Case(
            "an array that is appended to", ["syncs", "local"],
            """
            func open() throws -> ModelContainer {
                var list: [ModelConfiguration] = []
                list.append(ModelConfiguration("a", cloudKitDatabase: .none))
                list.append(ModelConfiguration("b", cloudKitDatabase: .automatic))
                return try ModelContainer(for: Note.self, configurations: list)
            }
            """),
        Case(
            "a function that returns a configuration", ["syncs"],
            "func make() -> ModelConfiguration { .init(\"a\", cloudKitDatabase: .automatic) }\nlet c = try ModelContainer(for: Note.self, configurations: make())"
        ),
        Case(
            "a function that returns an array", ["syncs", "local"],
            """
            enum Stores {
                static func all() -> [ModelConfiguration] { [ModelConfiguration("a", cloudKitDatabase: .none), ModelConfiguration("b")] }
                static let container = try! ModelContainer(for: Note.self, configurations: all())
            }
            """),
        Case(
            "a function by its argument", ["local"],
            """
            func make(isOn: Bool) -> ModelConfiguration { ModelConfiguration(cloudKitDatabase: isOn ? .automatic : .none) }
            let c = try ModelContainer(for: Note.self, configurations: make(isOn: false))
            """),
        Case(
            "a parameter of an initializer", ["local"],
            """
            final class Store {
                let container: ModelContainer
                init(configuration: ModelConfiguration) throws { container = try ModelContainer(for: Note.self, configurations: configuration) }
            }
            let store = try Store(configuration: ModelConfiguration(cloudKitDatabase: .none))
            """),
        Case(
            "an extension's static member", ["syncs"],
            "extension ModelConfiguration { static var cloud: ModelConfiguration { .init(cloudKitDatabase: .automatic) } }\nlet c = try ModelContainer(for: Note.self, configurations: .cloud)"
        ),
        Case(
            "a tuple", ["local"],
            "func parts() -> (Schema, ModelConfiguration) { (Schema([Note.self]), ModelConfiguration(cloudKitDatabase: .none)) }\nfunc open() throws { let (schema, own) = parts(); _ = try ModelContainer(for: schema, configurations: own) }"
        ),
        Case(
            "a closure that is called at once", ["local"],
            "let c: ModelContainer = {\nlet schema = Schema([Note.self])\nlet own = { ModelConfiguration(schema: schema, cloudKitDatabase: .none) }()\nreturn try! ModelContainer(for: schema, configurations: [own])\n}()"
        ),
        Case(
            "in memory by a parameter that only previews set", ["syncs"],
            """
            func open(inMemory: Bool = false) throws -> ModelContainer {
                try ModelContainer(for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: inMemory))
            }
            #Preview { try! open(inMemory: true) }
            let container = try open()
            """),
        Case(
            "in memory by a constant", ["local"],
            "let isTest = true\nlet c = try ModelContainer(for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: isTest))"
        ),
        Case(
            "nothing but what a parameter gives, where every configuration is local", ["local"],
            "func open(_ c: [ModelConfiguration]) throws { _ = try ModelContainer(for: Note.self, configurations: c) }\nlet other = ModelConfiguration(cloudKitDatabase: .none)"
        ),
        Case(
            "a container that only previews make", ["unknown"],
            "enum PreviewData { static let container = try! ModelContainer(for: Note.self) }"),
        Case(
            "a function that only previews call", ["unknown"],
            "func sample() -> ModelContainer { try! ModelContainer(for: Note.self) }\n#Preview { Text(\"\").modelContainer(sample()) }"),
        Case("a container of debug builds", ["unknown"], "#if DEBUG\nlet c = try ModelContainer(for: Note.self)\n#endif"),
        Case(
            "an initializer that only previews call by its name", ["syncs"],
            """
            final class Stack {
                static let shared: Stack = .init()
                init() { container = try! ModelContainer(for: Note.self) }
                let container: ModelContainer
            }
            #Preview { Text(Stack()) }
            """),
        Case(
            "a container of no name", ["local"],
            "struct A: App {\nlet c: ModelContainer\ninit() throws {\nc = try .init(for: Note.self, configurations: .init(cloudKitDatabase: .none))\n}\n}"
        ),
        Case("a modifier in memory", ["local"], "let isTest = true\nlet a = view.modelContainer(for: [Note.self], inMemory: isTest)"),
        Case("a modifier", ["syncs"], "let a = view.modelContainer(for: [Note.self])"),
    ]

    @Test(arguments: databases + configurations) func aStoreIsWhatTheCodeMakesOfIt(judged: Case) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/NotesApp.swift"] = nil
        for (name, code) in judged.files { fixture.contents["Notes/" + name] = code }
        let diagnosis = fixture.diagnosis()
        #expect(
            diagnosis.stores.map { $0.syncs.map { $0 ? "syncs" : "local" } ?? "unknown" } == judged.states,
            "\(diagnosis.stores.map(\.reason))")
        // What is not known is said once, and nothing is concluded from it.
        let isUnknown = judged.states == ["unknown"]
        #expect(diagnosis.notes.count == (isUnknown ? 1 : 0), "\(diagnosis.notes.map(\.sentence))")
    }

    /// A model that would be refused, in a store of which it is not known whether it syncs, or that surely does not.
    @Test(arguments: [
        "func open(_ c: ModelConfiguration) throws { _ = try ModelContainer(for: Note.self, configurations: c) }", "",
        "let c = try ModelContainer(for: Note.self, configurations: ModelConfiguration(cloudKitDatabase: .none))",
    ]) func whatIsNotKnownToSyncIsNotJudged(code: String) {
        var fixture = DoctorFixture()
        fixture.replace(
            "var title: String?", with: "@Attribute(.unique) var title: String\n    var photo: Data\n    var list: [String]",
            in: RuleTests.models)
        fixture.contents["Notes/NotesApp.swift"] = code
        let rules = fixture.diagnosis().findings.map(\.rule)
        // That one is of stores that do not sync.
        #expect(
            rules.filter { $0.hasPrefix("schema") || $0.hasPrefix("losses") || $0.hasPrefix("size") }.allSatisfy {
                $0 == "schema.unique-local"
            })
    }

    @Test func nothingSyncsWithoutEntitlementsWhateverTheConfiguration() {
        var fixture = DoctorFixture()
        fixture.replace("var title: String?", with: "@Attribute(.unique) var title: String", in: RuleTests.models)
        fixture.contents["Notes/Notes.entitlements"] = "<plist><dict></dict></plist>"
        fixture.contents["Notes/NotesApp.swift"] =
            "func open(_ c: ModelConfiguration) throws { _ = try ModelContainer(for: Note.self, configurations: c) }"
        let diagnosis = fixture.diagnosis()
        #expect(diagnosis.findings.isEmpty && diagnosis.notes.isEmpty)
        #expect(diagnosis.stores.map(\.reason) == ["no entitlements name a container, whatever its database is"])
    }

    /// Values that are followed through functions which call each other, each several times.
    @Test func functionsThatCallEachOtherEnd() {
        var fixture = DoctorFixture()
        let functions = (0..<60).map { number in
            "func f\(number)(_ a: D, _ b: D) -> D { isOn ? f\((number + 1) % 60)(a, b) : f\((number * 7 + 3) % 60)(b, a) }"
        }
        fixture.contents["Notes/Functions.swift"] = functions.joined(separator: "\n")
        fixture.replace(".private(\"iCloud.example.notes\")", with: "f0(.none, .none)", in: RuleTests.app)
        _ = fixture.diagnosis()
    }
}
