import CoreDataStore
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

    @Test(arguments: [40, 60, 80, 200]) func noSentenceIsCut(_ columns: Int) throws {
        let project = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/project").path
        let world = TestWorld()
        world.reportedWidth = columns
        #expect(world.run("doctor", project) == .limitExceeded)
        let lines = world.output.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(!lines.contains { $0.hasSuffix("…") || $0.contains("look: ") }, "\(world.output.text)")
        #expect(columns < 80 || lines.dropLast().count <= 24, "\(world.output.text)")
    }

    @Test func errorsEndTheCommandWithOne() throws {
        let directory = try folder()
        let world = TestWorld()
        #expect(world.run("doctor", directory.path) == .limitExceeded)
        #expect(world.output.text.contains("Models.swift:4 Note.title is neither optional nor has it a default value"))
        #expect(world.output.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 25)
        #expect(world.errorText == "syncaudit: 1 error\n")
    }

    /// The lines of a verdict between the headline and the findings.
    private func head(_ app: String) throws -> [String] {
        let directory = try folder(models: Self.models.replacingOccurrences(of: "String\n", with: "String?\n"))
        try directory.create("Sources/Notes/App.swift", app)
        let world = TestWorld()
        #expect(world.run("doctor", directory.path) == .success)
        return world.output.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().prefix { !$0.isEmpty }.map(
            String.init)
    }

    @Test func equalStoresAreOneLine() throws {
        let line = "Note: its database is .private(\"iCloud.example.notes\")"
        #expect(try head(Self.app) == ["syncs   " + line])
        let twice = Self.app + Self.app.replacingOccurrences(of: "container", with: "second")
        #expect(try head(twice) == ["syncs   \(line) (2 stores)"])
    }

    @Test func ownRecordsAreNamedBesideStores() throws {
        let own = "import CloudKit\nlet record = CKRecord(recordType: \"Leaf\")\n"
        let line = "Note: its database is .private(\"iCloud.example.notes\")"
        #expect(try head(Self.app + own) == ["syncs   " + line, "Records go to CloudKit by code of the app's own too."])
        let local = Self.app.replacingOccurrences(of: ".private(\"iCloud.example.notes\")", with: ".none") + own
        #expect(try head(local) == ["local   Note: its database is .none", "Records go to CloudKit by code of the app's own."])
    }

    @Test(arguments: [true, false]) func objectiveCIsNotRead(imports: Bool) throws {
        let directory = try TemporaryDirectory()
        try directory.create("Package.swift", Self.package)
        try directory.create("Sources/Notes/App.swift", "let name = 1\n")
        try directory.create("Sources/Notes/Hosts.m", "#import <\(imports ? "CloudKit/CloudKit" : "UIKit/UIKit").h>\n")
        let world = TestWorld()
        #expect(world.run("doctor", "--all", directory.path) == .success)
        let sentence = "Objective-C is not read: 1 file of it imports CloudKit, such as Hosts.m."
        #expect(world.output.text.contains(sentence) == imports)
        #expect(world.output.text.contains("Hosts.m:1:1: Objective-C is not read") == imports)
        #expect(world.output.text.contains("Nothing was found that syncs by CloudKit.") != imports)
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

    @Test func aStoreIsMeasured() throws {
        let (directory, store) = (
            try folder(models: Self.models.replacingOccurrences(of: "String\n", with: "String?\n")), try CoreDataStore()
        )
        try store.execute("ALTER TABLE ZCARD ADD COLUMN ZPHOTO BLOB")
        let reference = "02" + "0F0E0D0C-0000-4000-8000-0123456789AB".utf8.map { String(format: "%02x", $0) }.joined() + "00"
        for day in 0..<10 {
            try store.transaction(at: Double(day) * 86_400)
            try store.insert(day + 1)
            let (name, photo) = (String(repeating: "n", count: day == 3 ? 950_000 : 100), day == 7 ? "x'\(reference)'" : "NULL")
            try store.execute("INSERT INTO ZCARD (Z_PK, Z_ENT, ZNAME, ZVISITS, ZPHOTO) VALUES (\(day + 1), 1, '\(name)', 2, \(photo))")
        }
        try store.name(4, "card-4")
        try store.execute("UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1")
        let copy = try store.copy()
        let external = (copy as NSString).deletingLastPathComponent + "/.default_SUPPORT/_EXTERNAL_DATA"
        try FileManager.default.createDirectory(atPath: external, withIntermediateDirectories: true)
        try Data(count: 60_000_000).write(to: URL(fileURLWithPath: external + "/0F0E0D0C-0000-4000-8000-0123456789AB"))
        let world = TestWorld()
        #expect(world.run("doctor", "--all", "--store", copy, directory.path) == .success, Comment(rawValue: world.errorText))
        let text = world.output.text
        #expect(
            text.contains("default.store: 10 records, 61 MB, most in Card.PHOTO (60 MB), 950 kB wait to be sent, 182.9 MB more a month"))
        #expect(text.contains("the largest of 10 records of Card has 950 kB beside its assets (4 in "))
        #expect(text.contains("the largest value of Card.PHOTO has 60 MB (8 in "))
        #expect(text.contains("Card.NAME"))
        let json = TestWorld()
        #expect(json.run("doctor", "--format", "json", "--store", copy, directory.path) == .success)
        #expect(json.output.text.contains(#""field":"PHOTO","values":1,"bytes":60000000,"largest":60000000,"isAsset":true"#))
    }

    @Test func aValueBeyondWhatReadersTakeIsMeasured() throws {
        let (directory, store) = (try folder(), try CoreDataStore())
        try store.execute("ALTER TABLE ZCARD ADD COLUMN ZPHOTO BLOB")
        try store.execute("INSERT INTO ZCARD (Z_PK, Z_ENT, ZPHOTO) VALUES (1, 1, zeroblob(20000000))")
        let world = TestWorld()
        #expect(world.run("doctor", "--rule", "size", "--all", "--store", try store.copy(), directory.path) == .success)
        #expect(world.output.text.contains("the largest of 1 records of Card has 20 MB beside its assets"), "\(world.errorText)")
    }

    @Test func aLogWeighsTheAdvice() throws {
        let directory = try folder(models: Self.models.replacingOccurrences(of: "String\n", with: "String?\n"))
        func put(_ device: String, _ number: Int, _ fields: String, _ seen: String) -> String {
            #"{"event":"write","ts":"2026-01-15T14:0\#(number):00.000Z","device":"\#(device)","n":\#(number),"recordType":"Note","recordID":"1","op":"put","fields":\#(fields),"seen":\#(seen)}"#
                + "\n"
        }
        let trace = try directory.path(
            put("a", 1, #"{"title":"t","tags":["x"]}"#, "{}") + put("b", 1, #"{"tags":["x","b"]}"#, #"{"a":1}"#)
                + put("a", 2, #"{"tags":["x","a"],"title":"u"}"#, #"{"a":1}"#) + put("b", 2, #"{"title":"v"}"#, #"{"a":1,"b":1}"#),
            as: "trace.jsonl")
        let world = TestWorld()
        #expect(world.run("doctor", "--all", "--log", trace, directory.path) == .success, Comment(rawValue: world.errorText))
        #expect(world.output.text.contains("Note.tags is a list of String in one attribute: 1 edit of it was lost in \(trace)"))
        #expect(world.output.text.contains("Note.title has lost 1 edit in \(trace)"))
        let empty = TestWorld()
        #expect(empty.run("doctor", "--log", try directory.path("\n", as: "empty.jsonl"), directory.path) == .badData)
        #expect(empty.errorText.contains("there is no write in it"))
        #expect(TestWorld().run("doctor", "--store", trace, directory.path) == .badData)
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
