import AuditLog
import SyncSystem
import TraceImport

/// The inputs that can be read only once, of which the first bytes may have been looked at.
///
/// Whoever reads an input asks here first: a pipe does not give its first bytes again.
final class OpenedStreams {
    private var streams: [CommandInput: InputChunks] = [:]

    /// A stream whose first bytes have been looked at; nil for every other input.
    subscript(_ input: CommandInput) -> InputChunks? { streams[input] }

    /// A stream, opened where nobody has looked at it; nil for a file that can be read again.
    ///
    /// - Throws: ``AuditLogError`` that names the path.
    func open(_ input: CommandInput, _ context: CommandContext) throws -> InputChunks? {
        if let stream = streams[input] { return stream }
        switch input {
        case .standardInput: streams[input] = InputChunks(descriptor: context.standardInput)
        case .file(let path) where Operands.isStream(path): streams[input] = try InputChunks(path: path)
        case .file: return nil
        }
        return streams[input]
    }
}

extension CommandContext {
    /// What an input is, as its first bytes tell, all of which can be read afterwards.
    ///
    /// - Throws: ``AuditLogError`` and ``ReadingError``, which whoever reads the input throws again.
    func kind(of input: CommandInput) throws -> InputKind {
        switch input {
        case .file(let path) where !Operands.isStream(path): return try .named(InputChunks(path: path))
        case .standardInput where (try? FileStatus(descriptor: standardInput))?.isRegular ?? false:
            let start = lseek(standardInput, 0, SEEK_CUR)
            defer { lseek(standardInput, start, SEEK_SET) }
            return try .named(InputChunks(descriptor: standardInput))
        case .standardInput, .file: return try streams.open(input, self).map { try .named($0) } ?? .trace
        }
    }
}
