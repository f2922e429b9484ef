import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncModel

extension ParsedArguments {
    /// What people call records, by the configuration and the options; nothing known yet.
    ///
    /// - Parameter wanted: The records whose names are asked for; nil for any.
    func recordNames(wanted: Set<RecordKey>? = nil) throws(UsageError) -> RecordNames {
        RecordNames(fields: try displayFields(), wanted: wanted)
    }

    private func displayFields() throws(UsageError) -> [RecordType: FieldName] {
        var fields = configuration.displayFields
        for assignment in try assignments(OptionDefinition.name.name) {
            if case .named(_, let type?, _) = assignment.target { fields[type] = FieldName(assignment.value) }
        }
        return fields
    }

    /// The names of the records that a summary shows, as far as inputs can be read again.
    func recordNames(in summary: Summary, _ inputs: [CommandInput]) throws -> RecordNames {
        guard !(try displayFields().isEmpty) else { return .none }
        let all = summary.all
        var names = try recordNames(wanted: Set(all.byRecord.keys).union(summary.examples.conflicts.map(\.key)))
        var reader = AuditLogReader(isLenient: true)
        for case .file(let path) in inputs where !Operands.isStream(path) {
            try reader.read(path: path, summary: { _, _ in }, { line, _ in names.observe(line.event) })
        }
        return names
    }
}
