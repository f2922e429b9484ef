import ChildProcess
import Foundation
import GitRepository
import TemporaryDirectory
import Testing

/// A clone whose own configuration names programs and files: none is run, and nothing is waited for.
struct HostileClone {
    private let directory: TemporaryDirectory
    private let repository: GitRepository
    private var ranFile: String { directory.file("ran") }

    /// A partial clone that lacks the content of its first commit, and two commits.
    init() throws {
        directory = try TemporaryDirectory()
        repository = try GitRepository()
        var stream = CommitStream()
        let first = stream.commit("Ada", at: 1000, on: [], put: ["d.json": #"{"a":{"x":1}}"#])
        let second = stream.commit("Ada", at: 1010, on: [first], put: ["d.json": #"{"a":{"x":2}}"#])
        _ = stream.commit("Ada", at: 1020, on: [second], put: ["e.json": #"{"b":{"x":3}}"#])
        try repository.fastImport(stream.text)
        let blob = try repository.run(["rev-parse", "HEAD~2:d.json"]).trimmingCharacters(in: .whitespacesAndNewlines)
        try FileManager.default.removeItem(atPath: repository.path + "/.git/objects/\(blob.prefix(2))/\(blob.dropFirst(2))")
        for (key, value) in [
            ("core.repositoryformatversion", "1"), ("extensions.partialClone", "far"), ("remote.far.promisor", "true"),
            ("protocol.allow", "always"), ("protocol.ext.allow", "always"), ("protocol.file.allow", "always"),
            ("protocol.planted.allow", "always"),
        ] { try repository.run(["config", key, value]) }
    }

    /// Makes a program that tells that it ran, or one of another script.
    private func plant(_ name: String, _ script: String? = nil) throws {
        // Installed by another program: one that this process has just written cannot be run while a child of it holds the file open.
        try directory.create("script", "#!/bin/sh\n\(script ?? "touch '\(ranFile)'")\n")
        try #require(ChildProcess.run(["install", "-m", "755", directory.file("script"), directory.file(name)]).status == 0)
    }

    /// Imports with a git that does not know GIT_NO_LAZY_FETCH; the status and what it said.
    private func importing() throws -> (status: Int32, trace: String, errors: String) {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let git = try #require(path.split(separator: ":").map { $0 + "/git" }.first { FileManager.default.isExecutableFile(atPath: $0) })
        try plant("git", "unset GIT_NO_LAZY_FETCH\nexec '\(git)' \"$@\"")
        let command = ChildProcess.helperDirectory + "GitImportProcess"
        let child = try ChildProcess(path: "/usr/bin/env", ["PATH=" + directory.path + ":" + path, command, repository.path])
        child.closeInput()
        let trace = String(decoding: child.readToEnd(), as: UTF8.self)
        let errors = String(decoding: child.errorsToEnd(), as: UTF8.self)
        return (child.wait(), trace, errors)
    }

    /// Expects that a remote whose address or helper is a command is not run.
    func expectNoRemoteIsRun(_ address: String) throws {
        let url = address.replacing("RAN", with: ranFile).replacing("FAR", with: directory.file("far"))
        try repository.run(["config", "remote.far.url", url])
        try repository.run(["config", "remote.far.uploadpack", "touch \(ranFile)"])
        if address == "helper" {
            try repository.run(["config", "remote.far.vcs", "planted"])
            try plant("git-remote-planted")
        }
        let (status, trace, errors) = try importing()
        #expect(status == 0)
        #expect(errors == "3 commits")
        #expect(trace.contains(#""recordType":"e.json""#), "what is there is read on")
        #expect(!FileManager.default.fileExists(atPath: ranFile))
    }

    /// Expects that a setting that names a program or a file has no effect.
    func expectNoEffect(of key: String) throws {
        try plant("planted")
        #expect(ChildProcess.run(["mkfifo", directory.file("fifo")]).status == 0)
        try repository.run(["config", "log.showSignature", "true"])
        try repository.run(["config", "log.mailmap", "true"])
        try directory.create("attributes", "* diff=d filter=d\n")
        try FileManager.default.copyItem(atPath: directory.file("attributes"), toPath: repository.path + "/.git/info/attributes")
        // A FIFO without a writer keeps its reader waiting.
        let isFile = key.hasSuffix("File") || key.hasSuffix("file") || key.hasSuffix("Target")
        try repository.run(["config", key, directory.file(isFile ? "fifo" : "planted")])
        let (status, _, errors) = try importing()
        #expect(status == 0)
        #expect(errors == "3 commits")
        #expect(!FileManager.default.fileExists(atPath: ranFile))
    }

    /// Expects that a mailmap or grafts that are a FIFO are not waited for.
    func expectNoWait(for name: String) throws {
        #expect(ChildProcess.run(["mkfifo", repository.path + "/" + name]).status == 0)
        #expect(try importing().status == 0)
    }
}
