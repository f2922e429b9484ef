import GitRepository
import SyncModel
import Testing

@testable import SyncAuditCommands
@testable import TraceImport

/// What the verb says and how it ends; what it imports is for ``GitTraceTests``.
@Suite struct ImportVerbTests {
    /// Two people on branches of their own, and a version that is no JSON.
    private func madeRepository() throws -> GitRepository {
        let repository = try GitRepository()
        var stream = CommitStream()
        let root = stream.commit("Ada", at: 1000, on: [], put: ["cards.json": #"{"john":{"phone":"0"}}"#, "notes": "a"])
        let ada = stream.commit("Ada", at: 1010, on: [root], put: ["cards.json": "{broken"])
        let bob = stream.commit("Bob", at: 1020, on: [root], put: ["notes": "b"], branch: "side")
        _ = stream.commit("Ada", at: 1030, on: [ada, bob], put: ["cards.json": #"{"john":{"phone":"1"}}"#, "notes": "b"])
        try repository.fastImport(stream.text)
        return repository
    }

    @Test func writesGoToTheOutputAndWhatTheyAreIsSaid() throws {
        let repository = try madeRepository()
        let world = TestWorld()
        #expect(world.run("import", "git", repository.path) == .success)
        let lines = try world.lines
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0["event"] == "write" })
        #expect(
            world.errorText == """
                syncaudit: 4 commits by 2 authors in 2 lanes: 4 writes to 2 records
                syncaudit: 1 version of data files could not be read; their records stayed as they were before

                """)
    }

    @Test func aLaneIsExplainedWhereThereIsOne() throws {
        let repository = try GitRepository()
        var stream = CommitStream()
        let root = stream.commit("Ada", at: 1000, on: [], put: ["notes": "a"])
        let main = stream.commit("Ada", at: 1010, on: [root], put: ["notes": "b"])
        let side = stream.commit("Ada", at: 1020, on: [root], put: ["notes": "c"], branch: "side")
        _ = stream.commit("Ada", at: 1030, on: [main, side], put: ["notes": "d"])
        try repository.fastImport(stream.text)
        let world = TestWorld()
        #expect(world.run("import", "git", repository.path) == .success)
        #expect(try world.lines.contains { $0["device"] == "Ada#2" })
        #expect(
            world.errorText == """
                syncaudit: 4 commits by 1 author in 2 lanes: 4 writes to 1 record
                syncaudit: NAME#2 is the second lane of NAME: commits on a branch beside those of the first, which had not seen each other; \
                each lane counts as a device

                """)
    }

    @Test func filtersAreGitsOwn() throws {
        let repository = try madeRepository()
        let one = TestWorld()
        #expect(one.run("import", "git", repository.path, "--path-filter", "*.txt", "--path-filter", "notes") == .success)
        #expect(try one.lines.map { $0["recordID"] } == ["notes", "notes"])
        let none = TestWorld()
        #expect(none.run("import", "git", repository.path, "--path-filter=--output=/tmp/x") == .success)
        #expect(none.output.text == "")
        #expect(
            none.errorText == """
                syncaudit: 4 commits by 2 authors in 2 lanes: 0 writes to 0 records
                syncaudit: no file matches, so there is nothing to audit

                """)
    }

    @Test func whatCannotBeImported() throws {
        let directory = try TemporaryDirectory()
        let cases: [([String], ExitCode, String)] = [
            ([], .usage, "what to import is missing"), (["svn"], .usage, "\"svn\" cannot be imported"),
            (["git", ".", "x"], .usage, "\"x\" is one argument too many"), (["git", ""], .usage, "is empty"),
            (["git", directory.path], .noInput, "this is not a git repository"),
            (["git", directory.file("missing")], .noInput, "No such file or directory"),
            (["git", "--", "--upload-pack=touch x"], .noInput, "No such file or directory"),
        ]
        for (arguments, code, complaint) in cases {
            let world = TestWorld()
            #expect(world.run(["import"] + arguments) == code)
            #expect(world.errorText.contains(complaint), "\(arguments)")
            #expect(world.output.text == "")
        }
        let repository = try GitRepository()
        let empty = TestWorld()
        #expect(empty.run("import", "git", repository.path) == .badData)
        #expect(empty.errorText.contains("has no commit yet"))
        let shallow = TestWorld()
        let whole = try madeRepository()
        #expect(shallow.run("import", "git", try whole.shallowClone()) == .badData)
        #expect(shallow.errorText.contains("the clone is shallow: what came before its oldest commits is missing"))
        #expect(shallow.errorText.contains("git fetch --unshallow"))
    }

    @Test(arguments: [TraceImportError.Code.badData, .noInput, .inputOutput])
    func anImportsErrorKeepsItsWords(_ code: TraceImportError.Code) {
        let exitCodes: [TraceImportError.Code: ExitCode] = [.badData: .badData, .noInput: .noInput, .inputOutput: .inputOutput]
        let error = CommandError(TraceImportError(code, "git failed: it is broken"))
        #expect(error.exitCode == exitCodes[code])
        #expect(error.sentence == "git failed: it is broken")
    }
}
