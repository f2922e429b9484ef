import ChildProcess
import TemporaryDirectory

/// A repository that a test makes.
package final class GitRepository {
    private let directory: TemporaryDirectory
    /// Where it is.
    package var path: String { directory.file("repository") }

    /// Makes one without a commit.
    package init() throws {
        directory = try TemporaryDirectory()
        try run(["init", "-q", "-b", "main", path], inside: false)
    }

    /// What git could not do.
    package struct Failure: Error {
        /// Its arguments, or what it said.
        package let message: String
    }

    /// Runs git and returns what it says.
    @discardableResult
    package func run(_ arguments: [String], inside: Bool = true) throws -> String {
        let isolated = ["GIT_CONFIG_NOSYSTEM=1", "HOME=" + directory.path, "GIT_CONFIG_GLOBAL=/dev/null"]
        let child = try ChildProcess(path: "/usr/bin/env", isolated + ["git"] + (inside ? ["-C", path] : []) + arguments)
        child.closeInput()
        let output = String(decoding: child.readToEnd(), as: UTF8.self)
        guard child.wait() == 0 else { throw Failure(message: arguments.joined(separator: " ")) }
        return output
    }

    /// Whether one commit comes before another, in git's own opinion.
    package func isAncestor(_ one: String, of other: String) -> Bool {
        ChildProcess.run(["git", "-C", path, "merge-base", "--is-ancestor", one, other]).status == 0
    }

    /// Fills the repository from the form that `git fast-import` reads.
    package func fastImport(_ stream: String) throws {
        try directory.create("stream", stream)
        let script = "git -C \"$1\" fast-import --quiet < \"$2\""
        let outcome = ChildProcess.run(["sh", "-c", script, "sh", path, directory.file("stream")])
        guard outcome.status == 0 else { throw Failure(message: outcome.errors) }
    }

    /// A clone without its history.
    package func shallowClone() throws -> String {
        try run(["clone", "-q", "--depth", "1", "file://" + path, directory.file("shallow")], inside: false)
        return directory.file("shallow")
    }

    /// The files at HEAD: content and mode by path.
    package func head() throws -> [String: (blob: String, mode: String)] {
        var files: [String: (blob: String, mode: String)] = [:]
        for line in try run(["ls-tree", "-r", "-z", "HEAD"]).split(separator: "\0") {
            let halves = line.split(separator: "\t", maxSplits: 1)
            let words = halves[0].split(separator: " ").map(String.init)
            files[String(halves[1])] = (words[2], words[0])
        }
        return files
    }
}

/// Commits written down for `git fast-import`.
package struct CommitStream {
    /// What `git fast-import` reads.
    package private(set) var text = ""
    /// How many commits there are.
    package private(set) var count = 0

    /// There are no commits.
    package init() {}

    /// Adds a commit and returns its mark; the first parent's files are what the changes change.
    package mutating func commit(
        _ author: String, at seconds: Int, on parents: [Int], put files: [String: String] = [:], delete paths: [String] = [],
        executable: Set<String> = [], branch: String = "main"
    ) -> Int {
        count += 1
        // A branch that begins anew would otherwise go on from where it is.
        if parents.isEmpty { text += "reset refs/heads/\(branch)\n" }
        text += "commit refs/heads/\(branch)\nmark :\(count)\nauthor \(author) <x@example> \(seconds) +0000\n"
        text += "committer c <c@example> \(seconds + 5) +0000\ndata 1\nm\n"
        for (index, parent) in parents.enumerated() { text += (index == 0 ? "from" : "merge") + " :\(parent)\n" }
        for path in paths { text += "D \(Self.quoted(path))\n" }
        for (path, content) in files.sorted(by: { $0.key < $1.key }) {
            text += "M \(executable.contains(path) ? 100755 : 100644) inline \(Self.quoted(path))\ndata \(content.utf8.count)\n\(content)\n"
        }
        text += "\n"
        return count
    }

    private static func quoted(_ path: String) -> String {
        "\"" + path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }
}
