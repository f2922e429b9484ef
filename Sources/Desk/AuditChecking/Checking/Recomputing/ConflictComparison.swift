import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncMerge
import SyncModel

/// Holds a conflict as a line tells it against the same conflict as its writes make it.
///
/// Values that the log's privacy rules left out, or that were too long for it, are not compared.
struct ConflictComparison {
    /// The conflict that a line tells of.
    let line: Conflict
    /// The conflict that the writes make.
    let made: Conflict
    /// How much of the second is certain.
    let certainty: Certainty

    /// How much of a conflict follows from what is at hand.
    enum Certainty {
        /// All writes that the replica had, in the order of their arrival.
        case whole
        /// The two writes: an ancestor, a result and the side that was there first depend on others.
        case pair
        /// The line's own description of its two sides: what their writers had seen is not known.
        case line
    }

    /// The policy's name where it is an app's own rule or a list of devices that is not known, so that the winner is the line's.
    var loggedPolicy: String?
    /// The reason by what is known of a list of devices that nobody gave.
    var reason: Conflict.Reason?
    /// Whether a put wins over a delete for the sake of a third write.
    var dependsOnOthers = false
    /// Which values the log may hold, as far as it says so.
    var privacy = ValuePrivacy.full
    /// Whether the record may have been forgotten after a delete, and its ancestors with it.
    var mayLackAncestor = false

    /// The first difference, as a sentence's end; nil where there is none.
    var difference: String? {
        identity ?? sides ?? decision ?? cost ?? history
    }

    private var identity: String? {
        if line.key != made.key || line.field != made.field || line.related != made.related {
            return "its writes are to \(EventText.register(made.key, made.field))"
        }
        if line.id != made.id { return "the id is not that of the record, field and writes that the line names" }
        return nil
    }

    private var sides: String? {
        if line.winner.dot != made.winner.dot {
            return "\(EventText.name(line.winner.dot.device.rawValue)) is named the winner, but by \(EventText.name(made.policy)) "
                + "\(EventText.name(made.winner.dot.device.rawValue)) wins"
        }
        for (side, other, role) in [(line.winner, made.winner, "winner"), (line.loser, made.loser, "loser")] {
            if side.dot != other.dot {
                return "the \(role) is \(DecisionCheck.name(side.dot)), and should be \(DecisionCheck.name(other.dot))"
            }
            if side.timestamp != other.timestamp { return "the time of the \(role) is not that of \(DecisionCheck.name(side.dot))" }
            if side.operation != other.operation {
                return
                    "the \(role) is told as a \(side.operation.rawValue), and \(DecisionCheck.name(side.dot)) is a \(other.operation.rawValue)"
            }
            if let app = side.app, let right = other.app, app != right {
                return "the app of the \(role) is told as \(EventText.name(app)), and is \(EventText.name(right))"
            }
            if differs(side.value, other.value, isMissingAllowed: true) {
                return "the value of the \(role) is not what \(DecisionCheck.name(side.dot)) wrote"
            }
        }
        return nil
    }

    private var decision: String? {
        if line.kind != made.kind, !(certainty == .line && Self.puts.contains(line.kind) && Self.puts.contains(made.kind)) {
            return not("kind", line.kind.rawValue, made.kind.rawValue)
        }
        if certainty != .line, line.basis != made.basis { return not("basis", line.basis.rawValue, made.basis.rawValue) }
        let policy = dependsOnOthers ? DeletePolicy.lastWriterWins.name : made.policy
        if line.policy != policy { return not("policy", line.policy, policy) }
        if line.reason != made.reason, !isReasonOpen { return not("reason", line.reason.rawValue, (reason ?? made.reason).rawValue) }
        if line.gapMilliseconds != made.gapMilliseconds {
            return not("gap", "\(line.gapMilliseconds) ms", "\(made.gapMilliseconds) ms")
        }
        if line.withinWindow != (line.gapMilliseconds <= line.windowMilliseconds) {
            return "it is told as \(line.withinWindow ? "within" : "outside") the window of \(line.windowMilliseconds) ms, and is not"
        }
        return nil
    }

    private static let puts: Set<Conflict.Kind> = [.updateUpdate, .insertInsert]

    private var isReasonOpen: Bool {
        // A list of devices names its choice "policy" where the winner is on it, and goes by time where nobody is.
        let byTime = line.reasonByTime
        if loggedPolicy == MergePolicy.preferDevices([]).name, made.reason == .custom {
            return reason.map { line.reason == $0 } ?? (line.reason == .policy || line.reason == byTime)
        }
        return dependsOnOthers && [.policy, .custom, byTime].contains(line.reason)
    }

    private var cost: String? {
        if line.severity != made.severity, !isSeverityOpen { return not("severity", line.severity.rawValue, made.severity.rawValue) }
        let isOver = line.resolution == .manualResolved || line.resolution == .restored
        if loggedPolicy != nil, certainty != .whole { return nil }
        if line.resolution == made.resolution || isOver && made.resolution == .manualPending { return nil }
        // Which side was there first differs from device to device.
        if certainty != .whole, line.resolution.isAutomatic, made.resolution.isAutomatic,
            (line.resolution == .merged) == (line.severity == .merged)
        {
            return nil
        }
        return not("resolution", line.resolution.rawValue, made.resolution.rawValue)
    }

    /// Whether the severity depends on values that are not known, or on other writes.
    private var isSeverityOpen: Bool {
        let values: Set<Conflict.Severity> = [.benign, .merged, .lossy]
        if Self.mayDifferByAncestor(line, made), certainty != .whole || mayLackAncestor { return true }
        guard values.contains(line.severity), values.contains(made.severity), Self.puts.contains(made.kind) else { return false }
        if !isKnown(made.winner) || !isKnown(made.loser) { return true }
        guard certainty != .whole else { return false }
        // An app's own rule may make one value of two.
        return loggedPolicy != nil || Self.setsCounterTwice(line)
    }

    /// Whether both sides set a counter: one of them is counted from, and which, other writes may decide.
    static func setsCounterTwice(_ conflict: Conflict) -> Bool {
        MergeRules.Scope.policyName(conflict.policy) == MergePolicy.counter.name
            && [conflict.winner, conflict.loser].allSatisfy { $0.operation == .put && $0.value.flatMap(CounterWrite.init) == nil }
    }

    /// Whether one calls it harmless because the loser only repeated what its writer had been shown, and to the other that is not known.
    ///
    /// What was last displaced, and so the ancestor, depends on the order of arrival.
    static func mayDifferByAncestor(_ one: Conflict, _ other: Conflict) -> Bool {
        let (benign, costly) = one.severity == .benign ? (one, other) : (other, one)
        guard costly.severity == .lossy || costly.severity == .destructive, let reason = benign.harmlessness, reason != .equal else {
            return false
        }
        guard let loser = benign.loser.value else { return true }
        // Who had been shown nothing, and removes it, edited nothing; a replica does not know it.
        guard let ancestor = benign.ancestor else {
            return loser == .null || benign.field == nil && loser.object?.allSatisfy { $0.value == .null } == true
        }
        if !isKnown(ancestor) || !isKnown(loser) || loser == ancestor { return true }
        guard benign.field == nil, let put = loser.object, let known = ancestor.object else { return false }
        // What the ancestor's write does not name, an earlier one may have shown.
        return put.allSatisfy { known[$0.name] == nil || known[$0.name] == $0.value }
    }

    private var history: String? {
        guard certainty == .whole else { return nil }
        let isValueTold = [line.winner, line.loser].contains { $0.value != nil }
        // Which of several writes to the record that both had seen is shown, only the rule itself can say.
        let isOpen = loggedPolicy != nil && line.kind == .disjointUpdate && line.ancestor != nil && made.ancestor != nil
        let made = privacy.applied(to: made)
        if !isOpen, differs(line.ancestor, made.ancestor, isMissingAllowed: !isValueTold || mayLackAncestor) {
            return "the ancestor is not what both sides had seen"
        }
        if line.severity == made.severity, [line.winner, line.loser].allSatisfy(isKnown), line.ancestor != nil || !mayLackAncestor {
            for flag in Conflict.Flag.allCases where line.flags[flag] != made.flags[flag] {
                guard let noun = flag.nounByValues else { continue }
                return "it is told as \(line.flags[flag] ? "a" : "no") \(noun), and is \(line.flags[flag] ? "none" : "one")"
            }
        }
        // The decision of a conflict that waited brings a result of its own.
        guard line.resolution != .manualResolved else { return nil }
        if differs(line.result, made.result, isMissingAllowed: !isValueTold) { return "the result is not what both sides make" }
        return nil
    }

    private func not(_ name: String, _ logged: String, _ right: String) -> String {
        "the \(name) is told as \(EventText.name(logged)), and is \(EventText.name(right))"
    }

    private func isKnown(_ side: Conflict.Side) -> Bool { side.operation == .delete || side.value.map(Self.isKnown) ?? false }

    /// Whether a value, or each field of a record, is in the log as it was written.
    static func isKnown(_ value: FieldValue) -> Bool {
        Recoverability(ofValue: value) == .available
            && (value.object?.allSatisfy { Recoverability(ofValue: $0.value) == .available } ?? true)
    }

    /// Whether two values differ, as far as both are known.
    ///
    /// - Parameter isMissingAllowed: Whether the line may leave out a value.
    private func differs(_ logged: FieldValue?, _ right: FieldValue?, isMissingAllowed: Bool) -> Bool {
        guard let logged else { return !isMissingAllowed && right.map(Self.isKnown) ?? false }
        guard let right else { return Recoverability(ofValue: logged) == .available }
        if logged == right || Recoverability(ofValue: logged) != .available || Recoverability(ofValue: right) != .available { return false }
        // Of a whole record single fields may have been left out or cut.
        guard made.field == nil, let logged = logged.object, let right = right.object else { return true }
        return logged.contains { field in
            guard let value = right[field.name] else { return true }
            return value != field.value && Recoverability(ofValue: value) == .available
                && Recoverability(ofValue: field.value) == .available
        }
    }
}
