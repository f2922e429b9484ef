import ProjectDoctor
import Testing

/// Errors are what breaks the app that users get, in the configuration that they get.
struct ShippedTargetTests {
    private static let bad = XcodeFixture.store("Draft", "var title: String")

    @Test(arguments: [
        ("Demo", "application", "warning"), ("NotesExample", "application", "warning"), ("Widget", "app-extension", "warning"),
        ("Tester", "application", "warning"), ("Second", "application", "error"), ("Demonstrator", "application", "error"),
        ("Latest", "application", "error"),
    ]) func whatUsersDoNotGetIsNoError(name: String, type: String, severity: String) {
        var fixture = XcodeFixture()
        fixture.targets.append(.init(name: name, type: type, settings: fixture.targets[0].settings))
        fixture.contents[name + "/Draft.swift"] = Self.bad
        #expect(fixture.diagnosis().told == ["\(severity) schema.optional \(name)/Draft.swift:2"])
    }

    /// An app that is named like a demonstration and is the only one is what there is.
    @Test(arguments: [(false, "error"), (true, "warning")]) func anOnlyAppIsShippedUnlessItShowsAPackage(isPackage: Bool, severity: String)
    {
        var fixture = XcodeFixture()
        fixture.targets[0].name = "Sample"
        fixture.targets[0].folder = "App"
        fixture.contents["App/Draft.swift"] = Self.bad
        if isPackage {
            fixture.contents["Package.swift"] = "let p = Package(targets: [.target(name: \"Kit\")])"
            fixture.contents["Sources/Kit/k.swift"] = ""
        }
        #expect(fixture.diagnosis().told == ["\(severity) schema.optional App/Draft.swift:2"])
    }

    /// Debug builds may be meant to have no CloudKit.
    @Test(arguments: [("Debug", "advice"), ("Release", "error")]) func whatDebugAloneLacksIsAdvice(name: String, severity: String) {
        var fixture = XcodeFixture()
        fixture.targets[0].settings[name] = "CODE_SIGN_ENTITLEMENTS = App/None.entitlements; INFOPLIST_FILE = App/Info.plist;"
        fixture.contents["App/None.entitlements"] = XcodeFixture.entitlements(service: "CloudDocuments")
        let diagnosis = fixture.diagnosis()
        let findings = diagnosis.findings.filter { $0.rule == "deployment.service" }
        #expect(findings.map { "\($0.severity) \($0.location.path):\($0.location.line)" } == ["\(severity) App/None.entitlements:4"])
        #expect(findings.first?.message.hasSuffix("its entitlements do not have the service in \(name)") == true)
    }

    /// Of a library an app may use another part.
    @Test(arguments: [true, false]) func aServiceForALibraryIsAWarning(isOwn: Bool) {
        var fixture = XcodeFixture()
        fixture.targets[0].products = ["KitProduct"]
        fixture.contents["App/App.entitlements"] = XcodeFixture.entitlements(service: "CloudDocuments")
        fixture.contents["App/Store.swift"] = isOwn ? "let mine = CKContainer(identifier: \"iCloud.example.app\")" : "import Kit"
        fixture.contents["Kit/Package.swift"] =
            "let p = Package(products: [.library(name: \"KitProduct\", targets: [\"Kit\"])], targets: [.target(name: \"Kit\")])"
        fixture.contents["Kit/Sources/Kit/Cloud.swift"] = "import CloudKit\nlet c = CKContainer(identifier: \"iCloud.example.app\")"
        #expect(
            fixture.diagnosis().told
                == [isOwn ? "error deployment.service App/App.entitlements:4" : "warning deployment.service Kit/Sources/Kit/Cloud.swift:2"])
    }

    /// Without a container in the entitlements the description of NSPersistentCloudKitContainer has no options: nothing is refused.
    @Test(arguments: [
        ("", "", ["warning deployment.automatic-local App/Store.swift:2"]),
        (
            "d.cloudKitContainerOptions = NSPersistentCloudKitContainerOptions(containerIdentifier: \"iCloud.example.app\")", "",
            ["error deployment.service App/App.entitlements:1"]
        ),
        // Entitlements that are not read may name one.
        ("", "CODE_SIGN_ENTITLEMENTS = Gone/App.entitlements; INFOPLIST_FILE = App/Info.plist;", []),
    ]) func aContainerOfCoreDataWithoutEntitlementsIsLocal(line: String, release: String, expected: [String]) {
        var fixture = XcodeFixture()
        if !release.isEmpty { fixture.targets[0].settings["Release"] = release }
        fixture.contents["App/App.entitlements"] = "<plist version=\"1.0\"><dict/></plist>"
        fixture.contents["App/Cards.xcdatamodeld/Cards.xcdatamodel/contents"] =
            "<model><entity name=\"Card\"><attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/></entity></model>"
        fixture.contents["App/Store.swift"] = """
            import CoreData
            let container = NSPersistentCloudKitContainer(name: "Cards")
            func describe(_ d: NSPersistentStoreDescription) {
                d.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
                \(line)
            }
            """
        let diagnosis = fixture.diagnosis()
        #expect(diagnosis.told == expected)
        #expect(diagnosis.stores.map(\.syncs) == [line.isEmpty && release.isEmpty ? false : true])
    }

    /// An app that mirrors nothing any more deletes what an earlier version left.
    @Test(arguments: [true, false]) func theZoneOfAnEarlierVersionMayBeDeleted(isMirrored: Bool) {
        var fixture = XcodeFixture()
        if !isMirrored { fixture.contents["App/Store.swift"] = nil }
        fixture.contents["App/Legacy.swift"] = """
            import CloudKit
            func clean(_ database: CKDatabase) async throws {
                let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone", ownerName: CKCurrentUserDefaultName)
                try await database.deleteRecordZone(withID: zone)
            }
            """
        #expect(fixture.diagnosis().told == (isMirrored ? ["warning deployment.mirrored-zone App/Legacy.swift:4"] : []))
    }

    @Test func aContainerOfDebugBuildsIsNotRefused() {
        var fixture = XcodeFixture()
        fixture.contents["App/Other.swift"] = "#if DEBUG\nlet c = CKContainer(identifier: \"iCloud.example.trial\")\n#endif"
        #expect(fixture.diagnosis().told == [])
        fixture.contents["App/Other.swift"] = "let c = CKContainer(identifier: \"iCloud.example.trial\")"
        #expect(fixture.diagnosis().told == ["error deployment.container App/Other.swift:1"])
        // What else the entitlements name is not known.
        fixture.targets[0].settings["Release"] = "CODE_SIGN_ENTITLEMENTS = \"$(MERGED)/App.entitlements\"; INFOPLIST_FILE = App/Info.plist;"
        #expect(fixture.diagnosis().told == [])
    }

    // MARK: Pushes and the checklist

    @Test(arguments: [
        ("development", "production", true), ("production", "production", false), ("development", "development", false),
        ("$(APS_ENVIRONMENT)", "production", true),
    ]) func theRightLiteralForEachConfigurationIsRight(debug: String, release: String, isRight: Bool) {
        var fixture = XcodeFixture()
        fixture.targets[0].settings["Release"] = "CODE_SIGN_ENTITLEMENTS = App/Release.entitlements; INFOPLIST_FILE = App/Info.plist;"
        fixture.contents["App/App.entitlements"] = XcodeFixture.entitlements(push: debug)
        fixture.contents["App/Release.entitlements"] = XcodeFixture.entitlements(push: release)
        let diagnosis = fixture.diagnosis()
        #expect(diagnosis.findings.contains { $0.rule == "deployment.push-literal" } == !isRight)
        #expect(diagnosis.state("Each configuration sets") == (isRight ? .yes : .no))
    }

    /// One file for both configurations is wrong in one of them.
    @Test(arguments: ["development", "production"]) func oneLiteralForBothIsNot(literal: String) {
        var fixture = XcodeFixture()
        fixture.contents["App/App.entitlements"] = XcodeFixture.entitlements(push: literal)
        let diagnosis = fixture.diagnosis()
        #expect(diagnosis.findings.count { $0.rule == "deployment.push-literal" } == 1)
        #expect(diagnosis.state("Each configuration sets") == .no)
    }

    @Test func aVariableThatNothingSetsIsNot() {
        var fixture = XcodeFixture()
        fixture.contents["App/App.entitlements"] = XcodeFixture.entitlements(push: "$(PUSH)")
        #expect(fixture.diagnosis().state("Each configuration sets") == .no)
        fixture.settings += " PUSH = development;"
        #expect(fixture.diagnosis().state("Each configuration sets") == .yes)
    }

    /// A schema is of one container, and says nothing of another app's.
    @Test(arguments: [true, false]) func theSchemaOfOneAppIsNotThatOfAnother(areTwo: Bool) {
        var (first, second) = (XcodeFixture(), XcodeFixture())
        (first.folder, second.folder) = ("One/", "Two/")
        first.contents["schema.ckdb"] = "DEFINE SCHEMA RECORD TYPE CD_Entry ( CD_title STRING );"
        let container = "iCloud.example.two"
        second.contents["App/App.entitlements"] = XcodeFixture.entitlements(container: container)
        second.contents["App/Store.swift"] = XcodeFixture.store("Task", container: container)
        let diagnosis = XcodeFixture.diagnosis(areTwo ? first.all.merging(second.all) { $1 } : first.all)
        #expect(diagnosis.state("Production schema") == (areTwo ? .no : .yes))
    }

    @Test(arguments: [true, false]) func theChecklistIsOfAppsThatSync(syncs: Bool) {
        var fixture = XcodeFixture()
        fixture.targets.append(.init(name: "Second", settings: ["Debug": "INFOPLIST_FILE = None.plist;"]))
        fixture.contents["None.plist"] = "<plist><dict/></plist>"
        fixture.contents["Second/s.swift"] = syncs ? "let c = CKContainer.default()" : ""
        #expect(fixture.diagnosis().state("iCloud") == (syncs ? .no : .yes))
    }

    @Test func theSettingForBackgroundModesCounts() {
        var fixture = XcodeFixture()
        fixture.contents["App/Info.plist"] = "<plist><dict/></plist>"
        #expect(fixture.diagnosis().state("iCloud") == .no)
        fixture.settings += " INFOPLIST_KEY_UIBackgroundModes = remote-notification;"
        #expect(fixture.diagnosis().state("iCloud") == .yes)
    }

    /// Two projects of a workspace may name their targets alike.
    @Test func targetsOfOneNameAreTwo() {
        var (first, second) = (XcodeFixture(), XcodeFixture())
        (first.folder, second.folder) = ("One/", "Two/")
        second.contents["App/Info.plist"] = "<plist><dict/></plist>"
        let diagnosis = XcodeFixture.diagnosis(first.all.merging(second.all) { $1 })
        #expect(diagnosis.told == ["warning deployment.background Two/App/Info.plist:1"])
    }
}
