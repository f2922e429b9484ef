package import AuditAnalysis
package import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// A lost edit in words: whose it was, what replaced it, and how far apart the two were made.
///
/// Nothing in it acts on a terminal.
package struct LossSentence {
    private let conflict: Conflict
    private let names: RecordNames
    /// The losing value as it is told; nil for the value itself.
    private let excerpt: String?

    /// The sentence of a value that a ledger holds, of which only what the winner does not have is told.
    init(_ loss: Loss, names: RecordNames = .none) {
        (conflict, self.names) = (loss.conflict, names)
        let isWhole = loss.conflict.loser.value?.isChange ?? true
        excerpt = isWhole || loss.conflict.loser.operation == .delete ? nil : loss.excerpt
    }

    /// The sentence of a conflict, the losing value told whole.
    package init(_ conflict: Conflict, names: RecordNames = .none) { (self.conflict, self.names, excerpt) = (conflict, names, nil) }

    /// What to say below losses that deletes have won, without markup.
    static let deletesWin =
        "A delete that won over an edit is the policy's expected behaviour: the policy lets deletes win. "
        + "To see what edits that win would keep: syncaudit replay --deletes edit-wins"

    /// The sentence, without its full stop.
    var text: String { sentence(valueWidth: .max, isDated: true) }

    private func sentence(valueWidth: Int, isDated: Bool) -> String {
        let (winner, loser) = (conflict.winner, conflict.loser)
        let day = isDated ? " of \(RFC3339.string(milliseconds: loser.timestamp.milliseconds).prefix(10))" : ""
        return "\(certainty)\(Self.name(loser))'s \(edit(loser, valueWidth))\(day) was \(fate(winner, valueWidth))"
            + (isDated ? ", \(conflict.distance)" : "")
    }

    private var certainty: String { conflict.isProven ? "" : "perhaps: " }

    /// The sentence in some columns: with less of the values where it is too long, then without the times, at last cut behind a word.
    package func fitting(_ columns: Int) -> String {
        let register = (conflict.field.map { "\(EventText.name($0.rawValue)) on " } ?? "") + EventText.register(conflict.key, nil, names)
        let verb = conflict.winner.operation == .delete ? "a delete by " : ""
        let shortest = "\(certainty)\(Self.name(conflict.loser)) lost \(register) to \(verb)\(Self.name(conflict.winner))"
        let sentences = [
            text, sentence(valueWidth: 24, isDated: true), sentence(valueWidth: 16, isDated: true),
            sentence(valueWidth: 24, isDated: false), shortest,
        ]
        return sentences.first { TerminalText.width($0) <= columns } ?? TerminalText.truncatedAtWord(shortest, to: columns)
    }

    private func edit(_ side: Conflict.Side, _ valueWidth: Int) -> String {
        let record = EventText.register(conflict.key, nil, names)
        guard let field = conflict.field else { return side.operation == .delete ? "delete of \(record)" : record }
        let name = "\(EventText.name(field.rawValue)) on \(record)"
        return switch side.value {
        case .null?: "removal of \(name)"
        case let value?:
            "\(EventText.name(field.rawValue)) \(excerpt.map { TerminalText.truncated($0, to: valueWidth) } ?? Self.value(value, valueWidth)) on \(record)"
        case nil: name
        }
    }

    private func fate(_ winner: Conflict.Side, _ valueWidth: Int) -> String {
        let name = Self.name(winner)
        if winner.operation == .delete { return "deleted by \(name)" }
        return switch winner.value {
        case .null? where conflict.field != nil: "removed by \(name)"
        case let value? where conflict.field != nil:
            conflict.versions != nil && conflict.isStale
                ? "put back to \(Self.value(value, valueWidth)) by \(name)'s save"
                : "replaced by \(name)'s \(Self.value(value, valueWidth))"
        default: "replaced by \(name)'s"
        }
    }

    /// A value as JSON, and of a counter or a set what was counted, added or removed.
    private static func value(_ value: FieldValue, _ width: Int) -> String {
        var text = EventText.value(value)
        if let counter = CounterWrite(value) { text = "count of \(counter.total)" }
        if let set = SetWrite(value) {
            let elements = Self.elements(set.added, sign: "+") + Self.elements(set.removed, sign: "-")
            text = elements.isEmpty ? "unchanged" : elements.joined(separator: " ")
        }
        return TerminalText.truncated(text, to: width)
    }

    /// The first two elements, each behind the sign, and whether there are more.
    private static func elements(_ elements: [FieldValue], sign: String) -> [String] {
        let first = elements.prefix(2).map { sign + EventText.value($0) }
        return elements.count > 2 ? first + [sign + "…"] : first
    }

    private static func name(_ side: Conflict.Side) -> String { EventText.name(side.dot.device.rawValue) }
}

extension Conflict {
    /// How far apart its two writes were made, and which came later, seen from the loser.
    var distance: String {
        let gap = winner.timestamp.milliseconds.distance(after: loser.timestamp.milliseconds)
        if gap == 0 { return "made at the same time" }
        return HumanNumber.duration(milliseconds: Int64(clamping: gap.magnitude)) + (gap > 0 ? " newer" : " older")
    }
}
