import ProjectDoctor
import SyncBytes
import SyncModel
import Testing

/// For each rule a project that breaks it and nothing else.
struct RuleTests {
    struct Breach: CustomTestStringConvertible, Sendable {
        let rule: String
        /// File and line of the only finding.
        let location: String
        let change: @Sendable (inout DoctorFixture) -> Void
        var testDescription: String { rule }

        init(_ rule: String, at location: String, _ change: @escaping @Sendable (inout DoctorFixture) -> Void) {
            (self.rule, self.location, self.change) = (rule, location, change)
        }
    }

    /// One note of which one field is measured, by the names that a store gives them.
    private static func measurement(_ field: String, bytes: Int, isAsset: Bool = false) -> Measurement {
        var measurement = Measurement(source: "default.store")
        measurement.add("1", of: "Note", [Measurement.Value(field: field, bytes: bytes, isAsset: isAsset)])
        return measurement
    }

    static let models = "Notes/Models.swift"
    static let app = "Notes/NotesApp.swift"
    static let entitlements = "Notes/Notes.entitlements"

    static let breaches: [Breach] = [
        Breach("schema.optional", at: "Notes/Models.swift:6") { $0.replace("var title: String?", with: "var title: String", in: models) },
        Breach("schema.unique", at: "Notes/Models.swift:5") {
            $0.replace("var id: UUID", with: "@Attribute(.unique) var id: UUID", in: models)
        },
        Breach("schema.relationship-optional", at: "Notes/Models.swift:9") {
            $0.replace("var tags: [Tag]?", with: "var tags: [Tag] = []", in: models)
        },
        Breach("schema.relationship-inverse", at: "Notes/Models.swift:9") {
            $0.replace("    @Relationship(deleteRule: .cascade, inverse: \\Tag.note)\n", with: "\n", in: models)
            $0.replace("    var note: Note?\n", with: "", in: models)
            $0.replace("var tags: [Tag]?", with: "var tags: Tag?", in: models)
            $0.replace("CD_isPinned     INT64,", with: "CD_isPinned     INT64,\n CD_tags STRING,", in: "Notes.ckdb")
        },
        Breach("schema.delete-rule", at: "Notes/Models.swift:9") { $0.replace(".cascade", with: ".deny", in: models) },
        Breach("schema.dangling", at: "Notes/Models.swift:9") { $0.replace(".cascade", with: ".noAction", in: models) },
        Breach("schema.transformer", at: "Notes/Models.swift:6") {
            $0.replace("var title: String?", with: "@Attribute(.transformable) var title: String?", in: models)
            $0.replace("CD_title        STRING", with: "CD_title BYTES", in: "Notes.ckdb")
        },
        Breach("schema.migration", at: "Notes/Plan.swift:5") {
            $0.contents["Notes/Plan.swift"] = """
                import SwiftData
                enum Plan: SchemaMigrationPlan {
                    static var schemas: [any VersionedSchema.Type] { [] }
                    static var stages: [MigrationStage] {
                        [MigrationStage.custom(fromVersion: A.self, toVersion: B.self, willMigrate: nil, didMigrate: nil)]
                    }
                }
                """
        },
        Breach("schema.external-public", at: "Notes/Models.swift:6") {
            $0.replace("var title: String?", with: "@Attribute(.externalStorage) var title: String?", in: models)
            $0.contents["Notes/Public.swift"] =
                "func choose(_ options: NSPersistentCloudKitContainerOptions) { options.databaseScope = .public }\n"
        },
        Breach("evolution.removed", at: "Notes/Models.swift:4") {
            $0.earlier = $0.contents
            $0.replace("    var title: String?\n", with: "\n", in: models)
        },
        Breach("evolution.renamed", at: "Notes/Models.swift:6") {
            $0.earlier = $0.contents
            $0.replace("var title: String?", with: "@Attribute(originalName: \"title\") var heading: String?", in: models)
            $0.replace("CD_title        STRING", with: "CD_heading STRING", in: "Notes.ckdb")
        },
        Breach("evolution.retyped", at: "Notes/Models.swift:7") {
            $0.earlier = $0.contents
            $0.replace("var isPinned: Bool = false", with: "var isPinned: Double = 0", in: models)
            $0.replace("CD_isPinned     INT64", with: "CD_isPinned DOUBLE", in: "Notes.ckdb")
        },
        Breach("production.type", at: "Notes/Models.swift:4") {
            $0.replace("RECORD TYPE CD_Note", with: "RECORD TYPE CD_Page", in: "Notes.ckdb")
        },
        Breach("production.field", at: "Notes/Models.swift:7") {
            $0.replace("        CD_isPinned     INT64,\n", with: "", in: "Notes.ckdb")
        },
        Breach("production.field-type", at: "Notes/Models.swift:7") {
            $0.replace("CD_isPinned     INT64", with: "CD_isPinned STRING", in: "Notes.ckdb")
        },
        Breach("production.own-type", at: "Notes/Own.swift:6") {
            addRecord(&$0)
            $0.contents["Notes/Own.swift", default: ""] += "func other() { _ = CKRecord(recordType: \"Page\") }\n"
        },
        Breach("production.own-field", at: "Notes/Own.swift:4") {
            addRecord(&$0)
            $0.replace("record[\"title\"]", with: "record[\"heading\"]", in: "Notes/Own.swift")
        },
        Breach("production.own-field-type", at: "Notes/Own.swift:4") {
            addRecord(&$0)
            $0.replace("= \"x\"", with: "= 1.5", in: "Notes/Own.swift")
        },
        Breach("deployment.service", at: "Notes/Notes.entitlements:11") {
            $0.replace("<string>CloudKit</string>", with: "<string>CloudDocuments</string>", in: entitlements)
        },
        Breach("deployment.container", at: "Notes/NotesApp.swift:10") {
            $0.replace("iCloud.example.notes", with: "iCloud.example.other", in: app)
        },
        Breach("deployment.containers-agree", at: "Widget/Widget.entitlements:9") {
            $0.addWidget(
                entitlements: DoctorFixture.entitlements.split(separator: "iCloud.example.notes").joined(
                    separator: "iCloud.widget"
                )
                .split(separator: "<dict>").joined(separator: "<dict>\n\n"))
        },
        Breach("deployment.app-group", at: "Notes/Group.swift:1") {
            $0.contents["Notes/Group.swift"] = """
                let url = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.other")
                """
        },
        Breach("deployment.push", at: "Notes/Notes.entitlements:1") {
            $0.replace("\t<key>aps-environment</key>\n\t<string>$(APS_ENVIRONMENT)</string>\n", with: "", in: entitlements)
        },
        Breach("deployment.push-literal", at: "Notes/Notes.entitlements:5") {
            $0.replace("$(APS_ENVIRONMENT)", with: "development", in: entitlements)
        },
        Breach("deployment.push-unset", at: "Notes/Notes.entitlements:5") {
            $0.replace("          APS_ENVIRONMENT: production\n", with: "          OTHER: production\n", in: "project.yml")
        },
        Breach("deployment.background", at: "Notes/Info.plist:4") {
            $0.replace("remote-notification", with: "fetch", in: "Notes/Info.plist")
        },
        Breach("deployment.background-setting", at: "project.yml:12") {
            $0.replace("remote-notification", with: "fetch", in: "Notes/Info.plist")
            $0.replace(
                "INFOPLIST_FILE: Notes/Info.plist",
                with: "INFOPLIST_FILE: Notes/Info.plist\n        INFOPLIST_KEY_UIBackgroundModes: remote-notification",
                in: "project.yml")
        },
        Breach("deployment.production-in-debug", at: "Notes/Notes.entitlements:5") {
            $0.replace(
                "<key>aps-environment</key>",
                with:
                    "<key>com.apple.developer.icloud-container-environment</key>\n\t<string>Production</string>\n\t<key>aps-environment</key>",
                in: entitlements)
        },
        Breach("deployment.database-unnamed", at: "Notes/NotesApp.swift:10") {
            $0.replace("cloudKitDatabase: .private(\"iCloud.example.notes\")", with: "", in: app)
        },
        Breach("deployment.automatic-local", at: "Notes/NotesApp.swift:10") {
            $0.replace(".private(\"iCloud.example.notes\")", with: ".automatic", in: app)
            $0.contents[entitlements] = "<plist><dict></dict></plist>"
        },
        Breach("deployment.fallback", at: "Notes/Other.swift:2") {
            $0.contents["Notes/Other.swift"] = """
                func open() -> ModelContainer? {
                    try? ModelContainer(for: Note.self, configurations: ModelConfiguration(cloudKitDatabase: .private("iCloud.example.notes")))
                }
                let opened = open()
                """
        },
        Breach("deployment.store-removal", at: "Notes/NotesApp.swift:14") {
            $0.replace("fatalError(", with: "try? FileManager.default.removeItem(at: url); fatalError(", in: app)
        },
        Breach("deployment.mirrored-zone", at: "Notes/Zone.swift:3") {
            $0.contents["Notes/Zone.swift"] = """
                let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
                func clear(_ database: CKDatabase) {
                    database.delete(withRecordZoneID: zone) { _, _ in }
                }
                """
        },
        Breach("deployment.remote-change", at: "Notes/Stack.swift:2") { addCoreData(&$0) },
        Breach("deployment.history", at: "Notes/Option.swift:3") {
            addCoreData(&$0)
            $0.contents["Notes/Option.swift"] =
                withOption
                + "func f(_ d: NSPersistentStoreDescription) {\n    d.setOption(false as NSNumber, forKey: NSPersistentHistoryTrackingKey)\n}\n"
        },
        Breach("deployment.initialize-schema", at: "Notes/Schema.swift:2") {
            $0.contents["Notes/Schema.swift"] = """
                func deploy(_ container: Any) {
                    try? container.initializeCloudKitSchema(options: [])
                }
                """
        },
        Breach("deployment.debug-argument", at: "Notes/NotesApp.swift:10") { $0.contents["Schemes/Notes.xcscheme"] = nil },
        Breach("losses.list", at: "Notes/Models.swift:6") {
            $0.replace("var title: String?", with: "var title: [String] = []", in: models)
        },
        Breach("losses.dictionary", at: "Notes/Models.swift:6") {
            $0.replace("var title: String?", with: "var title: [String: Int] = [:]", in: models)
        },
        Breach("losses.structure", at: "Notes/Models.swift:6") {
            $0.replace("var title: String?", with: "var title: Hours?", in: models)
            $0.contents["Notes/Hours.swift"] = "struct Hours: Codable { var hour = 9; var minute = 30 }\n"
        },
        Breach("losses.counter", at: "Notes/Count.swift:2") {
            $0.replace("var isPinned: Bool = false", with: "var isPinned: Int = 0", in: models)
            $0.contents["Notes/Count.swift"] = """
                func read(_ note: Note) {
                    note.isPinned += 1
                }
                """
        },
        Breach("losses.text", at: "Notes/Models.swift:6") {
            $0.replace("var title: String?", with: "var body: String?", in: models)
            $0.replace("CD_title        STRING", with: "CD_body STRING", in: "Notes.ckdb")
        },
        Breach("reporting.save-policy", at: "Notes/Save.swift:2") {
            $0.contents["Notes/Save.swift"] = """
                func save(_ operation: CKModifyRecordsOperation) {
                    operation.savePolicy = .changedKeys
                }
                """
        },
        Breach("reporting.observer", at: "Notes/NotesApp.swift:10") {
            $0.replace("import SyncObservationSwiftData", with: "let name = NSNotification.Name.NSPersistentStoreRemoteChange", in: app)
        },
        Breach("size.inline-data", at: "Notes/Models.swift:6") {
            $0.replace("var title: String?", with: "var photo: Data?\n    var thumbnail: Data?", in: models)
            $0.replace("CD_title        STRING", with: "CD_photo BYTES, CD_thumbnail BYTES", in: "Notes.ckdb")
        },
        Breach("size.record", at: "Notes/Models.swift:4") { $0.measurements = [measurement("TITLE", bytes: 900_000)] },
        Breach("size.asset", at: "Notes/Models.swift:6") { $0.measurements = [measurement("TITLE", bytes: 41_000_000, isAsset: true)] },
        Breach("size.storage", at: "default.store:1") {
            var measured = measurement("TITLE", bytes: 9)
            for number in 0..<1000 {
                measured.add("\(number)", of: "NOTE", [Measurement.Value(field: "TITLE", bytes: 700_000, isAsset: false)])
            }
            for day in 0..<10 { measured.addWritten(70_000_000, day: day) }
            $0.measurements = [measured]
        },
        Breach("size.outbox", at: "default.store:1") {
            var measured = measurement("TITLE", bytes: 9)
            measured.waiting = (12, 2_500_000)
            $0.measurements = [measured]
        },
        Breach("losses.measured", at: "Notes/Models.swift:6") {
            var measured = measurement("TITLE", bytes: 9)
            measured.losses = [Measurement.Loss(type: "Note", field: "title", edits: 3, shape: .value)]
            $0.measurements = [measured]
        },
        Breach("size.thumbnail", at: "Notes/Models.swift:6") {
            $0.replace("var title: String?", with: "@Attribute(.externalStorage) var photo: Data?", in: models)
            $0.replace("CD_title        STRING", with: "CD_photo BYTES", in: "Notes.ckdb")
        },
    ]

    /// Whether the other store is another one, and whether the user is told, is not read.
    @Test func aFallbackIsNotSaidToLoseEdits() throws {
        let rule = try #require(Rule.all.first { $0.id == "deployment.fallback" })
        #expect(!rule.consequence.contains("is lost"))
        #expect(rule.consequence.contains("with the same store it goes on without sync"))
    }

    /// A Core Data model beside the classes, kept by a container for CloudKit.
    static func addCoreData(
        _ fixture: inout DoctorFixture,
        _ entities: String = "<entity name=\"Card\"><attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/></entity>"
    ) {
        fixture.contents["Notes/Cards.xcdatamodeld/Cards.xcdatamodel/contents"] =
            "<?xml version=\"1.0\"?>\n<model>\n\(entities)\n</model>\n"
        fixture.contents["Notes/Stack.swift"] = """
            func makeContainer() -> NSPersistentContainer {
                NSPersistentCloudKitContainer(name: "Cards")
            }
            """
        fixture.contents["Notes.ckdb"] =
            (fixture.contents["Notes.ckdb"] ?? "") + "\nRECORD TYPE CD_Card ( CD_name STRING, CD_kind STRING );\n"
    }

    /// Code that writes records of its own, whose type is in the schema.
    static func addRecord(_ fixture: inout DoctorFixture) {
        fixture.contents["Notes/Own.swift"] = """
            import CloudKit
            func save() {
                let record = CKRecord(recordType: "Leaf")
                record["title"] = "x"
            }

            """
        fixture.contents["Notes.ckdb", default: ""] += "\nRECORD TYPE Leaf ( title STRING, secret ENCRYPTED STRING, count INT64 );\n"
    }

    static let withOption = "let option = NSPersistentStoreRemoteChangeNotificationPostOptionKey\n"

    static let coreDataBreaches: [Breach] = [
        Breach("schema.relationship-ordered", at: "Notes/Cards.xcdatamodeld/Cards.xcdatamodel/contents:3") {
            addCoreData(
                &$0,
                """
                <entity name="Card"><relationship name="parts" optional="YES" toMany="YES" ordered="YES" destinationEntity="Card" inverseName="whole"/>\
                <relationship name="whole" optional="YES" maxCount="1" destinationEntity="Card" inverseName="parts"/></entity>
                """)
            $0.replace("CD_kind STRING", with: "CD_whole STRING", in: "Notes.ckdb")
            $0.contents["Notes/Option.swift"] = withOption
        },
        Breach("schema.relationship-unsynced", at: "Notes/Cards.xcdatamodeld/Cards.xcdatamodel/contents:3") {
            addCoreData(
                &$0,
                """
                <entity name="Card"><relationship name="kind" optional="YES" maxCount="1" destinationEntity="Kind" inverseName="cards"/></entity>
                <entity name="Kind"><relationship name="cards" optional="YES" toMany="YES" destinationEntity="Card" inverseName="kind"/></entity>
                <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="Card"/></configuration>
                """)
            $0.contents["Notes/Option.swift"] = withOption
        },
        Breach("schema.type", at: "Notes/Cards.xcdatamodeld/Cards.xcdatamodel/contents:3") {
            addCoreData(&$0, "<entity name=\"Card\"><attribute name=\"name\" optional=\"YES\"/></entity>")
            $0.contents["Notes/Option.swift"] = withOption
        },
    ]

    @Test func theGoodProjectHasNoFindings() {
        let diagnosis = DoctorFixture().diagnosis()
        #expect(diagnosis.findings.map { "\($0.location.path):\($0.location.line) \($0.rule) \($0.message)" } == [])
        #expect(diagnosis.notes.map { "\($0.location.path):\($0.location.line) \($0.sentence)" } == [])
        #expect(diagnosis.stores.count == 1)
        #expect(diagnosis.stores.first?.entities == ["Note", "Tag"])
    }

    @Test(arguments: breaches + coreDataBreaches + actionBreaches) func oneBreachIsOneFinding(breach: Breach) {
        var fixture = DoctorFixture()
        breach.change(&fixture)
        let diagnosis = fixture.diagnosis()
        let found = diagnosis.findings.map { "\($0.rule) \($0.location.path):\($0.location.line)" }
        #expect(found == ["\(breach.rule) \(breach.location)"], "\(diagnosis.findings.map(\.message)) \(diagnosis.notes.map(\.sentence))")
    }

    @Test func everyRuleHasABreach() {
        // One is found with --strict alone, one is that a notification has no listener.
        let tested = Set((Self.breaches + Self.coreDataBreaches + Self.actionBreaches).map(\.rule)).union([
            "schema.strict-optional", "reporting.remote-change",
        ])
        #expect(Set(Rule.all.map(\.id)) == tested)
    }

    /// What stands behind `Source:` must be something that a reader can open.
    @Test func everySourceIsPublic() {
        for rule in Rule.all {
            guard let source = rule.source else { continue }
            let isPublic =
                source.contains("developer.apple.com/") || source.contains(/[A-Za-z0-9-]+\/[A-Za-z0-9-]+#[0-9]+/) || source == "the log"
            #expect(isPublic, "\(rule.id): \(source)")
        }
        #expect(Rule.all.filter { $0.source == nil }.map(\.id) == ["schema.external-public"])
    }

    @Test func strictDemandsOptionals() {
        var options = Doctor.Options()
        options.isStrict = true
        let findings = DoctorFixture().diagnosis(options).findings
        #expect(
            findings.map(\.message).sorted() == [
                "Note.id has a default value and is not optional", "Note.isPinned has a default value and is not optional",
                "Tag.name has a default value and is not optional",
            ])
    }

    @Test func nobodyListensToRemoteChanges() {
        var fixture = DoctorFixture()
        fixture.replace("import SyncObservationSwiftData\n", with: "\n", in: Self.app)
        #expect(fixture.diagnosis().findings.map(\.rule) == ["reporting.observer", "reporting.remote-change"])
    }

    @Test func thePatchMendsWhatTextCan() {
        var fixture = DoctorFixture()
        fixture.replace("var title: String?", with: "var title: String", in: Self.models)
        let patch = ProjectPatch(fixture.diagnosis(), fixture.files).text
        #expect(patch.contains("--- Notes/Models.swift\n+++ Notes/Models.swift\n@@ -3,7 +3,7 @@\n"))
        #expect(patch.contains("-    var title: String\n+    var title: String?\n"))
    }

    @Test func theListLeavesOutWithAReason() {
        var fixture = DoctorFixture()
        fixture.replace("var title: String?", with: "var title: [String] = []", in: Self.models)
        fixture.contents[".syncaudit.json"] = #"{"doctor":{"ignore":[{"rule":"losses.list","reason":"edited on one device"}]}}"#
        let diagnosis = fixture.diagnosis()
        #expect(diagnosis.findings.isEmpty)
        #expect(diagnosis.ignored.map(\.reason) == ["edited on one device"])
    }

    /// Through the last day, in UTC, and not longer.
    @Test(arguments: [
        ("2026-01-15", 0, "edited on one device"),
        ("2026-01-14", 1, "\"losses.list\" was left out until 2026-01-14, and is reported again"),
        ("2026-01-32", 1, "\"until\" of \"losses.list\" is no day that exists"),
    ])
    func whatIsLeftOutUntilADayIsReportedAfterIt(until: String, findings: Int, sentence: String) {
        var fixture = DoctorFixture()
        fixture.replace("var title: String?", with: "var title: [String] = []", in: Self.models)
        fixture.contents[".syncaudit.json"] =
            #"{"doctor":{"ignore":[{"rule":"losses.list","reason":"edited on one device","until":"\#(until)"}]}}"#
        var options = Doctor.Options()
        options.now = 1_768_500_000_000  // 2026-01-15T18:00:00Z
        let diagnosis = fixture.diagnosis(options)
        #expect(diagnosis.findings.count == findings)
        let told = diagnosis.notes.map(\.sentence) + diagnosis.ignored.map(\.reason)
        #expect(told.contains { $0.hasPrefix(sentence) }, "\(told)")
    }

    @Test func aBaselineHidesWhatWasThere() throws {
        var fixture = DoctorFixture()
        fixture.replace("var title: String?", with: "var title: [String] = []", in: Self.models)
        let before = fixture.diagnosis()
        let baseline = try #require(Baseline(JSONParser.parse(Baseline(before.findings).text)))
        fixture.replace("var name: String = \"\"", with: "\n\n    var name: String", in: Self.models)
        var after = fixture.diagnosis()
        after.subtract(baseline)
        #expect(after.findings.map(\.rule) == ["schema.optional"])
    }
}
