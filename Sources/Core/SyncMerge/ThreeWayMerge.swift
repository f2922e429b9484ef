import SyncBytes
public import SyncModel

/// Merges two versions of a record with their common ancestor, where a server hands over versions instead of a history.
///
/// A field that only one side changed takes that side's value; where both changed it, the same policies decide as in ``RecordState``. A
/// field counts as changed where its value differs from the ancestor's: a server's timestamp may be that of the whole record. A merged
/// field keeps the timestamp of the edit that won, never a newer one. Swapping client and server changes neither winner nor value.
///
/// Source: `CKError.serverRecordChanged` hands over exactly these three versions.
///
/// ```swift
/// let merge = ThreeWayMerge(key: RecordKey(type: "Card", id: "42"))
/// let outcome = merge.merge(ancestor: [:], client: .record(client), server: .record(server))
/// for decision in outcome.decisions { print("lost:", decision.loser.value(of: "name") ?? "") }
/// ```
public struct ThreeWayMerge: Sendable {
    /// A value, and who wrote it when.
    public struct Entry: Hashable, Sendable {
        /// The value; null where the field was removed.
        public var value: FieldValue
        /// The time at which the value was written.
        public var timestamp: HybridTimestamp
        /// The device that wrote the value.
        public var device: DeviceID

        /// A value with its origin.
        public init(_ value: FieldValue, at timestamp: HybridTimestamp, by device: DeviceID) {
            self.value = value
            self.timestamp = timestamp
            self.device = device
        }
    }

    /// One version of the record.
    public enum Version: Hashable, Sendable {
        /// The record with its fields.
        ///
        /// A field whose value is null was removed at its timestamp; one that the version does not name and the ancestor does was removed
        /// too, and counts as removed with the version's latest change.
        case record([FieldName: Entry])
        /// The record was deleted.
        case deleted(at: HybridTimestamp, by: DeviceID)
    }

    /// The result of a merge.
    public struct Outcome: Sendable {
        /// The merged version.
        ///
        /// A removed field stays in it as a null with the timestamp of its removal, so that the next merge can tell the removal from an
        /// older edit.
        public let version: Version
        /// The decision for each field that both sides had changed.
        public let decisions: [MergeDecision]

        package init(version: Version, decisions: [MergeDecision]) {
            self.version = version
            self.decisions = decisions
        }
    }

    let key: RecordKey
    let rules: MergeRules

    /// Prepares to merge versions of a record.
    public init(key: RecordKey, rules: MergeRules = MergeRules()) {
        self.key = key
        self.rules = rules
    }

    /// Merges.
    ///
    /// - Parameters:
    ///   - ancestor: The last version that the server acknowledged to this client; nil where both sides created the record.
    ///   - client: This client's version; it counts as the local side.
    ///   - server: The server's version; it counts as the arriving side.
    /// - Complexity: O(*n* log *n*) in the number of fields.
    public func merge(ancestor: [FieldName: Entry]?, client: Version, server: Version) -> Outcome {
        switch (client, server) {
        case (.record(let mine), .record(let theirs)):
            switch rules.scope(for: key.type) {
            case .fields: return mergeFields(ancestor: ancestor, mine, theirs)
            case .record: return mergeWhole(ancestor: ancestor, mine, theirs)
            }
        case (.record(let mine), .deleted(let time, let device)):
            return mergeDelete(ancestor: ancestor, edited: mine, deletedAt: time, by: device, isClientEdit: true)
        case (.deleted(let time, let device), .record(let theirs)):
            return mergeDelete(ancestor: ancestor, edited: theirs, deletedAt: time, by: device, isClientEdit: false)
        case (.deleted(let mine, let client), .deleted(let theirs, let server)):
            let local = write(.delete, Entry(.null, at: mine, by: client), isInsert: false)
            let remote = write(.delete, Entry(.null, at: theirs, by: server), isInsert: false).onServer
            let isClientLater = remote.precedes(local)
            let version = isClientLater ? Version.deleted(at: mine, by: client) : .deleted(at: theirs, by: server)
            if ancestor == nil || mine == theirs && client == server { return Outcome(version: version, decisions: []) }
            let (winner, loser) = isClientLater ? (local, remote) : (remote, local)
            let decision = MergeDecision(
                contention: .bothDeleted, field: nil, winner: winner, loser: loser, didArrivingWin: !isClientLater,
                reason: .byTime(mine, theirs), policy: rules.policyName(for: key.type, field: nil), ancestor: nil,
                result: nil,
                isPending: false)
            return Outcome(version: version, decisions: [decision])
        }
    }

    private func mergeFields(ancestor: [FieldName: Entry]?, _ mine: [FieldName: Entry], _ theirs: [FieldName: Entry]) -> Outcome {
        var merged: [FieldName: Entry] = [:]
        var decisions: [MergeDecision] = []
        for field in Set(mine.keys).union(theirs.keys).union(ancestor?.keys ?? [:].keys).sorted() {
            let base = ancestor?[field]
            let (client, server) = (Side(mine[field], base), Side(theirs[field], base))
            switch (client.isChanged, server.isChanged) {
            case (false, false): merged[field] = base ?? latest(client.entry, server.entry)
            case (true, false): merged[field] = client.entry
            case (false, true): merged[field] = server.entry
            case (true, true) where client.value == .null && server.value == .null && (client.entry == nil || server.entry == nil):
                // Both removed it, and at most one knows when: there is nothing to choose between.
                merged[field] = client.entry ?? server.entry
            case (true, true):
                guard let mine = client.entry ?? lastChange(of: mine) ?? base, let theirs = server.entry ?? lastChange(of: theirs) ?? base
                else { continue }
                let isInsert = ancestor == nil
                let local = write(.put([field: client.value]), mine, isInsert: isInsert)
                let remote = write(.put([field: server.value]), theirs, isInsert: isInsert).onServer
                let (decision, entry) = decide(local, remote, field: field, base: base)
                merged[field] = entry
                decisions.append(decision)
            }
        }
        return Outcome(version: .record(merged), decisions: decisions)
    }

    /// The later of two entries of equal value; both are removals where neither the ancestor nor the other side knows the field.
    private func latest(_ one: Entry?, _ other: Entry?) -> Entry? {
        guard let one, let other else { return one ?? other }
        return one.isBefore(other) ? other : one
    }

    /// One side of a field: what it holds, and whether that differs from the ancestor.
    private struct Side {
        let entry: Entry?
        let value: FieldValue
        let isChanged: Bool

        init(_ entry: Entry?, _ base: Entry?) {
            self.entry = entry
            value = entry?.value ?? .null
            isChanged = value != base?.value ?? .null
        }
    }

    private func decide(_ local: TaggedWrite, _ remote: TaggedWrite, field: FieldName, base: Entry?) -> (MergeDecision, Entry) {
        let register = RegisterRules(rules, key: key, field: field)
        // Two writes are never none, so there is a verdict; of writes equal in device and time the larger value wins, on both sides.
        let ordered = (remote.value(of: field) ?? .null) < (local.value(of: field) ?? .null) ? [local, remote] : [remote, local]
        let verdict = register.verdict(among: ordered) ?? Verdict(winner: remote, measure: .time)
        let isLocal = verdict.winner == local
        let loser = isLocal ? remote : local
        let made = combine(local, remote, field: field, base: base?.value, policy: register.policy) ?? verdict.made
        let decision = MergeDecision(
            contention: .sameRegister, field: field, winner: verdict.winner, loser: loser, didArrivingWin: !isLocal,
            reason: verdict.reason(over: loser, deletes: rules.deletes),
            policy: rules.policyName(for: key.type, field: field),
            ancestor: base.map { write(.put([field: $0.value]), $0, isInsert: false) }, result: made, isPending: verdict.isPending,
            edits: rules.edits(of: loser, besides: verdict.winner, in: field))
        let entry = Entry(
            made ?? verdict.winner.value(of: field) ?? .null, at: verdict.winner.timestamp, by: verdict.winner.dot.device)
        return (decision, entry)
    }

    /// What both sides add up to, under the policies by which nobody loses.
    private func combine(_ local: TaggedWrite, _ remote: TaggedWrite, field: FieldName, base: FieldValue?, policy: MergePolicy)
        -> FieldValue?
    {
        guard let mine = local.value(of: field), let theirs = remote.value(of: field) else { return nil }
        switch policy {
        case .counter:
            guard let mine = mine.integer, let theirs = theirs.integer, let start = (base ?? 0).integer else { return nil }
            let (delta, isFar) = theirs.subtractingReportingOverflow(start)
            let (sum, isTooMuch) = mine.addingReportingOverflow(delta)
            return isFar || isTooMuch ? nil : .number(JSONNumber(sum))
        case .set:
            guard let mine = mine.array, let theirs = theirs.array, let start = (base ?? []).array else { return nil }
            // An element of the ancestor stays where both kept it; one that only one side has was added there.
            let kept = Set(start).intersection(mine).intersection(theirs)
            let added = Set(mine).union(theirs).subtracting(start)
            return .array(kept.union(added).sorted())
        default: return nil
        }
    }

    func write(_ operation: TaggedWrite.Operation, _ entry: Entry, isInsert: Bool) -> TaggedWrite {
        // The versions do not say how many writes made them: to each side its own state is one write.
        TaggedWrite(
            dot: Dot(device: entry.device, sequence: number(of: entry.timestamp)), timestamp: entry.timestamp, key: key,
            operation: operation, seen: isInsert ? VersionVector() : nil)
    }
}

extension ThreeWayMerge {
    /// A number for a version, which its record and its time tell from others; small enough for every reader of JSON.
    private func number(of time: HybridTimestamp) -> UInt64 {
        var hash = FNV1a()
        key.type.rawValue.withBytes { hash.combine($0) }
        hash.combine(0xff as UInt8)
        key.id.rawValue.withBytes { hash.combine($0) }
        hash.combine(UInt64(bitPattern: time.milliseconds))
        hash.combine(UInt64(time.counter))
        return 1 + (hash.unmixed ^ (hash.unmixed >> 32)) % (1 << 52)
    }

    private func changes(of version: [FieldName: Entry], since ancestor: [FieldName: Entry]?) -> FieldMap {
        var changes = FieldMap()
        for field in Set(version.keys).union(ancestor?.keys ?? [:].keys) {
            let value = version[field]?.value ?? .null
            if value != ancestor?[field]?.value ?? .null { changes[field] = value }
        }
        return changes
    }

    /// Who made a version, as far as its latest changed field tells.
    private func author(of version: [FieldName: Entry], changed fields: FieldMap) -> Entry? {
        let changed = fields.names.compactMap { version[$0] }
        return changed.isEmpty ? lastChange(of: version) : changed.max { $0.isBefore($1) }
    }

    private func lastChange(of version: [FieldName: Entry]) -> Entry? { version.values.max { $0.isBefore($1) } }

    private func mergeWhole(ancestor: [FieldName: Entry]?, _ mine: [FieldName: Entry], _ theirs: [FieldName: Entry]) -> Outcome {
        let (local, remote) = (changes(of: mine, since: ancestor), changes(of: theirs, since: ancestor))
        guard !local.isEmpty, !remote.isEmpty, let author = author(of: mine, changed: local),
            let other = self.author(of: theirs, changed: remote)
        else { return Outcome(version: .record(local.isEmpty ? theirs : mine), decisions: []) }
        let decision = decideWhole(
            write(.put(local), author, isInsert: ancestor == nil), write(.put(remote), other, isInsert: ancestor == nil).onServer)
        return Outcome(version: .record(decision.didArrivingWin ? theirs : mine), decisions: [decision])
    }

    private func mergeDelete(
        ancestor: [FieldName: Entry]?, edited: [FieldName: Entry], deletedAt time: HybridTimestamp, by device: DeviceID,
        isClientEdit: Bool
    ) -> Outcome {
        let edits = changes(of: edited, since: ancestor)
        guard !edits.isEmpty, let author = author(of: edited, changed: edits) else {
            return Outcome(version: .deleted(at: time, by: device), decisions: [])
        }
        let put = write(.put(edits), author, isInsert: ancestor == nil)
        let delete = write(.delete, Entry(.null, at: time, by: device), isInsert: false)
        let whole = isClientEdit ? decideWhole(put, delete) : decideWhole(delete, put)
        let isDeleted = whole.winner.isDelete
        var decisions = [whole]
        if case .fields = rules.scope(for: key.type) {
            decisions = edits.names.map { field in
                whole.about(
                    field, rules,
                    ancestor: ancestor?[field].map { write(.put([field: $0.value]), $0, isInsert: false) })
            }
        }
        return Outcome(version: isDeleted ? .deleted(at: time, by: device) : .record(edited), decisions: decisions)
    }

    private func decideWhole(_ local: TaggedWrite, _ remote: TaggedWrite) -> MergeDecision {
        let register = RegisterRules(rules, key: key, field: nil)
        let verdict = register.verdict(among: [local, remote]) ?? Verdict(winner: remote, measure: .time)
        let isLocal = verdict.winner == local
        let loser = isLocal ? remote : local
        return MergeDecision(
            contention: .sameRegister, field: nil, winner: verdict.winner, loser: loser, didArrivingWin: !isLocal,
            reason: verdict.reason(over: loser, deletes: rules.deletes), policy: register.policyName(verdict.winner, loser, in: rules),
            ancestor: nil,
            result: nil, isPending: verdict.isPending, edits: rules.edits(of: loser, besides: verdict.winner, in: nil))
    }
}

extension ThreeWayMerge.Entry {
    // To each side its own state is one write, so that the numbers never decide.
    private var order: WriteOrder { WriteOrder(timestamp, Dot(device: device, sequence: 1)) }

    fileprivate func isBefore(_ other: Self) -> Bool { order < other.order }
}

extension TaggedWrite {
    /// The same write as one that has reached the server, which what the client is about to send has not.
    var onServer: TaggedWrite { received(Receipt(milliseconds: nil, hubSequence: 0)) }
}

extension MergeDecision {
    fileprivate func about(_ field: FieldName, _ rules: MergeRules, ancestor: TaggedWrite?) -> MergeDecision {
        MergeDecision(
            contention: contention, field: field, winner: winner, loser: loser, didArrivingWin: didArrivingWin, reason: reason,
            policy: policy, ancestor: ancestor, result: result, isPending: isPending,
            edits: rules.edits(of: loser, besides: winner, in: field))
    }
}
