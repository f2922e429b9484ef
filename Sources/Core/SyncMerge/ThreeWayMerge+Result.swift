package import SyncModel

extension ThreeWayMerge {
    /// The name of the policy of an app's own conflict handler, in logs.
    package static let handlerPolicy = "conflictHandler"

    /// A whole version, and who wrote it when.
    package struct WrittenVersion {
        /// All its fields; nil where the record was deleted.
        let fields: FieldMap?
        let time: HybridTimestamp
        let device: DeviceID

        package init(_ fields: FieldMap?, at time: HybridTimestamp, by device: DeviceID) {
            self.fields = fields
            self.time = time
            self.device = device
        }

        fileprivate func value(_ field: FieldName) -> FieldValue { fields?[field] ?? .null }

        fileprivate func entry(_ field: FieldName) -> Entry { Entry(value(field), at: time, by: device) }
    }

    /// Reads what a conflict handler kept of two versions from the version that it made, field by field, and decides nothing again.
    ///
    /// The side whose value is shown has won over the other one. An edit of one side alone that is not shown has lost to the other
    /// side's copy of the ancestor's value: a stale one. The handler itself has won where it shows the ancestor's value and both sides
    /// had another, and where it deleted a record that neither had. Any other value was made of both sides, and nothing of it counts as
    /// lost.
    ///
    /// - Parameters:
    ///   - result: The version that the handler made.
    ///   - ancestor: The last version that both sides had; nil where both created the record.
    ///   - client: This client's version.
    ///   - server: The server's version.
    ///   - ruled: What the rules decide of the same versions, which says why a side won wherever the handler did as they say.
    /// - Complexity: O(*n* log *n*) in the number of fields.
    package func read(
        _ result: WrittenVersion, ancestor: FieldMap?, client: WrittenVersion, server: WrittenVersion, ruled: [MergeDecision]
    ) -> [MergeDecision] {
        ResultReading(merge: self, ruled: ruled, ancestor: ancestor, result: result, client: client, server: server).decisions
    }
}

/// Three versions and what a handler made of them.
private struct ResultReading {
    private enum Side { case client, server, handler }

    let merge: ThreeWayMerge
    let ruled: [MergeDecision]
    let ancestor: FieldMap?
    let result: ThreeWayMerge.WrittenVersion
    let client: ThreeWayMerge.WrittenVersion
    let server: ThreeWayMerge.WrittenVersion

    var decisions: [MergeDecision] {
        let deleters = [Side.client, .server].filter { version($0).fields == nil }
        if result.fields == nil {
            if deleters.count == 2 { return ruled }
            let delete = delete(by: deleters.first ?? .handler)
            return [Side.client, .server].flatMap { side in edits(of: side).map { loss(of: put($0, by: side), to: delete, $0) } }
        }
        let decisions = Set(edits(of: .client) + edits(of: .server)).sorted().flatMap(decisions(about:))
        if !decisions.isEmpty { return decisions }
        // Nobody had edited what a delete took away, and it is shown all the same.
        let shown = merge.write(.put(result.fields ?? FieldMap()), result.entry(""), isInsert: false)
        return deleters.enumerated().map { loss(of: delete(by: $1), to: shown, nil, isRepeated: $0 > 0) }
    }

    /// What became of a field that at least one side has edited.
    private func decisions(about field: FieldName) -> [MergeDecision] {
        let (before, shown) = (ancestor?[field] ?? .null, result.value(field))
        let editors = [Side.client, .server].filter { version($0).fields != nil && version($0).value(field) != before }
        if editors.count == 2 {
            if let same = ruled.first(where: { $0.field == field }), same.shows(shown) { return [same] }
            let (mine, theirs) = (put(field, by: .client), put(field, by: .server))
            if server.value(field) == shown { return [loss(of: mine, to: theirs, field)] }
            if client.value(field) == shown { return [loss(of: theirs, to: mine, field)] }
            if shown == before {
                let winner = put(field, by: .handler)
                let isRepeated = client.value(field) == server.value(field)
                return [loss(of: mine, to: winner, field), loss(of: theirs, to: winner, field, isRepeated: isRepeated)]
            }
            return mine.precedes(theirs)
                ? [loss(of: mine, to: theirs, field, made: shown)] : [loss(of: theirs, to: mine, field, made: shown)]
        }
        let (editor, other) = editors[0] == .client ? (Side.client, Side.server) : (.server, .client)
        let isDeleted = version(other).fields == nil
        if shown == before {
            return [loss(of: put(field, by: editor), to: put(field, by: isDeleted ? .handler : other), field, isStale: !isDeleted)]
        }
        let isKept = version(editor).value(field) == shown
        return isDeleted ? [loss(of: delete(by: other), to: put(field, by: isKept ? editor : .handler), field)] : []
    }

    private func loss(
        of loser: TaggedWrite, to winner: TaggedWrite, _ field: FieldName?, made: FieldValue? = nil, isStale: Bool = false,
        isRepeated: Bool = false
    ) -> MergeDecision {
        // The rules say why, wherever the handler did as they say.
        if made == nil,
            let same = ruled.first(where: { $0.field == field && $0.winner.dot == winner.dot && $0.loser.dot == loser.dot })
        {
            return same
        }
        var edits = merge.rules.edits(of: loser, besides: winner, in: field)
        edits.isStale = isStale
        edits.isRepeated = isRepeated
        let shared = field.flatMap { name in
            ancestor?[name].map { ThreeWayMerge.Entry($0, at: HybridTimestamp(milliseconds: .min), by: winner.dot.device) }
        }
        return MergeDecision(
            contention: .sameRegister, field: field, winner: winner, loser: loser, didArrivingWin: winner.hubSequence != nil,
            reason: .custom,
            policy: ThreeWayMerge.handlerPolicy,
            ancestor: shared.map { merge.write(.put([field ?? "": $0.value]), $0, isInsert: false) }, result: made, isPending: false,
            edits: edits)
    }

    private func version(_ side: Side) -> ThreeWayMerge.WrittenVersion {
        switch side {
        case .client: client
        case .server: server
        case .handler: result
        }
    }

    /// The fields that a side has edited.
    private func edits(of side: Side) -> [FieldName] {
        guard let fields = version(side).fields else { return [] }
        let names = Set(fields.names).union(ancestor?.names.map(\.self) ?? [])
        return names.filter { version(side).value($0) != ancestor?[$0] ?? .null }.sorted()
    }

    private func put(_ field: FieldName, by side: Side) -> TaggedWrite {
        let entry = version(side).entry(field)
        let put = merge.write(.put([field: entry.value]), entry, isInsert: ancestor == nil)
        return side == .server ? put.onServer : put
    }

    private func delete(by side: Side) -> TaggedWrite {
        let delete = merge.write(.delete, version(side).entry(""), isInsert: false)
        return side == .server ? delete.onServer : delete
    }
}

extension MergeDecision {
    /// Whether a field shows what the decision says.
    fileprivate func shows(_ value: FieldValue) -> Bool {
        (result ?? field.flatMap { winner.value(of: $0) } ?? .null) == value
    }
}
