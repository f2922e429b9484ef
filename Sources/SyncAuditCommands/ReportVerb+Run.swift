import AuditLog
import AuditReport
import ConflictAudit
import SyncModel

extension ReportVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let filter = try arguments.reportFilter(now: context.now())
        let format = try arguments.choice("format", as: Format.self) ?? .table
        let top = try arguments.positiveInteger("top") ?? 10
        let color = try arguments.choice("color", as: ColorChoice.self) ?? .auto
        let output = arguments.text("output")
        let inputs = try arguments.inputs(context)
        try arguments.checkOutputs(["output"], against: inputs, context)

        let progress = ProgressBar(inputs, context)
        defer { progress?.clear() }
        let job = ReportJob(inputs: inputs, filter: filter, isLenient: arguments.isSet("lenient"), onRead: progress?.observer)
        let (summary, counts) = try arguments.isSet("distinct") ? job.countingEachConflictOnce(context) : job.countingEveryLine(context)
        progress?.clear()
        if counts.lines == 0, let file = inputs.first, !inputs.contains(.standardInput) {
            throw CommandError(.badData, "\(file.name):1: there is nothing in it; a log holds an event on each line")
        }
        try context.withOutput(path: output) { sink in
            switch format {
            case .table:
                let style = context.style(color: color, isFile: output.map { $0 != "-" } ?? false)
                try sink.write(TableRenderer(top: top, style: style, width: context.width).render(summary))
            case .json: try sink.write(JSONRenderer().render(summary))
            }
        }
        counts.note(context)
    }
}

/// What a report is made from.
private struct ReportJob {
    let inputs: [CommandInput]
    let filter: ReportFilter
    let isLenient: Bool
    let onRead: ReadingObserver?

    func countingEveryLine(_ context: CommandContext) throws -> (Summary, AuditLogReader.Counts) {
        // Beyond some threads there is nothing to gain: the reading itself is the work of one at a time.
        var reader = LogSummarizer(filter: filter, isLenient: isLenient, threads: min(context.processors, 16))
        reader.onRead = onRead
        for input in inputs {
            switch input {
            case .standardInput: try reader.read(descriptor: context.standardInput, name: input.name)
            case .file(let path): try reader.read(path: path)
            }
        }
        return (reader.summary, reader.counts)
    }

    /// Line after line, since what is told first of a conflict counts.
    func countingEachConflictOnce(_ context: CommandContext) throws -> (Summary, AuditLogReader.Counts) {
        var ids: Set<ConflictID> = []
        var summary = Summary(filter: filter)
        var reader = AuditLogReader(isLenient: isLenient)
        reader.onRead = onRead
        for input in inputs {
            try reader.read(
                input, context,
                summary: { _, place in
                    throw CommandError(.badData, "\(place): --distinct needs the logs themselves, not a summary of them")
                },
                { line, _ in summary.observe(line.event, source: line.source, once: &ids) })
        }
        return (summary, reader.counts)
    }
}
