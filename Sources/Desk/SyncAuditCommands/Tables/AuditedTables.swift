import AuditLog
import SyncBytes
import SyncSystem
import TraceImport

extension ParsedArguments {
    /// The inputs of a verb that reads logs, of which a table is audited first: what is read instead is the log of that audit.
    ///
    /// The log is a temporary file without a name, which goes with the process.
    ///
    /// - Parameter observe: Takes each table's audit.
    func logs(_ context: CommandContext, observing observe: (TableAudit) -> Void = { _ in }) throws -> [CommandInput] {
        try inputs(context).map { input in
            // What cannot be read is for the verb to say.
            guard let kind = try? context.kind(of: input), kind.isTable else { return input }
            let operand = if case .file(let path) = input { path.shellOperand } else { "-" }
            context.note(
                "\(input.name) is a table, and its rows were audited first: 'syncaudit audit \(operand) -o log.jsonl' keeps the log, and takes options"
            )
            var audit = try TableAudit(self, context)
            try audit.read(try savedTable(input, context))
            let descriptor = try ScratchFile.make(for: "the log of a table's audit is kept in a temporary file", context)
            let result = try audit.finish { line in
                if let error = writeBytes(line, to: descriptor) {
                    throw CommandError(
                        .inputOutput, "\(input.name): the log of its audit cannot be kept in a temporary file: \(error.sentence)")
                }
            }
            try audit.checkDoubt(result, of: input.name, context.muted)
            // Who looks at one loss after the other has been told once.
            audit.note(result, verb.name == ReportVerb.definition.name ? context : context.muted)
            observe(audit)
            lseek(descriptor, 0, SEEK_SET)
            return .file("/dev/fd/\(descriptor)")
        }
    }

    /// The inputs, where all are tables; nil where none is.
    ///
    /// - Throws: ``UsageError`` where some are and others are not.
    func onlyTables(_ context: CommandContext) throws -> [CommandInput]? {
        let inputs = try inputs(context)
        // What cannot be read is for the verb to say.
        let tables = inputs.filter { (try? context.kind(of: $0))?.isTable ?? false }
        if tables.isEmpty || tables.count == inputs.count { return tables.isEmpty ? nil : inputs }
        let other = inputs.first { !tables.contains($0) }
        throw UsageError("\(tables[0].name) is a table and \(other?.name ?? "") is none: name one kind at a time", verb: verb.name)
    }
}
