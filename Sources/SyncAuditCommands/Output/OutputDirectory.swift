import SyncModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Makes directories that output goes to.
enum OutputDirectory {
    /// Makes a directory; takes one that is there and empty.
    ///
    /// - Throws: ``CommandError`` where it cannot be made, or something is in it.
    static func create(_ path: String) throws(CommandError) {
        if unsafe mkdir(path, 0o777) == 0 { return }
        let error = SystemError.last
        guard error.number == EEXIST else {
            let problem = error.number == ENOENT ? "the directory that it is to be in does not exist" : error.sentence
            throw CommandError(.inputOutput, "the directory \(path.quoted) cannot be made: \(problem)")
        }
        guard let directory = unsafe opendir(path) else {
            throw CommandError(.inputOutput, "\(path.quoted) is there and cannot be read as a directory: \(SystemError.last.sentence)")
        }
        defer { unsafe closedir(directory) }
        // "." and ".." are always there.
        for _ in 0..<3 where unsafe readdir(directory) == nil { return }
        throw CommandError(.inputOutput, "the directory \(path.quoted) is not empty; name another, or remove what is in it")
    }
}
