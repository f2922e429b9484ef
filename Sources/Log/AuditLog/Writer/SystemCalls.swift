import SyncModel
import SyncSystem

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
        let count = unsafe systemWrite(descriptor, bytes)
        return count < 0 ? -Int(errno) : count
    }

    /// `ftruncate(2)`.
    package var truncate: @Sendable (Int32, Int64) -> Int = { descriptor, length in
        ftruncate(descriptor, off_t(length)) < 0 ? -Int(errno) : 0
    }

    /// `fdatasync(2)`, or what comes next to it.
    package var synchronize: @Sendable (Int32) -> Int = { descriptor in
        synchronizeData(descriptor) < 0 ? -Int(errno) : 0
    }

    /// The system as it is.
    package init() {}

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
        systemClose(descriptor)
    }

    func status(of descriptor: Int32) throws(Errno) -> FileStatus { try FileStatus(descriptor: descriptor) }

    /// Nil where there is no such file, or nobody may look at it.
    func status(of path: String) -> FileStatus? { try? FileStatus(path: path, followsLink: false) }

    /// Reads a number of bytes at an offset of a file, fewer at its end.
    func read(_ descriptor: Int32, at offset: Int64, count: Int) throws(Errno) -> [UInt8] {
        try readBytes(descriptor, at: offset, count: count)
    }

    func rename(_ old: String, to new: String) throws(Errno) {
        try systemRename(old, to: new)
    }

    func delete(_ path: String) throws(Errno) {
        _ = try check(unsafe unlink(path))
    }

    /// Locks an open file for this descriptor alone; false where another has it.
    func lock(_ descriptor: Int32) throws(Errno) -> Bool { try lockExclusively(descriptor) }

    /// Unlocks a file, also for those who share its descriptor: a process that is just being started has a copy of it until it runs a
    /// program of its own.
    func unlock(_ descriptor: Int32) {
        while flock(descriptor, LOCK_UN) != 0, errno == EINTR {}
    }

    /// Makes a directory and those above it.
    func makeDirectory(_ path: String) throws(Errno) {
        if unsafe mkdir(path, mode_t(0o700)) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else { throw .last }
        try makeDirectory(String(path[..<slash]))
        if unsafe mkdir(path, mode_t(0o700)) != 0, errno != EEXIST { throw .last }
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
        try namesInDirectory(directory)
    }

    /// A path that holds however the app changes its working directory.
    func absolute(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard !path.hasPrefix("/"), let working = workingDirectory() else { return path }
        return working + "/" + path
    }

    private func check(_ result: Int32) throws(Errno) -> Int32 {
        if result < 0 { throw .last }
        return result
    }
}
