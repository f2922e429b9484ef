import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncModel

extension TailVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let color = try arguments.choice("color", as: ColorChoice.self) ?? .auto
        var printer = LinePrinter(
            filter: try arguments.reportFilter(now: context.now()), categories: Set(arguments.texts("category")),
            names: NameSearch(arguments.namesInFilter() + arguments.namesOfRecords()),
            format: try arguments.choice("format", as: Format.self) ?? .text,
            style: context.style(color: color, isFile: false), width: context.terminals.output ? { context.width } : { nil },
            recordNames: try arguments.recordNames())
        let count = try arguments.wholeNumber("lines") ?? standardCount
        let isFollowing = arguments.isSet("follow")
        let inputs = try arguments.inputs(context, allowsMissing: isFollowing)
        try arguments.checkOutputs([], against: inputs, context)
        if isFollowing {
            let directories = arguments.operands.filter(Operands.isDirectory).map { FollowedDirectory(path: $0) { Operands.isLog($0) } }
            try follow(inputs, directories, count, &printer, context)
        } else {
            try showLast(count, of: inputs, &printer, context)
        }
        printer.names.tell(context)
        printer.counts.note(context)
        if !isFollowing, context.terminals.output, let loss = printer.lastLoss {
            context.note("of the last loss: syncaudit show \(loss.description.prefix(8)) \(arguments.inputWords ?? "FILES")")
        }
        if arguments.texts("category").isEmpty, !printer.hasFoundEvent, printer.counts.lines > 0,
            printer.counts.unknownEvents + printer.counts.skipped == 0
        {
            context.note("none of \(HumanNumber.count(printer.counts.lines, "line")) read is an event of an audit or of sync")
        }
        guard printer.counts.skipped > 0, printer.counts.skipped == printer.counts.lines else { return }
        throw CommandError(noneUnderstoodOf: inputs)
    }

    private static func showLast(
        _ count: Int, of inputs: [CommandInput], _ printer: inout LinePrinter, _ context: CommandContext
    ) throws {
        var last = OrderedLines(limit: count)
        for input in inputs {
            guard case .file(let path) = input, !Operands.isStream(path), !StreamedLines.mustBeStreamed(path) else {
                for line in try printer.last(count, of: input, context) { last.add(line, from: input.name) }
                continue
            }
            do throws(AuditLogError) {
                var lines = try BackwardLines(path: path)
                for line in try printer.last(count, of: &lines, named: input.name) { last.add(line, from: input.name) }
            } catch {
                throw CommandError(error.code == .noInput ? .noInput : .inputOutput, "\(input.name): \(error.description)")
            }
        }
        try printer.write(&last, context)
    }
}
