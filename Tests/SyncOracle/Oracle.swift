package import SyncModel

/// Finds the conflicts and the final state of a history by comparing every write with every other, straight from the definitions.
///
/// It knows nothing of the product but the plain values of SyncModel, which the dependencies of this target guarantee.
package enum Oracle {
    /// Judges writes in the order in which they arrived, at most 64 different ones to a record.
    ///
    /// - Parameter isWhole: Whether what is said of a loser follows from all that has arrived, in causal order from the whole history,
    ///   instead of from what a replica remembers.
    /// - Complexity: O(*n*³) for *n* writes.
    package static func judge(_ arrivals: [TaggedWrite], _ settings: Settings = Settings(), isWhole: Bool = false) -> Verdict {
        var verdict = Verdict()
        var keys: [RecordKey] = []
        for write in arrivals where !keys.contains(write.key) { keys.append(write.key) }
        for key in keys {
            var writes: [TaggedWrite] = []
            // A duplicate of a dot changes nothing.
            for write in arrivals where write.key == key && !writes.contains(where: { $0.dot == write.dot }) { writes.append(write) }
            OneRecord(key: key, writes: writes, settings: settings, isWhole: isWhole).judge(into: &verdict)
        }
        return verdict
    }
}

/// The writes to one record in order of arrival.
///
/// A set of writes is a bit mask: bit *i* is the *i*-th to arrive.
private struct OneRecord {
    let key: RecordKey
    let writes: [TaggedWrite]
    let settings: Oracle.Settings
    let isWhole: Bool
    /// Each write's place in the total order.
    let rank: [Int]
    /// For each write, the others that it has seen.
    let saw: [UInt64]
    let deletes: UInt64
    let fields: [(name: FieldName, puts: UInt64)]

    /// What was said of the losers of a register.
    private struct Told {
        var harmless: UInt64 = 0
        var costly: UInt64 = 0
        /// The edits that were lost.
        var edits: UInt64 = 0
        /// The puts that lost to a delete.
        var deleted: UInt64 = 0
    }

    init(key: RecordKey, writes: [TaggedWrite], settings: Oracle.Settings, isWhole: Bool) {
        self.isWhole = isWhole
        self.key = key
        self.writes = writes
        self.settings = settings
        let relation = Relation(writes: writes, inference: settings.inference)
        rank = relation.rank
        saw = relation.saw
        var deletes: UInt64 = 0
        var fields: [(name: FieldName, puts: UInt64)] = []
        for (index, write) in writes.enumerated() {
            guard case .put(let map) = write.operation else {
                deletes |= 1 << UInt64(index)
                continue
            }
            for position in map.indices {
                let name = map[position].name
                if let known = fields.firstIndex(where: { $0.name.rawValue.utf8.elementsEqual(name.rawValue.utf8) }) {
                    fields[known].puts |= 1 << UInt64(index)
                } else {
                    fields.append((name, 1 << UInt64(index)))
                }
            }
        }
        self.deletes = deletes
        self.fields = fields
    }

    func judge(into verdict: inout Oracle.Verdict) {
        var told: [FieldName?: Told] = [:]
        for index in writes.indices { arrive(index, &told, into: &verdict) }
        let all = arrived(through: writes.count - 1)
        if settings.isRecordLevel {
            if let winner = winner(of: all, field: nil), !isDelete(winner) {
                verdict.winners[Oracle.Register(key: key, field: nil)] = writes[winner].dot
            }
            verdict.state[key] = view(of: all)
            return
        }
        var exists = winner(of: all, field: nil).map { !isDelete($0) } ?? false
        var shown = FieldMap()
        for field in fields {
            guard let winner = winner(of: field.puts | deletes, field: field.name), case .put(let map) = writes[winner].operation else {
                continue
            }
            exists = true
            verdict.winners[Oracle.Register(key: key, field: field.name)] = writes[winner].dot
            let value =
                switch settings.policy {
                case .counter: TallyOracle.counter(field.name, writes, deletes: settings.deletes, inference: settings.inference)
                case .set: FieldValue.array(TallyOracle.set(field.name, writes, inference: settings.inference))
                default: map[field.name] ?? .null
                }
            if value != .null { shown[field.name] = value }
        }
        if exists { verdict.state[key] = shown }
    }

    // MARK: Conflicts

    private func arrive(_ index: Int, _ told: inout [FieldName?: Told], into verdict: inout Oracle.Verdict) {
        let before = arrived(through: index) & ~bit(index)
        let after = arrived(through: index)
        if settings.isRecordLevel {
            // The record is one register like any other: nothing is found beside it.
            decide(index, nil, before: before, after: after, &told[nil, default: Told()], into: &verdict)
        } else {
            for field in fields where (field.puts | deletes) & bit(index) != 0 && field.puts & after != 0 {
                let register = field.puts | deletes
                decide(
                    index, field.name, before: before & register, after: after & register, &told[field.name, default: Told()],
                    into: &verdict)
            }
            if isDelete(index) {
                findOtherDelete(index, after: after, into: &verdict)
            } else {
                findDisjointPuts(index, after: after, into: &verdict)
            }
        }
    }

    /// The three ways in which an arriving write brings a decision about a register to light.
    private func decide(
        _ index: Int, _ field: FieldName?, before: UInt64, after: UInt64, _ told: inout Told, into verdict: inout Oracle.Verdict
    ) {
        // Only maximal writes are decided between; what stands for want of one has lost to nobody.
        guard let now = choice(among: maximal(after), field) else { return }
        var met: [(winner: Int, loser: Int)] = []
        if now != index, maximal(after) & bit(index) != 0 {
            met = [(now, index)]
        } else if now == index, let then = choice(among: maximal(before), field), saw[index] & bit(then) == 0 {
            met = [(index, then)]
        }
        let hidden = now == index && !addsUp(field) ? hidden(by: index, field, after, &told).filter { $0 != met.first?.loser } : []
        if case .counter = settings.policy, let field, !isDelete(index), !met.contains(where: { isDelete($0.winner) || isDelete($0.loser) })
        {
            met = amongSettings(met.first, index, field, before: before, after: after)
        }
        if addsUp(field), let field, now == index, isDelete(index) {
            let gone = addedUp(before, field).filter { other in
                (saw[index] | told.deleted) & bit(other) == 0 && !met.contains { $0.loser == other }
            }.sorted { rank[$0] > rank[$1] }
            met += gone.enumerated().filter { offset, other in
                if case .counter = settings.policy { return true }
                return !gone[..<offset].contains { isShown(other, by: $0, field) }
            }.map { (index, $0.element) }
            // What one of them lost is told, and so what its equals did.
            for other in gone { told.deleted |= bit(other) }
        }
        for pair in met + hidden.map({ (index, $0) }) {
            report(winner: pair.winner, loser: pair.loser, arriving: index, field, after: after, &told, into: &verdict)
        }
        guard isWhole, settings.isRecordLevel, now == index else { return }
        for pair in met + hidden.map({ (index, $0) }) where !isDelete(pair.loser) {
            reportSeries(behind: pair.loser, winner: index, &told, into: &verdict)
        }
    }

    /// What the record of a loser showed besides the loser's own fields goes with it, where the winner's writer had not seen that either.
    private func reportSeries(behind loser: Int, winner: Int, _ told: inout Told, into verdict: inout Oracle.Verdict) {
        var names: Set<FieldName> = []
        var current = loser
        while true {
            if case .put(let map) = writes[current].operation { for position in map.indices { names.insert(map[position].name) } }
            guard let known = known(to: current, nil, 0), let next = choice(among: known, nil), !isDelete(next), next != winner,
                saw[winner] & bit(next) == 0, case .put(let map) = writes[next].operation
            else { return }
            let fresh = map.indices.map { (map[$0].name, map[$0].value) }.filter { !names.contains($0.0) }
            current = next
            if fresh.isEmpty || told.costly & bit(next) != 0 { continue }
            if case .put(let kept) = writes[winner].operation, fresh.allSatisfy({ kept[$0.0] == $0.1 }) { continue }
            let edits = edits(carriedBy: next, nil, 0, naming: fresh) ?? 0
            let lost = edits & ~(saw[winner] | bit(winner))
            if lost == 0 { continue }
            let isDeleted = isDelete(winner)
            let kind = isDeleted ? "delete_update" : isInsert(winner) && isInsert(next) ? "insert_insert" : "update_update"
            add(
                kind, winner, next, winner, nil, isDeleted ? "destructive" : "lossy",
                choice(among: bit(winner) | bit(next), nil) == winner ? reason(winner, next, nil) : "policy", into: &verdict)
            let mine = self.edits(carriedBy: winner, nil, 0) ?? bit(winner)
            verdict.findings[verdict.findings.count - 1].isStale =
                !isDeleted && mine & bit(winner) == 0 && mine & ~(saw[next] | bit(next)) == 0
            verdict.findings[verdict.findings.count - 1].isRepeated = lost & ~told.edits == 0
            verdict.findings[verdict.findings.count - 1].part = fresh.map(\.0)
            told.costly |= bit(next)
            told.edits |= lost
        }
    }

    private func addsUp(_ field: FieldName?) -> Bool {
        switch settings.policy {
        case .counter, .set: true
        default: false
        }
    }

    /// What lost nothing so far, and loses now that another winner shows something else; of equal values the latest.
    private func hidden(by winner: Int, _ field: FieldName?, _ after: UInt64, _ told: inout Told) -> [Int] {
        let candidates = writes.indices.filter { index in
            let edits = edits(carriedBy: index, field, after)
            return maximal(after) & told.harmless & bit(index) != 0 && (!isWhole || told.costly & bit(index) == 0) && index != winner
                && !isShown(index, by: winner, field)
                && edits.map { $0 & ~(saw[winner] | bit(winner)) != 0 } ?? true
        }.sorted { rank[$0] > rank[$1] }
        for index in candidates { told.harmless &= ~bit(index) }
        return candidates.enumerated().filter { place, index in
            !candidates[..<place].contains { isShown(index, by: $0, field) }
        }.map(\.element)
    }

    /// Whether what a write wanted is shown where another is.
    private func isShown(_ index: Int, by other: Int, _ field: FieldName?) -> Bool {
        if isDelete(index) || isDelete(other) { return isDelete(index) && isDelete(other) }
        return keepsLoser(other, index, field)
    }

    /// Of what sets a counter at the same time one is counted from, whatever the running totals beside it.
    private func amongSettings(
        _ met: (winner: Int, loser: Int)?, _ index: Int, _ field: FieldName, before: UInt64, after: UInt64
    ) -> [(winner: Int, loser: Int)] {
        let told = met.map { [$0] } ?? []
        guard !isTotal(index, field), let now = start(after, field) else { return told }
        if now != index { return met == nil ? [] : [(now, index)] }
        guard let then = start(before, field), !isDelete(then), saw[index] & bit(then) == 0 else { return told }
        // It had seen the running total that was the latest, and not the number that this one was added to.
        guard let met else { return [(index, then)] }
        // What it did to a running total is another matter; with a third number, lost before, it is none.
        let other = met.winner == index ? met.loser : met.winner
        return isTotal(other, field) ? [(index, then), met] : [(index, then)]
    }

    /// What a counter is counted from: nothing where that is no number and something counts beside it.
    private func start(_ set: UInt64, _ field: FieldName) -> Int? {
        let totals = writes.indices.filter { set & bit($0) != 0 && isTotal($0, field) }
        let settings = set & ~totals.map(bit).reduce(0, |)
        guard let chosen = winner(of: settings, field: field) else { return nil }
        if isDelete(chosen) || canBeCountedFrom(chosen, field) { return chosen }
        let isBesideTotal = totals.contains { total in !writes.indices.contains { settings & bit($0) != 0 && saw[$0] & bit(total) != 0 } }
        return isBesideTotal ? nil : chosen
    }

    /// The puts that are part of what is shown where nobody loses.
    private func addedUp(_ set: UInt64, _ field: FieldName) -> [Int] {
        let arrived = writes.indices.filter { set & bit($0) != 0 }
        guard case .counter = settings.policy else {
            return arrived.filter { index in
                TallyOracle.hasElement(addedBy: writes[index], of: field) { element in
                    let ofDevice = arrived.filter {
                        writes[$0].dot.device == writes[index].dot.device && isStanding($0, element, field, set)
                    }
                    return ofDevice.max { writes[$0].dot.sequence < writes[$1].dot.sequence } == index
                }
            }
        }
        let totals = arrived.filter { isTotal($0, field) }
        let standing = totals.filter { total in !arrived.contains { !isTotal($0, field) && saw[$0] & bit(total) != 0 } }
        let latest = standing.filter { one in
            !totals.contains { writes[$0].dot.device == writes[one].dot.device && writes[$0].dot.sequence > writes[one].dot.sequence }
        }
        return latest + [start(set, field)].compactMap(\.self).filter { !isDelete($0) }
    }

    /// Whether a put added an element that nobody took out who had seen the put.
    private func isStanding(_ index: Int, _ element: FieldValue, _ field: FieldName, _ set: UInt64) -> Bool {
        TallyOracle.hasElement(addedBy: writes[index], of: field) { $0 == element }
            && !writes.indices.contains {
                set & bit($0) != 0 && saw[$0] & bit(index) != 0 && TallyOracle.removes(element, by: writes[$0], from: field)
            }
    }

    private func canBeCountedFrom(_ index: Int, _ field: FieldName) -> Bool {
        TallyOracle.canBeCountedFrom(value(index, field))
    }

    private func report(
        winner: Int, loser: Int, arriving: Int, _ field: FieldName?, after: UInt64, _ told: inout Told,
        into verdict: inout Oracle.Verdict
    ) {
        let (kind, severity): (String, String)
        switch (isDelete(winner), isDelete(loser)) {
        case (true, true):
            // Two deletes are one matter of the whole record, not one of every field.
            told.harmless |= bit(loser)
            if field != nil { return }
            (kind, severity) = ("delete_delete", "benign")
        case (true, false): (kind, severity) = ("delete_update", isKnown(loser, to: winner, field, after) ? "benign" : "destructive")
        case (false, true): (kind, severity) = ("delete_update", "lossy")
        case (false, false):
            kind = isInsert(winner) && isInsert(loser) ? "insert_insert" : "update_update"
            severity = severityBetweenPuts(winner, loser, field, after: after)
        }
        add(kind, winner, loser, arriving, field, severity, reason(winner, loser, field), into: &verdict)
        if isDelete(winner), !isDelete(loser) { told.deleted |= bit(loser) }
        let isCostly = severity == "lossy" && !isDelete(loser)
        verdict.findings[verdict.findings.count - 1].isStale = isCostly && isStale(winner, over: loser, field, after)
        verdict.findings[verdict.findings.count - 1].isCleared = isCostly && field != nil && value(winner, field) == .null
        let isEqual = isShown(loser, by: winner, field)
        verdict.findings[verdict.findings.count - 1].isUnedited = severity == "benign" && !isEqual && !isDelete(loser)
        if isKnown(loser, to: winner, field, after) || isEqual {
            told.harmless |= bit(loser)
        } else {
            told.costly |= bit(loser)
            let lost = (edits(carriedBy: loser, field, after) ?? 0) & ~(saw[winner] | bit(winner))
            verdict.findings[verdict.findings.count - 1].isRepeated = isWhole && !addsUp(field) && lost & ~told.edits == 0
            told.edits |= lost
        }
    }

    private func findDisjointPuts(_ index: Int, after: UInt64, into verdict: inout Oracle.Verdict) {
        let top = maximal(after)
        guard top & bit(index) != 0 else { return }
        let strangers = writes.indices.filter { other in
            top & bit(other) != 0 && other != index && !isDelete(other) && saw[index] & bit(other) == 0
                && !fields.contains { $0.puts & bit(index) != 0 && $0.puts & bit(other) != 0 }
        }
        guard let other = strangers.max(by: { rank[$0] < rank[$1] }) else { return }
        let (winner, loser) = rank[index] > rank[other] ? (index, other) : (other, index)
        add("disjoint_update", winner, loser, index, nil, "merged", timeReason(winner, loser), into: &verdict)
    }

    private func findOtherDelete(_ index: Int, after: UInt64, into verdict: inout Oracle.Verdict) {
        let top = maximal(after)
        guard top & bit(index) != 0, let other = latest(in: top & deletes & ~bit(index)) else { return }
        let (winner, loser) = rank[index] > rank[other] ? (index, other) : (other, index)
        add("delete_delete", winner, loser, index, nil, "benign", timeReason(winner, loser), into: &verdict)
    }

    private func add(
        _ kind: String, _ winner: Int, _ loser: Int, _ arriving: Int, _ field: FieldName?, _ severity: String, _ reason: String,
        into verdict: inout Oracle.Verdict
    ) {
        verdict.findings.append(
            Oracle.Finding(
                kind: kind, key: key, field: field, winner: writes[winner].dot, loser: writes[loser].dot, severity: severity,
                basis: max(ignorance(winner, of: loser), ignorance(loser, of: winner)).name, reason: reason,
                didWinnerArriveFirst: winner != arriving))
    }

    /// How it is known that a writer had not seen another's write.
    private func ignorance(_ one: Int, of other: Int) -> Evidence {
        let (mine, theirs) = (writes[one], writes[other])
        if mine.seen != nil || mine.cursor != nil && theirs.receipt?.hubSequence != nil { return .causal }
        guard let received = theirs.receipt?.milliseconds else { return .window }
        let first = mine.receipt?.milliseconds ?? .max
        // A write was made no later than the hub had it.
        let made = min(mine.timestamp.milliseconds, first)
        return first < received || made + settings.inference.tolerance <= received ? .arrival : .window
    }

    private enum Evidence: Int, Comparable {
        case causal, arrival, window
        var name: String { "\(self)" }
        static func < (left: Evidence, right: Evidence) -> Bool { left.rawValue < right.rawValue }
    }

    // MARK: Edits

    /// Whether a writer had seen every edit that a losing write carries.
    private func isKnown(_ loser: Int, to winner: Int, _ field: FieldName?, _ after: UInt64) -> Bool {
        edits(carriedBy: loser, field, after).map { $0 & ~(saw[winner] | bit(winner)) == 0 } ?? false
    }

    /// Whether the winner is no edit, and the loser carries one that its writer had not seen while its own writer had seen what the winner carries.
    private func isStale(_ winner: Int, over loser: Int, _ field: FieldName?, _ after: UInt64) -> Bool {
        guard let mine = edits(carriedBy: winner, field, after), let theirs = edits(carriedBy: loser, field, after) else { return false }
        return mine & bit(winner) == 0 && theirs & ~(saw[winner] | bit(winner)) != 0 && mine & ~(saw[loser] | bit(loser)) == 0
    }

    /// The edits that a write carries: itself, unless it is a put that names what its writer was shown; nil where that is not known.
    ///
    /// - Parameter fields: What of it is looked at, where that is not all that it names.
    private func edits(
        carriedBy index: Int, _ field: FieldName?, _ after: UInt64, naming fields: [(FieldName, FieldValue)]? = nil
    ) -> UInt64? {
        guard case .put(let map) = writes[index].operation else { return bit(index) }
        let named = fields ?? field.map { name in [(name, map[name] ?? .null)] } ?? map.indices.map { (map[$0].name, map[$0].value) }
        // A change that is made twice is two changes.
        if named.contains(where: { isTotal(index, $0.0) || Self.isSetChange($0.1) }) { return bit(index) }
        guard let known = known(to: index, field, after) else { return nil }
        guard let chosen = choice(among: known, field) else { return isWhole && named.allSatisfy { $0.1 == .null } ? 0 : bit(index) }
        /// Nil where it is not known.
        func repeats(_ other: Int) -> Bool? {
            for (name, value) in named {
                guard let shown = shown(name, by: other, field) else { return nil }
                if shown != value { return false }
            }
            return true
        }
        guard let repeatsChosen = repeats(chosen) else { return nil }
        guard repeatsChosen else { return bit(index) }
        var edits: UInt64 = 0
        for other in writes.indices where known & bit(other) != 0 && repeats(other) == true {
            // A replica does not know whose value that repeats in turn.
            guard let carried = isWhole ? self.edits(carriedBy: other, field, after) : bit(other) else { return nil }
            edits |= carried
        }
        return edits
    }

    /// The maximal writes to a register that a writer had seen; nil where they are not known.
    private func known(to index: Int, _ field: FieldName?, _ after: UInt64) -> UInt64? {
        let register = field.flatMap { name in fields.first { $0.name == name }.map { $0.puts | deletes } } ?? ~0
        if isWhole { return maximal(register & saw[index] & (bit(index) - 1)) }
        // A replica remembers what was last displaced, if that was one write alone, and has to know that the writer had seen nothing beside
        // it but what its writer had seen, and writes of its own.
        let last = lastDisplaced(after)
        let displaced = last.flatMap { saw[index] & bit($0) != 0 ? $0 : nil }
        if displaced == nil { return writes[index].seen?.entries.isEmpty == true ? 0 : nil }
        if let displaced, isDelete(displaced) { return nil }
        for entry in writes[index].seen?.entries ?? [] where entry.device != writes[index].dot.device {
            guard let displaced else { return nil }
            let isItself = entry.device == writes[displaced].dot.device && entry.sequence <= writes[displaced].dot.sequence
            let isKnown = writes[displaced].seen?.entries.contains { $0.device == entry.device && $0.sequence >= entry.sequence } ?? false
            if !isItself, !isKnown { return nil }
        }
        return displaced.map(bit) ?? 0
    }

    private func lastDisplaced(_ after: UInt64) -> Int? {
        var displaced: Int?
        var set: UInt64 = 0
        for index in writes.indices where after & bit(index) != 0 {
            let before = maximal(set)
            let gone = before & saw[index]
            if gone != 0 { displaced = gone == before && gone.nonzeroBitCount == 1 ? latest(in: gone) : nil }
            set |= bit(index)
        }
        return displaced
    }

    /// What a write and what its writer had seen show of a field; null where there is nothing, nil where it is not known.
    private func shown(_ name: FieldName, by index: Int, _ field: FieldName?) -> FieldValue? {
        guard case .put(let map) = writes[index].operation else { return .null }
        if field != nil || map[name] != nil { return map[name] ?? .null }
        if !isWhole { return writes[index].seen?.entries.isEmpty == true ? .null : nil }
        guard let known = known(to: index, field, 0), let chosen = choice(among: known, field) else { return .null }
        return shown(name, by: chosen, field)
    }

    private static func isSetChange(_ value: FieldValue) -> Bool {
        guard case .object(let change) = value, !change.isEmpty else { return false }
        return change.allSatisfy { element in
            guard case .array = element.value else { return false }
            return element.name == "$add" || element.name == "$remove"
        }
    }

    private func severityBetweenPuts(_ winner: Int, _ loser: Int, _ field: FieldName?, after: UInt64) -> String {
        let isKept = keepsLoser(winner, loser, field)
        let isUnedited = isKnown(loser, to: winner, field, after)
        guard let field else { return isKept || isUnedited ? "benign" : "lossy" }
        switch settings.policy {
        case .counter:
            // Equal totals are not the same wish but twice as much.
            if isTotal(loser, field) { return "merged" }
            if isKept { return "benign" }
            // Of values set at the same time, one is counted from, and none that is no number; to a running total no number is lost.
            if canBeCountedFrom(loser, field), isTotal(winner, field) || start(after, field) == loser { return "merged" }
            return isUnedited ? "benign" : "lossy"
        case .set: return isKept ? "benign" : "merged"
        default: return isKept || isUnedited ? "benign" : "lossy"
        }
    }

    /// Whether a put adds to a counter instead of setting it.
    private func isTotal(_ index: Int, _ field: FieldName) -> Bool {
        TallyOracle.total(writes[index], field) != nil
    }

    /// Whether everything that the losing put wanted is shown all the same.
    private func keepsLoser(_ winner: Int, _ loser: Int, _ field: FieldName?) -> Bool {
        if let field { return value(winner, field) == value(loser, field) }
        guard case .put(let kept) = writes[winner].operation, case .put(let lost) = writes[loser].operation else { return false }
        return lost.indices.allSatisfy { kept[lost[$0].name] == lost[$0].value }
    }

    private func reason(_ winner: Int, _ loser: Int, _ field: FieldName?) -> String {
        if isDelete(winner) != isDelete(loser) {
            switch settings.deletes {
            case .deleteWins: return "delete_wins"
            case .editWins: return "edit_wins"
            // The latest of all decides for the puts; the policy may then choose an earlier one among them.
            case .lastWriterWins: return rank[winner] > rank[loser] ? timeReason(winner, loser) : "policy"
            }
        }
        if isDelete(winner) { return timeReason(winner, loser) }
        switch settings.policy {
        case .lastWriterWins: return timeReason(winner, loser)
        case .firstWriterWins, .lastArrivalWins, .manual: return "policy"
        case .counter, .set: return field == nil ? timeReason(winner, loser) : "policy"
        case .maximum, .minimum: return value(winner, field) == value(loser, field) ? timeReason(winner, loser) : "policy"
        case .preferDevices(let listed): return place(of: winner, in: listed) < listed.count ? "policy" : timeReason(winner, loser)
        }
    }

    private func timeReason(_ winner: Int, _ loser: Int) -> String {
        let (mine, theirs) = (writes[winner].timestamp, writes[loser].timestamp)
        return mine.milliseconds == theirs.milliseconds && mine.counter == theirs.counter ? "tie_break" : "newer"
    }

    // MARK: Registers

    /// Those that no other write of the set has seen.
    private func maximal(_ set: UInt64) -> UInt64 {
        var seenByOthers: UInt64 = 0
        for index in writes.indices where set & bit(index) != 0 { seenByOthers |= saw[index] }
        return set & ~seenByOthers
    }

    /// Those among which the policy chooses: where every write has been seen by another, in a circle, the latest of all stands.
    private func contenders(_ set: UInt64) -> UInt64 {
        let top = maximal(set)
        return top != 0 ? top : latest(in: set).map(bit) ?? 0
    }

    private func winner(of set: UInt64, field: FieldName?) -> Int? {
        choice(among: contenders(set), field)
    }

    private func choice(among top: UInt64, _ field: FieldName?) -> Int? {
        let put = bestPut(top & ~deletes, field)
        guard let delete = latest(in: top & deletes) else { return put }
        guard let put else { return delete }
        switch settings.deletes {
        case .deleteWins: return delete
        case .editWins: return put
        case .lastWriterWins: return latest(in: top) == delete ? delete : put
        }
    }

    private func bestPut(_ puts: UInt64, _ field: FieldName?) -> Int? {
        // Latest first, so that the first of equals is the latest.
        let candidates = writes.indices.filter { puts & bit($0) != 0 }.sorted { rank[$0] > rank[$1] }
        switch settings.policy {
        case .lastWriterWins, .manual, .set: return candidates.first
        case .counter:
            guard let field else { return candidates.first }
            return candidates.first { isTotal($0, field) || canBeCountedFrom($0, field) } ?? candidates.first
        case .firstWriterWins: return candidates.last
        case .lastArrivalWins: return candidates.first { one in candidates.allSatisfy { $0 == one || arrived($0, before: one) } }
        case .maximum:
            // Null is the smallest of all values.
            return candidates.first { one in candidates.allSatisfy { !(value(one, field) < value($0, field)) } }
        case .minimum:
            // A removal is no value: it wins only over its like.
            let present = candidates.filter { value($0, field) != .null }
            let contenders = present.isEmpty ? candidates : present
            return contenders.first { one in contenders.allSatisfy { !(value($0, field) < value(one, field)) } }
        case .preferDevices(let listed):
            return candidates.first { one in candidates.allSatisfy { place(of: one, in: listed) <= place(of: $0, in: listed) } }
        }
    }

    /// Whether the hub had one before the other: by its order, then by its clock; what it does not have is still on its way, and the later made is the later.
    private func arrived(_ one: Int, before other: Int) -> Bool {
        let (mine, theirs) = (writes[one].receipt, writes[other].receipt)
        if mine?.hubSequence != theirs?.hubSequence {
            guard let theirs = theirs?.hubSequence else { return true }
            return mine?.hubSequence.map { $0 < theirs } ?? false
        }
        if mine?.milliseconds != theirs?.milliseconds {
            guard let theirs = theirs?.milliseconds else { return true }
            return mine?.milliseconds.map { $0 < theirs } ?? false
        }
        return rank[one] < rank[other]
    }

    /// The record as its winning writer saw it, with what it wrote.
    private func view(of set: UInt64) -> FieldMap? {
        guard let winner = winner(of: set, field: nil), case .put(let map) = writes[winner].operation else { return nil }
        var shown = view(of: set & saw[winner]) ?? FieldMap()
        for position in map.indices {
            shown[map[position].name] = map[position].value == .null ? nil : map[position].value
        }
        return shown
    }

    // MARK: Small words

    private func bit(_ index: Int) -> UInt64 { 1 << UInt64(index) }

    private func arrived(through index: Int) -> UInt64 { (bit(index) - 1) | bit(index) }

    private func isDelete(_ index: Int) -> Bool { deletes & bit(index) != 0 }

    private func isInsert(_ index: Int) -> Bool {
        let write = writes[index]
        if let seen = write.seen { return seen.entries.isEmpty }
        guard let cursor = write.cursor else { return false }
        // With a cursor: none of what arrived before it is its device's own, is told of as that, or lies before the cursor.
        return writes[..<index].allSatisfy { other in
            if other.dot.device == write.dot.device { return false }
            if let seen = other.seen, seen.entries.contains(where: { $0.device == write.dot.device }) { return false }
            return other.receipt?.hubSequence.map { $0 > cursor } ?? true
        }
    }

    private func latest(in set: UInt64) -> Int? {
        writes.indices.filter { set & bit($0) != 0 }.max { rank[$0] < rank[$1] }
    }

    private func value(_ index: Int, _ field: FieldName?) -> FieldValue {
        guard let field, case .put(let map) = writes[index].operation else { return .null }
        return map[field] ?? .null
    }

    private func place(of index: Int, in listed: [DeviceID]) -> Int {
        let name = Array(writes[index].dot.device.rawValue.utf8)
        return listed.firstIndex { [name, Self.deviceName(name)].contains(Array($0.rawValue.utf8)) } ?? listed.count
    }

    /// The name of the device that a writer like `phone~1f3a9c02` is.
    private static func deviceName(_ name: [UInt8]) -> [UInt8] {
        let digits = name.suffix(8)
        let isWriter = name.count > 8 && name[name.count - 9] == 0x7e && digits.allSatisfy { Array("0123456789abcdef".utf8).contains($0) }
        return isWriter ? Array(name.dropLast(9)) : name
    }
}
