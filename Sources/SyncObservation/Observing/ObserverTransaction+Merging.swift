import ConflictAudit
import SyncMerge
import SyncModel

extension ObserverTransaction {
    /// Ends an export: what was saved while one of everything was under way may have been sent.
    mutating func closeExport() {
        if state.open != nil { state.begun = max(state.begun, state.transaction) }
        state.open = nil
    }

    /// Takes note of how many arrivals were news.
    mutating func tellArrivals(_ count: Int) {
        state.refreshVersion += 1
        tell(.arrivals(RemoteChange(changes: count, refreshVersion: Int(clamping: state.refreshVersion)), at: milliseconds))
    }

    /// Takes note of three versions that met.
    mutating func merge(_ merge: RecordedMerge) throws {
        tell(.merge(merge))
        var record = try record(merge.key) ?? RecordShadow()
        for decision in merge.decisions(configuration.mergeRules) {
            let id = ConflictID(key: merge.key, field: decision.field, dots: (decision.winner.dot, decision.loser.dot))
            guard record.report(id.rawValue) else { continue }
            let doubt = doubt(of: merge, decision.field, in: record)
            tell(.conflict(doubt == nil ? decision : decision.withoutContext, doubt == nil ? .ancestor : nil, doubt))
            let lost = LostValue(
                key: merge.key, field: decision.field,
                value: decision.field.flatMap { decision.loser.value(of: $0) } ?? decision.loser.fields.map(FieldValue.object),
                milliseconds: milliseconds)
            try access.setLostValue(id.rawValue, lost.encoded, maximum: configuration.maximumLostValues)
        }
        try access.setRecord(merge.key, record.encoded)
    }

    /// What keeps a conflict of three versions from being proven; nil where nothing does.
    private func doubt(of merge: RecordedMerge, _ name: FieldName?, in record: RecordShadow) -> ObservedConflict.Doubt? {
        if merge.ancestor == nil { return .noAncestor }
        if mayBeThere(name, in: record) { return .exportBegun }
        guard let name, let field = record.fields[name], let theirs = merge.server.fields?[name] else { return nil }
        if repeatsOwn(theirs, field, record) { return .ownValue }
        // What this device's store has held, its writer may have seen: the ancestor is then older than that.
        return theirs == field.current?.value || field.hasShown(theirs) ? .olderVersion : nil
    }

    /// Whether an earlier export that was never answered may have brought this device's value to the server, so that the server's version follows on it.
    private func mayBeThere(_ name: FieldName?, in record: RecordShadow) -> Bool {
        let own = record.fields.filter { name == nil || $0.key == name }.compactMap(\.value.current?.transaction)
        return own.contains { $0 <= max(state.unanswered, record.unanswered) && $0 > max(state.ended, record.ended) || $0 == .min }
    }
}

extension MergeDecision {
    /// The same between writes that do not say what their writers had seen.
    fileprivate var withoutContext: MergeDecision {
        func plain(_ write: TaggedWrite) -> TaggedWrite {
            TaggedWrite(
                dot: write.dot, timestamp: write.timestamp, key: write.key, operation: write.operation, seen: nil, receipt: write.receipt)
        }
        return MergeDecision(
            contention: contention, field: field, winner: plain(winner), loser: plain(loser), didArrivingWin: didArrivingWin,
            reason: reason,
            policy: policy, ancestor: ancestor, result: result, isPending: isPending)
    }
}
