import SyncBytes
import SyncSystem

/// A database file that belongs to somebody else, looked at before it is opened as one.
enum DatabaseFile {
    /// What the system says of a file.
    ///
    /// - Parameter remedy: What to name instead of something that is no file.
    /// - Throws: ``TraceImportError`` where there is no regular file.
    static func status(_ path: String, remedy: String) throws(TraceImportError) -> FileStatus {
        let shown = path.escaped(for: .terminal)
        let status: FileStatus
        do throws(Errno) {
            status = try FileStatus(path: path)
        } catch {
            let problem = error.number == ENOENT || error.number == ENOTDIR ? "there is no such file" : error.sentence
            throw TraceImportError(.noInput, "\(shown): \(problem)")
        }
        guard status.isRegular else {
            throw TraceImportError(.noInput, "\(shown): this is \(status.isDirectory ? "a directory" : "no regular file"); \(remedy)")
        }
        return status
    }

    /// What the system says of the files whose names are a path and an ending, nil for those that are not there.
    static func statuses(_ path: String, _ endings: [String]) -> [FileStatus?] { endings.map { try? FileStatus(path: path + $0) } }

    /// The first bytes of a file, as many as there are.
    static func start(of path: String, count: Int) throws(TraceImportError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        do throws(Errno) {
            if descriptor < 0 { throw .last }
            defer { close(descriptor) }
            return try readBytes(descriptor, at: 0, count: count)
        } catch {
            throw TraceImportError(.noInput, "\(path.escaped(for: .terminal)): the file cannot be read: \(error.sentence)")
        }
    }
}
