import AuditAnalysis
import AuditLog
import AuditReport
import SyncBytes
import SyncModel

extension CommandInput {
    /// The input's lines, read from front to back.
    ///
    /// - Parameter waits: Whether opening and reading a pipe wait for its writer.
    func lines(waits: Bool, _ context: CommandContext) throws(AuditLogError) -> StreamedLines {
        switch self {
        case .standardInput: StreamedLines(descriptor: context.standardInput, name: name)
        case .file(let path): try StreamedLines(path: path, waits: waits)
        }
    }

    /// The path of a file whose lines can be followed one by one; nil for what can only be read to its end.
    var followedPath: String? {
        guard case .file(let path) = self, !Operands.isStream(path), !StreamedLines.isCompressed(path), !StreamedLines.isPrintedLog(path)
        else { return nil }
        return path
    }

    /// Reads the input's lines to the last.
    func readLines(_ context: CommandContext, _ body: (InputLine) throws -> Void) throws {
        var stream = try lines(waits: true, context)
        while let lines = try stream.read() {
            for line in lines { try body(line) }
        }
    }

    /// The input's name in messages, harmless to a terminal.
    var name: String {
        switch self {
        case .standardInput: "standard input"
        case .file(let path): path.escaped(for: .terminal)
        }
    }
}

extension AuditLogReader.Counts {
    /// Whether there was anything to read, and any of it could be understood: of nothing it would be said that nothing was lost.
    ///
    /// - Parameter inputs: What was read; of an empty pipe it says that an audit has found nothing.
    func check(_ inputs: [CommandInput]) throws(CommandError) {
        if lines == 0, let file = inputs.first, !inputs.contains(.standardInput) { throw CommandError(nothingIn: file) }
        if lines > 0, skipped == lines { throw CommandError(noneUnderstoodOf: inputs, firstProblem: firstProblem) }
    }

    /// Says what was passed over, where anything was.
    func note(_ context: CommandContext) {
        if skipped > 0, let firstProblem {
            context.note("\(HumanNumber.count(skipped, "line")) passed over that could not be understood, the first at \(firstProblem)")
        }
        if unknownEvents > 0 {
            context.note("\(HumanNumber.count(unknownEvents, "line")) passed over whose event this version does not know")
        }
        if undated > 0 {
            context.note(
                "\(HumanNumber.count(undated, "event")) left out that cannot be dated: the log tells no year, no offset from UTC or no time; "
                    + "'syncaudit tail' shows them in order, and 'log show --style ndjson' has their times")
        }
    }
}
