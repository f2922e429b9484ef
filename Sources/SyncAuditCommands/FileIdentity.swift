#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What makes two paths name one regular file.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64

    /// The identity of a regular file; nil where there is none at the path, or where it is a pipe or a device, which may stand for several things.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }

    /// The inputs without those that name a file named before: a line counts once, however many names its file was given by.
    static func removingRepeats(_ inputs: [CommandInput], _ context: CommandContext) -> [CommandInput] {
        var seen: Set<FileIdentity> = []
        return inputs.filter { input in
            guard case .file(let path) = input, let identity = FileIdentity(path), !seen.insert(identity).inserted else { return true }
            context.note("\(path): this file is named more than once and is read once")
            return false
        }
    }
}
