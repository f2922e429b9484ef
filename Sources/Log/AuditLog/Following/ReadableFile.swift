import SyncSystem

/// What is at a path.
enum FileSighting: Hashable {
    /// Nothing.
    case nothing
    /// A file that can be followed.
    case file(FileIdentity)
    /// Something else, or something that may not be looked at; with a sentence about it.
    case obstacle(String)

    /// Looks.
    init(path: String) {
        do throws(Errno) {
            let status = try FileStatus(path: path)
            if status.isRegular {
                self = .file(status.identity)
            } else if status.isDirectory {
                self = .obstacle("this is a directory, not a file of JSON lines")
            } else {
                self = .obstacle("this is not a regular file and cannot be followed by its name")
            }
        } catch {
            self = FileSighting(error)
        }
    }

    init(_ error: Errno) {
        switch error.number {
        case ENOENT, ENOTDIR: self = .nothing
        case EACCES, EPERM: self = .obstacle("the file may not be read: permission denied")
        default: self = .obstacle("the file cannot be read: \(error.sentence)")
        }
    }
}

/// An open file that is read at any place; closed with the last reference to it.
final class ReadableFile {
    /// Which file it is.
    let identity: FileIdentity
    /// Whether it is a regular file, which alone can be read at any place.
    let isRegular: Bool
    /// When it was last written as it was opened, in nanoseconds since 1970.
    let modified: Int64

    /// The open file.
    private let descriptor: Int32

    /// Opens a file.
    ///
    /// - Throws: The number of the system's error.
    init(path: String) throws(Errno) {
        // A pipe without a writer would hold up the process that opens it.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last }
        do throws(Errno) {
            let status = try FileStatus(descriptor: descriptor)
            (identity, isRegular, modified) = (status.identity, status.isRegular, status.modified)
        } catch {
            systemClose(descriptor)
            throw error
        }
    }

    deinit {
        close(descriptor)
    }

    /// How many bytes it holds now.
    var size: Int64 {
        (try? FileStatus(descriptor: descriptor))?.size ?? 0
    }

    /// Reads a number of bytes from an offset on, fewer at the end.
    ///
    /// - Throws: The number of the system's error.
    func read(at offset: Int64, count: Int) throws(Errno) -> [UInt8] {
        try readBytes(descriptor, at: offset, count: count)
    }

    /// How it begins.
    func fingerprint() throws(Errno) -> Fingerprint {
        Fingerprint(try read(at: 0, count: Fingerprint.length))
    }
}
