import SyncBytes
import SyncSystem

/// A temporary file that has no name and goes with its descriptor.
enum ScratchFile {
    /// Makes a file in `TMPDIR`, or in `/tmp`, and returns its descriptor.
    ///
    /// - Parameter purpose: What needs the file: the beginning of the sentence where none can be made.
    static func make(for purpose: String, _ context: CommandContext) throws(CommandError) -> Int32 {
        try make(for: purpose, in: folder(context))
    }

    /// The same in a directory.
    static func make(for purpose: String, in folder: String) throws(CommandError) -> Int32 {
        var template = Array((folder + "/syncaudit-" + String(repeating: "X", count: 6)).utf8CString)
        let descriptor = unsafe template.withUnsafeMutableBufferPointer { pointer in
            guard let base = pointer.baseAddress else { return Int32(-1) }
            let descriptor = unsafe mkstemp(base)
            if descriptor >= 0 { unsafe unlink(base) }
            return descriptor
        }
        guard descriptor >= 0 else {
            let error = Errno.last
            let remedy =
                error.number == EMFILE ? "; let the process have more, as by 'ulimit -n 1024', or let --memory be more" : ""
            throw CommandError(
                .inputOutput, "\(purpose), and no temporary file can be made in \(folder.quoted): \(error.sentence)\(remedy)")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// Where temporary files are made.
    static func folder(_ context: CommandContext) -> String {
        context.environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }
}
