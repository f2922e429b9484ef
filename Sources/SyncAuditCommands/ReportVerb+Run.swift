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

        let isDistinct = arguments.isSet("distinct")
        var ids: Set<ConflictID> = []
        var summary = Summary(filter: filter)
        // What others have summed up; kept apart, since it is not filtered any more.
        var parts = Summary()
        var reader = AuditLogReader(isLenient: arguments.isSet("lenient"))
        let progress = ProgressBar(inputs, context)
        defer { progress?.clear() }
        reader.onRead = progress?.observer
        for input in inputs {
            try reader.read(
                input, context,
                summary: { object, place in
                    if isDistinct { throw CommandError(.badData, "\(place): --distinct needs the logs themselves, not a summary of them") }
                    try parts.merge(object, filter: filter, at: place)
                },
                { line, _ in
                    if isDistinct {
                        summary.observe(line.event, source: line.source, once: &ids)
                    } else {
                        summary.observe(line.event, source: line.source)
                    }
                })
        }
        summary.merge(parts)
        progress?.clear()
        if reader.counts.lines == 0, let file = inputs.first, !inputs.contains(.standardInput) {
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
        reader.counts.note(context)
    }
}

extension Summary {
    /// Adds a part that stands in place of a line.
    fileprivate mutating func merge(_ object: FieldMap, filter: ReportFilter, at place: AuditLogReader.Place) throws(CommandError) {
        do throws(AuditReportError) {
            try merge(json: object, filter: filter)
        } catch {
            throw CommandError(.badData, "\(place): \(error.description)")
        }
    }
}
