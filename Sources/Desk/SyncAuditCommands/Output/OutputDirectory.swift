import SyncBytes
import SyncSystem

/// Makes directories that output goes to.
enum OutputDirectory {
    /// Makes a directory; takes one that is there and empty.
    ///
    /// - Throws: ``CommandError`` where it cannot be made, or something is in it.
    static func create(_ path: String) throws(CommandError) {
        if unsafe mkdir(path, 0o777) == 0 { return }
        let error = Errno.last
        guard error.number == EEXIST else {
            let problem = error.number == ENOENT ? "the directory that it is to be in does not exist" : error.sentence
            throw CommandError(.inputOutput, "the directory \(path.quoted) cannot be made: \(problem)")
        }
        do throws(Errno) {
            // "." and ".." are always there.
            if try namesInDirectory(path).count <= 2 { return }
        } catch {
            throw CommandError(.inputOutput, "\(path.quoted) is there and cannot be read as a directory: \(error.sentence)")
        }
        throw CommandError(.inputOutput, "the directory \(path.quoted) is not empty; name another, or remove what is in it")
    }
}
