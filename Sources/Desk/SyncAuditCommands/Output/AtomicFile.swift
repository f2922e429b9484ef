import AuditLog
import SyncBytes
import SyncModel
import SyncSystem

/// Writes a file so that under its name there is either what was there before or all of the new content.
///
/// The content goes to a temporary file in the same directory, is synchronized to the disk, and takes the name at the end. When anything
/// fails, or `SIGINT`, `SIGTERM` or `SIGHUP` ends the process, the temporary file is removed. A file that is replaced passes its owner,
/// group and mode on; a new one gets 0666 less the umask, as the shell's `>` would give it. On Linux the temporary file has no name until
/// then, so that `kill -9` leaves none either. A symbolic link stays, and what it points to is replaced. What is no regular file, such as a
/// FIFO, `/dev/null` or `/dev/stdout`, is written directly.
package enum AtomicFile {
    /// Writes a file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - body: Writes the content.
    /// - Throws: ``CommandError`` and what `body` throws; then nothing has changed.
    package static func write<Result>(to path: String, _ body: (any ByteSink) throws -> Result) throws -> Result {
        if let descriptor = try directDescriptor(path) {
            defer { close(descriptor) }
            return try fill(descriptor, path, body)
        }
        let target = try followingLinks(path)
        var temporary = try Temporary(besides: target, replacing: try replacedFile(target, path), path)
        do {
            let result = try fill(temporary.descriptor, path, isNew: true, body)
            try temporary.takeName(target, path)
            return result
        } catch {
            temporary.discard()
            throw error
        }
    }

    private static func fill<Result>(
        _ descriptor: Int32, _ path: String, isNew: Bool = false, _ body: (any ByteSink) throws -> Result
    ) throws -> Result {
        let writer = DescriptorWriter(descriptor: descriptor, name: path.quoted, canBeTakenBack: isNew)
        let result = try body(writer)
        try writer.flush()
        return result
    }

    /// Opens what is written directly; nil for a regular file and for what is not there yet.
    private static func directDescriptor(_ path: String) throws(CommandError) -> Int32? {
        // These names stand for descriptors that are open already. Behind them may be a regular file, which must not be replaced by
        // another.
        if let number = descriptorNumber(path) {
            let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { throw failed(path, .last) }
            return copy
        }
        guard let status = try status(of: path, path) else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return nil
        case S_IFDIR: throw failed(path, Errno(number: EISDIR))
        default:
            let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw failed(path, .last) }
            return descriptor
        }
    }

    private static func descriptorNumber(_ path: String) -> Int32? {
        if path == "/dev/stdout" { return STDOUT_FILENO }
        if path == "/dev/stderr" { return STDERR_FILENO }
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) { return Int32(path.dropFirst(folder.count)) }
        return nil
    }

    /// The path at the end of a chain of symbolic links; it need not exist.
    private static func followingLinks(_ path: String) throws(CommandError) -> String {
        var target = path
        // As many as Linux follows.
        for _ in 0..<40 {
            guard let next = link(at: target) else { return target }
            target = next.hasPrefix("/") ? next : folder(of: target) + next
        }
        throw failed(path, Errno(number: ELOOP))
    }

    private static func link(at path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    /// Everything up to and including the last slash.
    private static func folder(of path: String) -> String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
    }

    /// The file that is to be replaced.
    ///
    /// Replacing needs no right to write the file, so that right is asked for here.
    private static func replacedFile(_ target: String, _ path: String) throws(CommandError) -> stat? {
        guard let status = try status(of: target, path) else { return nil }
        if unsafe access(target, W_OK) != 0 { throw failed(path, .last) }
        return status
    }

    private static func status(of target: String, _ path: String) throws(CommandError) -> stat? {
        var status = stat()
        if unsafe stat(target, &status) == 0 { return status }
        let error = Errno.last
        if error.number == ENOENT { return nil }
        throw failed(path, error)
    }

    private static func failed(_ path: String, _ error: Errno) -> CommandError {
        let problem =
            switch error.number {
            case ENOENT: "its directory does not exist; create it first"
            case EISDIR: "it is a directory; name a file"
            case ENOTDIR: "what stands before its last slash is not a directory"
            case EACCES, EPERM: "permission denied; choose a place that may be written"
            default: error.sentence
            }
        return CommandError(.inputOutput, "\(path.quoted) cannot be written: \(problem)")
    }
}

extension AtomicFile {
    /// The file that is written before it has its name.
    private struct Temporary {
        let descriptor: Int32
        private let folder: String
        /// The name that it has, and the entry by which it is removed; nil while it has none.
        private var named: (name: String, entry: PendingFiles.Entry)?

        init(besides target: String, replacing file: stat?, _ path: String) throws(CommandError) {
            if target.isEmpty { throw CommandError(.inputOutput, "the name of the file to write is empty") }
            if target.hasSuffix("/") { throw AtomicFile.failed(path, Errno(number: EISDIR)) }
            folder = AtomicFile.folder(of: target)
            // What a file that is replaced keeps from others stays from them while it is written.
            let mode = file.map { $0.st_mode & 0o666 } ?? 0o666
            var descriptor = Self.openWithoutName(in: folder, mode)
            if descriptor < 0 {
                named = try Self.make(in: folder, path) { name in
                    descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
                    return descriptor >= 0
                }
            }
            self.descriptor = descriptor
            if let file { try take(over: file, path) }
        }

        /// Opens a file that goes with its descriptor; a negative number where the system or its file system has none that can take a name
        /// later.
        private static func openWithoutName(in folder: String, _ mode: mode_t) -> Int32 {
            #if os(Linux)
                // `O_TMPFILE`, which is no simple macro. Source: open(2) of Linux.
                let descriptor = unsafe open(folder.isEmpty ? "." : folder, O_WRONLY | O_CLOEXEC | O_DIRECTORY | 0o20000000, mode)
                guard descriptor >= 0, unsafe access("/proc/self/fd/\(descriptor)", F_OK) != 0 else { return descriptor }
                close(descriptor)
            #endif
            return -1
        }

        /// Finds a name that nothing has and gives it to a file.
        private static func make(
            in folder: String, _ path: String, _ create: (String) -> Bool
        ) throws(CommandError) -> (name: String, entry: PendingFiles.Entry) {
            while true {
                // Not made from the file's own name, which may be as long as a name can be.
                let name = folder + ".syncaudit-\(getpid())-" + String(UInt32.random(in: .min ... .max), radix: 16)
                var error = Errno(number: 0)
                let entry = PendingFiles.add(name) {
                    let isMade = create(name)
                    error = .last
                    return isMade
                }
                if let entry { return (name, entry) }
                if error.number != EEXIST && error.number != EINTR { throw AtomicFile.failed(path, error) }
            }
        }

        /// Gives the file the owner, group and mode of the one that it replaces.
        private func take(over file: stat, _ path: String) throws(CommandError) {
            var own = stat()
            if unsafe fstat(descriptor, &own) != 0 || (own.st_uid, own.st_gid) != (file.st_uid, file.st_gid),
                fchown(descriptor, file.st_uid, file.st_gid) != 0
            {
                let error = Errno.last
                discard()
                throw CommandError(
                    .inputOutput,
                    "\(path.quoted) cannot be replaced and keep its owner and group (\(error.sentence)); remove it first, or name another file"
                )
            }
            // After the owner: a change of it takes bits of the mode away.
            fchmod(descriptor, file.st_mode & 0o7777)
        }

        mutating func takeName(_ target: String, _ path: String) throws(CommandError) {
            guard fsync(descriptor) == 0 else { throw AtomicFile.failed(path, .last) }
            if named == nil {
                named = try Self.make(in: folder, path) { [descriptor] name in
                    unsafe linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0
                }
            }
            guard let named, unsafe rename(named.name, target) == 0 else { throw AtomicFile.failed(path, .last) }
            PendingFiles.remove(named.entry)
            close(descriptor)
        }

        func discard() {
            if let named {
                unsafe unlink(named.name)
                PendingFiles.remove(named.entry)
            }
            close(descriptor)
        }
    }
}
