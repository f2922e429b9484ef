#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The numbers by which the system knows a file whatever its name is; used again once the file is gone and closed.
struct FileNumber: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// From what the system says about a file.
    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// From numbers.
    init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }
}

/// What stands at a path.
enum FileSighting: Hashable {
    /// Nothing.
    case nothing
    /// A file that can be followed.
    case file(FileNumber)
    /// Something else, or something that may not be looked at; with a sentence about it.
    case obstacle(String)

    /// Looks.
    init(path: String) {
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            self = FileSighting(status)
        } else {
            self = FileSighting(Errno(number: errno))
        }
    }

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file(FileNumber(status))
        case S_IFDIR: self = .obstacle("this is a directory, not a file of JSON lines")
        default: self = .obstacle("this is not a regular file and cannot be followed by its name")
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
    let number: FileNumber
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
        // A pipe without a writer would hold up whoever opens it.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Errno(number: errno) }
        var status = stat()
        unsafe fstat(descriptor, &status)
        number = FileNumber(status)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    deinit {
        close(descriptor)
    }

    /// How many bytes it holds now.
    var size: Int64 {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Reads so many bytes from a place on, fewer at the end.
    ///
    /// - Throws: The number of the system's error.
    func read(at offset: Int64, count: Int) throws(Errno) -> [UInt8] {
        var failure: Errno?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let done = unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, off_t(offset) + off_t(filled))
                if done < 0, errno == EINTR { continue }
                if done < 0 { failure = Errno(number: errno) }
                if done <= 0 { break }
                filled += done
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// How it begins.
    func fingerprint() throws(Errno) -> Fingerprint {
        Fingerprint(try read(at: 0, count: Fingerprint.length))
    }
}
