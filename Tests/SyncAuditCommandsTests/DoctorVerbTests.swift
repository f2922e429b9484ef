import Foundation
import GitRepository
import SyncAuditCommands
import TemporaryDirectory
import Testing

/// `syncaudit doctor` over folders.
struct DoctorVerbTests {
    private static let models = """
        import SwiftData

        @Model final class Note {
            var title: String
            var tags: [String] = []
            init(title: String) { self.title = title }
        }

        """

    private static let app = """
        let container = try ModelContainer(
            for: Note.self, configurations: ModelConfiguration(cloudKitDatabase: .private("iCloud.example.notes")))

        """

    private static let package = "let package = Package(name: \"Notes\", targets: [.target(name: \"Notes\")])\n"

    private func folder(models: String = models) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        try directory.create("Package.swift", Self.package)
        try directory.create("Sources/Notes/Models.swift", models)
        try directory.create("Sources/Notes/App.swift", Self.app)
        return directory
    }

    @Test func errorsEndTheCommandWithOne() throws {
        let directory = try folder()
        let world = TestWorld()
        #expect(world.run("doctor", directory.path) == .limitExceeded)
        #expect(world.output.text.contains("Models.swift:4 Note.title is neither optional nor has it a default value"))
        #expect(world.output.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 25)
        #expect(world.errorText == "syncaudit: 1 error\n")
    }

    @Test func theWholeAccountNamesReasonAndFix() throws {
        let directory = try folder()
        let world = TestWorld()
        #expect(world.run("doctor", "--all", directory.path) == .limitExceeded)
        #expect(world.output.text.contains("[schema.optional]"))
        #expect(world.output.text.contains("CloudKit integration requires that all attributes be optional"))
        #expect(world.output.text.contains("Fix: make it optional, or give it a default value"))
    }

    @Test func thePatchApplies() throws {
        let directory = try folder()
        let world = TestWorld()
        #expect(world.run("doctor", "--fix", "--dry-run", directory.path) == .limitExceeded)
        #expect(world.output.text.contains("--- Sources/Notes/Models.swift\n"))
        #expect(world.output.text.contains("\n-    var title: String\n+    var title: String?\n"))
        let alone = TestWorld()
        #expect(alone.run("doctor", "--fix", directory.path) == .usage)
    }

    @Test(arguments: ["json", "sarif", "github", "markdown"]) func everyFormatHoldsTheFinding(format: String) throws {
        let directory = try folder()
        let world = TestWorld()
        #expect(world.run("doctor", "--format", format, directory.path) == .limitExceeded)
        #expect(world.output.text.contains("Note.title is neither optional"))
        #expect(!world.output.text.contains("\u{1b}"))
    }

    @Test func aBaselineReportsOnlyWhatIsNew() throws {
        let directory = try folder()
        let baseline = directory.file("baseline.json")
        #expect(TestWorld().run("doctor", "--write-baseline", baseline, directory.path) == .limitExceeded)
        let world = TestWorld()
        #expect(world.run("doctor", "--baseline", baseline, directory.path) == .success)
        #expect(world.output.text.contains("no findings"))
    }

    @Test func oneRuleAlone() throws {
        let directory = try folder()
        let world = TestWorld()
        #expect(world.run("doctor", "--rule", "losses", "--format", "github", directory.path) == .success)
        #expect(world.output.text.hasPrefix("::notice file=Sources/Notes/Models.swift,line=5,col=9,title=losses.list::"))
        #expect(world.output.text.split(separator: "\n").count == 1)
        let unknown = TestWorld()
        #expect(unknown.run("doctor", "--rule", "nothing", directory.path) == .usage)
    }

    /// Only what the folder of the project held is compared, in a repository that holds more.
    @Test func aTypeThatChangedSinceACommit() throws {
        let repository = try GitRepository()
        var stream = CommitStream()
        let files = ["app/Package.swift": Self.package, "app/Sources/Notes/App.swift": Self.app]
        let before = files.merging(["app/Sources/Notes/Models.swift": Self.models.replacing("String\n", with: "Int?\n")]) { first, _ in
            first
        }
        _ = stream.commit("Ada", at: 1000, on: [], put: before, branch: "main")
        try repository.fastImport(stream.text)
        let directory = try folder()
        let world = TestWorld()
        #expect(world.run("doctor", "--against", "main", directory.path) == .noInput)
        #expect(world.errorText.contains("git knows no commit \"main\""))
        _ = try repository.run(["checkout", "-q", "-f", "main"])
        try Self.models.write(toFile: repository.path + "/app/Sources/Notes/Models.swift", atomically: true, encoding: .utf8)
        let compared = TestWorld()
        #expect(compared.run("doctor", "--against", "main", "--rule", "evolution", repository.path + "/app") == .limitExceeded)
        #expect(compared.output.text.contains("Models.swift:4 Note.title was a whole number in main and is a string"))
        let hostile = TestWorld()
        #expect(hostile.run("doctor", "--against=--output=/tmp/x", repository.path + "/app") == .noInput)
    }

    @Test func aFileIsNoProject() throws {
        let directory = try folder()
        let world = TestWorld()
        #expect(world.run("doctor", directory.file("Package.swift")) == .noInput)
        #expect(world.errorText.contains("is no folder"))
        let missing = TestWorld()
        #expect(missing.run("doctor", directory.file("nothing")) == .noInput)
    }
}
