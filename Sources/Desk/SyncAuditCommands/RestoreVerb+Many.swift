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
        try refuse("app", because: "takes one value: name the conflict by its id, without options that select several or --as")
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
        _ selected: RestoreSelection, as form: Form, _ inputs: [CommandInput], _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        let (audit, result) = try TableAudit.ended(inputs, arguments, context)
        var selection = selected
        try selection.findOverwrite(arguments, context) { finder in
            for found in result.conflicts { finder.add(found.conflict, from: nil) }
        }
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
        _ selected: RestoreSelection, _ files: [CommandInput], _ arguments: ParsedArguments, _ context: CommandContext
    ) throws {
        let source = try context.source(files, isLenient: arguments.isSet("lenient"), isRepeated: true)
        var selection = selected
        try selection.findOverwrite(arguments, context) { try source.read(into: &$0) }
        var (losses, stated) = (LossesToRestore(selection, mostOfRecord: mostOfRecord), StatedRules())
        let counts = try source.read(into: &losses, &stated)
        let (conflicts, earlier) = losses.chosen()
        try checkAny(conflicts.count, of: losses.found)
        let rules = try rules(arguments) ?? stated.mergeRules
        let device = arguments.text("device").map { DeviceID($0) }
        var (histories, last) = (RecordHistories(of: conflicts, rules: rules), LastNumber(of: device))
        try source.read(into: &histories, &last)
        var (writes, refusals, number) = ([TaggedWrite](), earlier, last.number)
        for history in histories.all {
            do throws(RestoreRefusal) {
                do throws(RestoreRefusal) { try history.checkRestorable() } catch {
                    if !error.canBeForced || !arguments.isSet("force") { throw error }
                }
                guard let write = history.restoringWrite(by: device, after: number, now: context.now()) else { continue }
                if device != nil { number = write.dot.sequence }
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
private struct LossesToRestore: EventObserver {
    private struct Register: Hashable {
        let key: RecordKey
        let field: FieldName?
    }

    private let selection: RestoreSelection
    private let mostOfRecord: Int
    /// How many edits were lost.
    var found: Int { edits.count }
    /// The edits that were lost, and by the one that tells of it each that is wanted: one may have lost to several writes.
    private var edits: Set<DiscardedEdit> = []
    private var wanted: [DiscardedEdit: Conflict] = [:]

    init(_ selection: RestoreSelection, mostOfRecord: Int) { (self.selection, self.mostOfRecord) = (selection, mostOfRecord) }

    static var choosesLines: Bool { true }

    func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool { line.isConflict && line.traits.losesEdit }

    mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        guard case .conflict(let conflict) = line.event.content, conflict.losesEdit else { return }
        let edit = conflict.discardedEdit
        edits.insert(edit)
        guard selection.contains(conflict), wanted[edit].map(conflict.tells(ratherThan:)) ?? true else { return }
        wanted[edit] = conflict
    }

    /// The losses to give back, in the order of their times, and why others are not: of one register the last edit is.
    ///
    /// - Complexity: O(*n* log *n*).
    func chosen() -> (conflicts: [Conflict], refusals: [RestoreRefusal]) {
        let all = wanted.values.sorted { ($0.loser.timestamp, $0.id) < ($1.loser.timestamp, $1.id) }
        var (last, counts): ([Register: ConflictID], [RecordKey: Int]) = ([:], [:])
        for conflict in all { last[Register(key: conflict.key, field: conflict.field)] = conflict.id }
        var (conflicts, refusals): ([Conflict], [RestoreRefusal]) = ([], [])
        for conflict in all {
            guard last[Register(key: conflict.key, field: conflict.field)] == conflict.id else {
                refusals.append(RestoreRefusal(conflict, RestoreRefusal.ofEarlierEdit))
                continue
            }
            counts[conflict.key, default: 0] += 1
            guard counts[conflict.key, default: 0] <= mostOfRecord else {
                refusals.append(
                    RestoreRefusal(
                        conflict, "the record has more than \(mostOfRecord) fields that lost something; name the conflict by its id"))
                continue
            }
            conflicts.append(conflict)
        }
        return (conflicts.sorted { ($0.milliseconds, $0.id) < ($1.milliseconds, $1.id) }, refusals)
    }
}

/// What logs tell of the records of several conflicts.
private struct RecordHistories: EventObserver {
    private(set) var all: [RecordHistory]
    private let indices: [RecordKey: [Int]]
    private var chosen: ChosenRecords

    init(of conflicts: [Conflict], rules: MergeRules?) {
        all = conflicts.map { RecordHistory(of: $0, rules: rules) }
        indices = Dictionary(grouping: conflicts.indices) { conflicts[$0].key }
        chosen = ChosenRecords(Set(indices.keys))
    }

    static var choosesLines: Bool { true }

    mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool { chosen.contain(line, names) }

    mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        guard let key = line.event.recordKey else { return }
        for index in indices[key] ?? [] { all[index].observe(line, at: location) }
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
