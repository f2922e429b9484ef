package import FileFormats
import SyncBytes
import SyncModel
import SyncSystem

/// The files of a folder, found once and opened on demand.
///
/// Links to directories are never followed, links to files only where they lead to a file of the folder.
package struct ProjectFiles: Sendable {
    /// The name of the folder.
    package let name: String
    /// The paths of all files from the folder, sorted by their UTF-8 bytes.
    package let paths: [String]
    /// What was left out, and why.
    package let notes: [Note]
    /// Folders and bundles that exist and were not searched, such as `Assets.xcassets`.
    private let skipped: Set<String>
    private let indices: [String: Int]
    /// Each file and folder by its path in small letters.
    private let spellings: [String: String]
    private let source: Source

    private enum Source: Sendable {
        case folder(String)
        case memory([String: [UInt8]])
    }

    /// How many files are listed at most.
    package static let maximumFiles = 200_000
    /// How many folders a file may be in, one inside the other.
    package static let maximumDepth = 64
    /// How many bytes of one file are read.
    package static let maximumSize: Int64 = 32 << 20

    /// Walks a folder.
    package init(folder: String) {
        var walk = FolderWalk(folder: folder)
        walk.run()
        let resolved = realPath(folder) ?? folder
        self.init(
            name: RelativePath.name(of: resolved), paths: walk.files, notes: walk.notes, skipped: walk.skipped, source: .folder(folder))
    }

    /// Files that are in memory only, by path.
    package init(name: String, contents: [String: [UInt8]]) {
        self.init(name: name, paths: Array(contents.keys), notes: [], skipped: [], source: .memory(contents))
    }

    private init(name: String, paths: [String], notes: [Note], skipped: Set<String>, source: Source) {
        self.name = name
        self.paths = paths.ordered { $0.utf8Precedes($1) }
        self.notes = notes
        self.skipped = skipped
        self.source = source
        indices = Dictionary(zip(self.paths, self.paths.indices), uniquingKeysWith: { first, _ in first })
        var spellings: [String: String] = [:]
        spellings.reserveCapacity(self.paths.count)
        for path in self.paths + skipped {
            var path = path
            // The folders around a known one are known too.
            while !path.isEmpty, spellings.updateIfMissing(path, forKey: path.lowercased()) { path = RelativePath.folder(of: path) }
        }
        self.spellings = spellings
    }

    /// The path of a file or folder as the disk spells it; the path as it is where there is none.
    ///
    /// A Mac finds a file whose name has other capitals than the path, and one whose letters with marks are composed otherwise: Xcode
    /// writes them decomposed, Git keeps them composed.
    package func spelled(_ path: String) -> String {
        if let index = indices[path] { return paths[index] }
        return paths(under: path).isEmpty && !skipped.contains(path) ? spellings[path.lowercased()] ?? path : path
    }

    /// A path seen from a folder as `RelativePath.joined` gives it, as the disk spells it.
    package func joined(_ folder: String, _ path: String) -> String? { RelativePath.joined(folder, path).map(spelled) }

    /// Whether a file is listed.
    package func contains(_ path: String) -> Bool { indices[path] != nil }

    /// Whether a path is a file, a folder of files, or a folder that was not searched.
    package func exists(_ path: String) -> Bool {
        if contains(path) || skipped.contains(path) || !self.paths(under: path).isEmpty { return true }
        var folder = RelativePath.folder(of: path)
        while !folder.isEmpty, !skipped.contains(folder) { folder = RelativePath.folder(of: folder) }
        return !folder.isEmpty
    }

    /// The files in a folder, subfolders included; all files where the folder is empty.
    ///
    /// - Complexity: O(log *n*) in the number of files.
    package func paths(under folder: String) -> ArraySlice<String> {
        if folder.isEmpty { return paths[...] }
        let start = firstIndex(notBefore: folder + "/")
        // A zero is the byte after the slash.
        let end = firstIndex(notBefore: folder + "0")
        return paths[start..<end]
    }

    private func firstIndex(notBefore path: String) -> Int {
        var (low, high) = (0, paths.count)
        while low < high {
            let middle = (low + high) / 2
            if paths[middle].utf8Precedes(path) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Reads a file of the list.
    ///
    /// - Throws: `FormatError` with the system's own words, or where the file is larger than `maximumSize`.
    package func read(_ path: String) throws(FormatError) -> SourceFile {
        guard let index = indices[path] else {
            let reason = exists(path) ? "is in a folder that is not searched" : "is not in the project's folder"
            throw FormatError(at: 0, "the file \(path.quoted) \(reason)")
        }
        switch source {
        case .memory(let contents): return SourceFile(path: paths[index], bytes: contents[paths[index]] ?? [])
        case .folder(let folder):
            do throws(Errno) {
                guard let bytes = try SyncSystem.contents(ofFile: folder + "/" + paths[index], atMost: Self.maximumSize) else {
                    throw Errno(number: EFBIG)
                }
                return SourceFile(path: paths[index], bytes: bytes)
            } catch {
                let reason = error.number == EFBIG ? "it is no regular file of at most 32 MB" : error.sentence
                throw FormatError(at: 0, "the file \(path.quoted) cannot be read: \(reason)")
            }
        }
    }
}

extension [String: String] {
    /// Whether a key was missing, and now has the value.
    fileprivate mutating func updateIfMissing(_ value: String, forKey key: String) -> Bool {
        guard self[key] == nil else { return false }
        self[key] = value
        return true
    }
}
