import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Which losses are given back, where not one alone is.
struct RestoreSelection {
    /// The beginning of the one loss that is meant, where one is named and rows are to be changed.
    let prefix: ConflictIDPrefix?
    private let onlyProven: Bool
    private let users: Set<DeviceID>
    private let records: Set<RecordKey>

    /// What a command line selects; nil where it names one loss, to be given back as a write.
    init?(_ arguments: ParsedArguments) throws {
        let isMany = ["all", "all-proven", "user", "record"].contains { arguments.isSet($0) }
        guard isMany || arguments.isSet("as") else {
            for option in ["into", "key"] where arguments.isSet(option) {
                throw UsageError("--\(option) is for SQL: give --as postgresql, sqlite or mysql too", verb: arguments.verb.name)
            }
            return nil
        }
        if !isMany, arguments.operands.isEmpty {
            throw UsageError(
                "what is to be given back is missing: name a conflict by its id, or give --all, --all-proven, --user or --record",
                verb: arguments.verb.name)
        }
        prefix = isMany ? nil : try ConflictIDPrefix(naming: arguments.operands[0], verb: arguments.verb.name)
        onlyProven = arguments.isSet("all-proven")
        users = Set(arguments.texts("user").map { DeviceID($0) })
        records = Set(
            try arguments.parsed("record") { text throws(ValueProblem) in
                guard let slash = text.firstIndex(of: "/"), slash != text.startIndex, text.index(after: slash) != text.endIndex else {
                    throw ValueProblem("\(text.quoted) names no record; one looks like Card/42, its type and its identity")
                }
                return RecordKey(type: RecordType(String(text[..<slash])), id: RecordID(String(text[text.index(after: slash)...])))
            })
    }

    /// Whether a conflict lost an edit that is to be given back.
    func contains(_ conflict: Conflict) -> Bool {
        guard conflict.losesEdit, prefix?.matches(conflict.id) ?? true, !onlyProven || conflict.isProven else { return false }
        let device = conflict.loser.dot.device
        return (users.isEmpty || users.contains(device) || users.contains(device.firstWriter))
            && (records.isEmpty || records.contains(conflict.key))
    }
}
