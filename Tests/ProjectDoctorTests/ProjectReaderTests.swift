import ProjectDoctor
import SyncOracle
import Testing

struct ProjectReaderTests {
    @Test func withoutAnyProjectAllFilesAreOneApp() {
        let project = ReaderFixtures.project(
            ["a.swift": "", "M.xcdatamodeld/x/contents": "", "M.xcdatamodeld/y/contents": ""], name: "Notes")
        #expect(project.targets.map(\.name) == ["Notes"])
        #expect(project.targets.map(\.kind) == [.app])
        #expect(project.targets.map(\.files) == [["M.xcdatamodeld", "a.swift"]])
        #expect(
            project.notes.map(\.sentence) == [
                "no project file, package or specification was found; all files are taken for those of one app \"Notes\""
            ])
    }

    @Test func anEmptyFolderIsAnAppWithoutFiles() {
        #expect(ReaderFixtures.project([:]).targets.map(\.files) == [[]])
    }

    @Test func specificationsCountWhereNoProjectIsBesideThem() {
        var files = ReaderFixtures.files
        files["project.yml"] = "targets: {A: {type: application}}"
        files["Other/project.yml"] = "targets: {B: {type: application}}"
        files["Third/project.yml"] = "version: 2"
        files["Packages/P/Package.swift"] = "let p = Package(targets: [.target(name: \"C\")])"
        files["Packages/P/Sources/C/c.swift"] = ""
        let project = ReaderFixtures.project(files)
        #expect(project.targets.map(\.name) == ["Notes", "Widget", "Tests", "B", "C"])
        #expect(project.targets.last?.files == ["Packages/P/Sources/C/c.swift"])
        #expect(project.targets.last?.folder == "Packages/P")
    }

    @Test func launchArgumentsAreThoseThatAreOn() {
        let project = ReaderFixtures.project([
            "A.xcodeproj/xcshareddata/xcschemes/A.xcscheme": ReaderFixtures.scheme, "B.xcscheme": "<Scheme>",
        ])
        #expect(
            project.launchArguments == [
                Project.LaunchArgument(
                    text: "-com.apple.CoreData.CloudKitDebug 1",
                    location: Location(path: "A.xcodeproj/xcshareddata/xcschemes/A.xcscheme", line: 6, column: 27))
            ])
        #expect(
            project.notes.first == Note(Location(path: "B.xcscheme", line: 1, column: 9), "the document ends inside the element \"Scheme\"")
        )
    }

    @Test(arguments: 0..<4 as Range<UInt64>) func changedBytesNeverCrash(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let good = [
            "project.yml": ReaderFixtures.yaml, "Package.swift": ReaderFixtures.package, "A.xcscheme": ReaderFixtures.scheme,
            "App/a.swift": "",
            "Sources/Core/a.swift": "", "c.xcconfig": "A = $(B)",
        ].mapValues { Array($0.utf8) }
        for _ in 0..<histories(80, of: 500) {
            let changed = good.mapValues { ReaderFixtures.mutated($0, &random) }
            _ = ProjectReader.read(ProjectFiles(name: "", contents: changed))
        }
    }

    @Test func filesCutOffAnywhereAreRead() {
        for (path, text) in [
            ("project.yml", ReaderFixtures.yaml), ("Package.swift", ReaderFixtures.package), ("A.xcscheme", ReaderFixtures.scheme),
        ] {
            for count in stride(from: 0, to: text.utf8.count, by: histories(5, of: 1)) {
                _ = ProjectReader.read(ProjectFiles(name: "", contents: [path: Array(text.utf8.prefix(count)), "App/a.swift": []]))
            }
        }
    }
}
