import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncModel

extension ParsedArguments {
    /// What people call records, by the configuration and the options; nothing known yet.
    ///
    /// - Parameters:
    ///   - wanted: The records whose names are asked for; nil for any.
    ///   - guesses: Whether the fields that usually hold a name do where no other does.
    func recordNames(wanted: Set<RecordKey>? = nil, guesses: Bool = false) throws(UsageError) -> RecordNames {
        var fields = configuration.displayFields
        var everywhere: [FieldName] = []
        for (type, field) in try parsed(OptionDefinition.name.name, ValueParser.displayField).flatMap(\.self) {
            if let type { fields[type] = field } else { everywhere.append(field) }
        }
        return RecordNames(fields: fields, everywhere: everywhere, wanted: wanted, guesses: guesses)
    }

    /// The names of the records that a summary shows, as far as inputs can be read again.
    func recordNames(in summary: Summary, _ inputs: [CommandInput], _ context: CommandContext) throws -> RecordNames {
        guard try recordNames().looksForAny else { return .none }
        if isSet(OptionDefinition.name.name), !inputs.canBeReadAgain {
            context.note("--name: what comes through a pipe is read once, so that its records keep their identities; name a file instead")
        }
        let all = summary.all
        var names = try recordNames(wanted: Set(all.byRecord.keys).union(summary.examples.conflicts.map(\.key)))
        var reader = AuditLogReader(isLenient: true)
        for case .file(let path) in inputs where !Operands.isStream(path) {
            try reader.read(path: path, summary: { _, _ in }, { line, _ in names.observe(line.event) })
        }
        return names
    }
}
