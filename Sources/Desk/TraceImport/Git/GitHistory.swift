import SyncBytes
import SyncModel

/// The commits of a repository, parents before children.
struct GitHistory {
    /// One commit, and what it changed of its only parent.
    struct Commit {
        let id: String
        let parents: [String]
        let author: String
        /// In milliseconds since 1970.
        let authorDate: Int64
        let commitDate: Int64
        /// Empty for a merge; see ``GitDifferences``.
        var changes: [Change] = []
    }

    /// A file that differs from that of a parent.
    struct Change {
        let path: String
        /// The file as it is in each parent, nil where it is absent.
        let before: [File?]
        /// The file as it is now, nil where it is gone.
        let after: File?
    }

    /// A file's content and mode.
    struct File: Hashable {
        let blob: String
        let mode: String

        /// A submodule's commit and a link's target are no files to look into.
        var isOrdinary: Bool { mode.hasPrefix("100") }
    }

    let repository: String
    let head: String
    let filters: [String]

    /// Finds a repository.
    ///
    /// - Throws: ``TraceImportError`` where there is none, it has no commit, or it does not have all of its history.
    init(_ path: String, filters: [String]) throws(TraceImportError) {
        repository = path
        self.filters = filters
        let shallow = try GitProcess.run(path, ["rev-parse", "--is-shallow-repository"])
        guard shallow.status == 0 else {
            let problem =
                shallow.complaint.contains("not a git repository")
                ? "this is not a git repository, nor is it inside one; name a clone" : "git cannot read it: \(shallow.complaint)"
            throw TraceImportError(.noInput, "\(path.quoted): \(problem)")
        }
        if shallow.output == "true" {
            throw TraceImportError(
                .badData,
                "\(path.quoted): the clone is shallow: what came before its oldest commits is missing, so nobody can tell what their authors had seen; "
                    + "fetch the rest with 'git fetch --unshallow'")
        }
        let head = try GitProcess.run(path, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
        guard head.status == 0, !head.output.isEmpty else {
            throw TraceImportError(.badData, "\(path.quoted): the repository has no commit yet")
        }
        self.head = head.output
    }

    /// How many children each commit has.
    func childCounts() throws(TraceImportError) -> [String: Int] {
        var counts: [String: Int] = [:]
        let process = try GitProcess(repository, ["rev-list", "--parents", head, "--"])
        while let line = try process.next(before: 0x0a) {
            let ids = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            for parent in ids.dropFirst() { counts[parent, default: 0] += 1 }
        }
        try process.finish()
        return counts
    }

    /// Reads the history, in memory that does not grow with it.
    func forEach(_ body: (Commit) throws -> Void) throws {
        // With both of the last two options every commit is shown, also where a path filter matches nothing of it.
        let arguments =
            // No mailmap: the clone says where it is read from, and a FIFO there would make git wait.
            ["log", "-z", "--reverse", "--topo-order", "--no-mailmap"] + Self.differenceOptions
            + ["--format=%x01%H%x00%P%x00%an%x00%at%x00%ct", "--full-history", "--sparse", head, "--"]
        let process = try GitProcess(repository, arguments + filters)
        var commit: Commit?
        while let token = try process.next(before: 0) {
            // Line breaks stand between what is said of a commit and what it changed.
            let piece = token.first == 0x0a ? token.dropFirst() : token
            switch piece.first {
            case nil: break
            case 0x01:
                if let commit { try body(commit) }
                commit = try Self.commit(piece.dropFirst(), process)
            case UInt8(ascii: ":"):
                let change = try Self.change(Array(piece), process)
                commit?.changes.append(change)
            default: throw Self.misunderstood
            }
        }
        try process.finish()
        if let commit { try body(commit) }
    }

    private static func commit(_ id: ArraySlice<UInt8>, _ process: GitProcess) throws(TraceImportError) -> Commit {
        let id = text(id)
        var fields: [String] = []
        for _ in 0..<4 {
            guard let field = try process.next(before: 0) else { throw misunderstood }
            fields.append(text(field))
        }
        guard let authored = Int64(fields[2]), let committed = Int64(fields[3]) else { throw misunderstood }
        return Commit(
            id: id, parents: fields[0].split(separator: " ").map(String.init), author: fields[1], authorDate: milliseconds(authored),
            commitDate: milliseconds(committed))
    }

    /// A date that the log format can hold; a repository may hold any.
    private static func milliseconds(_ seconds: Int64) -> Int64 {
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let range = RFC3339.range
        return overflow ? (seconds < 0 ? range.lowerBound : range.upperBound) : min(max(milliseconds, range.lowerBound), range.upperBound)
    }

    /// How differences are asked for; renames are not guessed at.
    static let differenceOptions = [
        "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=none",
    ]

    /// `:`, the modes before and now, the contents before and now, how it changed; the path comes next.
    static func change(_ header: [UInt8], _ process: GitProcess) throws(TraceImportError) -> Change {
        let words = header.dropFirst().split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 5, let path = try process.next(before: 0) else { throw misunderstood }
        func file(_ index: Int) -> File? {
            words[index] == "000000" ? nil : File(blob: words[index + 2], mode: words[index])
        }
        return Change(path: text(path), before: [file(0)], after: file(1))
    }

    static let misunderstood = TraceImportError(.inputOutput, "git's answer cannot be understood; a version of 2.25 or newer is needed")

    /// A name as text; bytes that are no UTF-8 are written out, so that different names stay different.
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = bytes.span.validText { return text }
        return bytes.reduce(into: "") { text, byte in
            if byte < 0x80 {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\x" + String(byte, radix: 16)
            }
        }
    }
}
