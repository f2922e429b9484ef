import ProjectDoctor
import Testing

/// What public apps have that looks like a fault of their deployment, and is none, or one of less weight.
struct PublicShapeTests {
    typealias Case = JudgementTests.Case

    private static let merge = "func f(_ c: NSPersistentContainer) { c.viewContext.automaticallyMergesChangesFromParent = true }\n"

    private static let policies: [Case] = [
        Case(
            "a policy of an operation that only deletes",
            code: """
                func f(_ ids: [CKRecord.ID]) {
                    let operation = CKModifyRecordsOperation(recordsToSave: nil, recordIDsToDelete: ids)
                    operation.savePolicy = .allKeys
                }
                """),
        Case(
            "a policy of a call that only deletes",
            code: "func f() async throws { try await db.modifyRecords(saving: [], deleting: ids, savePolicy: .changedKeys) }"),
        Case(
            "a policy of an operation that is given records later", ["reporting.save-policy"],
            code: """
                func f(_ ids: [CKRecord.ID]) {
                    let operation = CKModifyRecordsOperation(recordsToSave: nil, recordIDsToDelete: ids)
                    operation.recordsToSave = changed
                    operation.savePolicy = .allKeys
                }
                """),
        Case(
            "a policy of an operation that saves and deletes", ["reporting.save-policy"],
            code: """
                func f(_ ids: [CKRecord.ID]) {
                    let operation = CKModifyRecordsOperation(recordsToSave: changed, recordIDsToDelete: ids)
                    operation.savePolicy = .allKeys
                }
                """),
        Case(
            "a policy of a call that saves", ["reporting.save-policy"],
            code: "func f() async throws { try await db.modifyRecords(saving: all, deleting: [], savePolicy: .changedKeys) }"),
    ]

    private static let coreData: [Case] = [
        Case("a context that merges what is imported") {
            RuleTests.addCoreData(&$0)
            $0.contents["Notes/Merge.swift"] = merge
        },
        Case("an app that follows the events of the mirroring") {
            RuleTests.addCoreData(&$0)
            $0.contents["Notes/Events.swift"] = "let name = NSPersistentCloudKitContainer.eventChangedNotification"
        },
        Case("a context that merges, in an app that waits for the notification", ["deployment.remote-change"]) {
            RuleTests.addCoreData(&$0)
            $0.contents["Notes/Merge.swift"] =
                merge + "let changes = NotificationCenter.default.publisher(for: .NSPersistentStoreRemoteChange)"
        },
        Case("the key of remote changes in a constant") {
            RuleTests.addCoreData(&$0)
            $0.contents["Notes/Option.swift"] = """
                func f(_ description: NSPersistentStoreDescription) {
                    let key = "NSPersistentStoreRemoteChangeNotificationOptionKey"
                    description.setOption(true as NSNumber, forKey: key)
                }
                """
        },
        Case("a store that was migrated before it is removed") {
            RuleTests.addCoreData(&$0)
            $0.contents["Notes/Move.swift"] =
                RuleTests.withOption + """
                    func move(_ container: NSPersistentContainer) {
                        container.loadPersistentStores { _, error in
                            try? container.persistentStoreCoordinator.migratePersistentStore(old, to: new, options: nil, withType: type)
                            try? FileManager.default.removeItem(at: old)
                        }
                    }
                    """
        },
    ]

    /// Stores that are copied, options that are handed on, and shares whose database is in another file of the type.
    private static let handedOn: [Case] = [
        Case("a store that is copied to where none is") {
            RuleTests.addCoreData(&$0)
            $0.contents["Notes/Move.swift"] =
                RuleTests.withOption + """
                    func move(_ coordinator: NSPersistentStoreCoordinator) throws {
                        try coordinator.replacePersistentStore(at: new, withPersistentStoreFrom: old, type: .sqlite)
                    }
                    """
        },
        Case("a store that is open and replaced by a backup", ["deployment.store-deletion"]) {
            RuleTests.addCoreData(&$0)
            $0.contents["Notes/Move.swift"] =
                RuleTests.withOption + """
                    func restore(_ coordinator: NSPersistentStoreCoordinator, _ store: NSPersistentStore) throws {
                        try coordinator.replacePersistentStore(at: store.url!, withPersistentStoreFrom: backup, type: .sqlite)
                    }
                    """
        },
        Case("options that a description had, without iCloud", ["deployment.automatic-local"]) {
            RuleTests.addCoreData(&$0)
            $0.contents["Notes/Models.swift"] = nil
            $0.contents["Notes/NotesApp.swift"] = nil
            $0.contents["Notes/Notes.entitlements"] = "<plist version=\"1.0\"><dict></dict></plist>"
            $0.contents["Notes/Move.swift"] =
                RuleTests.withOption + """
                    func put(back options: NSPersistentCloudKitContainerOptions?, _ description: NSPersistentStoreDescription) {
                        description.cloudKitContainerOptions = options
                    }
                    """
        },
        Case("a share whose private database is in another file of its type") {
            $0.contents["Notes/Manager.swift"] = "class Manager { let own = CKContainer.default().privateCloudDatabase }"
            $0.contents["Notes/Share.swift"] = share("Manager")
        },
        Case("a share whose private database is another type's", ["deployment.public-share"]) {
            $0.contents["Notes/Manager.swift"] = "class Manager { let own = CKContainer.default().privateCloudDatabase }"
            $0.contents["Notes/Share.swift"] = share("Sharer")
        },
    ]

    private static func share(_ type: String) -> String {
        """
        import CloudKit
        extension \(type) {
            func share(_ root: CKRecord) -> CKShare { CKShare(rootRecord: root) }
            func read() { CKContainer.default().publicCloudDatabase.fetch(withRecordID: id) { _, _ in } }
        }
        """
    }

    /// Where the cloud's store does not open: what says so is for the app to tell.
    @Test(arguments: [
        ("return (try! local(.none), false)", Rule.Severity.advice), ("state = .localOnly\nreturn (try! local(.none), true)", .advice),
        ("return (try! local(.none), isFine)", .warning), ("let isFine = false\nreturn (try! local(.none), isFine)", .warning),
        ("state = .localOnly\nreturn (try! local(url: other, .none), false)", .warning),
    ]) func aFallbackThatTells(body: String, severity: Rule.Severity) {
        var fixture = DoctorFixture()
        let local = { (url: String) in "ModelContainer(for: Note.self, configurations: ModelConfiguration(\(url)cloudKitDatabase: .none))" }
        fixture.contents["Notes/Open.swift"] = """
            func open() -> (ModelContainer, Bool) {
                do {
                    let configuration = ModelConfiguration(cloudKitDatabase: .private("iCloud.example.notes"))
                    return (try ModelContainer(for: Note.self, configurations: configuration), true)
                } catch {
                    \(body.replacing("local(.none)", with: local("")).replacing("local(url: other, .none)", with: local("url: other, ")))
                }
            }
            let opened = open()
            """
        #expect(fixture.diagnosis().findings.filter { $0.rule == "deployment.fallback" }.map(\.severity) == [severity])
    }

    private static let migrations: [Case] = [
        Case("a custom stage of a store that stays local") {
            $0.contents["Notes/Cache.swift"] =
                plan("CachePlan", ["C1", "C2"]) + """
                    @Model final class Page { var x = 0 }
                    let cache = try ModelContainer(
                        for: Page.self, migrationPlan: CachePlan.self, configurations: ModelConfiguration(cloudKitDatabase: .none))
                    """
        },
        Case("a custom stage of a store that syncs", ["schema.migration"]) {
            $0.contents["Notes/Cache.swift"] =
                plan("NotesPlan", ["C1", "C2"]) + """
                    let other = try ModelContainer(
                        for: Note.self, migrationPlan: NotesPlan.self,
                        configurations: ModelConfiguration(cloudKitDatabase: .private("iCloud.example.notes")))
                    """
        },
        Case("a plan that leads back to the version before") {
            $0.contents["Notes/Back.swift"] =
                plan("BackPlan", ["V2", "V1"]) + """
                    enum V1: VersionedSchema {
                        static var versionIdentifier = Schema.Version(1, 0, 0)
                        static var models: [any PersistentModel.Type] { [Note.self, Tag.self] }
                    }
                    enum V2: VersionedSchema {
                        static var versionIdentifier = Schema.Version(2, 0, 0)
                        static var models: [any PersistentModel.Type] { [Note.self, Tag.self] }
                    }
                    """
        },
    ]

    private static func plan(_ name: String, _ schemas: [String]) -> String {
        """
        enum \(name): SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [\(schemas.map { $0 + ".self" }.joined(separator: ", "))] }
            static var stages: [MigrationStage] { [stage] }
            static let stage = MigrationStage.custom(fromVersion: \(schemas[0]).self, toVersion: \(schemas[1]).self, willMigrate: nil, didMigrate: nil)
        }

        """
    }

    @Test(arguments: policies + coreData + handedOn + migrations) func onlyWhatIsBrokenIsReported(judged: Case) {
        var fixture = DoctorFixture()
        judged.change(&fixture)
        let findings = fixture.diagnosis().findings.filter { $0.severity != .advice }
        #expect(findings.map(\.rule) == judged.rules, "\(findings.map(\.message))")
    }

    /// Own records bring no pushes without a subscription, whatever else the app registers for; a sync engine has its own.
    @Test(arguments: [
        ("let record = CKRecord(recordType: \"Leaf\")", false),
        ("func f() { UIApplication.shared.registerForRemoteNotifications() }", false),
        ("let engine = CKSyncEngine(configuration)", true), ("let all = CKDatabaseSubscription(subscriptionID: \"all\")", true),
    ]) func pushesComeToWhoSubscribes(code: String, needsPushes: Bool) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Models.swift"] = nil
        fixture.contents["Notes.ckdb", default: ""] += "\nRECORD TYPE Leaf ( title STRING );\n"
        fixture.contents["Notes/NotesApp.swift"] = "import CloudKit\n\(code)\n"
        fixture.replace("\t<key>aps-environment</key>\n\t<string>$(APS_ENVIRONMENT)</string>\n", with: "", in: RuleTests.entitlements)
        #expect(fixture.diagnosis().findings.contains { $0.rule == "deployment.push" } == needsPushes)
    }

    /// A file of settings outside of the project may name other entitlements for debugging.
    @Test(arguments: [true, false]) func theEnvironmentOfAProjectThatIsNotWhole(isWhole: Bool) {
        var fixture = DoctorFixture()
        fixture.replace(
            "\t<key>aps-environment</key>",
            with:
                "\t<key>com.apple.developer.icloud-container-environment</key>\n\t<string>Production</string>\n\t<key>aps-environment</key>",
            in: RuleTests.entitlements)
        if !isWhole {
            fixture.contents["Notes.xcconfig"] = "#include? \"../../Shared.xcconfig\"\n"
            fixture.contents["project.yml", default: ""] += "configFiles: {Debug: Notes.xcconfig, Release: Notes.xcconfig}\n"
        }
        let found = fixture.diagnosis().findings.filter { $0.rule == "deployment.production-in-debug" }
        #expect(found.map(\.severity) == [isWhole ? .warning : .advice])
    }

    /// An app without CloudKit is meant to do without, where another app of the project has it.
    @Test(arguments: [true, false]) func aLibraryOfAnAppWithoutCloudKit(hasOther: Bool) {
        var fixture = DoctorFixture()
        fixture.contents["Kit/Sync.swift"] = "import CloudKit\npublic let container = CKContainer(identifier: \"iCloud.example.notes\")\n"
        fixture.contents["project.yml", default: ""] += """
              Kit: {type: library.static, platform: iOS, sources: [Kit]}
              Viewer: {type: application, platform: iOS, sources: [Viewer], dependencies: [{target: Kit}]}

            """
        fixture.contents["Viewer/App.swift"] = "struct Viewer {}"
        if !hasOther {
            fixture.replace("<string>CloudKit</string>", with: "<string>CloudDocuments</string>", in: RuleTests.entitlements)
        }
        let found = fixture.diagnosis().findings.filter { $0.rule == "deployment.service" && $0.message.contains("Viewer") }
        #expect(found.map(\.severity) == [hasOther ? .advice : .warning])
    }

    /// A file that two apps share asks for the group that one of them has.
    @Test(arguments: [true, false]) func theGroupOfTheOtherApp(hasOther: Bool) {
        var fixture = DoctorFixture()
        fixture.contents["Shared/Folder.swift"] =
            "let folder = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: \"group.example.\(hasOther ? "notes" : "all")\")"
        fixture.replace("sources: [Notes]", with: "sources: [Notes, Shared]", in: "project.yml")
        fixture.contents["Viewer/Viewer.entitlements"] = "<plist><dict><key>a</key><string>b</string></dict></plist>"
        fixture.contents["project.yml", default: ""] +=
            "  Viewer: {type: application, platform: tvOS, sources: [Viewer, Shared], entitlements: {path: Viewer/Viewer.entitlements}}\n"
        let found = fixture.diagnosis().findings.filter { $0.rule == "deployment.app-group" }
        #expect(Set(found.map(\.severity)) == [hasOther ? .advice : .warning])
    }

    /// An extension may open the store that the code does not sync there.
    @Test(arguments: [true, false]) func anExtensionOpensWhatTheCodeChooses(isChosen: Bool) {
        var fixture = DoctorFixture()
        fixture.addWidget(entitlements: "<plist><dict/></plist>")
        let database = ".private(\"iCloud.example.notes\")"
        fixture.contents["Widget/Store.swift"] = """
            let notes = try ModelContainer(
                for: Note.self,
                configurations: ModelConfiguration(cloudKitDatabase: \(isChosen ? "isOn ? \(database) : .none" : database)))
            """
        let found = fixture.diagnosis().findings.filter { $0.rule == "deployment.extension-service" }
        #expect(found.map(\.severity) == [isChosen ? .advice : .warning])
    }

    /// What accepts shares is known by its list, where that has the key.
    @Test(arguments: [true, false]) func aSceneThatAcceptsShares(isSaid: Bool) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Scene.swift"] =
            "func accept(_ all: [CKShare.Metadata]) { container.acceptShareInvitations(from: all, into: store) { _, _ in } }"
        if isSaid {
            fixture.replace(
                "\t<key>UIBackgroundModes</key>", with: "\t<key>CKSharingSupported</key>\n\t<true/>\n\t<key>UIBackgroundModes</key>",
                in: "Notes/Info.plist")
        }
        #expect(fixture.diagnosis().findings.map(\.rule) == (isSaid ? [] : ["deployment.sharing"]))
    }

    /// Own records of which a subscription, by its name of today or of before, or a mirrored store tells.
    @Test(arguments: [
        ("", true), ("let all = CKDatabaseSubscription(subscriptionID: \"all\")", false),
        ("let all = CKSubscription(recordType: \"Leaf\", predicate: all, options: options)", false),
        ("let engine = CKSyncEngine(configuration)", false),
    ]) func ownRecordsNeedASubscription(code: String, isTold: Bool) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Models.swift"] = nil
        fixture.contents["Notes/NotesApp.swift"] = """
            import CloudKit
            let database = CKContainer(identifier: "iCloud.example.notes").privateCloudDatabase
            let record = CKRecord(recordType: "Leaf")
            \(code)
            """
        #expect(fixture.diagnosis().findings.contains { $0.rule == "reporting.subscription" } == isTold)
    }
}
