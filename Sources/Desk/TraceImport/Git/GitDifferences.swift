import SyncBytes

/// What merges differ in from each of their parents, asked of one `git diff-tree` that runs as long as it is needed.
final class GitDifferences {
    private let history: GitHistory
    private var process: GitProcess?

    init(_ history: GitHistory) {
        self.history = history
    }

    /// The files in which a merge differs from any of its parents, in order of path.
    func changes(of merge: GitHistory.Commit) throws(TraceImportError) -> [GitHistory.Change] {
        // By the bytes of their paths: names that differ by their Unicode form are two files.
        var files: [[UInt8]: (path: String, before: [Int: GitHistory.File?], after: GitHistory.File?)] = [:]
        for (index, parent) in merge.parents.enumerated() {
            try ask(merge.id, parent) { change in
                files[Array(change.path.utf8), default: (change.path, [:], change.after)].before
                    .updateValue(change.before[0], forKey: index)
            }
        }
        return files.ordered { $0.key.lexicographicallyPrecedes($1.key) }.map { _, file in
            // Where a parent is not said to differ, it has the same.
            GitHistory.Change(path: file.path, before: merge.parents.indices.map { file.before[$0] ?? file.after }, after: file.after)
        }
    }

    private func ask(_ commit: String, _ parent: String, _ body: (GitHistory.Change) -> Void) throws(TraceImportError) {
        let process: GitProcess
        if let running = self.process {
            process = running
        } else {
            process = try GitProcess(
                history.repository, ["diff-tree", "--stdin", "-r", "-z"] + GitHistory.differenceOptions + ["--"] + history.filters)
        }
        self.process = process
        // A commit with a parent of our choice; git repeats a line that is no commit, and that ends the answer.
        try process.write("\(commit) \(parent)\n.\n")
        while true {
            switch try process.peek() {
            case UInt8(ascii: "."):
                _ = try process.next(before: 0x0a)
                return
            case nil:
                try process.finish()
                throw GitHistory.misunderstood
            default:
                guard let piece = try process.next(before: 0) else { throw GitHistory.misunderstood }
                if piece.first == UInt8(ascii: ":") { body(try GitHistory.change(Array(piece), process)) }
            }
        }
    }
}
