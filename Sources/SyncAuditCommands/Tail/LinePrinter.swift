import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncModel

/// Turns the lines of a log into the lines that `tail` writes, and counts those that it cannot understand.
struct LinePrinter {
    /// What is written for a line.
    struct Output {
        /// The event's time, in milliseconds since 1970.
        let milliseconds: Int64
        /// The line with its line break.
        let bytes: [UInt8]
    }

    private let filter: ReportFilter
    private let categories: Set<String>
    private let format: TailVerb.Format
    private var renderer: EventRenderer
    private let width: () -> Int?
    private var decoder = LineDecoder()
    /// What the filter names, looked for in all that is read.
    private(set) var names: NameSearch
    private var hasToldProblem = false

    /// What was read so far.
    private(set) var counts = AuditLogReader.Counts()
    /// Whether any line was an event, whatever the filter says of it.
    private(set) var hasFoundEvent = false

    /// - Parameters:
    ///   - categories: The categories of the system's log whose lines are shown; empty for all lines, wrapped or not.
    ///   - width: The columns beyond which lines for a person are cut, or nil to keep them whole; asked for each line, since windows
    ///     change.
    init(
        filter: ReportFilter, categories: Set<String>, names: NameSearch, format: TailVerb.Format, style: TerminalStyle,
        width: @escaping () -> Int?, recordNames: RecordNames
    ) {
        self.filter = filter
        self.categories = categories
        self.names = names
        self.format = format
        renderer = EventRenderer(style: style)
        renderer.names = recordNames
        self.width = width
    }

    /// What is written for a line; nil where it does not pass the filter or cannot be understood.
    ///
    /// - Parameter location: The location of the line, asked for only where there is something wrong with it.
    mutating func output(for line: [UInt8]?, isFirst: Bool, isUnfinished: Bool, at location: @autoclosure () -> String) -> Output? {
        do throws(LineProblem) {
            return try output(for: line, isFirst: isFirst, isUnfinished: isUnfinished)
        } catch {
            passOver(error, at: location())
            return nil
        }
    }

    /// What is written for a line; nil where it does not pass the filter.
    ///
    /// - Throws: `LineProblem` where the line cannot be understood.
    mutating func output(for line: [UInt8]?, isFirst: Bool, isUnfinished: Bool) throws(LineProblem) -> Output? {
        counts.lines += 1
        let outcome = try decoder.outcome(of: line, isFirst: isFirst, isUnfinished: isUnfinished)
        let line = decoder.unwrapped ?? (isFirst ? line?.withoutByteOrderMark : line) ?? []
        if !categories.isEmpty, decoder.category.map(categories.contains) != true { return nil }
        switch outcome {
        case .blank, .summary: return nil
        case .unknownEvent:
            counts.unknownEvents += 1
            return nil
        case .undated(let content, let time):
            hasFoundEvent = true
            // Of its log it is as late as the event before it, which it follows.
            let event = AuditLine(event: AuditEvent(at: .min, content))
            guard filter.matches(event) else { return nil }
            return Output(milliseconds: .min, bytes: bytes(event, line, writtenTime: time))
        case .line(let event):
            hasFoundEvent = true
            names.observe(event.event)
            renderer.names.observe(event.event)
            guard filter.matches(event) else { return nil }
            return Output(milliseconds: event.event.milliseconds, bytes: bytes(event, line))
        }
    }

    /// Counts lines that were passed over, by the location of the first and what is wrong with it.
    mutating func passOver(_ problem: LineProblem, at location: String, count: Int = 1) {
        counts.passOver(problem, at: location, count: count)
    }

    /// What was wrong with the first line that was passed over, once.
    mutating func popFirstProblem() -> String? {
        defer { hasToldProblem = counts.firstProblem != nil }
        return hasToldProblem ? nil : counts.firstProblem
    }

    /// - Parameter writtenTime: The time as the log has it, where that is none to reckon with.
    private mutating func bytes(_ event: AuditLine, _ line: [UInt8], writtenTime: String? = nil) -> [UInt8] {
        switch format {
        case .text:
            renderer.width = width()
            return Array(renderer.render(event, writtenTime: writtenTime).utf8)
        case .json: return line + [UInt8(ascii: "\n")]
        }
    }
}
