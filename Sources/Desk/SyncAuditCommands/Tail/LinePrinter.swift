import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncModel

/// Turns the lines of a log into the lines that `tail` writes, and counts those that it cannot understand.
struct LinePrinter {
    /// What is to be written for a line.
    struct Output {
        /// The event's time, in milliseconds since 1970.
        let milliseconds: Int64
        /// What is written.
        let content: Content
        /// How many logs tell of it.
        var logs = 1
        /// The conflict, where it lost an edit.
        var loss: ConflictID?

        enum Content {
            case text(RenderedLine)
            /// A line with its line break.
            case json([UInt8])
        }

        /// What is told of a conflict: one line is enough, however many logs tell of it.
        struct Telling: Hashable {
            let id: ConflictID
            let resolution: Conflict.Resolution
        }

        var telling: Telling?
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
    /// The last loss that was written.
    private(set) var lastLoss: ConflictID?
    /// The conflicts that were written.
    private var written: Set<Output.Telling> = []
    private static let maximumWritten = 1_000_000
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
    mutating func output(for line: InputLine) -> Output? {
        do throws(LineProblem) {
            return try output(of: line)
        } catch {
            counts.passOver(error, at: line.location)
            return nil
        }
    }

    /// What is written for a line; nil where it does not pass the filter.
    ///
    /// - Throws: `LineProblem` where the line cannot be understood.
    private mutating func output(of line: InputLine) throws(LineProblem) -> Output? {
        counts.lines += 1
        let outcome = try decoder.outcome(of: line)
        let line = decoder.unwrapped ?? (line.isFirst ? line.bytes?.withoutByteOrderMark : line.bytes) ?? []
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
            return output(event, line, at: .min, writtenTime: time)
        case .line(let event):
            hasFoundEvent = true
            names.observe(event.event)
            renderer.names.observe(event.event)
            guard filter.matches(event) else { return nil }
            return output(event, line, at: event.event.milliseconds)
        }
    }

    /// What is written for the last lines that pass the filter, in their order.
    mutating func last(_ count: Int, of lines: inout BackwardLines, named name: String) throws(AuditLogError) -> [Output] {
        var kept: [Output] = []
        // Lines come last line first, so that what is wrong with the first of them is found last.
        var (problems, first) = (0, (problem: LineProblem?.none, offset: Int64(0)))
        while kept.count < count, let line = try lines.next() {
            do throws(LineProblem) {
                let line = InputLine(file: name, bytes: line.bytes, isFirst: line.offset == 0, isUnfinished: lines.isUnfinished)
                if let output = try output(of: line) { kept.append(output) }
            } catch {
                problems += 1
                first = (error, line.offset)
            }
        }
        if let problem = first.problem {
            counts.passOver(problem, at: "\(name):\(try lines.number(ofLineAt: first.offset))", count: problems)
        }
        return kept.reversed()
    }

    /// The same of what can be read only from front to back, which is read whole.
    mutating func last(_ count: Int, of input: CommandInput, _ context: CommandContext) throws -> [Output] {
        var kept: [Output] = []
        try input.readLines(context) { line in
            if let output = output(for: line) { kept.append(output) }
            // Now and then, since removing from the front moves what is left.
            if kept.count / 2 >= max(count, 1) { kept.removeFirst(kept.count - count) }
        }
        return kept.suffix(count)
    }

    /// What was wrong with the first line that was passed over, once.
    mutating func popFirstProblem() -> String? {
        defer { hasToldProblem = counts.firstProblem != nil }
        return hasToldProblem ? nil : counts.firstProblem
    }

    /// - Parameter writtenTime: The time as the log has it, where that is none to reckon with.
    private mutating func output(
        _ event: AuditLine, _ line: [UInt8], at milliseconds: Int64, writtenTime: String? = nil
    ) -> Output {
        guard format == .text else { return Output(milliseconds: milliseconds, content: .json(line + [UInt8(ascii: "\n")])) }
        renderer.width = width()
        var output = Output(milliseconds: milliseconds, content: .text(renderer.rendered(event, writtenTime: writtenTime)))
        guard case .conflict(let conflict) = event.event.content else { return output }
        output.telling = Output.Telling(id: conflict.id, resolution: conflict.resolution)
        if conflict.losesEdit { output.loss = conflict.id }
        return output
    }

    /// Writes lines, but for conflicts that have been written.
    mutating func write(_ lines: inout OrderedLines, _ context: CommandContext) throws(CommandError) {
        for line in lines.popAll() {
            if let telling = line.telling, !written.insert(telling).inserted { continue }
            if written.count > Self.maximumWritten { written = [] }
            lastLoss = line.loss ?? lastLoss
            switch line.content {
            case .text(let text): try context.output.write(Array(text.text(logs: line.logs).utf8))
            case .json(let bytes): try context.output.write(bytes)
            }
        }
        try context.output.flush()
    }
}
