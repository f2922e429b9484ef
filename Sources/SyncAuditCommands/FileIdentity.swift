#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What makes two paths name one regular file, be it there or yet to be made.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    /// The name in a directory of a file that is not there yet.
    private let name: String?

    /// The identity of a regular file; nil where there is none at the path, or where it is a pipe or a device, which may stand for several things.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(status, name: nil)
    }

    /// The identity of a file that is to be made; nil where something is at the path, or where there is no directory to make it in.
    init?(newFile path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) != 0 else { return nil }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(path[...$0]) } ?? "."
        guard unsafe stat(folder, &status) == 0 else { return nil }
        self.init(status, name: slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path)
    }

    /// The identity of the regular file that an input reads, also where it is standard input that leads to one.
    init?(_ input: CommandInput, _ context: CommandContext) {
        switch input {
        case .file(let path): self.init(path)
        case .standardInput: self.init(descriptor: context.standardInput)
        }
    }

    /// The identity of the regular file that a descriptor leads to.
    init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(status, name: nil)
    }

    private init(_ status: stat, name: String?) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        self.name = name
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
