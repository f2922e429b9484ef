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
        if arguments.isSet("clock-what-if"), format == .csv || format == .markdown {
            throw CommandError(.usage, "--clock-what-if is not written as \(format.rawValue): use --format table or json")
        }
        let inputs = try arguments.inputs(context)
        try arguments.checkOutputs(["output"], against: inputs, context)

        let progress = ProgressBar(inputs, context)
        defer { progress?.clear() }
        let job = ReportJob(inputs: inputs, filter: filter, isLenient: arguments.isSet("lenient"), onRead: progress?.observer)
        let isDistinct = arguments.isSet("distinct")
        var clocks = arguments.isSet("clock-what-if") ? ClockWhatIf(filter: filter) : nil
        let (summary, counts) =
            try isDistinct || clocks != nil ? job.lineByLine(context, isDistinct: isDistinct, &clocks) : job.inParallel(context)
        progress?.clear()
        if counts.lines == 0, let file = inputs.first, !inputs.contains(.standardInput) {
            throw CommandError(.badData, "\(file.name):1: there is nothing in it; a log holds an event on each line")
        }
        try context.withOutput(path: output) { sink in
            switch format {
            case .table:
                let style = context.style(color: color, isFile: output.map { $0 != "-" } ?? false)
                try sink.write(TableRenderer(top: top, style: style, width: context.width).render(summary))
                if let clocks { try sink.write(CheckRenderer.section(clocks.answer, style: style, width: context.width)) }
            case .json: try sink.write(JSONRenderer().render(summary, clocks: clocks?.answer))
            case .csv: try sink.write(MetricTables.csv(MetricFamily.all(of: summary, maximumSeries: .max)))
            case .markdown: try sink.write(MarkdownRenderer(top: top).render(summary))
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

    func inParallel(_ context: CommandContext) throws -> (Summary, AuditLogReader.Counts) {
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

    /// For what depends on the order of lines, or needs more of them than counts.
    func lineByLine(
        _ context: CommandContext, isDistinct: Bool, _ clocks: inout ClockWhatIf?
    ) throws -> (Summary, AuditLogReader.Counts) {
        var ids: Set<ConflictID> = []
        var summary = Summary(filter: filter)
        // What others have summed up; kept apart, since it is not filtered any more.
        var parts = Summary()
        var reader = AuditLogReader(isLenient: isLenient)
        reader.onRead = onRead
        for input in inputs {
            try reader.read(
                input, context,
                summary: { object, place in
                    if isDistinct { throw CommandError(.badData, "\(place): --distinct needs the logs themselves, not a summary of them") }
                    do throws(AuditReportError) {
                        try parts.merge(json: object, filter: filter)
                    } catch {
                        throw CommandError(.badData, "\(place): \(error.description)")
                    }
                },
                { line, _ in
                    clocks?.observe(line.event)
                    if isDistinct {
                        summary.observe(line.event, source: line.source, once: &ids)
                    } else {
                        summary.observe(line.event, source: line.source)
                    }
                })
        }
        summary.merge(parts)
        return (summary, reader.counts)
    }
}
