import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncLines
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
        try context.output.flush()
        printer.names.tell(context)
        printer.counts.note(context)
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
            switch input {
            case .standardInput: try add(StreamedLines(descriptor: context.standardInput), named: input.name, &printer, count, to: &last)
            case .file(let path):
                if Operands.isStream(path) || StreamedLines.mustBeStreamed(path) {
                    try add(StreamedLines(path: path, waits: true), named: input.name, &printer, count, to: &last)
                    continue
                }
                do throws(AuditLogError) {
                    var lines = try BackwardLines(path: path)
                    for line in try printer.last(count, of: &lines, named: input.name) { last.add(line, from: input.name) }
                } catch {
                    throw CommandError(error.code == .noInput ? .noInput : .inputOutput, "\(input.name): \(error.description)")
                }
            }
        }
        for line in last.popAll() { try context.output.write(line) }
    }

    /// What can be read only from front to back is read whole; only its last lines are kept.
    private static func add(
        _ stream: consuming StreamedLines, named name: String, _ printer: inout LinePrinter, _ count: Int, to last: inout OrderedLines
    ) throws(CommandError) {
        var kept: [LinePrinter.Output] = []
        while let batch = try stream.read(named: name) {
            kept += printer.outputs(for: batch, named: name)
            // Now and then, since removing from the front moves what is left.
            if kept.count / 2 >= max(count, 1) { kept.removeFirst(kept.count - count) }
        }
        for line in kept.suffix(count) { last.add(line, from: name) }
    }
}

extension LinePrinter {
    /// What is written for the last lines that pass the filter, in their order.
    mutating func last(_ count: Int, of lines: inout BackwardLines, named name: String) throws(AuditLogError) -> [Output] {
        var kept: [Output] = []
        // Lines come last line first, so that what is wrong with the first of them is found last.
        var (problems, first) = (0, (problem: LineProblem?.none, offset: Int64(0)))
        while kept.count < count, let line = try lines.next() {
            do throws(LineProblem) {
                let output = try output(for: line.bytes, isFirst: line.offset == 0, isUnfinished: lines.isUnfinished)
                if let output { kept.append(output) }
            } catch {
                problems += 1
                first = (error, line.offset)
            }
        }
        if let problem = first.problem {
            passOver(problem, at: "\(name):\(try lines.number(ofLineAt: first.offset))", count: problems)
        }
        return kept.reversed()
    }

    /// What is written for some lines of a stream.
    mutating func outputs(for batch: StreamedLines.Batch, named name: String) -> [Output] {
        batch.numbered.compactMap { line in
            output(for: line.bytes, isFirst: line.isFirst, isUnfinished: line.isUnfinished, at: "\(name):\(line.number)")
        }
    }
}

extension StreamedLines {
    /// Reads once; what goes wrong names the stream and the line.
    mutating func read(named name: String) throws(CommandError) -> Batch? {
        do throws(AuditLogError) {
            return try read()
        } catch {
            throw CommandError(error.code == .badData ? .badData : .inputOutput, "\(name):\(count + 1): \(error.description)")
        }
    }
}
