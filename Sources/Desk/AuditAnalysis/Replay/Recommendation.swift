package import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// What to change about one field, or about a type of record, and why.
package struct Recommendation: Hashable, Sendable {
    /// The field; without one, all records of the type.
    package let register: ConflictStatistics.FieldKey
    /// The policy as the options of the command name it; ``bookkeeping`` where nobody edits the field.
    package let policy: String
    /// The reason, as a sentence without its full stop.
    package let reason: String
    /// How many edits lose under the recorded rules, and how many of them the policy would keep, as far as that was measured.
    package let lost: Int
    package let saved: Int?

    /// In place of a policy: that nobody edits a field.
    package static let bookkeeping = "bookkeeping"
}

extension PolicyReplay {
    /// What to change, where most loses first.
    func recommendations() -> [Recommendation] {
        var lost: [ConflictStatistics.FieldKey: [ReplayPass.Loss]] = [:]
        for loss in recorded.losses { lost[loss.register, default: []].append(loss) }
        var defeated: [ConflictStatistics.FieldKey: [(edit: ReplayPass.Edit, isLoss: Bool)]] = [:]
        for put in recorded.defeatedPuts { defeated[put.register, default: []].append((put.edit, put.isLoss)) }
        let bookkeeping = bookkeeping.found.filter { !isDeclared($0) }
        var result = bookkeeping.map { field in
            Recommendation(
                register: field, policy: Recommendation.bookkeeping,
                reason: "nearly every save names it, and in a record it only ever rises: where nobody edits it, "
                    + "'--bookkeeping \(field.type.rawValue).\(field.field?.rawValue ?? "")' counts no edit as lost there",
                lost: lost[field]?.count ?? 0, saved: nil)
        }
        for (field, profile) in profiles where !bookkeeping.contains(field) && !isDeclared(field) {
            if let one = recommendation(field, profile, lost[field] ?? [], defeated[field] ?? []) { result.append(one) }
        }
        result += recordRecommendations(lost) + deleteRecommendations()
        return result.ordered { left, right in
            (left.saved ?? 0, left.lost) == (right.saved ?? 0, right.lost)
                ? (left.register, left.reason) < (right.register, right.reason)
                : (left.saved ?? 0, left.lost) > (right.saved ?? 0, right.lost)
        }
    }

    private func isDeclared(_ field: ConflictStatistics.FieldKey) -> Bool {
        field.field.map { recorded.rules.bookkeeping.contains($0, of: field.type) } ?? false
    }

    private func recommendation(
        _ field: ConflictStatistics.FieldKey, _ profile: FieldProfile, _ losses: [ReplayPass.Loss],
        _ defeated: [(edit: ReplayPass.Edit, isLoss: Bool)]
    ) -> Recommendation? {
        switch (profile.shape, recorded.rules.policy(for: field.type, field: field.field)) {
        case (.counter(let onlyGrows), let policy) where !policy.addsUp:
            let nature = onlyGrows ? "it only ever grows, mostly by small steps" : "it goes up and down by one"
            return counter(field, nature, losses, defeated)
        case (.set, let policy) where !policy.addsUp: return set(field, profile, losses)
        case (.highest, .lastWriterWins) where !losses.isEmpty, (.highest, .firstWriterWins) where !losses.isEmpty:
            return Recommendation(
                register: field, policy: "maximum",
                reason: "it only ever grows, by leaps, as a date or a version does: 'maximum' never goes back to a lower one",
                lost: losses.count, saved: nil)
        default: return ordinary(field, profile, losses)
        }
    }

    /// What is said of edits where none is found that loses.
    private var loses: String { evidence.isConclusive ? "loses" : "is known to lose" }

    private func counter(
        _ field: ConflictStatistics.FieldKey, _ nature: String, _ losses: [ReplayPass.Loss],
        _ defeated: [(edit: ReplayPass.Edit, isLoss: Bool)]
    ) -> Recommendation {
        let kept = pass(.counter)?.lostEdits ?? []
        // What loses to a delete is no less an increment.
        let edits =
            defeated.map { (edits: [$0.edit], isLoss: $0.isLoss) } + losses.filter(\.isByDelete).map { (edits: $0.edits, isLoss: true) }
        let saved = edits.count { !$0.edits.contains(where: kept.contains) }
        var reason = "\(nature): "
        if edits.isEmpty {
            reason += "'counter' fits; no increment \(loses) so far"
        } else {
            reason += "'counter' would keep \(Self.share(saved, of: edits.count, "losing increment"))"
            let quiet = edits.count { !$0.isLoss }
            if quiet > 0 {
                let part = edits.count == 1 ? "" : quiet == edits.count ? " all" : " \(HumanNumber.count(quiet)) of them"
                let phrase = quiet == 1 ? "in a conflict" : "in conflicts"
                reason += ",\(part) \(phrase) that looked harmless because both had written the same number"
            }
        }
        return Recommendation(register: field, policy: "counter", reason: reason, lost: edits.count, saved: saved)
    }

    private func set(
        _ field: ConflictStatistics.FieldKey, _ profile: FieldProfile, _ losses: [ReplayPass.Loss]
    ) -> Recommendation {
        let saved = Self.saved(losses, by: pass(.set))
        var reason = "it is edited as a list: "
        reason +=
            losses.isEmpty
            ? "'set' fits; no edit \(loses) so far" : "'set' would keep \(Self.share(saved, of: losses.count, "losing edit"))"
        var lacks: [String] = []
        if profile.reorderings > 0 { lacks.append("no order (\(HumanNumber.count(profile.reorderings, "write")) changed only that)") }
        if profile.listsWithRepeats > 0 {
            lacks.append("no repeats (\(HumanNumber.count(profile.listsWithRepeats, "list")) held an element twice)")
        }
        if !lacks.isEmpty { reason += "; but 'set' keeps " + lacks.joined(separator: " and ") }
        return Recommendation(register: field, policy: "set", reason: reason, lost: losses.count, saved: saved)
    }

    /// A field of which one value at a time can be shown.
    private func ordinary(
        _ field: ConflictStatistics.FieldKey, _ profile: FieldProfile, _ losses: [ReplayPass.Loss]
    ) -> Recommendation? {
        let lost = losses.filter { !$0.isByDelete && !$0.isWaiting }.count
        guard lost > 0 else { return nil }
        let nature =
            switch profile.shape {
            case .sequence: "it is a list in which an element may stand twice, which 'set' does not keep"
            default: "it holds one value at a time, of which every rule drops one"
            }
        return Recommendation(
            register: field, policy: "manual",
            reason: "\(nature): 'manual' would have asked \(lost == 1 ? "once" : "\(HumanNumber.count(lost)) times")", lost: lost,
            saved: nil)
    }

    /// Where records are kept or dropped as a whole.
    private func recordRecommendations(_ lost: [ConflictStatistics.FieldKey: [ReplayPass.Loss]]) -> [Recommendation] {
        lost.compactMap { register, losses in
            guard register.field == nil, recorded.rules.scope(for: register.type).isRecord else { return nil }
            let saved = Self.saved(losses, by: pass(.fields))
            guard saved > 0 else { return nil }
            return Recommendation(
                register: register, policy: "last-writer-wins",
                reason: "records are kept or dropped as a whole: deciding field by field would keep "
                    + Self.share(saved, of: losses.count, "losing edit"), lost: losses.count, saved: saved)
        }
    }

    private func deleteRecommendations() -> [Recommendation] {
        guard let pass = pass(.editWins) else { return [] }
        var losses: [RecordType: [ReplayPass.Loss]] = [:]
        for loss in recorded.losses where loss.isByDelete { losses[loss.register.type, default: []].append(loss) }
        // A delete that loses costs nobody an edit; an edit that loses to one that a delete used to hide does.
        var price: [RecordType: Int] = [:]
        for loss in pass.losses where loss.edits.contains(where: { $0.field != nil && !recorded.lostEdits.contains($0) }) {
            price[loss.register.type, default: 0] += 1
        }
        return losses.compactMap { type, losses in
            let saved = Self.saved(losses, by: pass)
            let price = price[type] ?? 0
            guard saved > price else { return nil }
            var reason = "deletes discard edits that they had not seen: 'edit-wins' would keep "
            reason += "\(HumanNumber.count(saved)) of \(HumanNumber.count(losses.count))"
            if price > 0 { reason += ", and lose \(HumanNumber.count(price, "other")) in conflicts that come up instead" }
            return Recommendation(
                register: ConflictStatistics.FieldKey(type: type, field: nil), policy: "deletes=edit-wins", reason: reason,
                lost: losses.count, saved: saved)
        }
    }

    private static func saved(_ losses: [ReplayPass.Loss], by pass: ReplayPass?) -> Int {
        guard let pass else { return 0 }
        return losses.count { !$0.edits.contains(where: pass.lostEdits.contains) }
    }

    private static func share(_ part: Int, of whole: Int, _ noun: String) -> String {
        "\(HumanNumber.count(part)) of \(HumanNumber.count(whole, noun))"
    }
}

extension MergePolicy {
    /// Whether nobody loses under it.
    var addsUp: Bool {
        switch self {
        case .counter, .set: true
        default: false
        }
    }
}
