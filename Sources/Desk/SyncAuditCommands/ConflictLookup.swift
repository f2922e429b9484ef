import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// What the logs tell of the one conflict that a command line names.
struct ConflictLookup {
    let logged: LoggedConflict
    let history: RecordHistory
    /// The versions between which an edit was lost, where a table of saved rows is among what was read.
    let versions: [SavedVersion]
    /// Everything read.
    let counts: AuditLogReader.Counts

    /// Looks for the conflict that the first operand names, in the inputs that the others do.
    ///
    /// - Parameters:
    ///   - rules: The rules by which the replicas merge; nil to go by those that the log states, or what the conflict's line says.
    ///   - names: Learns what the record and the one related to it are called.
    ///   - other: Learns from the lines that it chooses.
    /// - Throws: ``UsageError`` where the name is none or fits several conflicts, ``CommandError`` where it fits none.
    init(
        _ arguments: ParsedArguments, rules: MergeRules? = nil, _ context: CommandContext, names: inout RecordNames,
        _ other: inout some EventObserver
    ) throws {
        guard let name = arguments.operands.first else {
            throw UsageError(
                "the conflict is missing: name it by its id, or by as much of the id's beginning as no other has", verb: arguments.verb.name
            )
        }
        let prefix = try ConflictIDPrefix(naming: name, verb: arguments.verb.name)
        var rest = arguments
        rest.operands.removeFirst()
        var tables: [TableAudit] = []
        let logs = try rest.logs(context) { tables.append($0) }
        let source = try context.source(logs, isLenient: arguments.isSet("lenient"), isRepeated: true)
        var (finder, stated) = (ConflictFinder(prefix: prefix), StatedRules())
        counts = try source.read(into: &finder, &stated)
        logged = try finder.only(verb: arguments.verb.name, context)
        let conflict = logged.conflict
        versions = tables.lazy.map { $0.versions(of: conflict) }.first { !$0.isEmpty } ?? []
        var history = RecordHistory(of: conflict, rules: rules ?? stated.mergeRules)
        names.narrow(to: conflict.records)
        try source.read(into: &history, &names, &other)
        self.history = history
    }
}

extension ConflictIDPrefix {
    /// Reads the beginning of an identifier that a command line names.
    ///
    /// - Throws: ``UsageError`` where it is none.
    init(naming text: String, verb: String) throws(UsageError) {
        guard let prefix = ConflictIDPrefix(text) else {
            throw UsageError(
                "\(text.quoted) is no id of a conflict: an id has 16 hexadecimal digits, of which the first few will do", verb: verb)
        }
        self = prefix
    }
}

extension ConflictFinder {
    /// The only conflict found.
    ///
    /// - Parameter problem: What is wrong where there is none, unless it is what the lines tell.
    /// - Throws: ``UsageError`` where there are several, ``CommandError`` where there is none.
    func only(verb: String, _ context: CommandContext, noConflict problem: CommandError? = nil) throws -> LoggedConflict {
        let conflicts = conflicts
        guard let first = conflicts.first else { throw problem ?? noConflict }
        if conflicts.count == 1 { return first }
        for logged in conflicts { context.note("\(logged.conflict.id)  \(logged.conflict.candidate)") }
        throw UsageError(
            "\(prefix) is the beginning of \(hasMore ? "more than " : "")\(HumanNumber.count(conflicts.count, "conflict")); write more "
                + "digits of the one you mean",
            verb: verb)
    }

    /// What is wrong where logs were read and hold none.
    private var noConflict: CommandError {
        let hint =
            switch (conflictLines, writeLines) {
            case (0, 0): "there is neither a conflict nor a write in what was read"
            case (0, _):
                "what was read holds writes and no line of a conflict: 'syncaudit audit FILE | syncaudit show \(prefix) - FILE' looks for conflicts first"
            default:
                "none of the \(HumanNumber.count(conflictLines, "line")) of conflicts has it; 'syncaudit lost' shows ids"
            }
        return CommandError(.noInput, "there is no conflict \(prefix): \(hint)")
    }
}

extension Conflict {
    /// What tells one of several candidates from the others, beside its id.
    var candidate: String {
        "\(RFC3339.string(milliseconds: milliseconds))  \(severity.rawValue)  \(key)\(field.map { "." + $0.rawValue } ?? ""), "
            + "\(winner.dot.device) over \(loser.dot.device)"
    }
}
