import AuditLog
package import ConflictAudit
import SyncModel

/// How far lines can tell of conflicts: whether anybody has audited the writes, and how many of the writes carried a causal context.
///
/// ```swift
/// if summary.evidence.isUnaudited { print("nobody has looked for conflicts") }
/// ```
///
/// Nothing is called safe that was not proven safe: a log of write lines in which nobody has looked for conflicts holds no conflict line
/// either, and of a write without a causal context a conflict can only be suspected.
public struct AuditEvidence: Hashable, Sendable {
    /// Whether there is a `write` line, whether it passed the filter or not.
    package internal(set) var hasWriteLines = false
    /// Whether there is a line that only whoever has looked for conflicts logs, whether it passed the filter or not: `conflict`,
    /// `statistics`, `checkpoint` or `remote_change`.
    package var hasAudit = false
    /// The writes counted.
    public internal(set) var writes = 0
    /// Those of the writes counted that carried a causal context; nil where that is not known.
    public internal(set) var withContext: Int? = 0

    /// Nothing.
    package init() {}

    /// Of writes that somebody has audited.
    package init(auditedWrites writes: Int, withContext: Int?) {
        (hasWriteLines, hasAudit) = (writes > 0, true)
        (self.writes, self.withContext) = (writes, withContext)
    }

    /// Whether there are writes and nobody has audited them.
    public var isUnaudited: Bool { hasWriteLines && !hasAudit }

    /// Whether all writes carried a causal context, so that every conflict is proven and none is missing.
    public var isWhole: Bool { !isUnaudited && writes > 0 && withContext == writes }

    /// Whether all writes counted carried a causal context.
    package var isComplete: Bool { withContext == writes }

    /// Looks at a line of which no event is made.
    mutating func observe(_ line: ScannedLine) {
        switch line.content {
        case .write:
            hasWriteLines = true
            writes += 1
            if line.contexts > 0 { withContext = withContext.map { $0 + 1 } }
        case .conflict, .statistics, .checkpoint, .remoteChange: hasAudit = true
        case .sync, .network, .account, .clock, .log, .acknowledgement, .outbox, .refresh: break
        }
    }

    /// The writes counted of which it is not known that they carried a causal context.
    package var withoutContext: Int { writes - (withContext ?? 0) }

    /// Looks at an event and counts it where it is a write.
    package mutating func observe(_ event: AuditEvent) {
        switch event.content {
        case .write(let write):
            hasWriteLines = true
            writes += 1
            if write.hasCausalContext { withContext = withContext.map { $0 + 1 } }
        case .merge(let merge):
            // As an audit counts it: two versions met, and without an ancestor neither says what its writer had seen.
            hasWriteLines = true
            writes += 2
            if merge.ancestor != nil { withContext = withContext.map { $0 + 2 } }
        case .conflict, .statistics, .rules, .checkpoint, .remoteChange: hasAudit = true
        case .sync, .acknowledgement, .outbox, .refresh, .network, .account, .clock, .log: break
        }
    }
}

extension AuditEvidence {
    /// The command that finds the conflicts of writes that nobody has audited.
    package static func command(_ verb: String) -> String { "syncaudit audit FILE | syncaudit \(verb)" }

    /// Where it is said what a causal context is and which form of it is near at hand.
    private static let help = "see 'syncaudit help audit'"
    /// What makes up for a count that is missing.
    private static let remedy = "'syncaudit audit --statistics' writes a line that does"

    /// That nobody has audited the writes; nil where somebody has.
    package var unauditedSentence: String? {
        guard isUnaudited else { return nil }
        let these = writes > 1 ? "these \(HumanNumber.count(writes)) writes" : writes == 1 ? "this write" : "the writes"
        return "Nobody has audited \(these): whether edits were lost is not known"
    }

    /// Whether all, some or none of the writes carried a causal context, where they may have been counted several times.
    package var contextShare: String {
        if withContext == writes { return "All writes say what their writer had seen" }
        let share = withContext == 0 ? "None of the writes says" : "Not all writes say"
        return "\(share) what \(withContext == 0 ? "its" : "their") writer had seen, so that not every loss can be proven; \(Self.help)"
    }

    /// What conflicts are suspected from, where some may be from what rows repeat.
    package static func source(isOfRows: Bool) -> String { isOfRows ? "times and what rows repeat" : "times alone" }

    /// How many of the writes carried a causal context, and what follows from that.
    ///
    /// - Parameters:
    ///   - hasProven: Whether there are proven conflicts all the same, of other writes than those counted.
    ///   - source: What is suspected from.
    package func contextSentence(hasProven: Bool = false, suspectedFrom source: String = "times alone") -> String {
        guard writes > 0 else {
            return "How many writes there were, and how many of them say what their writer had seen, is not known: no line tells. "
                + Self.remedy
        }
        let all = HumanNumber.count(writes, "write")
        switch withContext {
        case nil:
            return
                "How many of the \(all) say what their writer had seen is not known, so what is not listed is not proven safe. \(Self.remedy)"
        case writes: return writes == 1 ? "The only write says what its writer had seen" : "All \(all) say what their writer had seen"
        case 0:
            let none = writes == 1 ? "The only write does not say" : "None of the \(all) says"
            return "\(none) what its writer had seen, so \(hasProven ? "of these " : "")nothing can be proven, "
                + "and suspicion rests on \(source); \(Self.help)"
        case let count?:
            return
                "\(HumanNumber.count(count)) of the \(all) \(count == 1 ? "says" : "say") what \(count == 1 ? "its" : "their") writer had seen; "
                + "of the others nothing can be proven, and suspicion rests on \(source); \(Self.help)"
        }
    }
}
