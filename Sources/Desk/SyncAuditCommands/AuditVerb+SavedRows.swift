import AuditAnalysis
import AuditLog
import AuditReport
import SyncModel
import SyncSystem
import TraceImport

extension AuditVerb {
    /// Audits tables: what the server kept stands in their rows and is read.
    static func runSavedRows(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let inputs = try arguments.inputsOrRows(context, insists: false)
        try arguments.checkTraceOutput()
        try arguments.checkOutputs(["output", "trace-out"], against: inputs, context)
        context.expectMuchMemory()
        var audit = try TableAudit(arguments, context)
        func read(copyingTo trace: (any ByteSink)?) throws {
            for input in inputs { try audit.read(try arguments.savedTable(input, context), copyingTo: trace) }
        }
        if let path = arguments.text("trace-out") {
            try AtomicFile.write(to: path) { try read(copyingTo: $0) }
        } else {
            try read(copyingTo: nil)
        }
        guard !audit.lacksPrivateName else {
            throw CommandError(.badData, "nothing was written: --privacy names a field that the table does not hold")
        }
        var lines: [[UInt8]] = []
        let result = try audit.finish { lines.append($0) }
        try audit.checkDoubt(result, of: inputs.first?.name ?? "", context)
        try context.withOutput(path: arguments.text("output")) { output in
            for line in lines { try output.write(line) }
            try output.flush()
        }
        audit.note(result, context)
        if !result.conflicts.isEmpty { noteMore(arguments, context) }
    }

    /// Says how to read what went to a terminal line by line.
    static func noteMore(_ arguments: ParsedArguments, _ context: CommandContext) {
        guard context.terminals.output, arguments.text("output") ?? "-" == "-" else { return }
        context.note("to see it summed up, end the command with | syncaudit report; to see what was lost, with | syncaudit lost")
    }
}
