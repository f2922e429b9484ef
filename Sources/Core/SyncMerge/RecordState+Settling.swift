package import SyncModel

/// What a record under a record-level policy shows, kept up to date for an owner who asks after every write; a matter of speed alone.
enum RecordView: Sendable {
    case deleted
    case shown(FieldMap)

    var fields: FieldMap? {
        if case .shown(let fields) = self { fields } else { nil }
    }

    /// The view of a writer who had seen this one and all that led to it.
    func followed(by write: TaggedWrite) -> RecordView {
        guard let fields = write.fieldsAndCarried else { return .deleted }
        return .shown(self.fields.map { fields.filled(from: $0).withoutNulls } ?? fields.withoutNulls)
    }
}

extension RecordState {
    /// Keeps at hand what ``shown(rules:)`` needs, for an owner who asks after every write.
    package mutating func prepareToShow(rules: MergeRules) {
        switch rules.scope(for: key.type) {
        case .record:
            if view.isEmpty { view = [shown(rules: rules).map(RecordView.shown) ?? .deleted] }
        case .fields:
            for index in tallies.indices { tallies[index]?.elements.keepOrder() }
        }
    }

    /// The devices of whose writes ``forgetRemovals(arrived:)`` must know how many have arrived.
    package var devicesRemovedFrom: Set<DeviceID> {
        var devices: Set<DeviceID> = []
        for tally in tallies.lazy.compactMap(\.self) {
            for element in tally.elements.values where !element.removals.isEmpty {
                devices.formUnion(element.removals.seen.entries.lazy.map(\.device))
                devices.formUnion(element.removals.writes.lazy.map(\.dot.device))
            }
        }
        return devices
    }

    /// Forgets which elements were removed from sets, as far as no addition that they take away can still arrive.
    ///
    /// - Parameter arrived: What no write arrives of any more: all numbers up to these have arrived, or never will.
    /// - Returns: The writes that removed them, each once: who is handed the additions by a hub that has forgotten those needs them.
    /// - Complexity: O(*n*) in the number of elements.
    package mutating func forgetRemovals(arrived: VersionVector) -> [TaggedWrite] {
        var forgotten: [Dot: TaggedWrite] = [:]
        for index in tallies.indices {
            tallies[index]?.elements.updateAll(
                where: { !$0.removals.isEmpty && $0.removals.coversNothing(after: arrived) },
                { element in
                    for write in element.removals.writes { forgotten[write.dot] = write }
                    element.removals = MaximalSet()
                })
        }
        return forgotten.values.sorted { $0.dot < $1.dot }
    }

    /// Whether the record keeps writes that ``forgetHistory(settled:rules:)`` may one day forget.
    package var keepsHistory: Bool { history.count > record.writes.count }

    /// Folds, under a record-level policy, the writes that every write kept and every write to come has seen into one.
    ///
    /// That one is the winner among them, which later writes are held against, with all that it shows: whatever else is merged later shows
    /// what it would have shown, as long as its writer had seen all of the settled writes, none of them, or carries every field that it
    /// knew of, see ``whole(_:rules:)``. A hub that has forgotten the winner may have any of the others.
    ///
    /// - Parameter settled: Writes that have arrived and that every write still to arrive has seen.
    /// - Returns: Whether any were forgotten, and whether nothing is kept that a later call could forget before the record is written
    ///   again.
    /// - Complexity: O(*n* *d*) for *n* writes and *d* devices.
    package mutating func forgetHistory(settled: VersionVector, rules: MergeRules) -> (isSmaller: Bool, isDone: Bool) {
        guard case .record = rules.scope(for: key.type), keepsHistory, history.allSatisfy({ $0.isNumbered && $0.seen != nil }) else {
            return (false, !keepsHistory)
        }
        let maximal = Set(record.writes.map(\.dot))
        var known = settled
        var kept = history.filter { maximal.contains($0.dot) || !$0.isCovered(by: settled) }
        var common = kept
        while true {
            for write in common { known = known.common(with: write.known) }
            // Between those known to all and the others there may be some that have not seen all the former.
            let others = history.filter { !maximal.contains($0.dot) && !$0.isCovered(by: known) }
            if others.count + maximal.count <= kept.count { break }
            common = others
            kept = history.filter { maximal.contains($0.dot) || !$0.isCovered(by: known) }
        }
        let settledWrites = history.filter { !maximal.contains($0.dot) && $0.isCovered(by: known) }
        let isDone = kept.count == maximal.count
        guard settledWrites.count > 1, let winner = winners(among: settledWrites, rules: rules).first else { return (false, isDone) }
        let folded = whole(winner, among: settledWrites, rules: rules)
        let forgotten = Set(settledWrites.map(\.dot)).subtracting([winner.dot])
        history = history.compactMap { forgotten.contains($0.dot) ? nil : $0.dot == winner.dot ? folded : $0 }
        return (true, isDone)
    }

    /// What a record that is merged whole shows to somebody who has seen some of its writes, one of them among those that are kept; nil
    /// where that one is not kept, and what it showed may be part of something else.
    package func shown(to seen: VersionVector, whoMade dot: Dot, rules: MergeRules) -> FieldMap? {
        guard case .record = rules.scope(for: key.type), history.contains(where: { $0.dot == dot }) else { return nil }
        return view(among: history.filter { seen.covers($0.dot) }, rules: rules)
    }

    /// A put that carries every field that its writer knew of, so that what it shows needs no other write; a delete as it is.
    ///
    /// - Parameter write: One of the writes kept, or one whose writer had seen some of these.
    package func whole(_ write: TaggedWrite, rules: MergeRules) -> TaggedWrite {
        guard case .record = rules.scope(for: key.type) else { return write }
        return whole(write, among: history.filter { $0.dot == write.dot || write.hasSeen($0, intervals: rules.intervals) }, rules: rules)
    }

    /// A put with every field that some writes name, as the winner among them shows it; a delete as it is.
    private func whole(_ winner: TaggedWrite, among writes: [TaggedWrite], rules: MergeRules) -> TaggedWrite {
        guard let fields = winner.fields else { return winner }
        let shown = view(among: writes, rules: rules)
        let names = Set(writes.flatMap { $0.fieldsAndCarried?.sortedNames ?? [] }).filter { fields[$0] == nil }.sorted()
        let carried = FieldMap(sortedNames: names, values: names.map { shown?[$0] ?? .null })
        return carried == winner.carried ? winner : winner.carrying(carried)
    }
}

extension MaximalSet {
    /// Whether no write that is not among those arrived could be covered.
    fileprivate func coversNothing(after arrived: VersionVector) -> Bool {
        inferred == nil && cursors == nil && superseded.isEmpty && arrived.covers(seen)
            && writes.allSatisfy { $0.isNumbered && $0.isCovered(by: arrived) }
    }
}

extension TaggedWrite {
    /// What the writer had seen, the earlier writes of its device included.
    fileprivate var known: VersionVector {
        var known = seen ?? VersionVector()
        if dot.sequence > 1 { known.insert(Dot(device: dot.device, sequence: dot.sequence - 1)) }
        return known
    }
}

extension VersionVector {
    /// What both have seen.
    package func common(with other: VersionVector) -> VersionVector {
        VersionVector(
            entries.compactMap { entry in
                let sequence = Swift.min(entry.sequence, other[entry.device])
                return sequence > 0 ? Dot(device: entry.device, sequence: sequence) : nil
            })
    }
}
