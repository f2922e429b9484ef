import AuditLog
import SyncLines
import SyncModel
import SyncSystem
import TraceImport

extension ParsedArguments {
    /// The inputs of a verb that reads logs, of which a table is audited first: what is read instead is the log of that audit.
    ///
    /// The log is a temporary file without a name, which goes with the process.
    func logs(_ context: CommandContext) throws -> [CommandInput] {
        try inputs(context).map { input in
            // What cannot be read is for the verb to say.
            guard let kind = try? context.kind(of: input), kind.isTable else { return input }
            let operand = if case .file(let path) = input { path.shellWord } else { "-" }
            context.note(
                "\(input.name) is a table, and its rows were audited first: 'syncaudit audit \(operand) -o log.jsonl' keeps the log, and takes options"
            )
            var audit = try TableAudit(self)
            try audit.read(try savedTable(input, context))
            let descriptor = try ScratchFile.make(for: "the log of a table's audit is kept in a temporary file", context)
            let result = try audit.finish { line in
                if let error = writeBytes(line, to: descriptor) {
                    throw CommandError(
                        .inputOutput, "\(input.name): the log of its audit cannot be kept in a temporary file: \(error.sentence)")
                }
            }
            if let doubt = audit.doubt(result) { throw CommandError(.badData, "\(input.name): \(doubt)") }
            // Who looks at one loss after the other has been told once.
            audit.note(result, verb.name == ReportVerb.definition.name ? context : context.muted)
            lseek(descriptor, 0, SEEK_SET)
            return .file("/dev/fd/\(descriptor)")
        }
    }
}
