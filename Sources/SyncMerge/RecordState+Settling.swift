package import SyncModel

/// Of a record under a record-level policy, what is known beside the writes kept.
struct RecordPast: Sendable {
    /// The writes that are kept no longer.
    var settled = VersionVector()
    /// What they show by themselves.
    var base = FieldMap()
    /// What the record shows, while that is kept up to date; a matter of speed alone.
    var view: View?

    enum View {
        case deleted
        case shown(FieldMap)

        var fields: FieldMap? {
            if case .shown(let fields) = self { fields } else { nil }
        }

        /// The view of a writer who had seen this one and all that led to it.
        func followed(by write: TaggedWrite) -> View {
            guard let fields = write.fields else { return .deleted }
            guard var map = self.fields else { return .shown(fields.withoutNulls) }
            for field in fields { map[field.name] = field.value == .null ? nil : field.value }
            return .shown(map)
        }
    }
}

extension RecordState {
    /// Keeps at hand what ``shown(rules:)`` needs, for an owner who asks after every write.
    package mutating func prepareToShow(rules: MergeRules) {
        switch rules.scope(for: key.type) {
        case .record:
            if past.first?.view != nil { return }
            let view = shown(rules: rules).map(RecordPast.View.shown) ?? .deleted
            if past.isEmpty { past = [RecordPast()] }
            past[0].view = view
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
    /// - Complexity: O(*n*) in the number of elements.
    package mutating func forgetRemovals(arrived: VersionVector) {
        for index in tallies.indices {
            tallies[index]?.elements.updateAll(
                where: { !$0.removals.isEmpty && $0.removals.coversNothing(after: arrived) },
                { $0.removals = MaximalSet() })
        }
    }

    /// Whether the record keeps writes that ``forgetHistory(settled:rules:)`` may one day forget.
    package var keepsHistory: Bool { history.count > record.writes.count }

    /// Forgets the writes merged, under a record-level policy, that every write kept and every write still to come has seen.
    ///
    /// What they show together shows through as before. A later write that has seen none of them is judged as if they were kept; of one that has seen
    /// some, no more than the writes kept shows through.
    ///
    /// - Parameter settled: Writes that have arrived and that every write still to arrive has seen.
    /// - Returns: Whether any were forgotten.
    /// - Complexity: O(*n* *d*) for *n* writes and *d* devices.
    package mutating func forgetHistory(settled: VersionVector, rules: MergeRules) -> Bool {
        guard case .record = rules.scope(for: key.type), keepsHistory, history.allSatisfy({ $0.isNumbered && $0.seen != nil }) else {
            return false
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
        let forgotten = history.filter { !maximal.contains($0.dot) && $0.isCovered(by: known) }
        if forgotten.isEmpty { return false }
        let base = view(among: forgotten, rules: rules, register: RegisterRules(rules, key: key, field: nil))
        if past.isEmpty { past = [RecordPast()] }
        past[0].base = base ?? FieldMap()
        for write in forgotten { past[0].settled.insert(write.dot) }
        history = kept
        return true
    }
}

extension MaximalSet {
    /// Whether no write that is not among those arrived could be covered.
    fileprivate func coversNothing(after arrived: VersionVector) -> Bool {
        inferred == nil && arrived.covers(seen) && writes.allSatisfy { $0.isNumbered && $0.isCovered(by: arrived) }
    }
}

extension TaggedWrite {
    /// What the writer had seen, the earlier writes of its device included.
    fileprivate var known: VersionVector {
        var known = seen ?? VersionVector()
        if dot.sequence > 1 { known.insert(Dot(device: dot.device, sequence: dot.sequence - 1)) }
        return known
    }

    /// Whether the writer had seen all that a vector names.
    func hasSeen(_ vector: VersionVector) -> Bool { known.covers(vector) }
}

extension VersionVector {
    /// What both have seen.
    fileprivate func common(with other: VersionVector) -> VersionVector {
        VersionVector(
            entries.compactMap { entry in
                let sequence = Swift.min(entry.sequence, other[entry.device])
                return sequence > 0 ? Dot(device: entry.device, sequence: sequence) : nil
            })
    }
}
