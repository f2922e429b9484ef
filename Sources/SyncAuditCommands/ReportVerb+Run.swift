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

        var summary = Summary(filter: filter)
        var reader = AuditLogReader(isLenient: arguments.isSet("lenient"))
        var clocks: ClockWhatIf? = arguments.isSet("clock-what-if") ? ClockWhatIf(filter: filter) : nil
        for input in inputs {
            try reader.read(input, context) { line, _ in
                summary.observe(line.event, source: line.source)
                clocks?.observe(line.event)
            }
        }
        if reader.counts.lines == 0, let file = inputs.first, !inputs.contains(.standardInput) {
            throw CommandError(.badData, "\(file.name):1: there is nothing in it; a log holds an event on each line")
        }
        try context.withOutput(path: output) { sink in
            switch format {
            case .table:
                let style = context.style(color: color, isFile: output.map { $0 != "-" } ?? false)
                try sink.write(TableRenderer(top: top, style: style, width: context.width).render(summary))
                if let clocks { try sink.write(CheckRenderer.section(clocks.answer, style: style, width: context.width)) }
            case .json: try sink.write(JSONRenderer().render(summary, clocks: clocks?.answer))
            }
        }
        reader.counts.note(context)
    }
}
