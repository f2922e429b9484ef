import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncLines
import SyncMerge
import SyncModel

extension RestoreVerb {
    /// What lost values of a table are written as.
    enum Form: String, CaseIterable {
        case postgresql
        case sqlite
        case mysql
        case put
        case patch

        /// Whose SQL it is; nil where it is a request.
        var dialect: SQLStatements.Dialect? { SQLStatements.Dialect(rawValue: rawValue) }
    }

    /// Up to so many losses of one record are given back from logs: each is held against all writes to it.
    private static let mostOfRecord = 1000

    /// Gives many losses back.
    static func runMany(_ selection: RestoreSelection, _ arguments: ParsedArguments, _ context: CommandContext) throws {
        let form = try arguments.choice("as", as: Form.self)
        func refuse(_ options: String..., because sentence: String) throws(UsageError) {
            if let option = options.first(where: { arguments.isSet($0) }) {
                throw UsageError("--\(option) \(sentence)", verb: arguments.verb.name)
            }
        }
        try refuse("app", because: "takes one value: name the conflict by its id, without --as")
        if form != nil { try refuse("device", because: "is for writes: leave it out, or --as") }
        if form?.dialect == nil { try refuse("into", "key", because: "is for SQL: leave it out, or give --as postgresql, sqlite or mysql") }
        var rest = arguments
        if selection.prefix != nil { rest.operands.removeFirst() }
        let tables = try rest.onlyTables(context)
        switch (form, tables) {
        case (nil, nil): try restoreWrites(selection, try rest.inputs(context), arguments, context)
        case (nil, let tables?):
            throw UsageError(
                "\(tables[0].name) is a table: say with --as what its values are to be given back as, "
                    + Form.allCases.map(\.rawValue).joined(separator: ", "), verb: arguments.verb.name)
        case (_, nil):
            throw UsageError(
                "--as goes by the rows of a table, which tell what is there now, and no table is named: name it instead of its log",
                verb: arguments.verb.name)
        case (let form?, let tables?): try restoreRows(selection, as: form, tables, arguments, context)
        }
    }

    private static func restoreRows(
        _ selection: RestoreSelection, as form: Form, _ inputs: [CommandInput], _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        let (audit, result) = try TableAudit.ended(inputs, arguments, context)
        let losses = result.conflicts.map(\.conflict).filter(selection.contains)
        try checkAny(losses.count, of: result.conflicts.count { $0.conflict.losesEdit })
        let plan = SavedRestorations(of: losses, isForced: arguments.isSet("force")) { audit.state(of: $0) }
        let statements = form.dialect.map {
            SQLStatements(dialect: $0, table: arguments.text("into"), key: arguments.text("key") ?? "id")
        }
        var (texts, refusals, values) = ([statements.map { Array($0.head.utf8) } ?? []], plan.refusals, 0)
        for record in plan.records {
            do throws(RestoreRefusal) {
                if let statements {
                    texts.append(Array(try statements.statement(for: record).utf8))
                } else {
                    texts.append(RestoringRequests.line(for: record, as: form == .put ? .put : .patch))
                }
                values += record.conflicts.count
            } catch {
                refusals.append(error)
            }
        }
        try tell(refusals, given: values, context)
        for text in texts { try context.output.write(text) }
        try context.output.flush()
        if plan.alreadyThere > 0 { context.note("\(HumanNumber.count(plan.alreadyThere, "value is", "values are")) there again") }
        guard values > 0 else { return }
        let what = form.dialect == nil ? HumanNumber.count(texts.count - 1, "request") : HumanNumber.count(texts.count - 1, "statement")
        context.note("\(what) to give \(HumanNumber.count(values, "value")) back; nothing was run")
    }

    private static func restoreWrites(
        _ selection: RestoreSelection, _ files: [CommandInput], _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        let inputs = try RepeatedInputs(files, isLenient: arguments.isSet("lenient"), context)
        var losses = LossesToRestore(mostOfRecord: mostOfRecord)
        var stated = StatedRules()
        let counts = try inputs.read(
            where: { line, _ in line.isConflict },
            { line, _ in
                if case .conflict(let conflict) = line.event.content { losses.observe(conflict, isWanted: selection.contains(conflict)) }
                // What means nothing here is for 'check' to tell.
                try? stated.observe(line.event)
            })
        try checkAny(losses.conflicts.count, of: losses.found)
        let rules = try rules(arguments) ?? stated.mergeRules
        var histories = losses.conflicts.map { RecordHistory(of: $0, rules: rules) }
        let indices = Dictionary(grouping: histories.indices) { histories[$0].conflict.key }
        let device = arguments.text("device").map { DeviceID($0) }
        var last: UInt64 = 0
        var records = ChosenRecords(Set(indices.keys))
        try inputs.read(
            where: { device != nil || records.contain($0, $1) },
            { line, _ in
                if let device { last = max(last, line.event.highestNumber(of: device)) }
                guard let key = line.event.recordKey else { return }
                for index in indices[key] ?? [] { histories[index].observe(line.event) }
            })
        var (writes, refusals) = ([TaggedWrite](), losses.refusals)
        for history in histories {
            do throws(RestoreRefusal) {
                do throws(RestoreRefusal) { try history.checkRestorable() } catch {
                    if !error.canBeForced || !arguments.isSet("force") { throw error }
                }
                guard let write = history.restoringWrite(by: device, after: last, now: context.now()) else { continue }
                if device != nil { last = write.dot.sequence }
                writes.append(write)
            } catch {
                refusals.append(error)
            }
        }
        try tell(refusals, given: writes.count, context)
        for write in writes { try context.output.write(WriteLine.bare(write) + [UInt8(ascii: "\n")]) }
        try context.output.flush()
        context.note("\(HumanNumber.count(writes.count, "write")) to give back what was lost, wherever they are taken")
        counts.note(context)
    }

    /// - Throws: ``CommandError`` where nothing is selected.
    private static func checkAny(_ count: Int, of found: Int) throws(CommandError) {
        if count > 0 { return }
        throw CommandError(
            .noInput,
            found == 0
                ? "there is nothing to give back: no edit was lost in what was read"
                : "none of the \(HumanNumber.count(found, "loss", "losses")) in what was read is one of those asked for; 'syncaudit lost' lists them"
        )
    }

    /// Says what is not given back.
    ///
    /// - Throws: ``CommandError`` where that is all.
    private static func tell(_ refusals: [RestoreRefusal], given: Int, _ context: CommandContext) throws(CommandError) {
        for refusal in refusals.prefix(20) { context.note("not given back: \(refusal)") }
        if refusals.count > 20 {
            context.note("\(HumanNumber.count(refusals.count - 20, "more loss is", "more losses are")) not given back")
        }
        if given == 0, !refusals.isEmpty {
            throw CommandError(.limitExceeded, "nothing was given back")
        }
    }
}

/// The losses that logs tell of and that are to be given back: of one register the last.
private struct LossesToRestore {
    private struct Register: Hashable {
        let key: RecordKey
        let field: FieldName?
    }

    let mostOfRecord: Int
    /// How many edits were lost.
    var found: Int { ids.count }
    private(set) var refusals: [RestoreRefusal] = []
    private var ids: Set<ConflictID> = []
    private var latest: [Register: Conflict] = [:]
    private var counts: [RecordKey: Int] = [:]

    init(mostOfRecord: Int) { self.mostOfRecord = mostOfRecord }

    /// The losses, in the order of their times.
    var conflicts: [Conflict] {
        latest.values.sorted { ($0.milliseconds, $0.id) < ($1.milliseconds, $1.id) }
    }

    mutating func observe(_ conflict: Conflict, isWanted: Bool) {
        guard conflict.losesEdit, ids.insert(conflict.id).inserted, isWanted else { return }
        let register = Register(key: conflict.key, field: conflict.field)
        guard let other = latest[register] else {
            counts[conflict.key, default: 0] += 1
            if counts[conflict.key, default: 0] <= mostOfRecord { return latest[register] = conflict }
            refusals.append(
                RestoreRefusal(conflict, "the record has more than \(mostOfRecord) fields that lost something; name the conflict by its id")
            )
            return
        }
        let (earlier, later) = other.loser.timestamp < conflict.loser.timestamp ? (other, conflict) : (conflict, other)
        latest[register] = later
        refusals.append(RestoreRefusal(earlier, RestoreRefusal.ofEarlierEdit))
    }
}

extension AuditEvent {
    /// The record that a write or a conflict is about.
    fileprivate var recordKey: RecordKey? {
        switch content {
        case .write(let write): write.key
        case .conflict(let conflict): conflict.key
        default: nil
        }
    }
}
