import ProjectDoctor
import Testing

/// Code that looks like a breach of a rule about what apps do, and is none; and other shapes of what is one.
struct NearMissTests {
    typealias Case = JudgementTests.Case

    static let stores: [Case] = [
        Case(
            "a store that is moved", code: "func move() { try c.migratePersistentStore(s, to: new); try c.destroyPersistentStore(at: old) }"
        ),
        Case(
            "a method of the app's own",
            code: "struct Manager { func deleteAllData() {} }\nfunc f(_ m: Manager) { m.deleteAllData() }"),
        Case(
            "a wrapper of the same name", ["deployment.store-deletion"],
            code: "struct Manager { func deleteAllData() { container.deleteAllData() } }"),
        Case("a store that debug builds delete", code: "#if DEBUG\nfunc f(_ c: ModelContainer) { c.deleteAllData() }\n#endif"),
        Case("a cache file", code: "func f() { try? FileManager.default.removeItem(at: cacheURL) }"),
        Case(
            "the file of the store", ["deployment.store-deletion"], code: "func f() { try? FileManager.default.removeItem(at: storeURL) }"),
        Case(
            "its file by the configuration", ["deployment.store-deletion"],
            code: "func f() { for end in [\"\", \"-wal\"] { try? manager.removeItem(atPath: configuration.url.path + end) } }"),
        Case("an erased container", ["deployment.store-deletion"], code: "func f() throws { try container.erase() }"),
        Case("an erased store", ["deployment.store-deletion"], code: "func f(store: ModelContainer) throws { try store.erase() }"),
        Case("the local one of two stores", code: "func f() throws { try localContainer().deleteAllData(); try memoryStore.erase() }"),
        Case("an erased drawing", code: "func f() { canvas.erase() }"),
        Case(
            "a store in the place of another", ["deployment.store-deletion"],
            code: "func f() { try c.replacePersistentStore(at: a, withPersistentStoreFrom: b) }"),
    ]

    static let own: [Case] = [
        Case(
            "the server's record is merged",
            code: "func f(_ e: CKError) { if e.code == .serverRecordChanged, let r = e.serverRecord { merge(r) } }"),
        Case("the conflict is handed on", code: "func f(_ e: CKError) throws { if e.code == .serverRecordChanged { print(e) }\nthrow e }"),
        Case(
            "the conflict is handled elsewhere",
            code: "func f(_ e: CKError) { switch e.code { case .serverRecordChanged: resolve(e)\ndefault: break } }"),
        Case(
            "a conflict is told from others",
            code: "func f(_ e: CKError) -> Bool { switch e.code { case .serverRecordChanged: return true\ndefault: return false } }"),
        Case(
            "a conflict that is tried again",
            code: "func f() { for attempt in 0..<3 { do { try save() } catch CKError.serverRecordChanged { log(attempt) } } }"),
        Case(
            "a conflict after which a loop of attempts goes on",
            code:
                "func f() async { while retryCount < limit { do { return try save() } catch { retryCount += 1\nif let e = error as? CKError { switch e.code {\ncase .serverRecordChanged:\n  log(e)\n  continue\ndefault: show(e)\n} } } } }"
        ),
        Case(
            "a conflict that breaks off", ["reporting.dropped-conflict"],
            code: "func f(_ e: CKError) { guard e.code != .serverRecordChanged else { return }\nshow(e) }"),
        Case(
            "conflicts among others", ["reporting.dropped-conflict"],
            code:
                "func f(_ all: [CKError]) { for e in all { switch e.code {\ncase .unknownItem, .serverRecordChanged:\n  skipped += 1\n  continue\ndefault: show(e)\n} } }"
        ),
        Case(
            "a conflict in an if", ["reporting.dropped-conflict"],
            code: "func f(_ e: Error) { if (e as? CKError)?.code == .serverRecordChanged { return }\nshow(e) }"),
        Case(
            "a conflict in an empty catch", ["reporting.dropped-conflict"],
            code: "func f() { do { try save() } catch CKError.serverRecordChanged { } catch { show(error) } }"),
        Case(
            "the engine's account changes",
            code: "func f(_ e: CKSyncEngine.Event) { if case .accountChange = e { reset() } }\nlet engine = CKSyncEngine(c)"),
        Case("a timer for the clock", code: "func f() { Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in self.tick() } }"),
        Case(
            "a timer that fires once",
            code: "import CloudKit\nfunc f() { Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in engine.sync() } }"
        ),
        Case(
            "a loop that asks", ["reporting.polling"],
            code:
                "import CloudKit\nfunc f() async { while !Task.isCancelled { await engine.sync(); try? await Task.sleep(for: .seconds(5)) } }"
        ),
        Case(
            "a timer that fetches beside CloudKit", ["reporting.polling"],
            code:
                "import CloudKit\nfunc f() { Timer.scheduledTimer(withTimeInterval: 2, repeats: true) { _ in Task { await self.fetch(all) } } }"
        ),
        Case(
            "a loop that syncs with something else",
            code: "func f() async { while !Task.isCancelled { await syncBankAccounts(); try? await Task.sleep(for: .seconds(5)) } }"),
        Case(
            "a timer that asks whether sync goes on",
            code: "import CloudKit\nfunc f() { Timer.scheduledTimer(withTimeInterval: 2, repeats: true) { _ in show(hasActiveSync()) } }"),
        Case(
            "a share beside both databases",
            code: "let a = c.publicCloudDatabase\nlet b = c.privateCloudDatabase\nlet s = CKShare(recordZoneID: z)"),
        Case(
            "a zone that there is already",
            code:
                "func make() { do { try await database.save(Self.recordZone) } catch CKError.serverRecordChanged { } catch { show(error) } }"
        ),
        Case(
            "a conflict that is told as a success", ["reporting.dropped-conflict"],
            code: "func f(_ e: CKError) { if e.code == .serverRecordChanged { isSyncing = false; completion?(.success(record)) } }"),
        Case(
            "a conflict that is told as a failure",
            code: "func f(_ e: CKError) { if e.code == .serverRecordChanged { completion(.failure(e)) } }"),
        Case(
            "a loop that tries again",
            code: "import CloudKit\nfunc f() async { while attempts < 3 { await engine.sync(); try? await Task.sleep(for: .seconds(5)) } }"),
        Case(
            "a zone's name that is compared",
            code: """
                import CloudKit
                func f() async throws {
                    if id.zoneName == "com.apple.coredata.cloudkit.zone" { return }
                    try await database.save(record)
                }
                """),
        Case(
            "the mirroring's zone among those to save", ["deployment.mirrored-zone"],
            code: """
                let zone = CKRecordZone(zoneName: "com.apple.coredata.cloudkit.zone")
                let operation = CKModifyRecordZonesOperation(recordZonesToSave: [zone], recordZoneIDsToDelete: nil)
                """),
        Case("a record of a type of one's own") { RuleTests.addRecord(&$0) },
        Case("a record of the mirroring", ["deployment.mirrored-zone"], code: "func f() { let r = CKRecord(recordType: \"CD_Note\") }"),
        Case("a field of the mirroring", ["deployment.mirrored-zone"], code: "func f(_ record: CKRecord) { record[\"CD_title\"] = title }"),
        Case(
            "a zone that is saved", ["deployment.mirrored-zone"],
            code:
                "import CloudKit\nlet name = \"com.apple.coredata.cloudkit.zone\"\nfunc f() async throws { try await database.save(CKRecordZone(zoneName: name)) }"
        ),
        Case(
            "a context that is saved beside the zone's name",
            code: "import CloudKit\nlet name = \"com.apple.coredata.cloudkit.zone\"\nfunc f() throws { try context.save() }"),
    ]

    static let settings: [Case] = [
        Case("a deployment target after the fault") {
            $0.contents["Notes/Draft.swift"] = """
                @Model final class Draft { @Attribute(.unique) var key: String = "" }
                let drafts = try ModelContainer(for: Draft.self, configurations: ModelConfiguration(cloudKitDatabase: .none))
                """
            $0.replace(
                "INFOPLIST_FILE: Notes/Info.plist", with: "INFOPLIST_FILE: Notes/Info.plist\n        IPHONEOS_DEPLOYMENT_TARGET: \"17.4\"",
                in: "project.yml")
        },
        Case("a deployment target that is not known") {
            $0.contents["Notes/Draft.swift"] = """
                @Model final class Draft { @Attribute(.unique) var key: String = "" }
                let drafts = try ModelContainer(for: Draft.self, configurations: ModelConfiguration(cloudKitDatabase: .none))
                """
        },
        Case("an extension that opens a store of its own") {
            $0.addWidget(entitlements: "<plist><dict/></plist>")
            $0.contents["Widget/Store.swift"] =
                "let cache = try ModelContainer(for: Note.self, configurations: ModelConfiguration(cloudKitDatabase: .none))"
        },
        Case("the key-value store with its entitlement") {
            $0.contents["Notes/Settings.swift"] = "let settings = NSUbiquitousKeyValueStore.default\n"
            $0.replace(
                "<dict>\n\t<key>aps",
                with: "<dict>\n\t<key>com.apple.developer.ubiquity-kvstore-identifier</key>\n\t<string>x</string>\n\t<key>aps",
                in: RuleTests.entitlements)
        },
        Case("fields that are compared") {
            RuleTests.addFields(&$0)
            $0.contents["Notes/Form.swift"] = """
                struct List { func sort() { notes.sort { $0.title < $1.title || $0.subtitle < $1.subtitle || $0.color < $1.color } } }
                func pin(_ note: Note) { note.isPinned = true }
                """
        },
        Case("fields of what is imported") {
            RuleTests.addFields(&$0)
            $0.contents["Notes/Import.swift"] =
                "func read(_ note: Note) { note.title = t; note.subtitle = s; note.color = c }\nfunc pin(_ note: Note) { note.isPinned = true }"
        },
        Case("descriptions with options") {
            RuleTests.addCoreData(&$0)
            $0.contents["Notes/Stack.swift"] =
                RuleTests.withOption + """
                    func makeContainer(_ url: URL) -> NSPersistentContainer {
                        let container = NSPersistentCloudKitContainer(name: "Cards")
                        let description = NSPersistentStoreDescription(url: url)
                        description.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: "iCloud.example.notes")
                        container.persistentStoreDescriptions = [description]
                        return container
                    }
                    """
        },
        Case("descriptions in memory") {
            RuleTests.addCoreData(&$0)
            $0.contents["Notes/Stack.swift"] = """
                func makeContainer(_ url: URL) -> NSPersistentContainer {
                    let container = NSPersistentCloudKitContainer(name: "Cards")
                    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
                    container.persistentStoreDescriptions = [description]
                    return container
                }
                """
        },
        Case("fields of an object that is made") {
            RuleTests.addFields(&$0)
            $0.contents["Notes/Form.swift"] = """
                func save() { let note = Note(); note.title = t; note.subtitle = s; note.color = c }
                func pin(_ note: Note) { note.isPinned = true }
                """
        },
        Case("a form with all that is edited") {
            RuleTests.addFields(&$0)
            $0.contents["Notes/Form.swift"] =
                "func save(_ note: Note) { note.title = t; note.subtitle = s; note.color = c }\nfunc name(_ note: Note) { note.title = t }"
        },
        Case("a form by bindings", ["losses.together"]) {
            RuleTests.addFields(&$0)
            $0.contents["Notes/Form.swift"] = """
                struct Form: View {
                    var body: some View {
                        TextField("", text: $note.title)
                        TextField("", text: $note.subtitle)
                        Stepper("", value: $note.color)
                    }
                }
                func pin(_ note: Note) { note.isPinned = true }
                """
        },
    ]

    @Test(arguments: stores + own + settings) func onlyWhatIsBrokenIsReported(judged: Case) {
        var fixture = DoctorFixture()
        judged.change(&fixture)
        let findings = fixture.diagnosis().findings
        #expect(findings.map(\.rule) == judged.rules, "\(findings.map(\.message))")
    }

    /// An app without any store subscribes, and needs pushes as one that syncs.
    @Test(arguments: [true, false]) func aSilentSubscriptionNeedsPushes(isSilent: Bool) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Models.swift"] = nil
        fixture.contents["Notes/NotesApp.swift"] = """
            import CloudKit
            let subscription = CKDatabaseSubscription(subscriptionID: "all")
            func subscribe() { info.shouldSendContentAvailable = \(isSilent) }
            """
        fixture.replace("\t<key>aps-environment</key>\n\t<string>$(APS_ENVIRONMENT)</string>\n", with: "", in: RuleTests.entitlements)
        fixture.replace("remote-notification", with: "fetch", in: "Notes/Info.plist")
        #expect(fixture.diagnosis().findings.map(\.rule) == ["deployment.push"] + (isSilent ? ["deployment.background"] : []))
    }

    /// Signing for distribution replaces the one, and a debug build is refused for the other.
    @Test(arguments: [("Debug", Rule.Severity.warning), ("Release", .advice)])
    func thePushSystemOfTheOtherBuilds(configuration: String, severity: Rule.Severity) {
        var fixture = DoctorFixture()
        let (right, wrong) = configuration == "Debug" ? ("development", "production") : ("production", "development")
        fixture.replace("APS_ENVIRONMENT: \(right)", with: "APS_ENVIRONMENT: \(wrong)", in: "project.yml")
        #expect(fixture.diagnosis().findings.map { "\($0.rule) \($0.severity)" } == ["deployment.push-environment \(severity)"])
    }

    /// The error may come in two ways, of which one is merged.
    @Test(arguments: [true, false]) func aConflictBesideAMergeIsAdvice(merges: Bool) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Push.swift"] = """
            func first(_ e: CKError) { if let record = e.\(merges ? "serverRecord" : "record") { merge(record) } }
            func second(_ e: CKError) { if e.code == .serverRecordChanged { return } }
            """
        #expect(fixture.diagnosis().findings.map(\.severity) == [merges ? .advice : .warning])
    }

    /// The key-value store of a file that two apps share, of which one has the entitlement.
    @Test(arguments: [true, false]) func aSharedFileMayBeForTheOtherApp(hasOther: Bool) {
        var fixture = DoctorFixture()
        fixture.contents["Other/Settings.swift"] = "let settings = NSUbiquitousKeyValueStore.default\n"
        fixture.replace("sources: [Notes]", with: "sources: [Notes, Other]", in: "project.yml")
        let key = "<key>com.apple.developer.ubiquity-kvstore-identifier</key><string>x</string>"
        fixture.contents["Other/Other.entitlements"] = "<plist><dict>\(hasOther ? key : "")</dict></plist>"
        fixture.contents["project.yml", default: ""] +=
            "  Other: {type: application, platform: iOS, sources: [Other], entitlements: {path: Other/Other.entitlements}}\n"
        let found = fixture.diagnosis().findings.filter { $0.rule == "deployment.key-value-store" }
        #expect(found.first?.severity == (hasOther ? .advice : .warning))
    }

    /// A container with options that name it fails in an extension without CloudKit; one without goes on without sync.
    @Test(arguments: [true, false]) func anExtensionWithoutCloudKitOpensAStore(isNamed: Bool) {
        var fixture = DoctorFixture()
        RuleTests.addCoreData(&fixture)
        fixture.addWidget(entitlements: "<plist><dict/></plist>")
        fixture.contents["Widget/Stack.swift"] = fixture.contents["Notes/Stack.swift"]
        fixture.contents["Notes/Stack.swift"] = nil
        if isNamed {
            fixture.contents["Widget/Stack.swift", default: ""] +=
                "\nlet options = NSPersistentCloudKitContainerOptions(containerIdentifier: \"iCloud.example.notes\")\n"
        }
        let found = fixture.diagnosis().findings.filter { $0.rule == "deployment.extension-service" }
        #expect(found.map(\.severity) == [isNamed ? .warning : .advice])
    }

    /// What names no database may do without a container, as the template of Xcode has it.
    @Test func anEmptyListIsNoErrorWhereNothingAsksForIt() {
        var fixture = DoctorFixture()
        fixture.replace("\t\t<string>iCloud.example.notes</string>\n", with: "", in: RuleTests.entitlements)
        fixture.replace("cloudKitDatabase: .private(\"iCloud.example.notes\")", with: "", in: RuleTests.app)
        let found = fixture.diagnosis().findings.filter { $0.rule == "deployment.container-list" }
        #expect(found.map(\.severity) == [.warning])
    }

    /// What a key is set to, and whether it is a value of which edits to parts are lost.
    @Test(arguments: [
        ("[\"a\", \"b\"]", "list"), ("note.tags as NSArray", "list"), ("Array(tags)", "list"), ("[a: b]", nil), ("[]", nil),
        ("try encoder.encode(rule)", "encoded"), ("data", "encoded"), ("other", nil), ("n + 1", "counter"), ("note.n - step", "counter"),
        ("other + 1", nil), ("first + last", nil), ("title", nil),
    ]) func aValueHasAShape(value: String, shape: String?) {
        let facts = SwiftFixtures.facts(
            "func f(_ record: CKRecord) { guard let data = try? JSONEncoder().encode(rule) else { return }\nrecord[\"n\"] = \(value)\n}")
        #expect(facts.uses.compactMap { $0.field.map { $0.shape.map { "\($0)" } } } == [shape])
    }

    @Test(arguments: [
        ("note.date.timeIntervalSince1970", "DOUBLE"), ("note.id.uuidString", "STRING"), ("note.title as NSString", "STRING"),
        ("note.tags as [String]", "LIST<STRING>"), ("date as? Date", "TIMESTAMP"), ("note.title as CKRecordValue", nil),
        ("note.title", nil),
    ]) func aValueTellsItsType(value: String, type: String?) {
        let facts = SwiftFixtures.facts("func f(_ record: CKRecord) { record[\"n\"] = \(value)\n}")
        #expect(facts.uses.compactMap { $0.field.map { $0.valueTypes } } == [type.map { [$0] }])
    }

    @Test(arguments: [
        ("force\n ? CKModifyRecordsOperation.RecordSavePolicy.changedKeys\n : .ifServerRecordUnchanged", "changedKeys"),
        ("if force { .allKeys } else { .ifServerRecordUnchanged }", "allKeys"), (".ifServerRecordUnchanged", "ifServerRecordUnchanged"),
        ("CKModifyRecordsOperation.RecordSavePolicy.allKeys", "allKeys"),
    ]) func aPolicyIsFoundInItsExpression(value: String, policy: String) {
        #expect(SwiftFixtures.facts("func f() { o.savePolicy = \(value)\n}").uses.map(\.detail) == [policy])
        #expect(SwiftFixtures.facts("func f() { g(savePolicy: \(value), b) }").uses.map(\.detail) == [policy])
        #expect(
            SwiftFixtures.facts("func f() { let p: CKModifyRecordsOperation.RecordSavePolicy = \(value)\n}").uses.map(\.detail) == [policy])
        #expect(SwiftFixtures.facts("var p: CKModifyRecordsOperation.RecordSavePolicy { \(value)\n}").uses.map(\.detail) == [policy])
    }
}

extension JudgementTests.Case {
    /// A project with one file more.
    init(_ name: String, _ rules: [String] = [], code: String) {
        self.init(name, rules) { $0.contents["Notes/Code.swift"] = code }
    }
}
