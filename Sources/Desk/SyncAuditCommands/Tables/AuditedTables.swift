import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel
import SyncSystem
import TraceImport

extension ParsedArguments {
    /// The inputs of a verb that reads logs, of which a table is audited first: what is read instead is the log of that audit.
    ///
    /// The log is a temporary file without a name, which goes with the process.
    ///
    /// - Parameters:
    ///   - key: The record whose saves are to be in the log too, as writes.
    ///   - observe: Takes each table's audit.
    func logs(
        _ context: CommandContext, withWritesTo key: RecordKey? = nil, observing observe: (TableAudit) -> Void = { _ in }
    ) throws -> [CommandInput] {
        try inputs(context).map { input in
            // What cannot be read is for the verb to say.
            guard let kind = try? context.kind(of: input), kind.isTable else { return input }
            let operand = if case .file(let path) = input { path.shellOperand } else { "-" }
            context.note(
                "\(input.name) is a table, and its rows were audited first: 'syncaudit audit \(operand) -o log.jsonl' keeps the log, and takes options"
            )
            var audit = try TableAudit(self, context)
            try audit.read(try savedTable(input, context))
            let log = try ScratchLog(input.name, "the log of its audit", context)
            let result = try audit.finish(log.append)
            for write in key.map(audit.writes) ?? [] { try log.append(write) }
            try audit.checkDoubt(result, of: input.name, context.muted)
            // Who looks at one loss after the other has been told once.
            audit.note(result, verb.name == ReportVerb.definition.name ? context : context.muted)
            observe(audit)
            return log.input
        }
    }

    /// The inputs of a verb that tells of one record: the log of a table's audit has its saves, and a git repository is read as a trace.
    ///
    /// - Returns: The inputs, whether any is a table, whether all are, and whether none is a repository.
    func histories(
        of key: RecordKey, _ context: CommandContext
    ) throws -> (inputs: [CommandInput], hasTables: Bool, areTables: Bool, areFiles: Bool) {
        let repositories = operands.filter(Operands.isRepository)
        var rest = self
        rest.operands.removeAll { operand in repositories.contains { $0.utf8.elementsEqual(operand.utf8) } }
        var files: [CommandInput] = []
        var tables = 0
        if repositories.isEmpty || !rest.operands.isEmpty {
            files = try rest.logs(context, withWritesTo: key, observing: { _ in tables += 1 })
        }
        if tables > 1 {
            throw UsageError("a record's story is told of one table, since another has an order of its own: name one", verb: verb.name)
        }
        let histories = try repositories.map { path in
            let log = try ScratchLog(path.quoted, "the history of a record", context)
            var (trace, count) = (try GitTrace(path), 0)
            try trace.forEach { write in
                if write.key != key { return }
                count += 1
                try log.append(write)
            }
            if count == 0 { throw CommandError(.noInput, "\(path.quoted): no commit writes \(EventText.register(key, nil))") }
            return log.input
        }
        let areTables = tables == 1 && files.count == 1 && repositories.isEmpty
        return (files + histories, tables > 0, areTables, repositories.isEmpty)
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

/// A log in a temporary file without a name, which goes with the process.
private struct ScratchLog {
    private let descriptor: Int32
    private let source: String
    private let content: String

    /// - Parameters:
    ///   - source: What it is made of, as messages name it.
    ///   - content: What it holds: the beginning of the sentence where it cannot.
    init(_ source: String, _ content: String, _ context: CommandContext) throws {
        (self.source, self.content) = (source, content)
        descriptor = try ScratchFile.make(for: "\(source): \(content) is kept in a temporary file", context)
    }

    func append(_ line: [UInt8]) throws(CommandError) {
        guard let error = writeBytes(line, to: descriptor) else { return }
        throw CommandError(.inputOutput, "\(source): \(content) cannot be kept in a temporary file: \(error.sentence)")
    }

    func append(_ write: TaggedWrite) throws(CommandError) { try append(WriteLine.bare(write) + [UInt8(ascii: "\n")]) }

    /// The log from its first line on.
    var input: CommandInput {
        lseek(descriptor, 0, SEEK_SET)
        return .file("/dev/fd/\(descriptor)")
    }
}
