import ProjectDoctor
import Testing

/// The points of the list that code and documents answer.
struct ChecklistTests {
    private func item(_ title: String, _ change: (inout DoctorFixture) -> Void) throws -> ChecklistItem {
        var fixture = DoctorFixture()
        change(&fixture)
        return try #require(fixture.diagnosis().checklist.first { $0.title.hasPrefix(title) })
    }

    @Test(arguments: [
        ("", ChecklistItem.State.unknown, "does it wait for unsaved edits?"),
        ("context.automaticallyMergesChangesFromParent = true", .yes, "contexts merge (Code.swift:4)"),
        ("context.automaticallyMergesChangesFromParent = false", .unknown, "does it wait for unsaved edits?"),
        ("if !context.hasChanges { refresh() }", .yes, "unsaved edits are looked for (Code.swift:4)"),
        ("context.reset()", .no, "unsaved edits are dropped (Code.swift:4)"),
        ("form.reset()", .unknown, "does it wait for unsaved edits?"),
    ]) func aContextIsRefreshed(code: String, state: ChecklistItem.State, detail: String) throws {
        let item = try item("A context") {
            $0.contents["Notes/Code.swift"] = """
                struct Store {
                    let name = NSNotification.Name.NSPersistentStoreRemoteChange
                    func changed() {
                        \(code)
                    }
                }
                """
        }
        #expect(item.state == state)
        #expect(item.detail == detail)
    }

    @Test(arguments: [
        ("struct V { @Query var notes: [Note] }", ChecklistItem.State.yes, "a query keeps them current (Code.swift:1)"),
        (
            "struct V { @FetchRequest(sortDescriptors: []) var notes: FetchedResults<Note> }", .yes,
            "a query keeps them current (Code.swift:1)"
        ),
        ("struct Query {}", .unknown, "while another device edits"),
    ]) func screensFollow(code: String, state: ChecklistItem.State, detail: String) throws {
        let item = try item("Screens") { $0.contents["Notes/Code.swift"] = code }
        #expect(item.state == state)
        #expect(item.detail == detail)
    }

    /// A query of Core Data shows what its context is told of.
    @Test(arguments: [
        ("", ChecklistItem.State.unknown, "does the context of Code.swift:1 merge?"),
        ("context.automaticallyMergesChangesFromParent = true", .yes, "a query keeps them current (Code.swift:1)"),
        ("let name = NSNotification.Name.NSPersistentStoreRemoteChange", .yes, "a query keeps them current (Code.swift:1)"),
    ]) func aQueryOfCoreDataNeedsAContextThatMerges(code: String, state: ChecklistItem.State, detail: String) throws {
        let item = try item("Screens") {
            $0.contents["Notes/Models.swift"] = nil
            $0.contents["Notes/NotesApp.swift"] = nil
            RuleTests.addCoreData(&$0)
            $0.contents["Notes/Code.swift"] = "struct V { @FetchRequest(sortDescriptors: []) var cards: FetchedResults<Card> }\n" + code
        }
        #expect(item.state == state)
        #expect(item.detail == detail)
    }

    /// What tells an app without a mirrored store.
    @Test(arguments: [
        ("let engine = CKSyncEngine(configuration)", ChecklistItem.State.yes, "CKSyncEngine tells of them"),
        ("import SQLiteData\nlet engine = try SyncEngine(for: database, tables: Leaf.self)", .yes, "SQLiteData tells of them"),
        ("let engine = try SyncEngine(for: database, tables: Leaf.self)", .no, "nothing listens to them"),
        (
            "func f() { info.shouldSendContentAvailable = true }\n"
                + "func application(_ a: UIApplication, didReceiveRemoteNotification info: [AnyHashable: Any]) async {}",
            .yes, "pushes of a subscription tell of them"
        ),
        // Nothing takes the pushes.
        ("func f() { info.shouldSendContentAvailable = true }", .no, "nothing listens to them"),
        ("let subscription = CKDatabaseSubscription(subscriptionID: id)", .no, "nothing listens to them"),
    ]) func remoteChangesOfOwnRecordsAreObserved(code: String, state: ChecklistItem.State, detail: String) throws {
        for isMirrored in [true, false] {
            let item = try item("Remote changes") {
                $0.replace("import SyncObservationSwiftData\n", with: "\n", in: RuleTests.app)
                if !isMirrored { $0.contents["Notes/NotesApp.swift"] = nil }
                $0.contents["Notes/Own.swift"] = "import CloudKit\nlet record = CKRecord(recordType: \"Leaf\")\n" + code
            }
            #expect(item.state == (isMirrored ? .no : state))
            #expect(item.detail == (isMirrored ? "nothing listens to them" : detail))
        }
    }

    /// Each system has a key of its own for pushes.
    @Test(arguments: [("iOS", ChecklistItem.State.yes), ("macOS", .no)]) func pushesOfEachApp(platform: String, state: ChecklistItem.State)
        throws
    {
        for title in ["iCloud, pushes", "Entitlements name"] {
            let item = try item(title) {
                $0.contents["project.yml", default: ""] += """
                      Other:
                        type: application
                        platform: \(platform)
                        sources: [Notes]
                        entitlements:
                          path: Notes/Notes.entitlements
                        settings:
                          base:
                            INFOPLIST_FILE: Notes/Info.plist
                    """
            }
            #expect(item.state == state)
        }
    }

    /// Without the settings it is not known which configuration a literal is for.
    @Test(arguments: [("development", ChecklistItem.State.unknown), ("$(APS_ENVIRONMENT)", .yes)])
    func aLiteralForPushesWithoutSettings(push: String, state: ChecklistItem.State) {
        var fixture = XcodeFixture()
        fixture.contents["App/App.entitlements"] = XcodeFixture.entitlements(push: push)
        #expect(XcodeFixture.diagnosis(fixture.contents).state("Each configuration sets") == state)
    }

    @Test func nothingThatListensIsSaid() throws {
        let item = try item("Screens") { $0.replace("import SyncObservationSwiftData\n", with: "\n", in: RuleTests.app) }
        #expect(item.state == .no)
    }

    @Test(arguments: [
        ("README.md", "Look into CloudKit Console.", ChecklistItem.State.yes, "README.md:2"),
        ("docs/sync.md", "https://icloud.developer.apple.com/dashboard", .yes, "sync.md:2"),
        ("README.md", "Look into the console.", .no, "how to see what was exported"),
        ("Pods/Other/notes.md", "Look into CloudKit Console.", .no, "there is no README"),
    ]) func documentsNameTheConsole(path: String, line: String, state: ChecklistItem.State, detail: String) throws {
        let item = try item("CloudKit Console") { $0.contents[path] = "# Notes\n\(line)\n" }
        #expect(item.state == state)
        #expect(item.detail == detail)
    }

    @Test(arguments: [
        ("README.md", "- [x] Batch edits pass with two devices: test done", ChecklistItem.State.yes, "by README.md:1"),
        ("README.md", "- [ ] Test with two devices", .no, "README.md:1 has it open"),
        ("README.md", "It runs on both devices.", .unknown, "edit many records, watch the other"),
        ("README.md", "Both devices run one TestFlight build.", .unknown, "edit many records, watch the other"),
        ("ROADMAP.md", "Test with two devices", .unknown, "edit many records, watch the other"),
    ]) func documentsTellOfTheTest(path: String, line: String, state: ChecklistItem.State, detail: String) throws {
        let item = try item("Two devices") { $0.contents[path] = line }
        #expect(item.state == state)
        #expect(item.detail == detail)
    }

    @Test func theExportedSchemaIsAPoint() throws {
        #expect(try item("Production schema") { _ in }.detail == "Notes.ckdb")
        let item = try item("Production schema") { $0.contents["Notes.ckdb"] = nil }
        #expect(item.state == .no)
        #expect(item.detail.contains("xcrun cktool export-schema"))
    }

    /// The command is whole where the container is known.
    @Test func theCommandThatExportsIsNamed() throws {
        var fixture = DoctorFixture()
        fixture.contents["Notes.ckdb"] = nil
        let finding = try #require(fixture.diagnosis().findings.first)
        #expect(
            finding.fix.hasSuffix(
                "xcrun cktool export-schema --team-id TEAM --container-id iCloud.example.notes --environment production "
                    + "--output-file schema.ckdb"))
    }

    @Test func whatStaysLocalIsCounted() {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Cache.swift"] = """
            @Model final class Page { var x: Int; var y: Int; @Attribute(.unique) var key = ""; var parts: [Part] = [] }
            @Model final class Part { var page: Page? }
            let c = try ModelContainer(for: Page.self, configurations: ModelConfiguration(cloudKitDatabase: .none))
            """
        let counts = fixture.diagnosis().obstacles.counts.map { "\($0.count) \($0.count == 1 ? $0.one : $0.many)" }
        #expect(counts == ["2 values without default", "1 unique value", "1 relationship that is not optional"])
        #expect(DoctorFixture().diagnosis().obstacles.counts.isEmpty)
    }

    @Test func relationshipsAreNamed() {
        var fixture = DoctorFixture()
        #expect(
            fixture.diagnosis().relationships.map { "\($0.name) \($0.destination) \($0.kept.prefix { $0 != ":" })" } == [
                "Note.tags Tag to many", "Tag.note Note to one",
            ])
        fixture.replace("var note: Note?", with: "var notes: [Note]?", in: RuleTests.models)
        fixture.replace("\\Tag.note)", with: "\\Tag.notes)", in: RuleTests.models)
        #expect(fixture.diagnosis().relationships.map { $0.kept.hasPrefix("many to many") } == [true, true])
    }
}
