import SyncSystem

/// What makes two paths name one regular file, be it there or yet to be made.
struct OperandIdentity: Hashable {
    private let file: FileIdentity
    /// The name in a directory of a file that is not there yet.
    private let name: String?

    /// The identity of a regular file; nil where there is none at the path, or where it is a pipe or a device, which may stand for several
    /// things.
    init?(_ path: String) {
        self.init(try? FileStatus(path: path))
    }

    /// The identity of a file that is to be made; nil where something is at the path, or where there is no directory to make it in.
    init?(newFile path: String) {
        if (try? FileStatus(path: path, followsLink: false)) != nil { return nil }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        guard let folder = try? FileStatus(path: slash.map { String(path[...$0]) } ?? ".") else { return nil }
        file = folder.identity
        name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
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
        self.init(try? FileStatus(descriptor: descriptor))
    }

    private init?(_ status: FileStatus?) {
        guard let status, status.isRegular else { return nil }
        file = status.identity
        name = nil
    }

    /// The inputs without those that name a file named before: a line counts once, however many names its file was given by.
    static func removingRepeats(_ inputs: [CommandInput], _ context: CommandContext) -> [CommandInput] {
        var seen: Set<OperandIdentity> = []
        return inputs.filter { input in
            guard case .file(let path) = input, let identity = OperandIdentity(path), !seen.insert(identity).inserted else { return true }
            context.note("\(path): this file is named more than once and is read once")
            return false
        }
    }
}
