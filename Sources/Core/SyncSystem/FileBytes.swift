/// Reads bytes from an offset of an open file on, fewer at its end.
package func readBytes(_ descriptor: Int32, at offset: Int64, count: Int) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = 0
        while filled < count {
            let done = unsafe pread(
                descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, off_t(offset) + off_t(filled))
            if done < 0, errno == EINTR { continue }
            if done < 0 { failure = .last }
            if done <= 0 { break }
            filled += done
        }
    }
    if let failure { throw failure }
    return bytes
}

/// The bytes of a regular file; nil where it is none, or larger than so many bytes.
package func contents(ofFile path: String, atMost size: Int64) throws(Errno) -> [UInt8]? {
    // The flag keeps a pipe by that name from blocking.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .last }
    defer { systemClose(descriptor) }
    let status = try FileStatus(descriptor: descriptor)
    return status.isRegular && status.size <= size ? try readBytes(descriptor, at: 0, count: Int(clamping: status.size)) : nil
}

/// Writes bytes, in as many calls as it takes.
///
/// - Precondition: `SIGPIPE` is ignored, or the process ends where nobody reads the other end of a pipe.
/// - Returns: The error that ended the writing; nil once everything is written.
package func writeBytes(_ bytes: [UInt8], to descriptor: Int32) -> Errno? {
    var written = 0
    while written < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { all in
            let rest = unsafe UnsafeRawBufferPointer(rebasing: all[written...])
            return unsafe systemWrite(descriptor, rest)
        }
        if count >= 0 {
            written += count
            continue
        }
        let error = Errno.last
        switch error.number {
        case EINTR: break
        case EAGAIN, EWOULDBLOCK:
            // Whoever shares the pipe or the terminal has made it non-blocking; a slow reader is no failure.
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            unsafe poll(&ready, 1, -1)
        default: return error
        }
    }
    return nil
}

/// Brings the bytes of a file and its length to the disk; not its times.
///
/// - Returns: 0, or a negative number with the error in `errno`.
package func synchronizeData(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
        // `fsync` hands it to the drive there, which may keep it for a while; file systems that know no more have that alone. Source:
        // fsync(2) of macOS.
        fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
    #else
        fdatasync(descriptor)
    #endif
}

/// Locks an open file for this descriptor alone, until it is closed; false where another has it.
package func lockExclusively(_ descriptor: Int32) throws(Errno) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        if errno == EWOULDBLOCK { return false }
        if errno != EINTR { throw .last }
    }
    return true
}

/// The names in a directory, in no order.
package func namesInDirectory(_ path: String) throws(Errno) -> [String] {
    guard let stream = unsafe opendir(path) else { throw .last }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
        }
        names.append(name)
    }
    return names
}

/// `write(2)`, under a name that hides no method of a caller.
package func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

/// `read(2)`, likewise.
package func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    unsafe read(descriptor, buffer.baseAddress, buffer.count)
}

/// `close(2)`, likewise.
package func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

/// `rename(2)`, likewise.
package func systemRename(_ old: String, to new: String) throws(Errno) {
    guard unsafe rename(old, new) == 0 else { throw .last }
}
