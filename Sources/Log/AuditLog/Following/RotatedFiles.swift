import SyncSystem

/// Looks for earlier files of a log beside it.
///
/// A log may be rotated twice between two looks; the file in between is then found here and nowhere else. So is the copy that a copying
/// rotation makes of lines that were not read when it emptied the file.
struct RotatedFiles {
    /// One that was found.
    struct Found {
        let file: ReadableFile
        let path: String
        let fingerprint: Fingerprint
    }

    /// Where they are looked for.
    var directory: String { names.directory.isEmpty ? "." : names.directory }

    private let names: RotatedNames

    /// For the log at a path.
    init(path: String) {
        names = RotatedNames(path: path)
    }

    /// Those that are there and can be read, each once, oldest first.
    ///
    /// - Complexity: O(log *n* + *m*) for *n* names in the directory, which is read where it was not, and *m* that begin like the log's;
    ///   one file opened for each that looks like a part of it.
    func all(_ directories: inout DirectoryNames) -> [Found] {
        var found: [Found] = []
        var identities: Set<FileIdentity> = []
        for name in directories.all(in: directory, beginningWith: names.beginning) where names.matches(name) {
            let path = names.directory + name
            guard let file = try? ReadableFile(path: path), file.isRegular, identities.insert(file.identity).inserted,
                let fingerprint = try? file.fingerprint(), fingerprint.isComplete, !fingerprint.isCompressed
            else { continue }
            found.append(Found(file: file, path: path, fingerprint: fingerprint))
        }
        // Several may have been written in one tick of the file system's clock; our lines begin with their time.
        return found.sorted { left, right in
            left.file.modified == right.file.modified
                ? left.fingerprint.bytes.lexicographicallyPrecedes(right.fingerprint.bytes) : left.file.modified < right.file.modified
        }
    }
}
