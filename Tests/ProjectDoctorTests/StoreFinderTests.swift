import ProjectDoctor
import SyncOracle
import Testing

/// Which stores sync, for code as it is in apps.
struct StoreFinderTests {
    /// What the stores of a file that replaces the app's are said to be.
    private func stores(_ code: String, _ change: (inout DoctorFixture) -> Void = { _ in }) -> [String] {
        var fixture = DoctorFixture()
        fixture.contents["Notes/NotesApp.swift"] = code
        change(&fixture)
        return fixture.diagnosis().stores.map { store in
            let state = store.syncs.map { $0 ? "syncs" : "local" } ?? "unknown"
            return state + " " + store.entities.sorted().joined(separator: "+")
        }
    }

    @Test func severalConfigurationsFollowOneLabel() {
        let code = """
            let local = ModelConfiguration(for: Other.self, cloudKitDatabase: .none)
            let synced = ModelConfiguration(for: Note.self, cloudKitDatabase: .private("iCloud.example.notes"))
            let container = try ModelContainer(for: Note.self, Other.self, configurations: local, synced)
            @Model final class Other { var x = 0 }
            """
        #expect(stores(code) == ["syncs Note+Tag", "local Other"])
    }

    @Test func manyContainersOfOneNameTakeNoLonger() {
        let line = "let c = ModelConfiguration(cloudKitDatabase: .none); let k = try ModelContainer(for: Note.self, configurations: c)"
        let functions = (0..<1000).map { "func f\($0)(_ name: String) { \(line) }\n" }.joined()
        var found: [String] = []
        let time = processorTime { found = stores(functions) }
        #expect(found == Array(repeating: "local Note+Tag", count: 1000))
        #expect(time < .seconds(10))
    }

    /// A name that much declares tells nothing, however often it is asked for.
    @Test func manyConfigurationsOfOneNameTakeNoLonger() {
        let line = "let c = ModelConfiguration(cloudKitDatabase: x); let k = try ModelContainer(for: Note.self, configurations: c)\n"
        let time = processorTime { _ = stores(String(repeating: line, count: 1000)) }
        #expect(time < .seconds(10))
    }

    @Test func aConfigurationIsThatOfItsFunction() {
        let code = """
            @Model final class Page { var x = 0 }
            func cloud() throws -> ModelContainer {
                let config = ModelConfiguration(cloudKitDatabase: .private("iCloud.example.notes"))
                return try ModelContainer(for: Note.self, configurations: config)
            }
            func cache() throws -> ModelContainer {
                let config = ModelConfiguration(cloudKitDatabase: .none)
                return try ModelContainer(for: Page.self, configurations: config)
            }
            """
        #expect(stores(code) == ["syncs Note+Tag", "local Page"])
    }

    /// Blocks of one function may declare a name each, and with it other stores.
    @Test func aConfigurationIsThatOfItsBlock() {
        let code = """
            func open(sync: Bool, inMemory: Bool) throws -> ModelContainer {
                let schema = Schema([Note.self])
                if inMemory {
                    let config = ModelConfiguration(schema: schema, isStoredInMemoryOnly: true, cloudKitDatabase: .none)
                    return try ModelContainer(for: schema, configurations: [config])
                }
                if sync {
                    let config = ModelConfiguration(schema: schema, cloudKitDatabase: .private("iCloud.example.notes"))
                    return try ModelContainer(for: schema, configurations: [config])
                }
                let config = ModelConfiguration(schema: schema, cloudKitDatabase: .none)
                do { return try ModelContainer(for: schema, configurations: [config]) } catch {
                    return try ModelContainer(for: schema, configurations: [config])
                }
            }
            """
        #expect(stores(code) == ["syncs Note+Tag", "local Note+Tag", "local Note+Tag"])
    }

    @Test(arguments: [
        ("true ? .automatic : .none", "syncs Note+Tag"), ("false ? .automatic : .none", "local Note+Tag"),
        ("Self.isOn ? .automatic : .none", "local Note+Tag"), ("!Flags.isOn ? .automatic : .none", "syncs Note+Tag"),
        ("isPaid ? .automatic : .none", "syncs Note+Tag"), ("isPaid ? .private(\"iCloud.example.notes\") : .none", "syncs Note+Tag"),
        ("isPaid ? .none : .none", "local Note+Tag"), ("isPaid ? choice : .none", "unknown Note+Tag"), ("choice", "unknown Note+Tag"),
    ]) func aChoiceIsTheBranchThatMaySync(text: String, store: String) {
        let code = """
            enum Flags {
                static let isOn = false
                static func open() throws -> ModelContainer {
                    try ModelContainer(for: Note.self, configurations: ModelConfiguration(cloudKitDatabase: \(text)))
                }
            }
            """
        #expect(stores(code) == [store])
    }

    @Test func aPropertyThatIsNotMadeForCloudKit() {
        let found = stores(DoctorFixture.app) { fixture in
            RuleTests.addCoreData(&fixture)
            fixture.contents["Notes/Stack.swift"] = """
                class Stack {
                    lazy var container: NSPersistentContainer = {
                        let container = NSPersistentCloudKitContainer(name: "Cards")
                        guard let description = container.persistentStoreDescriptions.first else { fatalError() }
                        description.cloudKitContainerOptions = nil
                        return container
                    }()
                }
                """
        }
        #expect(found == ["syncs Note+Tag", "local Card"])
    }

    /// A variable of a function has the name of a property, and other classes.
    @Test func aSchemaOfATypeIsNoVariableOfItsFunctions() {
        let code = """
            @Model final class Page { @Attribute(.unique) var address: String }
            final class Provider {
                static let entries: [any PersistentModel.Type] = [Note.self, Tag.self]
                static let schema = Schema(Provider.entries)
                let cache: ModelContainer = {
                    let schema = Schema([Page.self])
                    return try! ModelContainer(
                        for: schema, configurations: ModelConfiguration(schema: schema, cloudKitDatabase: .none))
                }()
                let notes: ModelContainer = {
                    let configuration = ModelConfiguration(
                        schema: Provider.schema, cloudKitDatabase: .private("iCloud.example.notes"))
                    return try! ModelContainer(for: Provider.schema, configurations: configuration)
                }()
            }
            """
        #expect(stores(code) == ["syncs Note+Tag", "local Page"])
    }

    /// A function makes a container of what each call gives it.
    @Test func theClassesOfAStoreAreThoseOfItsCall() {
        let code = """
            @Model final class Page { @Attribute(.unique) var address: String }
            enum Containers {
                static let notes = make("Notes", of: [Note.self], in: preferred)
                static let pages = make("Pages", of: [Page.self], in: .none)
                static var preferred: ModelConfiguration.CloudKitDatabase { isOff ? .none : .private(name) }
                static let name = "iCloud.example.notes"
                static func make(
                    _ name: String, of types: [any PersistentModel.Type], in database: ModelConfiguration.CloudKitDatabase
                ) -> ModelContainer {
                    let schema = Schema(types)
                    let configuration = ModelConfiguration(name, schema: schema, cloudKitDatabase: database)
                    return try! ModelContainer(for: schema, configurations: configuration)
                }
            }
            """
        #expect(stores(code) == ["syncs Note+Tag", "local Page"])
        // Where one call names none, nothing is known of the others.
        #expect(
            stores(code + "func open(_ all: [any PersistentModel.Type]) { _ = Containers.make(\"\", of: all, in: .none) }").contains {
                $0.hasPrefix("unknown")
            })
    }

    /// A container for tests beside one for CloudKit, which a class of the app's own describes.
    @Test func aStoreInMemoryIsNotThatOfTheApp() {
        let found = stores("") { fixture in
            RuleTests.addCoreData(&fixture)
            fixture.contents["Notes/Stack.swift"] = """
                func makeContainer(isTest: Bool) -> NSPersistentContainer {
                    guard isTest else { return Container(name: "Cards") }
                    let container = NSPersistentContainer(name: "Cards")
                    let description = NSPersistentStoreDescription()
                    description.type = NSInMemoryStoreType
                    container.persistentStoreDescriptions = [description]
                    return container
                }
                final class Container: NSPersistentCloudKitContainer {
                    override init(name: String, managedObjectModel model: NSManagedObjectModel) {
                        super.init(name: name, managedObjectModel: model)
                        let description = persistentStoreDescriptions.first!
                        description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.example.notes")
                    }
                }
                """
        }
        #expect(found.first == "syncs Card")
    }

    @Test func automaticIsLocalWithoutEntitlements() {
        let code = "let container = try ModelContainer(for: Note.self, configurations: ModelConfiguration(cloudKitDatabase: .automatic))"
        #expect(stores(code) { $0.contents["Notes/Notes.entitlements"] = "<plist><dict></dict></plist>" } == ["local Note+Tag"])
    }

    @Test(arguments: [
        "Schema(Lists.all)", "Schema(Lists.sum)", "Schema([Note.self])", "schema", "Schema(versionedSchema: Latest.self)",
        "Schema(versionedSchema: V2.self)", "Note.self", "Schema(Lists.named)",
    ]) func classesBehindNames(text: String) {
        let code = """
            @Model final class Page { var x = 0 }
            enum V2: VersionedSchema {
                static var versionIdentifier: Schema.Version { .init(2, 0, 0) }
                static var models: [any PersistentModel.Type] { [Note.self] }
            }
            typealias Latest = V2
            enum Lists {
                static let first: [any PersistentModel.Type] = [Note.self]
                typealias Models = [any PersistentModel.Type]
                static let named: Models = [Note.self]
                static let all: [any PersistentModel.Type] = [Note.self]
                static var sum: [any PersistentModel.Type] { Lists.first + Lists.all }
            }
            func open() throws -> ModelContainer {
                let schema = Schema([Note.self])
                return try ModelContainer(
                    for: \(text), configurations: ModelConfiguration(cloudKitDatabase: .private("iCloud.example.notes")))
            }
            """
        #expect(stores(code) == ["syncs Note+Tag"])
    }

    private static let configurations = """
        <entity name="Card"><attribute name="name" optional="YES" attributeType="String"/></entity>
        <entity name="Draft"><attribute name="name" attributeType="String"/></entity>
        <configuration name="Cloud"><memberEntity name="Card"/></configuration>
        <configuration name="Local"><memberEntity name="Draft"/></configuration>
        """

    /// What is said of the stores of a Core Data container that a function makes.
    @Test(arguments: [
        ("", "", ["unknown Card+Draft"]),
        (
            """
            let cloud = NSPersistentStoreDescription(url: a)
            cloud.configuration = "Cloud"
            cloud.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.example.notes")
            let local = NSPersistentStoreDescription(url: b)
            local.configuration = "Local"
            """, "[cloud, local]", ["syncs Card", "local Draft"]
        ),
        (
            """
            let cloud = NSPersistentStoreDescription(url: a)
            if isOn { cloud.cloudKitContainerOptions = options }
            button.configuration = .filled()
            """, "[cloud]", ["syncs Card+Draft"]
        ),
        ("let a = NSPersistentStoreDescription(url: u)", "[a]", ["local Card+Draft"]),
        ("let a = NSPersistentStoreDescription(url: u); a.configuration = name", "[a]", ["unknown Card+Draft"]),
        ("let a = NSPersistentStoreDescription(url: u); a.configuration = \"Other\"", "[a]", ["unknown Card+Draft"]),
        ("let a = NSPersistentStoreDescription(url: u); configure(a)", "[a] + more", ["unknown Card+Draft"]),
        ("let a = NSPersistentStoreDescription(url: u); let b = other()", "[a, b]", ["unknown Card+Draft"]),
        ("let a = NSPersistentStoreDescription(url: u); for b in c { b.cloudKitContainerOptions = d }", "[a]", ["unknown Card+Draft"]),
        ("let a = container.persistentStoreDescriptions.first!; a.cloudKitContainerOptions = nil", "", ["local Card+Draft"]),
        ("container.persistentStoreDescriptions.first?.cloudKitContainerOptions = nil", "", ["local Card+Draft"]),
        ("#if DEBUG\ncontainer.persistentStoreDescriptions.first?.cloudKitContainerOptions = nil\n#endif", "", ["unknown Card+Draft"]),
        ("if inMemory { container.persistentStoreDescriptions.first?.cloudKitContainerOptions = nil }", "", ["unknown Card+Draft"]),
    ]) func aDescriptionSaysWhatSyncs(lines: String, list: String, expected: [String]) {
        let found = stores(DoctorFixture.app) { fixture in
            RuleTests.addCoreData(&fixture, Self.configurations)
            fixture.contents["Notes/Stack.swift"] = """
                func makeContainer() -> NSPersistentContainer {
                    let container = NSPersistentCloudKitContainer(name: "Cards")
                    \(lines)
                    \(list.isEmpty ? "" : "container.persistentStoreDescriptions = \(list)")
                    return container
                }
                """
        }
        #expect(found.filter { !$0.contains("Note") } == expected)
    }

    @Test func anotherContainersDescriptionSaysNothing() {
        let found = stores(DoctorFixture.app) { fixture in
            RuleTests.addCoreData(&fixture)
            fixture.contents["Notes/Local.swift"] =
                "func open(_ c: NSPersistentContainer) { c.persistentStoreDescriptions.first?.cloudKitContainerOptions = nil }"
        }
        #expect(found == ["syncs Note+Tag", "syncs Card"])
    }

    @Test func eachCallOfOneFunctionHasAStoreOfItsOwn() {
        let found = stores(
            """
            func make(_ types: [any PersistentModel.Type], _ config: ModelConfiguration) throws -> ModelContainer {
                try ModelContainer(for: Schema(types), configurations: config)
            }
            let a = try! make([Note.self], ModelConfiguration("local", cloudKitDatabase: .none))
            let b = try! make([Note.self], ModelConfiguration("cloud", cloudKitDatabase: .private("iCloud.example.notes")))
            """)
        #expect(found.sorted() == ["local Note+Tag", "syncs Note+Tag"])
    }

    @Test func aWidgetWithoutTheEntitlementDoesNotSync() {
        let code = "let container = try ModelContainer(for: Note.self)"
        let found = stores(code) { fixture in
            fixture.contents["Widget/Widget.swift"] = code
            fixture.addWidget(entitlements: "<plist><dict></dict></plist>")
        }
        #expect(found == ["syncs Note+Tag", "local Note+Tag"])
    }

    @Test(arguments: [
        ("var a: City?; var b: City?", "var trips: [Trip]?", ["Trip.b"]), ("var a: City?", "var trips: [Trip]?", []),
        ("@Relationship(inverse: \\City.trips) var b: City?; var a: City?", "var trips: [Trip]?", ["Trip.a"]),
        ("var a: City?; var b: City?", "@Relationship(inverse: \\Trip.b) var trips: [Trip]?", ["Trip.a"]),
        ("var parent: Trip?", "var x = 0", []), ("var parent: Trip?; var children: [Trip]?", "var x = 0", []),
        ("var a: City?", "var x = 0", ["Trip.a"]),
    ]) func relationshipsArePairedOneByOne(trip: String, city: String, missing: [String]) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/NotesApp.swift"] = """
            @Model final class Trip { \(trip) }
            @Model final class City { \(city) }
            let container = try ModelContainer(
                for: Trip.self, City.self, configurations: ModelConfiguration(cloudKitDatabase: .private("iCloud.example.notes")))
            """
        let found = fixture.diagnosis().findings.filter { $0.rule == "schema.relationship-inverse" }.map(\.message)
        #expect(found == missing.map { "the relationship \($0) has no inverse" })
    }
}
