import Foundation
import ProjectDoctor
import TemporaryDirectory
import Testing

/// The patch that adds an observer to an app.
struct ObserverPatchTests {
    /// An app that has no observer, and opens its container by some lines.
    private static func fixture(_ opening: String, _ change: (inout DoctorFixture) -> Void = { _ in }) -> DoctorFixture {
        var fixture = DoctorFixture()
        fixture.contents["Notes/NotesApp.swift"] = "import SwiftData\nimport SwiftUI\n\n" + opening + (opening.hasSuffix("*/") ? "" : "\n")
        change(&fixture)
        return fixture
    }

    private static func patch(_ fixture: DoctorFixture, rule: String? = "reporting.observer") -> String {
        var options = Doctor.Options()
        options.rules = rule.map { [$0] } ?? []
        return ProjectPatch(fixture.diagnosis(options), fixture.files).text
    }

    private static let make =
        "try ModelContainer(for: Note.self, configurations: ModelConfiguration(cloudKitDatabase: .private(\"iCloud.example.notes\")))"

    private static let openings = [
        "struct A {\n    let container: ModelContainer\n    init() throws {\n        container = \(make)\n    }\n}",
        "struct A {\n    let container: ModelContainer\n    init() {\n        do {\n            self.container = \(make)\n        } catch { fatalError() }\n    }\n}",
        "struct A {\n    static let shared: ModelContainer = {\n        do {\n            return \(make)\n        } catch {\n            fatalError()\n        }\n    }()\n}",
        "func open() throws -> ModelContainer {\n    \(make)\n}",
        "func open() throws {\n\tlet box: ModelContainer = \(make)  // The app's.\n\tuse(box)\n}",
        "func open() throws -> ModelContainer {\n    \(make)\n}\n\n\n\n\n\n/* The last line has no end. */",
        "func open() {\r\n    let box = \(make.replacing("try", with: "try!"))\r\n    use(box)\r\n}\r",
    ]

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/patch")), arguments: openings)
    func thePatchedFilesAreSwift(opening: String) throws {
        let fixture = Self.fixture(opening)
        let patch = Self.patch(fixture)
        #expect(patch.contains("+import SyncObservationSwiftData"))
        #expect(
            patch.contains(
                "SyncAuditing.start("
                    + (opening.contains("box") ? "box)" : opening.contains("struct A {\n    let") ? "container)" : "auditedContainer)")))
        #expect(patch.contains("+    var auditStamp: String?"))
        #expect(
            patch.contains(
                #"AuditedModel(Note.self, attributes: ["id": \.id, "title": \.title, "isPinned": \.isPinned], recordStamp: ("auditStamp""#))
        #expect(patch.contains("AuditedModel(Tag.self),"))
        let directory = try TemporaryDirectory()
        for (path, text) in fixture.contents { try directory.create(path, text) }
        try directory.create("patch", patch)
        #expect(try Self.run("/usr/bin/patch", ["-p0", "--binary", "--fuzz=0", "-i", "patch"], in: directory.path) == 0)
        if let compiler = ["/opt/swift/usr/bin/swiftc", "/usr/bin/swiftc"].first(where: FileManager.default.isExecutableFile) {
            #expect(try Self.run(compiler, ["-parse", RuleTests.models, RuleTests.app], in: directory.path) == 0)
        }
        let app = directory.content(RuleTests.app) ?? ""
        let before = try #require(app.range(of: "_ = SyncAuditing.audit"))
        let make = try #require(app.range(of: "ModelContainer(for"))
        let after = try #require(app.range(of: "SyncAuditing.start("))
        #expect(before.upperBound < make.lowerBound && make.upperBound < after.lowerBound)
        // What is patched is observed.
        var patched = fixture
        patched.contents[RuleTests.app] = app
        patched.contents[RuleTests.models] = directory.content(RuleTests.models)
        #expect(Self.patch(patched) == "")
    }

    static func run(_ program: String, _ arguments: [String], in folder: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test func linesThatStayAreNotReplaced() {
        let patch = Self.patch(Self.fixture(Self.openings[0]))
        #expect(patch.split(separator: "\n").filter { $0.hasPrefix("-") } == ["--- Notes/Models.swift", "--- Notes/NotesApp.swift"])
        #expect(patch.contains("@@ -1,9 +1,42 @@\n import SwiftData\n import SwiftUI\n+import AuditLog\n"))
    }

    @Test func onlyItsNameAsksForThePatch() {
        let fixture = Self.fixture(Self.openings[0])
        #expect(Self.patch(fixture, rule: nil) == "")
        #expect(Self.patch(fixture, rule: "reporting").contains("SyncAuditing"))
    }

    /// Where nobody can say which lines are meant, the finding says them and there is no patch.
    @Test(arguments: [
        "struct A {\n    let container = \(make)\n}", "struct A {\n    init() { container = \(make) }\n}",
        "func open() {\n    let container = \(make.replacing("try", with: "try?"))\n}",
        "struct A: View {\n    var body: some View {\n        let box = \(make.replacing("try", with: "try!"))\n        Text(\"\")\n    }\n}",
        "func open() throws {\n    if isOn { return }\n    use(\(make))\n}",
        "func open() throws -> ModelContainer {\n    return \(make)\n}\nfunc other() throws -> ModelContainer {\n    return \(make)\n}",
        "func open() throws -> ModelContainer {\n    #if os(iOS)\n    return \(make)\n    #endif\n}",
        "struct A: App {\n    var body: some Scene { WindowGroup { }.modelContainer(for: Note.self) }\n}",
    ]) func aSiteThatIsAmbiguousHasNoPatch(opening: String) {
        let fixture = Self.fixture(opening)
        #expect(Self.patch(fixture) == "")
        let finding = fixture.diagnosis().findings.first { $0.rule == "reporting.observer" }
        #expect(finding?.fix.contains("try audit.start(container) after; a stamp is var auditStamp: String? in each model") == true)
    }

    @Test func aModelOfAnotherModuleHasNoPatch() {
        let fixture = Self.fixture(Self.openings[0]) { fixture in
            fixture.contents["Kit/Models.swift"] = fixture.contents.removeValue(forKey: RuleTests.models)
            fixture.contents["project.yml", default: ""] += "  Kit: {type: framework, platform: iOS, sources: [Kit]}\n"
        }
        #expect(Self.patch(fixture) == "")
    }

    @Test func privateAttributesAreLeftOut() {
        let fixture = Self.fixture(Self.openings[0]) {
            $0.replace("var title", with: "private var title", in: RuleTests.models)
            $0.replace("var isPinned", with: "private(set) var isPinned", in: RuleTests.models)
        }
        #expect(Self.patch(fixture).contains(#"AuditedModel(Note.self, attributes: ["id": \.id, "isPinned": \.isPinned], recordStamp"#))
    }

    @Test func aClassOnOneLineGetsItsStampThere() {
        let fixture = Self.fixture(Self.openings[0]) {
            $0.contents[RuleTests.models] = "import SwiftData\n@Model final class Note { var noteID = UUID(); var title = \"\" }\n"
        }
        let patch = Self.patch(fixture)
        #expect(patch.contains("+@Model final class Note { var auditStamp: String?; var noteID = UUID(); var title = \"\" }"))
        #expect(patch.contains(#"AuditedModel(Note.self, identifiedBy: "noteID", attributes: ["#))
    }

    /// Where the server's refusals are taken up, another policy is all that is missing.
    @Test(arguments: [true, false]) func aSavePolicyIsReplacedWhereRefusalsAreHandled(isHandled: Bool) {
        var fixture = DoctorFixture()
        fixture.contents["Notes/Save.swift"] = """
            func save(_ operation: CKModifyRecordsOperation, _ error: CKError) {
                operation.savePolicy = .changedKeys
                if error.code == .\(isHandled ? "serverRecordChanged" : "networkFailure") { merge(error) }
            }
            """
        let patch = Self.patch(fixture, rule: "reporting.save-policy")
        let change = "-    operation.savePolicy = .changedKeys\n+    operation.savePolicy = .ifServerRecordUnchanged\n"
        #expect(isHandled ? patch.contains(change) : patch.isEmpty)
        #expect(Self.patch(fixture, rule: nil).isEmpty)
    }
}
