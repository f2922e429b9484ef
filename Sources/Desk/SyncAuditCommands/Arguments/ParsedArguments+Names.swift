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
        let (fields, everywhere) = try displayFields()
        return RecordNames(fields: fields, everywhere: everywhere, wanted: wanted, guesses: guesses)
    }

    /// The fields that hold what people call records, by the configuration and the options: those of types, and those of any type.
    func displayFields() throws(UsageError) -> (ofTypes: [RecordType: FieldName], everywhere: [FieldName]) {
        var fields = configuration.displayFields
        var everywhere: [FieldName] = []
        for (type, field) in try parsed(OptionDefinition.name.name, ValueParser.displayField).flatMap(\.self) {
            if let type { fields[type] = field } else { everywhere.append(field) }
        }
        return (fields, everywhere)
    }

    /// The names of the records that a summary shows, as far as inputs can be read again.
    func recordNames(in summary: Summary, _ inputs: [CommandInput], _ context: CommandContext) throws -> RecordNames {
        let examples = summary.examples.conflicts
        guard try recordNames().looksForAny || examples.contains(where: { $0.name != nil }) else { return .none }
        if isSet(OptionDefinition.name.name), !inputs.canBeReadAgain {
            context.note("--name: what comes through a pipe is read once, so that its records keep their identities; name a file instead")
        }
        let all = summary.all
        var names = try recordNames(wanted: Set(all.byRecord.keys).union(examples.map(\.key)))
        for example in examples { names.observe(example) }
        try context.source(inputs.filter { [$0].canBeReadAgain }, isLenient: true).read(into: &names)
        return names
    }
}
