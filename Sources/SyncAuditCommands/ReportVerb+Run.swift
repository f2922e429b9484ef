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

        var reader = LogSummarizer(filter: filter, isLenient: arguments.isSet("lenient"), threads: min(context.processors, 16))
        for input in inputs {
            switch input {
            case .standardInput: try reader.read(descriptor: context.standardInput, name: input.name)
            case .file(let path): try reader.read(path: path)
            }
        }
        if reader.counts.lines == 0, let file = inputs.first, !inputs.contains(.standardInput) {
            throw CommandError(.badData, "\(file.name):1: there is nothing in it; a log holds an event on each line")
        }
        let summary = reader.summary
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
