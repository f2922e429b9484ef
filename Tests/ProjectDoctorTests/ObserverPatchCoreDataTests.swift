import Foundation
import ProjectDoctor
import TemporaryDirectory
import Testing

/// The patch that adds an observer to an app with Core Data.
struct ObserverPatchCoreDataTests {
    private static let model = "Notes/Shop & Co.xcdatamodeld"
    private static let stack = "Notes/Stack.swift"

    private static let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" usedWithCloudKit="YES">
            <entity name="Card" representedClassName="Card" syncable="YES" codeGenerationType="class">
                <attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="uuid" optional="YES" attributeType="UUID" usesScalarValueType="NO"/>
            </entity>
            <entity name="Gift" parentEntity="Card" syncable="YES"/>
            <entity name="Tag" syncable="YES">
                <attribute name="label" optional="YES" attributeType="String"/>
            </entity>
        </model>

        """

    private static let project = """
        // !$*UTF8*$!
        {
        \tobjects = {
        \t\tP = {isa = PBXProject; mainGroup = G; targets = (T, ); buildConfigurationList = L; };
        \t\tG = {isa = PBXGroup; children = (F, M, ); sourceTree = "<group>"; };
        \t\tF /* Stack.swift */ = {isa = PBXFileReference; path = Notes/Stack.swift; sourceTree = "<group>"; };
        \t\tV1 /* Shop & Co.xcdatamodel */ = {isa = PBXFileReference; lastKnownFileType = wrapper.xcdatamodel; path = "Shop & Co.xcdatamodel"; sourceTree = "<group>"; };
        \t\tM /* Shop & Co.xcdatamodeld */ = {
        \t\t\tisa = XCVersionGroup;
        \t\t\tchildren = (
        \t\t\t\tV1 /* Shop & Co.xcdatamodel */,
        \t\t\t);
        \t\t\tcurrentVersion = V1 /* Shop & Co.xcdatamodel */;
        \t\t\tpath = "Notes/Shop & Co.xcdatamodeld";
        \t\t\tsourceTree = "<group>";
        \t\t\tversionGroupType = wrapper.xcdatamodel;
        \t\t};
        \t\tT = {
        \t\t\tisa = PBXNativeTarget; name = Notes; productType = "com.apple.product-type.application";
        \t\t\tbuildPhases = (S, ); buildConfigurationList = L;
        \t\t};
        \t\tS = {isa = PBXSourcesBuildPhase; files = (B1, B2, ); };
        \t\tB1 = {isa = PBXBuildFile; fileRef = F; };
        \t\tB2 = {isa = PBXBuildFile; fileRef = M; };
        \t\tL = {isa = XCConfigurationList; buildConfigurations = (R, ); };
        \t\tR = {isa = XCBuildConfiguration; name = Release; buildSettings = {SDKROOT = iphoneos; CODE_SIGN_ENTITLEMENTS = Notes/Notes.entitlements; }; };
        \t};
        \trootObject = P;
        }

        """

    private static func fixture(_ loading: String) -> DoctorFixture {
        var fixture = DoctorFixture()
        fixture.contents = [
            stack: "import CoreData\n\n\(loading)\n", model + "/Shop & Co.xcdatamodel/contents": contents,
            "Notes.xcodeproj/project.pbxproj": project, "Notes/Notes.entitlements": DoctorFixture.entitlements,
        ]
        return fixture
    }

    private static func patch(_ fixture: DoctorFixture) -> String {
        var options = Doctor.Options()
        options.rules = ["reporting.observer"]
        return ProjectPatch(fixture.diagnosis(options), fixture.files).text
    }

    private static let load =
        "container.loadPersistentStores { _, error in\n            if let error { fatalError(\"\\(error)\") }\n        }"

    private static let loadings = [
        "final class Stack {\n    let container: NSPersistentCloudKitContainer\n    init() {\n"
            + "        container = NSPersistentCloudKitContainer(name: \"Shop & Co\")\n        \(load)\n    }\n}",
        "final class Stack {\n    lazy var box: NSPersistentContainer = {\n"
            + "        let container = NSPersistentCloudKitContainer(name: \"Shop & Co\")\n"
            + "        container.loadPersistentStores(completionHandler: { (description, error) in\n            print(error as Any)\n"
            + "        })\n        return container\n    }()\n}",
        "final class Stack {\n    let container = NSPersistentCloudKitContainer(name: \"Shop & Co\")\n    init() {\n"
            + "        self.\(load)  // The app's.\n        container.viewContext.automaticallyMergesChangesFromParent = true\n    }\n}",
    ]

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/patch")), arguments: loadings)
    func thePatchedProjectIsObserved(loading: String) throws {
        let fixture = Self.fixture(loading)
        let patch = Self.patch(fixture)
        let directory = try TemporaryDirectory()
        for (path, text) in fixture.contents { try directory.create(path, text) }
        try directory.create("patch", patch)
        #expect(try ObserverPatchTests.run("/usr/bin/patch", ["-p0", "--binary", "--fuzz=0", "-i", "patch"], in: directory.path) == 0)
        if let compiler = ["/opt/swift/usr/bin/swiftc", "/usr/bin/swiftc"].first(where: FileManager.default.isExecutableFile) {
            #expect(try ObserverPatchTests.run(compiler, ["-parse", Self.stack], in: directory.path) == 0)
        }
        let code = directory.content(Self.stack) ?? ""
        let prepare = try #require(code.range(of: "SyncAuditing.prepare("))
        let load = try #require(code.range(of: "container.loadPersistentStores"))
        let start = try #require(code.range(of: "SyncAuditing.start("))
        #expect(prepare.upperBound < load.lowerBound && load.upperBound < start.lowerBound)
        for line in [
            #"AuditedEntity("Card", identifiedBy: "uuid", level: .recordStamp("auditStamp")),"#,
            #"AuditedEntity("Gift", identifiedBy: "uuid", level: .recordStamp("auditStamp")),"#, #"AuditedEntity("Tag"),"#,
        ] {
            #expect(code.contains(line), "\(line)")
        }
        // What is patched is observed, by a version of the model that has the stamp, beside the one that stores were made by.
        var patched = fixture
        patched.contents = [:]
        for path in ProjectFiles(folder: directory.path).paths where path != "patch" { patched.contents[path] = directory.content(path) }
        #expect(Self.patch(patched) == "")
        #expect(patched.contents[Self.model + "/Shop & Co.xcdatamodel/contents"] == Self.contents)
        let added = patched.contents[Self.model + "/Shop & Co 2.xcdatamodel/contents"] ?? ""
        let stamp = "        <attribute name=\"auditStamp\" optional=\"YES\" attributeType=\"String\"/>\n"
        #expect(added.ranges(of: stamp).count == 1 && added.replacing(stamp, with: "") == Self.contents)
        let project = patched.contents["Notes.xcodeproj/project.pbxproj"] ?? ""
        #expect(project.ranges(of: "/* Shop & Co 2.xcdatamodel */").count == 3)
        #expect(project.contains("\t\t\tcurrentVersion = 0"))
        var options = Doctor.Options()
        options.rules = ["reporting"]
        let finding = fixture.diagnosis(options).findings.first { $0.rule == "reporting.observer" }
        #expect(finding?.fix.contains("CD_auditStamp is new in the schema, which is to be deployed before the app") == true)
        let notes = patched.diagnosis(options).notes
        #expect(!notes.contains { $0.sentence.contains("current") }, "\(notes)")
    }

    /// Where nobody can say which lines are meant, the finding says them and there is no patch.
    @Test(arguments: [
        (
            #"container = NSPersistentCloudKitContainer(name: "Shop & Co")"#,
            #"container = NSPersistentCloudKitContainer(name: "Shop & Co"); "#
        ),
        ("        container.load", "        if isOn { container.load"), ("container.load", "make().load"),
        ("    init() {", "    #if os(iOS)\n    init() {"),
        ("    init() {", "    func again() {\n        \(load)\n    }\n    init() {"),
        ("    init() {", "    func later() { description.shouldAddStoreAsynchronously = true }\n    init() {"),
    ]) func aSiteThatIsAmbiguousHasNoPatch(text: String, replacement: String) {
        var fixture = Self.fixture(Self.loadings[0])
        fixture.replace(text, with: replacement, in: Self.stack)
        let isPatched = Self.patch(fixture) != ""
        #expect(isPatched == replacement.hasSuffix("; "))
        let finding = fixture.diagnosis().findings.first { $0.rule == "reporting.observer" }
        #expect(isPatched || finding?.fix.contains("CoreDataAudit.prepare(container) before the stores are loaded") == true)
    }

    /// An app whose model's versions cannot be added to is observed without stamps.
    @Test(arguments: [
        ("children = (\n\t\t\t\tV1 /* Shop & Co.xcdatamodel */,\n\t\t\t);", "children = ();"),
        ("V1 /* Shop & Co.xcdatamodel */ = {", "V9 /* Shop & Co.xcdatamodel */ = {"),
    ]) func aModelInAnotherFormGetsNoStamp(text: String, replacement: String) {
        var fixture = Self.fixture(Self.loadings[0])
        fixture.contents["project.yml"] = "name: Notes\ntargets:\n  Notes: {type: application, platform: iOS, sources: [Notes]}\n"
        fixture.replace(text, with: replacement, in: "Notes.xcodeproj/project.pbxproj")
        let patch = Self.patch(fixture)
        #expect(patch.contains("AuditedEntity(\"Card\", identifiedBy: \"uuid\"),") && !patch.contains("auditStamp"))
    }

    @Test func theNextVersionFollowsTheCurrentOne() {
        var fixture = Self.fixture(Self.loadings[0])
        fixture.contents["Notes.xcodeproj/project.pbxproj"] = nil
        fixture.contents["project.yml"] = "name: Notes\ntargets:\n  Notes: {type: application, platform: iOS, sources: [Notes]}\n"
        fixture.contents[Self.model + "/Shop & Co 3.xcdatamodel/contents"] = Self.contents.replacing("label", with: "title")
        fixture.contents[Self.model + "/.xccurrentversion"] =
            "<plist><dict>\n<key>_XCCurrentVersionName</key>\n<string>Shop &amp; Co 3.xcdatamodel</string>\n</dict></plist>\n"
        let patch = Self.patch(fixture)
        let change = "-<string>Shop &amp; Co 3.xcdatamodel</string>\n+<string>Shop &amp; Co 4.xcdatamodel</string>\n"
        #expect(patch.contains(change))
        #expect(patch.contains("--- /dev/null\n+++ Notes/Shop & Co.xcdatamodeld/Shop & Co 4.xcdatamodel/contents\t\n"))
        #expect(patch.contains("+        <attribute name=\"title\""))
    }
}
