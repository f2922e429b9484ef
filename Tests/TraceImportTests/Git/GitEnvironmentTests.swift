import ChildProcess
import Foundation
import GitRepository
import TemporaryDirectory
import Testing

/// The repository that is read is the one that is named, whatever variables a hook of git's hands on.
@Suite struct GitEnvironmentTests {
    private func repository(commits: Int) throws -> GitRepository {
        let repository = try GitRepository()
        var stream = CommitStream()
        var last: [Int] = []
        for index in 0..<commits { last = [stream.commit("Ada", at: 1000 + index, on: last, put: ["f": "\(index)"])] }
        try repository.fastImport(stream.text)
        return repository
    }

    private func importing(_ path: String, _ variables: [String]) throws -> (status: Int32, errors: String) {
        let child = try ChildProcess(path: "/usr/bin/env", variables + [ChildProcess.helperDirectory + "GitImportProcess", path])
        child.closeInput()
        _ = child.readToEnd()
        let errors = String(decoding: child.errorsToEnd(), as: UTF8.self)
        return (child.wait(), errors)
    }

    @Test(arguments: [
        ["GIT_DIR=OTHER/.git"], ["GIT_DIR=OTHER/.git", "GIT_WORK_TREE=OTHER"], ["GIT_OBJECT_DIRECTORY=OTHER/.git/objects"],
        ["GIT_COMMON_DIR=OTHER/.git"], ["GIT_NAMESPACE=x", "GIT_CEILING_DIRECTORIES=/", "GIT_DISCOVERY_ACROSS_FILESYSTEM=0"],
        ["GIT_TRACE=2"], ["GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=core.worktree", "GIT_CONFIG_VALUE_0=/none"], ["GIT_LITERAL_PATHSPECS=x"],
        ["GIT_REPLACE_REF_BASE=refs/heads"], ["GIT_EXEC_PATH=/none"], ["GIT_CONFIG_PARAMETERS='core.bare=maybe'"],
    ])
    func variablesOfGitAreNotHandedOn(_ variables: [String]) throws {
        let (named, other) = (try repository(commits: 2), try repository(commits: 3))
        let (status, errors) = try importing(named.path, variables.map { $0.replacing("OTHER", with: other.path) })
        #expect(status == 0)
        #expect(errors == "2 commits")
    }

    /// Git says first what it advises, and last what it failed at.
    @Test func theReasonOfAFailureIsToldAndNoAdvice() throws {
        let directory = try TemporaryDirectory()
        try directory.create("script", "#!/bin/sh\nprintf 'hint: one\\nhint: two\\nwarning: old\\nfatal: the reason\\n' >&2; exit 128\n")
        try #require(ChildProcess.run(["install", "-m", "755", directory.file("script"), directory.file("git")]).status == 0)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let (status, errors) = try importing(directory.path, ["PATH=\(directory.path):\(path)"])
        #expect(status == 1)
        #expect(errors.contains("git cannot read it: the reason"), "\(errors)")
    }

    /// Names are bytes: an é of one character and an é of two are different files and different records.
    @Test func namesThatDifferByTheirUnicodeFormStayApart() throws {
        let (composed, decomposed) = ("\u{e9}", "e\u{301}")
        let repository = try GitRepository()
        var stream = CommitStream()
        let json = { (value: Int) in "{\"\(composed)\":{\"v\":\(value)},\"\(decomposed)\":{\"v\":\(value + 1)}}" }
        let root = stream.commit("Ada", at: 1000, on: [], put: ["d.json": json(1)])
        // Written apart: a dictionary of strings takes them for one name.
        let named = stream.commit("Ada", at: 1001, on: [root], put: ["\(composed).txt": "1"])
        let both = stream.commit("Ada", at: 1002, on: [named], put: ["\(decomposed).txt": "2"])
        let side = stream.commit("Bob", at: 1003, on: [both], put: ["\(composed).txt": "3"])
        let main = stream.commit("Ada", at: 1004, on: [both], put: ["\(decomposed).txt": "4"])
        _ = stream.commit("Ada", at: 1005, on: [main, side], put: ["\(composed).txt": "5"], delete: ["\(decomposed).txt"])
        try repository.fastImport(stream.text)
        let child = try ChildProcess(helper: "GitImportProcess", [repository.path])
        child.closeInput()
        let lines = String(decoding: child.readToEnd(), as: UTF8.self).split(separator: "\n").map { Array($0.utf8) }
        #expect(child.wait() == 0)
        func count(_ words: String...) -> Int {
            lines.count { line in words.allSatisfy { word in line.firstRange(of: Array(word.utf8)) != nil } }
        }
        #expect(count("\"recordID\":\"\(composed)\"", "\"v\":1") == 1)
        #expect(count("\"recordID\":\"\(decomposed)\"", "\"v\":2") == 1)
        #expect(count("\"recordID\":\"\(composed).txt\"") == 3)
        #expect(count("\"recordID\":\"\(decomposed).txt\"") == 3)
        #expect(count("\"recordID\":\"\(decomposed).txt\"", "\"op\":\"delete\"") == 1)
    }

    /// A configuration may include a FIFO, and git waits for it as long as nobody writes to it.
    @Test func aGitThatDoesNotAnswerIsNotWaitedForForEver() throws {
        let repository = try repository(commits: 1)
        try #require(ChildProcess.run(["mkfifo", repository.path + "/fifo"]).status == 0)
        try Data("[include]\npath = ../fifo\n".utf8).write(to: URL(fileURLWithPath: repository.path + "/.git/config"))
        let (status, errors) = try importing(repository.path, [])
        #expect(status == 1)
        #expect(errors.contains("git has not answered within"), "\(errors)")
    }
}
