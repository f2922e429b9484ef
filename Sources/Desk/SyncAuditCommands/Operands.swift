import AuditLog
import SyncBytes
import SyncSystem

/// Where lines are read from.
package enum CommandInput: Hashable, Sendable {
    /// The descriptor in the context.
    case standardInput
    /// A file by its path.
    case file(String)

    /// Whether both are read from one path, byte for byte: to Swift, names that differ by their Unicode form are equal.
    package static func == (one: CommandInput, other: CommandInput) -> Bool {
        switch (one, other) {
        case (.standardInput, .standardInput): true
        case (.file(let one), .file(let other)): one.utf8.elementsEqual(other.utf8)
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .standardInput: hasher.combine(false)
        case .file(let path): hasher.combine(Array(path.utf8))
        }
    }
}

extension [CommandInput] {
    /// Whether all of them are files that can be read from the start once more.
    var canBeReadAgain: Bool { allSatisfy { if case .file(let path) = $0 { !Operands.isStream(path) } else { false } } }
}

extension ParsedArguments {
    /// The inputs that the operands name, in their order; without operands standard input.
    ///
    /// A path that exists is itself, and a directory means its `*.jsonl` and `*.jsonl.gz` files by name. A path that does not exist but
    /// contains `*`, `?` or `[` is a pattern, for shells that leave it alone and for command lines too long for one.
    ///
    /// - Parameter allowsMissing: Whether a path at which there is nothing means the file that may come to be there.
    /// - Throws: ``UsageError`` where a person would have to type the input, ``CommandError`` where there is none.
    package func inputs(_ context: CommandContext, allowsMissing: Bool = false) throws -> [CommandInput] {
        if operands.isEmpty {
            if context.terminals.input {
                throw UsageError("there is nothing to read: name files, or '-' to read from the terminal", verb: verb.name)
            }
            return [.standardInput]
        }
        if operands.count(where: { $0 == "-" }) > 1 {
            throw UsageError("'-' is given more than once, but standard input can be read only once", verb: verb.name)
        }
        var inputs: [CommandInput] = []
        for operand in operands {
            if operand == "-" {
                inputs.append(.standardInput)
            } else {
                inputs += try Operands.files(operand, allowsMissing: allowsMissing).map(CommandInput.file)
            }
        }
        return OperandIdentity.removingRepeats(inputs, context)
    }

    /// The operands as another command line names them; nil where standard input is among them, which is gone.
    var inputWords: String? {
        operands.isEmpty || operands.contains("-") ? nil : operands.map(\.shellOperand).joined(separator: " ")
    }

    /// Makes sure that no output replaces an input or another output, or is read as it is written.
    ///
    /// - Throws: ``UsageError`` that names the file.
    package func checkOutputs(_ names: [String], against inputs: [CommandInput], _ context: CommandContext) throws(UsageError) {
        var taken: [OperandIdentity: String] = [:]
        for input in inputs {
            if let identity = OperandIdentity(input, context) { taken[identity] = "is one of the inputs, which it would replace" }
        }
        // What the shell appends to an input would be read as part of it.
        let usesStandardOutput = !names.contains("output") || text("output") ?? "-" == "-"
        if usesStandardOutput, let identity = OperandIdentity(descriptor: context.outputDescriptor), taken[identity] != nil {
            throw UsageError("standard output is one of the inputs; write to another file", verb: verb.name)
        }
        var paths: [[UInt8]: String] = [:]
        for name in names {
            guard let path = text(name), path != "-" else { continue }
            if let other = paths.updateValue(name, forKey: Array(path.utf8)) {
                throw UsageError("--\(name): \(path.quoted) is the file of --\(other) already; name another file", verb: verb.name)
            }
            guard let identity = OperandIdentity(path) ?? OperandIdentity(newFile: path) else { continue }
            if let use = taken.updateValue("is the file of --\(name) already", forKey: identity) {
                throw UsageError("--\(name): \(path.quoted) \(use); name another file", verb: verb.name)
            }
        }
    }
}

/// Expands an operand.
enum Operands {
    /// The files that an operand means; at least one, unless it is a directory that may be empty yet.
    static func files(_ operand: String, allowsMissing: Bool = false) throws(CommandError) -> [String] {
        do throws(Errno) {
            if try !FileStatus(path: operand).isDirectory { return [operand] }
        } catch {
            switch error.number {
            case ENOENT where operand.utf8.contains { "*?[".utf8.contains($0) }:
                var result: [String] = []
                for match in try matches(operand) { result += try files(matching: match) }
                return result
            case ENOENT where allowsMissing && !isMisread(operand): return [operand]
            case ENOENT, ENOTDIR: throw missing(operand, "there is no such file or directory")
            default: throw CommandError(.noInput, "\(operand.escaped(for: .terminal)): cannot be read: \(error.sentence)")
            }
        }
        return try files(inDirectory: operand, allowsNone: allowsMissing)
    }

    /// What a pattern found is a name, never a pattern again: a link to nothing may be called `a*` and would be found for ever.
    private static func files(matching path: String) throws(CommandError) -> [String] {
        do throws(Errno) {
            if try !FileStatus(path: path).isDirectory { return [path] }
        } catch {
            if error.number == ENOENT { throw missing(path, "cannot be read: it is a link to nothing") }
            throw CommandError(.noInput, "\(path.escaped(for: .terminal)): cannot be read: \(error.sentence)")
        }
        return try files(inDirectory: path)
    }

    private static func matches(_ pattern: String) throws(CommandError) -> [String] {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        // Sorted by name, as the shell does.
        let code = unsafe glob(pattern, 0, nil, &found)
        if code == GLOB_NOMATCH { throw CommandError(.noInput, "\(pattern.escaped(for: .terminal)): no file matches the pattern") }
        guard code == 0, let paths = unsafe found.gl_pathv else {
            throw CommandError(.noInput, "\(pattern.escaped(for: .terminal)): the pattern cannot be expanded")
        }
        var result: [String] = []
        for index in 0..<Int(unsafe found.gl_pathc) {
            if let path = unsafe paths[index] { result.append(unsafe String(cString: path)) }
        }
        return result
    }

    private static func files(inDirectory path: String, allowsNone: Bool = false) throws(CommandError) -> [String] {
        let names: [String]
        do throws(Errno) {
            names = try namesInDirectory(path)
        } catch {
            throw CommandError(.noInput, "\(path.escaped(for: .terminal)): the directory cannot be read: \(error.sentence)")
        }
        let prefix = path.hasSuffix("/") ? path : path + "/"
        let files = names.filter { (isLog($0) || isLog($0, suffix: ".jsonl.gz")) && !isDirectory(prefix + $0) }.map { prefix + $0 }
        if files.isEmpty, !allowsNone {
            throw CommandError(.noInput, "\(path.escaped(for: .terminal)): the directory holds no .jsonl and no .jsonl.gz file")
        }
        for path in files where isMisread(path) { throw missing(path, "") }
        // While a file is being compressed it is there twice, and only the plain one is whole. Names are bytes.
        let plain = Set(files.filter { !$0.hasSuffix(".gz") }.map { Array($0.utf8) })
        return files.filter { !($0.hasSuffix(".gz") && plain.contains(Array($0.utf8.dropLast(3)))) }.ordered { $0.utf8Precedes($1) }
    }

    /// Whether a path has characters that stand for bytes of another encoding, so that it leads nowhere.
    private static func isMisread(_ path: String) -> Bool {
        path.unicodeScalars.contains("\u{fffd}") && (try? FileStatus(path: path, followsLink: false)) == nil
    }

    /// The error for a path at which there is nothing, or whose name this command cannot hold.
    private static func missing(_ path: String, _ problem: String) -> CommandError {
        let misread =
            "its name is no UTF-8, or there is no such file; only files whose names are UTF-8 can be read: rename it, or read it from "
            + "standard input"
        return CommandError(.noInput, "\(path.escaped(for: .terminal)): \(isMisread(path) ? misread : problem)")
    }

    /// Whether an operand is the folder of a git repository, and holds no logs.
    static func isRepository(_ operand: String) -> Bool {
        guard isDirectory(operand), (try? FileStatus(path: operand + "/.git")) != nil else { return false }
        return ((try? files(inDirectory: operand, allowsNone: true)) ?? []).isEmpty
    }

    /// Whether the file at a path can be read only from front to back.
    static func isStream(_ path: String) -> Bool {
        (try? FileStatus(path: path)).map { !$0.isRegular && !$0.isDirectory } ?? false
    }

    /// Whether a directory means a file of a name, among others.
    ///
    /// Hidden files are passed over, as a pattern would; they may be unfinished ones of this command.
    static func isLog(_ name: String, suffix: String = ".jsonl") -> Bool { name.hasSuffix(suffix) && !name.hasPrefix(".") }

    static func isDirectory(_ path: String) -> Bool {
        (try? FileStatus(path: path))?.isDirectory ?? false
    }
}
