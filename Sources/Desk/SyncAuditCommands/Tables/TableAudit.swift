import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel
import SyncSystem
import TraceImport

/// The audit of tables that remember what was saved: rows in, conflict lines out.
struct TableAudit {
    private let rules: AuditRules
    private let bookkeeping: BookkeepingFields
    private let privacy: ValuePrivacy
    private var audit: SavedRowsAudit
    private let processors: Int
    private var names: NameSearch
    /// How many saves of each author have been written to a trace.
    private var saves: [DeviceID: UInt64] = [:]
    /// The tables that were read.
    private var tables: [SavedTable] = []
    /// The latest time that a row names, by which statistics are dated, and the first.
    private var times: ClosedRange<Int64>?

    /// An audit by what a command line says; of a verb that has no such options, by the configuration.
    init(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        processors = context.processors
        let mergeRules = arguments.configuration.mergeRules
        let isAudit = arguments.verb.name == AuditVerb.definition.name
        var rules = isAudit ? try arguments.auditRules() : arguments.configuration.auditRules
        if arguments.verb.option(named: OptionDefinition.name.name) != nil {
            (rules.displayFields, rules.displayFieldsInAnyType) = try arguments.displayFields()
        }
        self.rules = rules
        bookkeeping = isAudit ? try arguments.mergeRules().bookkeeping : mergeRules.bookkeeping
        privacy = isAudit ? try arguments.valuePrivacy() : arguments.configuration.privacy
        let keeping = arguments.hasTableOptions ? try arguments.choice("keeps", as: SavedRowsAudit.Keeping.self) : nil
        audit = SavedRowsAudit(rules: rules, bookkeeping: bookkeeping, keeping: keeping)
        names = NameSearch(
            isAudit ? try arguments.names(in: ["privacy", "bookkeeping"], rules: mergeRules) + arguments.namesOfRecords() : [])
    }

    /// The audit of tables, from which no lines are wanted.
    ///
    /// - Throws: ``CommandError`` where nothing can be found in them.
    static func ended(
        _ inputs: [CommandInput], _ arguments: ParsedArguments, _ context: CommandContext
    ) throws -> (audit: TableAudit, result: SavedRowsAudit.Result) {
        var audit = try TableAudit(arguments, context)
        for input in inputs { try audit.read(try arguments.savedTable(input, context)) }
        let result = try audit.finish { _ in }
        try audit.checkDoubt(result, of: inputs[0].name, context)
        return (audit, result)
    }

    /// Takes all rows of a table.
    ///
    /// - Parameter trace: Takes a line for each row, as a write.
    mutating func read(_ table: SavedTable, copyingTo trace: (any ByteSink)? = nil) throws {
        var buffer = LineBuffer()
        let keeping = try table.keeping()
        var numbered = NumberedRow()
        while let line = try table.next(&numbered, &audit.numbers) {
            if let time = numbered.made ?? numbered.received {
                times = times.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
            }
            if names.isSearching || trace != nil {
                let row = audit.numbers.row(numbered)
                if names.isSearching { names.observe(row.write(1)) }
                if let trace, let author = row.author {
                    saves[author, default: 0] += 1
                    buffer.truncate(to: 0)
                    LineEncoder.append(
                        AuditEvent(at: row.made ?? row.received ?? 0, .write(row.write(saves[author] ?? 1))), sequence: nil, source: nil,
                        to: &buffer)
                    try trace.write(buffer.array)
                }
            }
            audit.observe(numbered, line: line, keeping: keeping)
        }
        tables.append(table)
    }

    /// Ends the audit: writes the rules, a line for each loss, and statistics.
    mutating func finish(_ write: ([UInt8]) throws -> Void) throws -> SavedRowsAudit.Result {
        let result = audit.finish(threads: processors)
        var sequence: UInt64 = 0
        var buffer = LineBuffer()
        func line(_ event: AuditEvent) throws {
            sequence += 1
            buffer.truncate(to: 0)
            LineEncoder.append(event, sequence: sequence, source: .auditOfTrace, to: &buffer)
            try write(buffer.array)
        }
        try line(AuditEvent(at: times?.lowerBound ?? 0, .rules(AuditConfiguration(mergeRules(result), rules, privacy).rules(of: .saved))))
        for (conflict, _) in result.conflicts {
            try line(AuditEvent(at: conflict.milliseconds, .conflict(privacy.applied(to: conflict))))
        }
        // Of how many rows there were no other line tells.
        try line(AuditEvent(at: times?.upperBound ?? 0, .statistics(result.statistics)))
        return result
    }

    /// The rules by which such a server merges: what arrives last is kept, as a whole or by field.
    private func mergeRules(_ result: SavedRowsAudit.Result) -> MergeRules {
        var rules = MergeRules(bookkeeping: bookkeeping)
        rules.standard = .record(.lastArrivalWins)
        for type in result.evidence {
            switch type.keeping {
            case .mergedFields: rules.types[type.type] = .fields(.lastArrivalWins)
            case .laterEdits: rules.types[type.type] = .fields(.lastWriterWins)
            default: break
            }
        }
        return rules
    }

    /// What a record shows after its last row, once the audit has ended; nil where its rows do not tell what was kept.
    func state(of key: RecordKey) -> SavedState? { audit.state(of: key) }

    /// The saves of a record as writes, once the audit has ended.
    func writes(to key: RecordKey) -> [TaggedWrite] { audit.writes(to: key) }

    /// The versions between which a loss that was found happened; none where it is not of these tables.
    func versions(of loss: Conflict) -> [SavedVersion] { audit.versions(of: loss) }

    /// What each column was taken for; what several tables have in common once.
    var columnSentences: [String] {
        var said: Set<String> = []
        return tables.flatMap { $0.columnSentences }.filter { said.insert($0).inserted }
    }

    /// Whether a name that hides values was found nowhere, so that nothing may be written.
    var lacksPrivateName: Bool { names.lacks(option: "privacy") }

    /// Makes sure that something can be found in what was read, and says otherwise what each column was taken for.
    func checkDoubt(_ result: SavedRowsAudit.Result, of name: String, _ context: CommandContext) throws(CommandError) {
        guard let doubt = doubt(result) else { return }
        for sentence in columnSentences { context.note(sentence) }
        throw CommandError(.badData, "\(name): \(doubt)")
    }

    /// What stands in the way of finding anything in what was read; nil where nothing does.
    private func doubt(_ result: SavedRowsAudit.Result) -> String? {
        guard let table = tables.first else { return "there is nothing to audit" }
        if result.untimed > 0 {
            return
                "--keeps sent goes by the later edit, and \(HumanNumber.count(result.untimed, "row")) lack a time: map the author's clock with "
                + "--map ts=COLUMN and the server's with --map received=COLUMN"
        }
        // Several tables may hold together what each of them lacks.
        let isWhole = tables.count > 1 && result.repeatedRecords > 0 && result.authors > 1
        return result.conflicts.isEmpty && !isWhole ? table.doubts.first : nil
    }

    /// Says what was found, by what, and what would have kept it.
    func note(_ result: SavedRowsAudit.Result, _ context: CommandContext) {
        for sentence in columnSentences + tables.flatMap(\.notes) { context.note(sentence) }
        for sentence in SavedRowsSentences(result).all { context.note(sentence) }
        names.tell(context)
        for table in tables {
            guard table.counts.skipped > 0, let problem = table.counts.firstProblem else { continue }
            context.note(
                "\(HumanNumber.count(table.counts.skipped, "row")) passed over that could not be understood, the first at \(problem)")
        }
    }
}

extension SavedTable {
    /// What a configuration says that the table's server keeps.
    fileprivate func keeping() throws(CommandError) -> SavedRowsAudit.Keeping? {
        guard let settings, let text = settings.keeps else { return nil }
        if let keeping = SavedRowsAudit.Keeping(rawValue: text) { return keeping }
        let known = SavedRowsAudit.Keeping.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandError(.badData, "\(settings.origin).keeps: \(text.quoted) is not one of \(known)")
    }
}

extension SavedRow {
    /// The row as a write, of which nothing is known that its author had seen.
    ///
    /// - Parameter number: The author's number of it.
    fileprivate func write(_ number: UInt64) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: author ?? "", sequence: number), timestamp: HybridTimestamp(milliseconds: made ?? received ?? 0), key: key,
            operation: isDelete ? .delete : .put(fields), seen: nil,
            receipt: received.map { TaggedWrite.Receipt(milliseconds: $0, hubSequence: nil) })
    }
}
