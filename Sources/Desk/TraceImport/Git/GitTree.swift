import SyncBytes

/// The files of a folder as they were in a commit.
package enum GitTree {
    /// The most bytes that are read.
    private static let largestSize = 512 << 20

    /// Reads files of a repository's folder.
    ///
    /// - Parameters:
    ///   - folder: A folder of a work tree.
    ///   - reference: A commit, branch or tag.
    ///   - isWanted: Which files are read, by their paths from the folder.
    /// - Returns: The contents by path from the folder; links and submodules are left out.
    package static func contents(
        of folder: String, at reference: String, where isWanted: (String) -> Bool
    ) throws(TraceImportError) -> [String: [UInt8]] {
        let (status, tree, complaint) = try GitProcess.run(
            folder, ["rev-parse", "--verify", "--quiet", "--end-of-options", reference + "^{tree}"])
        guard status == 0, tree.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x66 }), !tree.isEmpty else {
            let reason = complaint.isEmpty ? "name a commit, a branch or a tag of the repository around \(folder.quoted)" : complaint
            throw TraceImportError(.noInput, "git knows no commit \(reference.quoted): \(reason)")
        }
        // Of the folder alone, and by names from it.
        let (prefixStatus, prefix, _) = try GitProcess.run(folder, ["rev-parse", "--show-prefix"])
        guard prefixStatus == 0 else { throw TraceImportError(.noInput, "\(folder.quoted) is in no git repository") }
        let listing = try GitProcess(folder, ["ls-tree", "-r", "-z", "--full-tree", tree] + (prefix.isEmpty ? [] : ["--", prefix]))
        var blobs: [(path: String, blob: String)] = []
        while let entry = try listing.next(before: 0) {
            guard let tab = entry.firstIndex(of: 0x09) else { continue }
            let words = entry[..<tab].split(separator: UInt8(ascii: " "))
            let path = String(decoding: entry[(tab + 1)...], as: UTF8.self)
            guard words.count == 3, words[0].starts(with: "100".utf8), path.hasPrefix(prefix) else { continue }
            let name = String(path.dropFirst(prefix.count))
            if isWanted(name) { blobs.append((name, String(decoding: words[2], as: UTF8.self))) }
        }
        try listing.finish()
        let reader = GitBlobs(repository: folder)
        var contents: [String: [UInt8]] = [:]
        // One content under many names is kept once.
        var known: [String: [UInt8]] = [:]
        var size = 0
        for (path, blob) in blobs {
            if known[blob] == nil, let content = try reader.content(of: blob) {
                known[blob] = Array(content)
                size += content.count
                guard size <= largestSize else {
                    throw TraceImportError(.badData, "\(reference.quoted) holds more than \(largestSize) bytes of files that are compared")
                }
            }
            contents[path] = known[blob]
        }
        return contents
    }
}
