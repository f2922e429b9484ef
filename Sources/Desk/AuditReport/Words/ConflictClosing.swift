import AuditAnalysis
import ConflictAudit
import SyncModel

/// What became of a loss and what can be done about it: the end of what is told of a conflict.
///
/// Nothing in it acts on a terminal.
struct ConflictClosing {
    /// The sentences with their full stops.
    private(set) var sentences: [(text: String, tone: Tone)] = []
    /// The command line that restores the value; nil where there is nothing to restore, or no way to.
    let command: String?

    /// - Parameter source: How the command line names the logs.
    init(_ details: ConflictDetails, source: String) {
        let conflict = details.conflict
        if details.recoverability == .available, !details.isRestored {
            // Of a row there is no write to give back, but there is a server that takes requests.
            let form = details.versions.isEmpty ? "" : " --as patch"
            command = "syncaudit restore\(form)\(details.successor == nil ? "" : " --force") \(conflict.id) \(source)"
        } else {
            command = nil
        }
        guard conflict.severity.isLoss else {
            sentences.append(("Nothing to restore.", .aside))
            return
        }
        if details.charactersLost > 0 {
            sentences.append(("Lost: \(HumanNumber.count(details.charactersLost, "character")) of text.", .plain))
        }
        if let dot = details.restoredBy {
            sentences.append(("Restored by \(Self.write(dot)).", .good))
        } else if let dot = details.successor {
            sentences.append(("The field has moved on since: \(Self.write(dot)) is shown now.", .warning))
        }
        switch details.recoverability {
        case .available: break
        case .omitted: sentences.append(("It cannot be restored from this log, which leaves the value out.", .warning))
        case .truncated: sentences.append(("It cannot be restored from this log, in which the value was cut.", .warning))
        case .notApplicable: sentences.append(("No single write to the record can bring back what was lost.", .warning))
        }
        if !details.siblings.isEmpty {
            let shown = details.siblings.prefix(3).map(\.description).joined(separator: ", ")
            let more = details.siblings.count > 3 ? " and \(HumanNumber.count(details.siblings.count - 3)) more" : ""
            sentences.append(("The same two writes also met in: \(shown)\(more).", .aside))
            if command != nil, details.versions.isEmpty, details.successor == nil {
                sentences.append(
                    ("All that the write took away at once: syncaudit restore --overwrite \(conflict.id) \(source)", .aside))
            }
        }
    }

    private static func write(_ dot: Dot) -> String { "write \(dot.sequence) of \(EventText.name(dot.device.rawValue))" }
}
