import AuditAnalysis
import ConflictAudit
import SyncLines
import SyncModel

/// A lost edit in words: whose it was, what replaced it, and how far apart the two were made.
///
/// Nothing in it acts on a terminal.
struct LossSentence {
    private let conflict: Conflict
    private let names: RecordNames

    init(_ conflict: Conflict, names: RecordNames = .none) { (self.conflict, self.names) = (conflict, names) }

    /// What to say below losses that deletes have won, without markup.
    static let deletesWin =
        "A delete that won over an edit is the policy's expected behaviour: the policy lets deletes win. "
        + "To see what edits that win would keep: syncaudit replay --deletes edit-wins"

    /// The sentence, without its full stop.
    var text: String {
        let (winner, loser) = (conflict.winner, conflict.loser)
        let certainty = conflict.isProven ? "" : "perhaps: "
        let day = RFC3339.string(milliseconds: loser.timestamp.milliseconds).prefix(10)
        return "\(certainty)\(Self.name(loser))'s \(edit(loser)) of \(day) was \(fate(winner)), \(distance)"
    }

    /// The sentence in some columns: without what is told elsewhere where it is too long, and else cut behind a word.
    func fitting(_ columns: Int) -> String {
        if TerminalText.width(text) <= columns { return text }
        let (winner, loser) = (conflict.winner, conflict.loser)
        let certainty = conflict.isProven ? "" : "perhaps: "
        let undated = "\(certainty)\(Self.name(loser))'s \(edit(loser)) was \(fate(winner))"
        if TerminalText.width(undated) <= columns { return undated }
        let register = (conflict.field.map { "\(EventText.name($0.rawValue)) on " } ?? "") + EventText.register(conflict.key, nil, names)
        let verb = winner.operation == .delete ? "deleted" : "replaced"
        return TerminalText.truncatedAtWord(
            "\(certainty)\(Self.name(loser))'s \(register) was \(verb) by \(Self.name(winner))", to: columns)
    }

    private func edit(_ side: Conflict.Side) -> String {
        let record = EventText.register(conflict.key, nil, names)
        guard let field = conflict.field else { return side.operation == .delete ? "delete of \(record)" : record }
        let name = "\(EventText.name(field.rawValue)) on \(record)"
        return switch side.value {
        case .null?: "removal of \(name)"
        case let value?: "\(EventText.name(field.rawValue)) \(EventText.value(value)) on \(record)"
        case nil: name
        }
    }

    private func fate(_ winner: Conflict.Side) -> String {
        let name = Self.name(winner)
        if winner.operation == .delete { return "deleted by \(name)" }
        return switch winner.value {
        case .null? where conflict.field != nil: "removed by \(name)"
        case let value? where conflict.field != nil: "replaced by \(name)'s \(EventText.value(value))"
        default: "replaced by \(name)'s"
        }
    }

    private var distance: String {
        let gap = conflict.winner.timestamp.milliseconds.distance(after: conflict.loser.timestamp.milliseconds)
        if gap == 0 { return "made at the same time" }
        return HumanNumber.duration(milliseconds: Int64(clamping: gap.magnitude)) + (gap > 0 ? " newer" : " older")
    }

    private static func name(_ side: Conflict.Side) -> String { EventText.name(side.dot.device.rawValue) }
}
