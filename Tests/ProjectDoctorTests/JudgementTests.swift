import ProjectDoctor
import SyncOracle
import Testing

/// What looks like a breach and is none, and what looks like none and is one.
struct JudgementTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        /// The rules that are broken.
        let rules: [String]
        let change: @Sendable (inout DoctorFixture) -> Void
        var testDescription: String { name }

        init(_ name: String, _ rules: [String] = [], _ change: @escaping @Sendable (inout DoctorFixture) -> Void) {
            (self.name, self.rules, self.change) = (name, rules, change)
        }
    }

    private static let models = RuleTests.models

    static let cases: [Case] = [
        Case("an app that has nothing to do with it") {
            $0.contents["project.yml"] = DoctorFixture.project + "  Watch: {type: application, platform: watchOS, sources: [Watch]}\n"
            $0.contents["Watch/App.swift"] = "struct WatchApp {}"
        },
        Case("entitlements at a path that is not known") {
            $0.replace("path: Notes/Notes.entitlements", with: "path: $(WHERE)/Notes.entitlements", in: "project.yml")
        },
        Case("entitlements by a condition") {
            $0.replace(
                "    entitlements:\n      path: Notes/Notes.entitlements\n    settings:\n      base:\n",
                with: "    settings:\n      base:\n        CODE_SIGN_ENTITLEMENTS[sdk=iphoneos*]: Notes/Notes.entitlements\n",
                in: "project.yml")
        },
        Case("an inferred type that is not the head of its value") {
            $0.replace("var isPinned: Bool = false", with: "var isPinned = Date().timeIntervalSince1970", in: models)
        },
        Case("a value that is now a constant's") {
            $0.earlier = $0.contents
            $0.replace("var isPinned: Bool = false", with: "var isPinned = Defaults.isPinned", in: models)
        },
        Case("a type of a model's name in another type") {
            $0.replace("var title: String?", with: "var title: Filter.Tag?", in: models)
            $0.contents["Notes/Filter.swift"] = "enum Filter { enum Tag: String, Codable { case all } }"
        },
        Case("one attribute that is unique in two ways", ["schema.unique"]) {
            $0.replace("    var id: UUID", with: "    #Unique<Note>([\\.id])\n    @Attribute(.unique) var id: UUID", in: models)
        },
        Case("two constraints", ["schema.unique", "schema.unique"]) {
            $0.replace("    var id: UUID", with: "    #Unique<Note>([\\.id, \\.title])\n    @Attribute(.unique) var id: UUID", in: models)
        },
        Case("a class that is gone, and never synced") {
            $0.contents["Notes/Cache.swift"] =
                "@Model final class Page { var x = 0 }\nlet c = try ModelContainer(for: Page.self, configurations: ModelConfiguration(cloudKitDatabase: .none))"
            $0.earlier = $0.contents
            $0.contents["Notes/Cache.swift"] = nil
        },
        Case("a class that is gone, and synced", ["evolution.removed"]) {
            $0.earlier = $0.contents
            $0.earlier?["Notes/Page.swift"] = "@Model final class Page { var x = 0 }"
            $0.earlier?[RuleTests.app] = DoctorFixture.app.replacing("for: Note.self", with: "for: Note.self, Page.self")
        },
        Case("a relationship that is renamed", ["evolution.renamed"]) {
            $0.earlier = $0.contents
            $0.replace(
                "inverse: \\Tag.note)\n    var tags", with: "originalName: \"tags\", inverse: \\Tag.note)\n    var labels", in: models)
        },
        Case("types by other names") {
            $0.replace("var title: String?", with: "var title: Text", in: models)
            $0.replace("var tags: [Tag]?", with: "var tags: Tags?", in: models)
            $0.contents["Notes/Names.swift"] = "typealias Text = String?\ntypealias Tags = [Tag]\ntypealias A = B\ntypealias B = A"
        },
        Case("a type that has another name inside a type") {
            $0.earlier = $0.contents
            $0.replace("var isPinned: Bool = false", with: "var isPinned: Flag = false", in: models)
            $0.contents["Notes/Names.swift"] = "struct Other { typealias Flag = String }"
        },
        Case("a list by another name that is not optional", ["schema.relationship-optional"]) {
            $0.replace("var tags: [Tag]?", with: "var tags: Tags = []", in: models)
            $0.contents["Notes/Names.swift"] = "typealias Tags = Array<Tag>"
        },
        Case("a container for CloudKit whose store is local") {
            RuleTests.addCoreData(&$0, "<entity name=\"Card\"><attribute name=\"name\" attributeType=\"String\"/></entity>")
            $0.contents["Notes/Stack.swift"] = """
                func makeContainer() -> NSPersistentContainer {
                    let container = NSPersistentCloudKitContainer(name: "Cards")
                    container.persistentStoreDescriptions.first?.cloudKitContainerOptions = nil
                    return container
                }
                """
        },
        Case("a container that initializes the schema alone") {
            $0.contents["Notes/Schema.swift"] = """
                func deploy() throws {
                    #if DEBUG
                    let container = NSPersistentCloudKitContainer(name: "Notes", managedObjectModel: model)
                    container.persistentStoreDescriptions = [description]
                    try container.initializeCloudKitSchema()
                    #endif
                }
                """
        },
        Case("a history that is off where nothing syncs") {
            RuleTests.addCoreData(&$0)
            $0.contents["Notes/Option.swift"] =
                RuleTests.withOption + """
                    func f(_ d: NSPersistentStoreDescription) {
                        if !isOn {
                            d.setOption(false as NSNumber, forKey: NSPersistentHistoryTrackingKey)
                            d.cloudKitContainerOptions = nil
                        }
                    }
                    """
        },
        Case("a store that is copied before it is removed") {
            $0.replace(
                "fatalError(", with: "try? manager.copyItem(at: url, to: copy); try? manager.removeItem(at: url); fatalError(",
                in: RuleTests.app)
        },
        Case("a store that is removed by debug builds") {
            $0.replace(
                "fatalError(\"\\(error)\")", with: "#if DEBUG\ntry? manager.removeItem(at: url)\n#endif\nfatalError()", in: RuleTests.app)
        },
        Case("a Core Data store that is removed", ["deployment.store-removal"]) {
            RuleTests.addCoreData(&$0)
            $0.contents["Notes/Option.swift"] =
                RuleTests.withOption + """
                    func load(_ container: NSPersistentContainer) {
                        container.loadPersistentStores { description, error in
                            if error != nil { try? container.persistentStoreCoordinator.destroyPersistentStore(at: description.url!, type: .sqlite) }
                        }
                        try? FileManager.default.removeItem(at: cache)
                    }
                    """
        },
        Case("a list of models that is transformed", ["losses.list"]) {
            // Reported as a list, and not as a relationship.
            $0.replace("var title: String?", with: "var title: [String]?", in: models)
            $0.replace("CD_title        STRING", with: "CD_title BYTES", in: "Notes.ckdb")
        },
        Case("a schema of another app") { $0.contents["Other.ckdb"] = "DEFINE SCHEMA RECORD TYPE Game ( score INT64 );" },
        Case("two schemas that lack one field", ["production.field"]) {
            $0.replace("        CD_isPinned     INT64,\n", with: "", in: "Notes.ckdb")
            $0.contents["Development.ckdb"] = $0.contents["Notes.ckdb"]
        },
        Case("a value that is always an asset") {
            $0.replace("        CD_title        STRING,\n", with: "", in: "Notes.ckdb")
        },
        Case("an inverse that is refused", ["schema.relationship-inverse", "schema.relationship-inverse"]) {
            $0.replace("inverse: \\Tag.note", with: "inverse: nil", in: models)
        },
        Case("one container in four lines", ["deployment.container"]) {
            $0.contents["Notes/Containers.swift"] = String(repeating: "let c = CKContainer(identifier: \"iCloud.old\")\n", count: 4)
        },
        Case("code under a condition") {
            $0.contents["Watch/App.swift"] = "#if CLOUD\nlet c = CKContainer.default()\n#endif"
            $0.contents["project.yml"] = DoctorFixture.project + "  Watch: {type: application, platform: watchOS, sources: [Watch]}\n"
        },
        Case("a class that is unchanged since the version before", ["schema.unique"]) {
            $0.contents[models] = versions("SchemaV2.Note.self, SchemaV1.Tag.self", unchanged: "@Attribute(.unique) ")
        },
        Case("the version that the container names") {
            $0.contents[models] = versions("SchemaV2.Note.self, SchemaV2.Tag.self", draft: "@Attribute(.unique) ", hasPlan: false)
            $0.replace("for: Note.self", with: "for: Schema(versionedSchema: SchemaV1.self)", in: RuleTests.app)
        },
        Case("many to many without its record type", ["production.type"]) {
            $0.replace("var note: Note?", with: "var notes: [Note]?", in: models)
            $0.replace("\\Tag.note)", with: "\\Tag.notes)", in: models)
            $0.replace("        CD_note         STRING\n", with: "        CD_other STRING\n", in: "Notes.ckdb")
        },
        Case("an attribute that is encrypted after all", ["production.field-type"]) {
            $0.replace("var title: String?", with: "@Attribute(.allowsCloudEncryption) var title: String?", in: models)
        },
        Case("one configuration without entitlements", ["deployment.service"]) {
            $0.replace(
                "          APS_ENVIRONMENT: production\n",
                with: "          APS_ENVIRONMENT: production\n          CODE_SIGN_ENTITLEMENTS: \"\"\n",
                in: "project.yml")
        },
        Case("no configuration", ["deployment.database-unnamed"]) {
            $0.replace("configurations: configuration)", with: "configurations: [])", in: RuleTests.app)
        },
    ]

    /// Two versions of the schema, of which the second lists some classes and declares `Note`, and `Tag` where it is changed.
    private static func versions(
        _ list: String, unchanged: String = "", draft: String = "", hasPlan: Bool = true
    ) -> String {
        let note = "var id: UUID = UUID()\n    var title: String?\n    var isPinned: Bool = false\n    var tags: [Tag]?"
        return """
            enum SchemaV1: VersionedSchema {
                static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
                static var models: [any PersistentModel.Type] { [SchemaV1.Note.self, SchemaV1.Tag.self] }
                @Model final class Note { \(note) }
                @Model final class Tag { \(unchanged)var name: String = ""; var note: Note? }
            }
            enum SchemaV2: VersionedSchema {
                static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
                static var models: [any PersistentModel.Type] { [\(list)] }
                @Model final class Note { \(note) }
                \(draft.isEmpty ? "" : "@Model final class Tag { \(draft)var name: String = \"\"; var note: Note? }")
            }
            \(hasPlan ? "enum Plan: SchemaMigrationPlan { static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] } }" : "")
            """
    }

    @Test(arguments: cases) func onlyWhatIsBrokenIsReported(judged: Case) {
        var fixture = DoctorFixture()
        judged.change(&fixture)
        let findings = fixture.diagnosis().findings
        #expect(findings.map(\.rule) == judged.rules, "\(findings.map(\.message))")
    }

    /// Which of two models the container keeps is chosen by code, so that neither is judged and one note says so.
    @Test func aModelThatCodeChoosesIsNotKnownToSync() {
        var fixture = DoctorFixture()
        RuleTests.addCoreData(&fixture, "<entity name=\"Card\"><attribute name=\"name\" attributeType=\"String\"/></entity>")
        fixture.contents["Notes/Archive.xcdatamodeld/Archive.xcdatamodel/contents"] =
            "<model><entity name=\"Old\"><attribute name=\"name\" attributeType=\"String\"/></entity></model>"
        fixture.contents["Notes/Option.swift"] = RuleTests.withOption
        fixture.replace("name: \"Cards\"", with: "name: name", in: "Notes/Stack.swift")
        let diagnosis = fixture.diagnosis()
        #expect(diagnosis.findings.map(\.rule) == [])
        #expect(diagnosis.notes.map(\.sentence).allSatisfy { $0.contains("is not known") })
    }

    @Test func entitlementsThatAreNotSetAreNotSaidToLackAService() {
        var fixture = DoctorFixture()
        fixture.replace(
            "          APS_ENVIRONMENT: production\n",
            with: "          APS_ENVIRONMENT: production\n          CODE_SIGN_ENTITLEMENTS: \"\"\n", in: "project.yml")
        #expect(
            fixture.diagnosis().findings.map(\.message)
                == ["the code of Notes syncs with CloudKit, and no entitlements file is set for it in Release"])
    }

    @Test func aPathWithSpacesCanBePatched() {
        var fixture = DoctorFixture()
        fixture.contents["Notes/My Models.swift"] = "@Model final class Page { var x: Int }\n"
        fixture.replace("for: Note.self", with: "for: Note.self, Page.self", in: RuleTests.app)
        fixture.contents["Notes.ckdb"] = nil
        let patch = ProjectPatch(fixture.diagnosis(), fixture.files).text
        #expect(patch.hasPrefix("--- Notes/My Models.swift\t\n+++ Notes/My Models.swift\t\n@@ -1,1 +1,1 @@\n"))
        fixture.contents["Notes/My Models.swift"] = "@Model final class Page { var x: Int } // \u{1b}[31m\n"
        #expect(ProjectPatch(fixture.diagnosis(), fixture.files).text == "")
    }

    /// Lists of lists of classes are followed once each.
    @Test func namesThatNameEachOtherEnd() {
        var fixture = DoctorFixture()
        let lists = (0..<40).map { level in
            "let l\(level): [Any] = [" + (0..<40).map { "L.l\($0).self, l\($0)" }.joined(separator: ", ") + "]"
        }
        fixture.contents["Notes/Lists.swift"] = "enum L {\n" + lists.map { "static " + $0 }.joined(separator: "\n") + "\n}"
        fixture.replace("for: Note.self", with: "for: Schema(L.l0 + [Note.self])", in: RuleTests.app)
        let time = processorTime { _ = fixture.diagnosis() }
        #expect(time < .seconds(10))
    }

    @Test(arguments: [
        ("schema", "there is no rule \"schema\", and nothing is left out for it"), ("losses.lists", "there is no rule \"losses.lists\""),
    ]) func aRuleThatThereIsNotIsNoted(rule: String, sentence: String) {
        var fixture = DoctorFixture()
        fixture.contents[".syncaudit.json"] = "{\"doctor\":{\"ignore\":[{\"rule\":\"\(rule)\",\"reason\":\"x\"}]}}"
        #expect(fixture.diagnosis().notes.map(\.sentence).contains { $0.hasPrefix(sentence) })
    }

    /// A container that is made to write the schema, beside SwiftData, keeps nothing of the app's.
    @Test(arguments: [true, false]) func aContainerForTheSchemaAloneNeedsNoOption(isForSchema: Bool) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Schema.swift"] = """
            import CoreData
            func deploy(_ model: NSManagedObjectModel) throws {
                let container = NSPersistentCloudKitContainer(name: "Notes", managedObjectModel: model)
                container.loadPersistentStores { _, _ in }
                \(isForSchema ? "try container.initializeCloudKitSchema()" : "use(container)")
            }
            """
        let rules = fixture.diagnosis().findings.map(\.rule)
        #expect(rules.contains("deployment.remote-change") == !isForSchema)
    }

    /// The history of a store that does not sync may be switched off.
    @Test(arguments: [true, false]) func aStoreThatStaysLocalNeedsNoHistory(isLocal: Bool) {
        var fixture = DoctorFixture()
        RuleTests.addCoreData(&fixture)
        fixture.contents["Notes/Option.swift"] =
            RuleTests.withOption + """
                func prepare(_ description: NSPersistentStoreDescription) {
                    description.setOption(false as NSNumber, forKey: NSPersistentHistoryTrackingKey)
                    \(isLocal ? "description.cloudKitContainerOptions = nil" : "use(description)")
                }
                """
        let rules = fixture.diagnosis().findings.map(\.rule)
        #expect(rules.contains("deployment.history") == !isLocal)
    }

    /// A model that Swift code makes is not read, and that is said.
    @Test func aModelMadeInCodeIsNotKnown() throws {
        var fixture = DoctorFixture()
        fixture.contents = [
            "project.yml": """
            name: Notes
            targets:
              Notes: {type: application, platform: iOS, sources: [Notes], settings: {base: {CODE_SIGN_ENTITLEMENTS: Notes/Notes.entitlements}}}

            """,
            "Notes/Notes.entitlements": "<plist><dict/></plist>",
            "Notes/Stack.swift": """
            import CoreData
            final class Stack {
                let container = NSPersistentCloudKitContainer(name: "Notes", managedObjectModel: Stack.model)
                static let model = NSManagedObjectModel()
            }
            """,
        ]
        let diagnosis = fixture.diagnosis()
        let store = try #require(diagnosis.stores.first)
        #expect(store.syncs == nil && store.reason.contains("is made in code or elsewhere, and is not read"))
        #expect(diagnosis.notes.contains { $0.sentence.contains("nothing is known of what syncs") })
        // What is not known to sync needs no service.
        #expect(!diagnosis.findings.contains { $0.severity == .error })
    }

    /// Who reads the mirroring's zone, or subscribes to it, changes nothing there.
    @Test func readingTheMirroringsZoneIsNoFinding() {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Zone.swift"] = """
            let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
            func read(_ database: CKDatabase) { database.fetch(withRecordID: CKRecord.ID(recordName: "a", zoneID: zone)) { _, _ in } }
            """
        #expect(!fixture.diagnosis().findings.contains { $0.rule == "deployment.mirrored-zone" })
    }
}
