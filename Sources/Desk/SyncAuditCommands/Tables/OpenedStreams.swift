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
        try head(of: input) { try .named($0) } ?? .trace
    }

    /// The first lines of an input, of a stream those that have come; all of it can be read afterwards.
    func start(of input: CommandInput) throws -> ArraySlice<UInt8> {
        let isFile = if case .file(let path) = input { !Operands.isStream(path) } else { false }
        let bytes = try head(of: input) { try $0.peek(count: 1 << 20, lines: isFile ? 10_000 : 1) } ?? []
        return bytes[..<(bytes.lastIndex(of: 0x0a).map { $0 + 1 } ?? bytes.endIndex)]
    }

    /// What the first bytes of an input tell; nil where they cannot be had.
    private func head<Result>(of input: CommandInput, _ body: (InputChunks) throws -> Result) throws -> Result? {
        switch input {
        case .file(let path) where !Operands.isStream(path): return try body(InputChunks(path: path))
        case .standardInput where (try? FileStatus(descriptor: standardInput))?.isRegular ?? false:
            let start = lseek(standardInput, 0, SEEK_CUR)
            defer { lseek(standardInput, start, SEEK_SET) }
            return try body(InputChunks(descriptor: standardInput))
        case .standardInput, .file: return try streams.open(input, self).map(body)
        }
    }
}
