import SyncModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Errno {
    /// A signal came before anything was done.
    static let interrupted = EINTR
    /// The device failed.
    static let inputOutput = EIO
}

/// The system calls that take part in writing a log, each with its error thrown.
///
/// Those that a test wants to see fail are closures; they give what the call gives, or the negative number of its error.
@safe
package struct SystemCalls: Sendable {
    /// `write(2)`.
    package var write: @Sendable (Int32, UnsafeRawBufferPointer) -> Int = { descriptor, bytes in
        #if canImport(Darwin)
            let count = unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            let count = unsafe Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            let count = unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
        return count < 0 ? -Int(errno) : count
    }

    /// `ftruncate(2)`.
    package var truncate: @Sendable (Int32, Int64) -> Int = { descriptor, length in
        ftruncate(descriptor, off_t(length)) < 0 ? -Int(errno) : 0
    }

    /// `fdatasync(2)`, or `fsync(2)` where there is none.
    package var synchronize: @Sendable (Int32) -> Int = { descriptor in
        #if canImport(Darwin)
            let result = fsync(descriptor)
        #else
            // The length of the file belongs to its data; what is left out is its time.
            let result = fdatasync(descriptor)
        #endif
        return result < 0 ? -Int(errno) : 0
    }

    /// The system as it is.
    package init() {}

    /// Which file a path or a descriptor leads to.
    struct Status: Equatable {
        let device: UInt64
        let number: UInt64
        let size: Int64
        let isRegular: Bool
        let modified: Int64

        fileprivate init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(truncatingIfNeeded: status.st_ino)
            size = Int64(status.st_size)
            isRegular = status.st_mode & S_IFMT == S_IFREG
            #if canImport(Darwin)
                modified = Int64(status.st_mtimespec.tv_sec) * 1000
            #else
                modified = Int64(status.st_mtim.tv_sec) * 1000
            #endif
        }

        func isSameFile(as other: Status) -> Bool { device == other.device && number == other.number }
    }

    /// Opens a file for reading and appending, made with mode 0600 where it is missing.
    ///
    /// Never follows a link, never waits for a pipe.
    func openForAppending(_ path: String) throws(Errno) -> Int32 {
        try check(unsafe open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode_t(0o600)))
    }

    /// Opens a file for reading and for writing at any place, made with mode 0600 where it is missing.
    ///
    /// Never follows a link, never waits for a pipe.
    func openForUpdating(_ path: String) throws(Errno) -> Int32 {
        try check(unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode_t(0o600)))
    }

    /// Writes bytes at a place in a file that was opened for updating.
    ///
    /// - Returns: Whether all of them were written.
    func overwrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        unsafe pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) == bytes.count
    }

    func close(_ descriptor: Int32) {
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Glibc.close(descriptor)
        #endif
    }

    func status(of descriptor: Int32) throws(Errno) -> Status {
        var status = stat()
        _ = try check(unsafe fstat(descriptor, &status))
        return Status(status)
    }

    /// Nil where there is no such file.
    func status(of path: String) throws(Errno) -> Status? {
        var status = stat()
        if unsafe lstat(path, &status) == 0 { return Status(status) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw Errno(number: errno)
    }

    /// Reads so many bytes from a place in a file, fewer at its end.
    func read(_ descriptor: Int32, at offset: Int64, count: Int) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let result = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(descriptor, $0.baseAddress.map { unsafe $0 + done }, count - done, off_t(offset) + off_t(done))
            }
            if result < 0, errno == EINTR { continue }
            if result < 0 { throw Errno(number: errno) }
            if result == 0 { break }
            done += result
        }
        bytes.removeSubrange(done...)
        return bytes
    }

    func rename(_ old: String, to new: String) throws(Errno) {
        #if canImport(Darwin)
            _ = try check(unsafe Darwin.rename(old, new))
        #elseif canImport(Musl)
            _ = try check(unsafe Musl.rename(old, new))
        #else
            _ = try check(unsafe Glibc.rename(old, new))
        #endif
    }

    func delete(_ path: String) throws(Errno) {
        _ = try check(unsafe unlink(path))
    }

    /// Locks an open file for this descriptor alone; false where another has it.
    func lock(_ descriptor: Int32) throws(Errno) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw Errno(number: errno) }
        }
        return true
    }

    /// Makes a directory and those above it.
    func makeDirectory(_ path: String) throws(Errno) {
        if unsafe mkdir(path, mode_t(0o700)) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { throw Errno(number: errno) }
        try makeDirectory(String(path[..<slash]))
        if unsafe mkdir(path, mode_t(0o700)) != 0, errno != EEXIST { throw Errno(number: errno) }
    }

    /// Forces a directory's names onto the disk.
    ///
    /// A file system that cannot do so for directories is left alone.
    func synchronizeDirectory(_ path: String) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    /// The names in a directory, in no order.
    func names(in directory: String) throws(Errno) -> [String] {
        guard let stream = unsafe opendir(directory) else { throw Errno(number: errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            unsafe names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    unsafe name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                        unsafe String(cString: $0)
                    }
                })
        }
        return names
    }

    /// A path that holds however the app changes its working directory.
    func absolute(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard !path.hasPrefix("/"), let working = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(working) }
        return unsafe String(cString: working) + "/" + path
    }

    private func check(_ result: Int32) throws(Errno) -> Int32 {
        if result < 0 { throw Errno(number: errno) }
        return result
    }
}
