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

    /// How a database of SQLite begins, and how long its header is.
    ///
    /// Of a file that is shorter SQLite removes the log, even where it opens the file to read it. Source: sqlite.org/fileformat2.html.
    static let magic = Array("SQLite format 3\0".utf8)
    static let headerLength = 100

    /// The header of a database; nil where the file is none.
    static func header(of path: String) throws(TraceImportError) -> [UInt8]? {
        let header = try start(of: path, count: headerLength)
        return header.count == headerLength && header.starts(with: magic) ? header : nil
    }

    /// Whether there is a log to be read beside a database.
    ///
    /// - Parameter noun: What the database is called.
    /// - Throws: ``TraceImportError`` where something else has the name of the log.
    static func hasLog(_ path: String, noun: String) throws(TraceImportError) -> Bool {
        guard let log = try? FileStatus(path: path + "-wal") else { return false }
        guard log.isRegular else {
            throw TraceImportError(
                .badData, "\((path + "-wal").escaped(for: .terminal)): the log beside the \(noun) is no regular file")
        }
        return log.size > 0
    }

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
