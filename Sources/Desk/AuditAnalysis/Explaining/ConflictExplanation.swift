import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// A conflict in words: what happened, why, and how that is known.
///
/// Names from data are shortened and hold nothing that a terminal acts on; markup is the renderer's to escape.
package struct ConflictExplanation: Hashable, Sendable {
    /// What became of the two sides and why, without the full stop.
    package let outcome: String
    /// How it is known that the two met, without the full stop.
    package let evidence: String
    /// What else one should know, a sentence each, without full stops.
    package let remarks: [String]

    /// Both in one sentence.
    package var sentence: String { "\(outcome); \(evidence)" }

    /// Explains a conflict.
    ///
    /// - Parameters:
    ///   - logged: What logs tell of it.
    ///   - history: The writes to its record, where they are at hand: they tell when the hub received the two.
    package init(_ logged: LoggedConflict, history: RecordHistory? = nil) {
        let conflict = logged.conflict
        let words = Words(conflict)
        outcome = history?.repeated.map(words.repetition) ?? words.outcome
        evidence = history.flatMap(words.receipts) ?? words.evidence
        var remarks: [String] = []
        if logged.isDivergent {
            let names = logged.winners.ordered { $0.key < $1.key }.map { winner, sources in
                let logs = sources.map { $0.map { EventText.name($0.rawValue) } ?? "a log without a name" }.sorted()
                let listed = logs.count > 3 ? "\(logs[0]) and \(HumanNumber.count(logs.count - 1, "other"))" : logs.joined(separator: ", ")
                return "\(EventText.name(winner.device.rawValue)) by the log of \(listed)"
            }
            remarks.append("The devices disagree on the winner: " + names.joined(separator: "; "))
        }
        remarks += conflict.flags.all.compactMap { $0.explanation(of: conflict) }
        switch conflict.resolution {
        case .manualPending: remarks.append("It waits for a decision")
        case .manualResolved: remarks.append("It was decided by hand")
        case .restored: remarks.append("The losing value was written again later")
        case .keepLocal, .applyRemote, .merged: break
        }
        self.remarks = remarks
    }
}

/// The parts of the sentence.
private struct Words {
    let conflict: Conflict
    let winner: String
    let loser: String

    init(_ conflict: Conflict) {
        self.conflict = conflict
        winner = EventText.name(conflict.winner.dot.device.rawValue)
        loser = EventText.name(conflict.loser.dot.device.rawValue)
    }

    /// That the loser was no edit, and whose value it named.
    func repetition(of write: TaggedWrite) -> String {
        let writer = EventText.name(write.dot.device.rawValue)
        let value = conflict.field.flatMap { write.value(of: $0) }.map { $0 == .null ? "removal" : EventText.value($0) } ?? "fields"
        let author = write.dot.device == conflict.loser.dot.device ? "its own" : "\(writer)'s"
        return "Nothing was lost: \(loser) only saved again \(author) \(value), which \(winner) had seen"
    }

    var outcome: String {
        switch conflict.kind {
        case .uniqueKey:
            let other = conflict.related.map { EventText.register($0, nil) } ?? "another record"
            return
                "\(winner) and \(loser) gave \(EventText.register(conflict.key, conflict.field)) and \(other) the same value, which must be unique"
        case .danglingReference:
            let other = conflict.related.map { EventText.register($0, nil) } ?? "the record"
            return "\(winner) deleted \(other) while \(loser) wrote a reference to it"
        case .disjointUpdate:
            return "Nothing was lost: \(winner) and \(loser) changed different fields of the record, and both changes are kept"
        case .deleteDelete: return "Nothing was lost: \(winner) and \(loser) both deleted the record"
        case .updateUpdate, .insertInsert, .deleteUpdate: break
        }
        switch conflict.severity {
        case .benign:
            let same = "\(winner) and \(loser) wrote the same value"
            let again = "\(loser) only saved again what both had seen"
            return switch conflict.harmlessness {
            case .repeated: "Nothing was lost: \(again)"
            case .bookkeeping: "Nothing was lost: every save moves what differs there, and nobody edits it"
            case .either: "Nothing was lost: \(same), or \(again)"
            case .equal, nil: "Nothing was lost: \(same)"
            }
        case .merged: return "Nothing was lost: what \(winner) and \(loser) wrote was put together"
        case .lossy, .destructive, .divergent:
            let verb = conflict.isProven ? "was" : "may have been"
            return "\(loser)'s \(noun(conflict.loser)) \(verb) lost because \(reason)"
        }
    }

    var evidence: String {
        if let versions = conflict.versions { return evidence(versions) }
        return switch conflict.basis {
        case .causal: "neither had seen the other"
        case .ancestor: "both had started from the same version on the server"
        case .arrival: "suspected: each was made before the hub had received the other"
        case .content: "suspected: a row that was saved whole repeats an older version"
        case .window: "suspected only: nothing tells what either had seen, and their times are \(gap) apart"
        }
    }

    /// How it is known what the author of a saved row had been looking at.
    private func evidence(_ versions: SavedVersions) -> String {
        let (shown, lost) = (EventText.name(versions.shown), EventText.name(versions.lost))
        let base = versions.base.map { "version \(EventText.name($0))" } ?? "an older version"
        return switch conflict.basis {
        case .causal, .ancestor: "the row tells that \(winner) had been looking at \(base), though version \(shown) was current"
        case .arrival: "suspected: by both clocks \(winner)'s edit was made before the server had version \(lost)"
        case .content: "suspected: the row repeats \(base), though version \(shown) was current"
        case .window: "suspected only: nothing tells what \(winner) had been looking at, and version \(lost) was \(gap) old"
        }
    }

    /// By how much each was made before the hub had received the other; nil where that is not what is known.
    func receipts(_ history: RecordHistory) -> String? {
        guard conflict.basis == .arrival,
            let won = history.write(of: conflict.winner)?.receipt?.milliseconds,
            let lost = history.write(of: conflict.loser)?.receipt?.milliseconds
        else { return nil }
        func lead(_ side: Conflict.Side, _ received: Int64) -> String {
            let lead = received.distance(after: side.timestamp.milliseconds)
            return lead < 0
                ? "\(HumanNumber.duration(milliseconds: lead == .min ? .max : -lead)) after, no more than clocks may differ,"
                : "\(HumanNumber.duration(milliseconds: lead)) before"
        }
        return "suspected: \(winner)'s was made \(lead(conflict.winner, lost)) \(loser)'s reached the hub, and \(loser)'s "
            + "\(lead(conflict.loser, won)) \(winner)'s did"
    }

    private var gap: String { HumanNumber.duration(milliseconds: conflict.gapMilliseconds) }

    private var reason: String {
        if conflict.versions != nil {
            if conflict.winner.operation == .delete { return "\(winner) deleted the record" }
            return conflict.isStale ? "\(winner)'s save of the whole row put the old value back" : "\(winner)'s save replaced it"
        }
        switch conflict.reason {
        case .newer:
            if conflict.winner.timestamp < conflict.loser.timestamp {
                return "the log calls \(winner)'s newer, although its time is \(gap) older"
            }
            return conflict.gapMilliseconds == 0 ? "\(winner)'s was newer within the same millisecond" : "\(winner)'s was \(gap) newer"
        case .tieBreak: return "both carry the same time, and of the two names \(winner) sorts last"
        case .deleteWins: return "\(winner) deleted the record, and deletes win over edits"
        case .editWins: return "\(winner) edited the record, and edits win over deletes"
        case .causal: return "only \(winner) had changed it since the version that both knew"
        case .custom: return "the app's own rule \(EventText.name(conflict.policy)) chose \(winner)'s"
        case .policy: return policy
        }
    }

    private var policy: String {
        let name = conflict.policy.split(separator: ":").last.map(String.init) ?? ""
        switch name {
        case MergePolicy.firstWriterWins.name: return "\(winner)'s was \(gap) older, and the first writer wins"
        case MergePolicy.lastArrivalWins.name: return "\(winner)'s reached the hub last, whatever the clocks say"
        case MergePolicy.maximum.name: return "\(winner)'s value is the larger one"
        case MergePolicy.minimum.name: return "\(winner)'s value is the smaller one"
        case MergePolicy.preferDevices([]).name: return "\(winner) is the preferred device"
        case MergePolicy.manual.name: return "the app has to decide, and until it does \(winner)'s, the latest, is shown"
        case MergePolicy.counter.name where conflict.loser.value.map(CounterWrite.canCount) == false:
            return "it is a counter, and \(loser)'s value is no whole number of 64 bits that could be counted from"
        case MergePolicy.counter.name, MergePolicy.set.name: return "both set it anew, and \(winner)'s was \(gap) newer"
        default: return "the policy \(EventText.name(conflict.policy)) chose \(winner)'s"
        }
    }

    private func noun(_ side: Conflict.Side) -> String {
        switch (side.operation, side.value) {
        case (.delete, _): "delete"
        case (.put, .null): "removal"
        case (.put, _): "edit"
        }
    }
}
