import FileFormats
import ProjectDoctor
import SyncSystem
import TemporaryDirectory
import Testing

struct ProjectFilesTests {
    @Test func filesAreSortedAndFoldersSkipped() throws {
        let directory = try TemporaryDirectory()
        for path in [
            "b.swift", "a/z.swift", "a.swift", "a/.git/x", "Pods/x", "build", "M.xcdatamodeld/m/contents", "A.xcassets/x", "a/build/x",
        ] {
            try directory.create(path, path)
        }
        let files = ProjectFiles(folder: directory.path)
        #expect(files.paths == ["M.xcdatamodeld/m/contents", "a.swift", "a/z.swift", "b.swift", "build"])
        #expect(files.notes == [])
        #expect(try files.read("a/z.swift").bytes == Array("a/z.swift".utf8))
        #expect(files.paths(under: "a").elementsEqual(["a/z.swift"]))
        #expect(files.paths(under: "").count == 5)
        #expect(files.exists("A.xcassets") && files.exists("a") && files.exists("a/build/x") && !files.exists("c"))
        #expect(directory.path.hasSuffix(files.name))
        #expect(throws: FormatError(at: 0, "the file \"../x\" is not in the project's folder")) { try files.read("../x") }
    }

    /// A Mac finds them so.
    @Test func namesAreFoundByOtherCapitalsAndForms() throws {
        let files = ProjectFiles(
            name: "P", contents: ["M\u{fc}sli/A.swift": [1], "App/b.swift": [2], "app/c.swift": [3], "X.xcdatamodeld/x/contents": []])
        #expect(files.spelled("Mu\u{308}sli").utf8.elementsEqual("M\u{fc}sli".utf8))
        #expect(files.spelled("MU\u{308}SLI/a.swift").utf8.elementsEqual("M\u{fc}sli/A.swift".utf8))
        #expect(files.joined("APP", "./B.swift") == "App/b.swift")
        #expect(files.joined("", "x.XCDATAMODELD") == "X.xcdatamodeld")
        // Where both exist each is found by its own name.
        #expect(files.spelled("app") == "app" && files.spelled("App") == "App" && files.spelled("app/c.swift") == "app/c.swift")
        #expect(files.spelled("none/B.swift") == "none/B.swift" && files.joined("", "..") == nil)
        #expect(try files.read("Mu\u{308}sli/A.swift").bytes == [1])
    }

    @Test func linksAreNotFollowedOutOfTheFolder() throws {
        let (directory, outside) = (try TemporaryDirectory(), try TemporaryDirectory())
        try directory.create("a/inside.swift", "x")
        try outside.create("secret", "y")
        for (target, name) in [
            (".", "loop"), ("..", "a/up"), (outside.path, "out"), (outside.file("secret"), "secret"), ("a/inside.swift", "fine.swift"),
            ("none", "broken"),
        ] { #expect(unsafe symlink(target, directory.file(name)) == 0) }
        let files = ProjectFiles(folder: directory.path)
        #expect(files.paths == ["a/inside.swift", "fine.swift"])
        #expect(
            files.notes.map(\.sentence) == [
                "4 symbolic links are not followed, such as \"loop\": they lead to folders or out of the project"
            ])
        #expect(try files.read("fine.swift").bytes == Array("x".utf8))
    }

    @Test func namesWithLineFeedsAndEscapesAreFiles() throws {
        let directory = try TemporaryDirectory()
        let name = "a\n\u{1b}[31m\"\\ü.swift"
        try directory.create(name, "x")
        #expect(unsafe mkfifo(directory.file("pipe"), 0o600) == 0)
        let files = ProjectFiles(folder: directory.path)
        #expect(files.paths == [name])
        #expect(try files.read(name).bytes == [0x78])
        let project = ProjectReader.read(files)
        #expect(project.targets.map(\.files) == [[name]])
    }

    @Test func deepFoldersLargeFilesAndMissingFoldersAreNoted() throws {
        let directory = try TemporaryDirectory()
        try directory.create((0..<70).map { _ in "d" }.joined(separator: "/") + "/x", "x")
        try directory.create("large", "")
        #expect(unsafe truncate(directory.file("large"), 33 << 20) == 0)
        let files = ProjectFiles(folder: directory.path)
        #expect(files.paths == ["large"])
        #expect(files.notes.map(\.sentence) == ["folders deeper than 64 levels are not looked at"])
        #expect(throws: FormatError(at: 0, "the file \"large\" cannot be read: it is no regular file of at most 32 MB")) {
            try files.read("large")
        }
        #expect(
            ProjectFiles(folder: directory.file("none")).notes.map(\.sentence) == ["the folder cannot be listed: No such file or directory"]
        )
    }

    @Test(arguments: [
        ("a", "b", "a/b"), ("a/b", "../c", "a/c"), ("", "./a//b/.", "a/b"), ("a", "", "a"), ("a", "../..", nil), ("a", "/b", nil),
        ("a", "..", ""),
    ]) func pathsAreJoined(folder: String, path: String, joined: String?) {
        #expect(RelativePath.joined(folder, path) == joined)
    }

    @Test func partsOfPaths() {
        #expect(RelativePath.folder(of: "a/b/c.d") == "a/b" && RelativePath.folder(of: "c") == "")
        #expect(
            RelativePath.name(of: "a/b/c.d") == "c.d" && RelativePath.stem(of: "a/b.x/c.d.e") == "c.d"
                && RelativePath.stem(of: "b.x/c") == "c")
        #expect(RelativePath.dataModelOrSelf("a/M.xcdatamodeld/M.xcdatamodel/contents") == "a/M.xcdatamodeld")
        #expect(RelativePath.dataModelOrSelf("a/M.xcdatamodel.swift") == "a/M.xcdatamodel.swift")
    }

    @Test func locationsAgreeWithCounting() {
        let line = String(repeating: "ä😀x", count: 700)
        let file = SourceFile(path: "p", bytes: Array("a\n\n\(line)\r\n\(line)".utf8))
        let table = LineTable(file)
        for offset in stride(from: 0, through: file.bytes.count, by: 37) {
            #expect(table.location(at: offset) == file.location(at: offset))
        }
        #expect(table.location(at: file.bytes.count) == file.location(at: file.bytes.count))
        // The first bytes of lines are among these.
        for offset in 0..<8 { #expect(table.location(at: offset) == file.location(at: offset)) }
        let exact = SourceFile(path: "p", bytes: [UInt8](repeating: 0x20, count: 2048))
        #expect(LineTable(exact).location(at: 2048) == exact.location(at: 2048))
        #expect(LineTable(SourceFile(path: "p", bytes: [])).location(at: 0) == Location(path: "p"))
    }
}
