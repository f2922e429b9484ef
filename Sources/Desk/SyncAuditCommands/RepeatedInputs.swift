import AuditAnalysis
import AuditLog
import SyncLines
import SyncModel
import SyncSystem

/// Inputs that are read more than once.
///
/// What can be read only from front to back, such as a pipe, is first copied to a temporary file that has no name and goes with the
/// process.
final class RepeatedInputs {
    private enum Input {
        case path(String)
        /// A descriptor, where its content begins, and what it is called.
        case descriptor(Int32, start: off_t, name: String)
        /// A copy of a stream, and what the stream is called.
        case kept(KeptStream, name: String)

        var name: String {
            switch self {
            case .path(let path): path
            case .descriptor(_, _, let name), .kept(_, let name): name
            }
        }
    }

    private var inputs: [Input] = []
    private let isLenient: Bool
    private let reading: LineReading
    private let awaitsLineBreak: Bool

    /// Prepares inputs.
    ///
    /// - Parameters:
    ///   - reading: What is taken besides the format itself.
    ///   - awaitsLineBreak: Whether files may grow, so that a last line without a line break is not read yet.
    /// - Throws: ``CommandError`` where one cannot be copied.
    init(
        _ inputs: [CommandInput], isLenient: Bool, reading: LineReading = LineReading(), awaitsLineBreak: Bool = false,
        _ context: CommandContext
    ) throws {
        self.isLenient = isLenient
        self.reading = reading
        self.awaitsLineBreak = awaitsLineBreak
        for input in inputs {
            if input == .standardInput, context.streams[input] == nil {
                let start = lseek(context.standardInput, 0, SEEK_CUR)
                if start >= 0 {
                    self.inputs.append(.descriptor(context.standardInput, start: start, name: input.name))
                    continue
                }
            }
            if let stream = try context.streams.open(input, context) {
                let kept = try KeptStream(stream, input, for: "\(input.name) has to be read twice", context)
                self.inputs.append(.kept(kept, name: input.name))
            } else if case .file(let path) = input {
                self.inputs.append(.path(path))
            }
        }
    }

    /// Reads everything from the first line to the last.
    ///
    /// - Parameters:
    ///   - onRead: Is told of every reading.
    ///   - summary: Takes each summary that is given instead of a line; without it a summary is a line that cannot be understood.
    ///   - body: Takes each line and its location.
    /// - Returns: What was read.
    @discardableResult
    func read(
        onRead: ReadingObserver? = nil, summary: ((FieldMap, AuditLogReader.Location) throws -> Void)? = nil,
        _ body: (AuditLine, AuditLogReader.Location) throws -> Void
    ) throws -> AuditLogReader.Counts {
        var reader = reader(onRead)
        for input in inputs {
            switch input {
            case .path(let path): try reader.read(path: path, summary: summary, body)
            case .descriptor(let descriptor, let start, let name):
                lseek(descriptor, start, SEEK_SET)
                try reader.read(descriptor: descriptor, name: name, summary: summary, body)
            case .kept(let stream, let name): try reader.read(lines: stream.lines(onRead: onRead), name: name, summary: summary, body)
            }
        }
        return reader.counts
    }

    /// The same, where only chosen ones of the ordinary lines matter.
    @discardableResult
    func read(
        where isChosen: LineChoice, choosesNames: Bool = false, onRead: ReadingObserver? = nil,
        summary: ((FieldMap, AuditLogReader.Location) throws -> Void)? = nil,
        _ body: (AuditLine, AuditLogReader.Location) throws -> Void
    ) throws -> AuditLogReader.Counts {
        var lines = ChosenLines(reader(onRead), choosesNames: choosesNames)
        for input in inputs { try lines.read(try blocks(of: input, onRead), name: input.name, where: isChosen, summary: summary, body) }
        return lines.counts
    }

    /// Sums everything up on as many threads as are of use.
    func summarize(
        filter: ReportFilter, countsCopies: Bool, takesSummaries: Bool, onRead: ReadingObserver?, _ context: CommandContext
    ) throws -> LogSummarizer {
        var summarizer = LogSummarizer(filter: filter, countsCopies: countsCopies, isLenient: isLenient, context)
        summarizer.onRead = onRead
        summarizer.takesSummaries = takesSummaries
        for input in inputs { try summarizer.read(try blocks(of: input, onRead), name: input.name) }
        return summarizer
    }

    /// The blocks of an input, from its first line on.
    private func blocks(of input: Input, _ onRead: ReadingObserver?) throws -> sending BlockQueue {
        switch input {
        case .path(let path): return try BlockQueue(path: path, after: awaitsLineBreak ? ReadLines() : nil, onRead: onRead)
        case .descriptor(let descriptor, let start, _):
            lseek(descriptor, start, SEEK_SET)
            return BlockQueue(descriptor: descriptor, onRead: onRead)
        case .kept(let stream, _): return BlockQueue(lines: stream.lines(onRead: onRead))
        }
    }

    private func reader(_ onRead: ReadingObserver?) -> AuditLogReader {
        var reader = AuditLogReader(isLenient: isLenient)
        reader.decoder.reading = reading
        reader.onRead = onRead
        reader.awaitsLineBreak = awaitsLineBreak
        return reader
    }

    /// Audits everything from the first line to the last; see ``AuditAnalysis/TraceAudit``.
    func audit(_ audit: inout TraceAudit, _ write: ([UInt8]) throws -> Void) throws {
        for input in inputs {
            switch input {
            case .path(let path): try audit.audit(path: path, write)
            case .descriptor(let descriptor, let start, let name):
                lseek(descriptor, start, SEEK_SET)
                try audit.audit(descriptor: descriptor, name: name, write)
            case .kept(let stream, let name): try audit.audit(lines: stream.lines(), name: name, write)
            }
        }
    }
}
