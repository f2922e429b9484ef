/// What the system says of a file.
package struct FileStatus: Equatable, Sendable {
    /// The file, whatever its name is.
    package let identity: FileIdentity
    /// How many bytes it holds.
    package let size: Int64
    /// When it was last written, in nanoseconds since 1970.
    package let modified: Int64
    /// The user whom it belongs to.
    package let owner: uid_t
    private let mode: mode_t

    /// Whether it is a regular file.
    package var isRegular: Bool { mode & S_IFMT == S_IFREG }
    /// Whether it is a directory.
    package var isDirectory: Bool { mode & S_IFMT == S_IFDIR }

    /// Looks at an open file.
    package init(descriptor: Int32) throws(Errno) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
        self.init(status)
    }

    /// Looks at the file at a path.
    ///
    /// - Parameter followsLink: Whether a link stands for the file that it leads to.
    package init(path: String, followsLink: Bool = true) throws(Errno) {
        var status = stat()
        guard unsafe (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 else { throw .last }
        self.init(status)
    }

    private init(_ status: stat) {
        identity = FileIdentity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
        size = Int64(status.st_size)
        owner = status.st_uid
        mode = status.st_mode
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// The numbers by which the system knows a file whatever its name is; used again once the file is gone and closed.
package struct FileIdentity: Hashable, Sendable {
    /// The file system.
    package let device: UInt64
    /// The file's number in it.
    package let number: UInt64

    package init(device: UInt64, number: UInt64) {
        self.device = device
        self.number = number
    }
}
