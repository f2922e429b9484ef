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
        let level = configuration.level(of: merge.key.type)
        let stamps = level.stampFields
        let content = merge.mapping { fields in
            var content = fields
            for stamp in stamps { content[stamp] = nil }
            return content
        }
        tell(.merge(content))
        var record = try record(merge.key) ?? RecordShadow()
        for decision in content.decisions(configuration.mergeRules) {
            let id = ConflictID(key: merge.key, field: decision.field, dots: (decision.winner.dot, decision.loser.dot))
            guard record.report(id.rawValue) else { continue }
            let doubt = doubt(of: content, decision.field, in: record)
            tell(.conflict(doubt == nil ? decision : decision.withoutContext, doubt == nil ? .ancestor : nil, doubt))
            let lost = LostValue(
                key: merge.key, field: decision.field,
                value: decision.field.flatMap { decision.loser.value(of: $0) } ?? decision.loser.fields.map(FieldValue.object),
                milliseconds: milliseconds)
            try access.setLostValue(id.rawValue, lost.encoded, maximum: configuration.maximumLostValues)
        }
        mergeIn(merge, level, &record)
        try access.setRecord(merge.key, record.encoded)
    }

    /// Counts the server's version as one that the store may have held, whether the app tells of that or not.
    private func mergeIn(_ merge: RecordedMerge, _ level: ObservationLevel, _ record: inout RecordShadow) {
        guard let fields = merge.server.fields else { return }
        let stamps = ArrivedStamps(fields, level)
        for element in fields where !level.stampFields.contains(element.name) {
            // A result without the server's value shows that it was not taken.
            if let result = merge.result, result.fields?[element.name] != element.value { continue }
            record.fields[element.name, default: FieldShadow()].mergeIn(arriving(element, stamps, nil))
        }
    }

    /// What keeps a conflict of three versions from being proven; nil where nothing does.
    ///
    /// The ancestor says which side changed what; the shadow must not contradict it.
    private func doubt(of merge: RecordedMerge, _ name: FieldName?, in record: RecordShadow) -> ObservedConflict.Doubt? {
        guard merge.ancestor != nil else { return .noAncestor }
        // Where the shadow knows nothing, the ancestor's word is all there is.
        if record.fields.isEmpty, record.deletion == nil { return nil }
        if (record.deletion == nil) != (merge.client.fields != nil) { return .untold }
        guard let name else {
            // Of whole records each side must have a change that the other cannot have seen.
            let names = Set(merge.client.fields?.names.map(\.self) ?? []).union(merge.server.fields?.names.map(\.self) ?? [])
            let doubts = names.map { (mine: doubtOfMine(merge, $0, in: record), theirs: doubtOfTheirs(merge, $0, in: record)) }
            if let doubt = doubts.first(where: { $0.mine == .exportBegun })?.mine { return doubt }
            return doubts.contains { $0.mine == nil } && doubts.contains { $0.theirs == nil }
                ? nil : doubts.lazy.compactMap { $0.mine ?? $0.theirs }.first
        }
        return doubtOfMine(merge, name, in: record) ?? doubtOfTheirs(merge, name, in: record)
    }

    /// What keeps the client's value of a field from being a write of this device that nobody else can have seen.
    private func doubtOfMine(_ merge: RecordedMerge, _ name: FieldName, in record: RecordShadow) -> ObservedConflict.Doubt? {
        if let deletion = record.deletion { return mayBeThere(deletion.transaction ?? .min, record) ? .exportBegun : nil }
        guard let field = record.fields[name] else { return nil }
        let value = merge.client.fields?[name] ?? .null
        let saved = [field.current, field.pending].compactMap { $0 }.first { $0.isOwn && $0.value == value }?.transaction
        guard let saved = saved ?? field.exported.last(where: { $0.hash == ValueHash(value).rawValue })?.transaction else {
            return field.current?.value == value ? .olderVersion : .untold
        }
        return mayBeThere(saved, record) ? .exportBegun : nil
    }

    /// Whether the server has what a transaction saved, or an export that was never answered may have brought it there, so that the server's version may
    /// follow on it.
    private func mayBeThere(_ saved: Int64, _ record: RecordShadow) -> Bool {
        saved == .min || saved <= max(state.unanswered, record.unanswered) || saved <= max(state.ended, record.ended)
    }

    /// What keeps the server's value of a field from being one that this device has never shown.
    private func doubtOfTheirs(_ merge: RecordedMerge, _ name: FieldName, in record: RecordShadow) -> ObservedConflict.Doubt? {
        if merge.server.fields == nil {
            if let delete = record.returningDelete, state.progress(of: delete, record) != .waiting { return .ownDelete }
            return record.deletedThere == nil ? nil : .olderVersion
        }
        guard let field = record.fields[name] else { return nil }
        let theirs = merge.server.fields?[name] ?? .null
        if repeatsOwn(theirs, field, record) { return .ownValue }
        // What this device's store has held, its writer may have seen: the ancestor is then older than that.
        return theirs == field.current?.value || field.hasShown(theirs) ? .olderVersion : nil
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
