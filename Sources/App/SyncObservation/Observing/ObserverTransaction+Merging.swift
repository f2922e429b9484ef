import ConflictAudit
import SyncMerge
import SyncModel

extension ObserverTransaction {
    /// Ends an export: what was saved while one of everything was under way may have been sent.
    mutating func closeExport() {
        if state.open != nil { state.begun = max(state.begun, state.transaction) }
        state.open = nil
    }

    /// Takes note that the server has taken a record as it was when its export began.
    mutating func acknowledge(_ acknowledgement: Acknowledgement) throws {
        guard var record = try record(acknowledgement.key) else { return }
        let taken = max(record.ended, record.begun, state.open ?? state.begun)
        if let number = acknowledgement.receipt?.number { tellTaken(number, acknowledgement.key, through: taken, in: record) }
        record.acknowledge(acknowledgement.receipt, through: taken)
        try setRecord(acknowledgement.key, record)
    }

    /// Tells which writes are in a version that the server has taken.
    private mutating func tellTaken(_ number: UInt64, _ key: RecordKey, through taken: Int64, in record: RecordShadow) {
        var sent: [UInt64: SentWrite] = [:]
        for (name, field) in record.fields {
            // The last one of an export is what it sent.
            guard let last = field.exported.last(where: { $0.transaction <= taken }), last.transaction > record.ended,
                let write = last.number
            else { continue }
            sent[write, default: SentWrite(fields: [], transaction: last.transaction, arrived: 0)].insert(name, last)
            // What is shown instead of a save that waited may have been sent for it, or nothing.
            if field.pending?.transaction == last.transaction { sent[write]?.isDoubtful = true }
        }
        if let deletion = record.deletion, let dot = deletion.dot, let transaction = deletion.transaction,
            transaction <= taken, transaction > record.ended
        {
            sent[dot.sequence] = SentWrite(fields: nil, transaction: transaction, arrived: record.deletionArrived)
        }
        // What was taken with no number, or perhaps without an answer, may have been taken at any time after it was made.
        let unanswered = max(state.unanswered, record.unanswered, state.ended)
        // Of an older record more may go with an export than was reported.
        let recordArrived = record.isOlder ? .max : record.highestArrived
        for (write, sent) in sent.sorted(by: { $0.key < $1.key }) {
            let isSure = sent.transaction > unanswered && !sent.isDoubtful
            let earliest = isSure ? number : sent.arrived == .max ? 0 : min(number, sent.arrived + 1)
            tell(write, sent, in: number, key, earliest: earliest, recordArrived: recordArrived)
        }
    }

    /// Tells which writes of this device a version that another made after them still shows, once of each: what else that one changed, it
    /// did not undo them.
    ///
    /// Nothing is told of a value that the field had before, which may have come back.
    mutating func tellStillShown(_ fields: FieldMap, by number: UInt64, _ key: RecordKey, in record: inout RecordShadow) {
        let ended = max(state.ended, record.ended)
        // The version may be an own one that is not answered yet.
        guard state.open == nil, max(state.begun, record.begun) <= ended else { return }
        var shown: [UInt64: SentWrite] = [:]
        for element in fields {
            guard let field = record.fields[element.name], let current = field.current, current.value == element.value,
                let transaction = current.transaction, transaction != .min, transaction <= record.ended,
                let taken = current.receipt?.number, taken < number, !record.isOlder, !field.hasForgotten,
                !field.hasShownEarlier(element.value),
                let index = field.exported.lastIndex(where: { $0.transaction == transaction }), let write = field.exported[index].number,
                field.exported[index].arrived != .max
            else { continue }
            // Nothing more will be told of it.
            record.fields[element.name]?.exported[index].number = nil
            shown[write, default: SentWrite(fields: [], transaction: transaction, arrived: 0)].insert(element.name, field.exported[index])
        }
        for (write, sent) in shown.sorted(by: { $0.key < $1.key }) {
            tell(write, sent, in: number, key, earliest: number, isStillShown: true)
        }
    }

    private mutating func tell(
        _ write: UInt64, _ sent: SentWrite, in number: UInt64, _ key: RecordKey, earliest: UInt64, recordArrived: UInt64 = .max,
        isStillShown: Bool = false
    ) {
        let acknowledgement = WriteAcknowledgement(
            dot: Dot(device: state.writer, sequence: write), key: key, fields: sent.fields?.sorted(), number: number, earliest: earliest,
            arrived: sent.arrived == .max ? nil : sent.arrived, recordArrived: recordArrived == .max ? nil : recordArrived,
            isStillShown: isStillShown)
        tell(.acknowledgement(acknowledgement, at: milliseconds))
    }

    /// Takes note of how many arrivals were news.
    mutating func tellArrivals(_ count: Int) {
        state.refreshVersion += 1
        tell(.arrivals(RemoteChange(changes: count, refreshVersion: Int(clamping: state.refreshVersion)), at: milliseconds))
    }

    /// Takes note of three versions that met.
    mutating func merge(_ merge: RecordedMerge) throws {
        let level = configuration.level(of: merge.key.type)
        let leftOut = configuration.attributesLeftOut(of: merge.key.type)
        let content = merge.mapping { fields in
            var content = fields
            for name in leftOut { content[name] = nil }
            return content
        }
        tell(.merge(content))
        let known = try record(merge.key)
        var record = known ?? RecordShadow()
        if known == nil, state.hasOlderRecords { record.becomeOlder() }
        let theirs = ArrivedStamps(merge.server.fields ?? FieldMap(), level)
        for decision in content.decisions(configuration.mergeRules) {
            let id = decision.conflictID
            guard record.report(id.rawValue) else { continue }
            let doubt = doubt(of: content, theirs, decision.field, in: record)
            tell(.conflict(doubt == nil ? decision : decision.withoutContext, doubt == nil ? .ancestor : nil, doubt))
            let lost = LostValue(
                key: merge.key, field: decision.field,
                value: decision.field.flatMap { decision.loser.value(of: $0) } ?? decision.loser.fields.map(FieldValue.object),
                milliseconds: milliseconds)
            try access.setLostValue(id.rawValue, lost.encoded, maximum: configuration.maximumLostValues)
        }
        mergeIn(merge, theirs, leftOut, &record)
        try setRecord(merge.key, record, after: merge)
    }

    /// Counts the server's version as one that the store may have held, whether the app tells of that or not.
    private func mergeIn(_ merge: RecordedMerge, _ stamps: ArrivedStamps, _ leftOut: Set<FieldName>, _ record: inout RecordShadow) {
        guard let fields = merge.server.fields else { return }
        for element in fields where !leftOut.contains(element.name) {
            // A result without the server's value shows that it was not taken.
            if let result = merge.result, result.fields?[element.name] != element.value { continue }
            record.fields[element.name, default: FieldShadow()].mergeIn(arriving(element, stamps, nil))
        }
    }

    /// What keeps a conflict of three versions from being proven; nil where nothing does.
    ///
    /// The ancestor says which side changed what; the shadow must not contradict it.
    ///
    /// - Parameter stamps: What the server's version has of them.
    private func doubt(of merge: RecordedMerge, _ stamps: ArrivedStamps, _ name: FieldName?, in record: RecordShadow)
        -> ObservedConflict.Doubt?
    {
        guard merge.ancestor != nil else { return .noAncestor }
        // Where the shadow knows nothing, the ancestor's word is all there is.
        if record.fields.isEmpty, record.deletion == nil, !record.isOlder { return nil }
        if (record.deletion == nil) != (merge.client.fields != nil) { return .untold }
        guard let name else {
            // Of whole records each side must have a change that the other cannot have seen.
            let names = Set(merge.client.fields?.names.map(\.self) ?? []).union(merge.server.fields?.names.map(\.self) ?? [])
            let doubts = names.map { (mine: doubtOfMine(merge, $0, in: record), theirs: doubtOfTheirs(merge, stamps, $0, in: record)) }
            if let doubt = doubts.first(where: { $0.mine == .exportBegun })?.mine { return doubt }
            return doubts.contains { $0.mine == nil } && doubts.contains { $0.theirs == nil }
                ? nil : doubts.lazy.compactMap { $0.mine ?? $0.theirs }.first
        }
        return doubtOfMine(merge, name, in: record) ?? doubtOfTheirs(merge, stamps, name, in: record)
    }

    /// What keeps the client's value of a field from being a write of this device that nobody else can have seen.
    private func doubtOfMine(_ merge: RecordedMerge, _ name: FieldName, in record: RecordShadow) -> ObservedConflict.Doubt? {
        if let deletion = record.deletion { return mayBeThere(deletion.transaction ?? .min, record) ? .exportBegun : nil }
        guard let field = record.fields[name] else { return record.isOlder ? .exportBegun : nil }
        let value = merge.client.fields?[name] ?? .null
        // An equal value of the server's, shown since, is the one that the client has as likely as not.
        if let current = field.current, !current.isOwn, current.value == value { return .olderVersion }
        if field.mergedIn?.hash == ValueHash(value).rawValue { return .olderVersion }
        let saved = [field.current, field.pending].compactMap { $0 }.first { $0.isOwn && $0.value == value }?.transaction
        guard let saved = saved ?? field.exported.last(where: { $0.hash == ValueHash(value).rawValue })?.transaction else {
            return .untold
        }
        return mayBeThere(saved, record) ? .exportBegun : nil
    }

    /// Whether the server has what a transaction saved, or an export that was never answered may have brought it there, so that the
    /// server's version may follow on it.
    private func mayBeThere(_ saved: Int64, _ record: RecordShadow) -> Bool {
        saved == .min || saved <= max(state.unanswered, record.unanswered) || saved <= max(state.ended, record.ended)
    }

    /// What keeps the server's value of a field from being one that this device has never shown.
    private func doubtOfTheirs(_ merge: RecordedMerge, _ stamps: ArrivedStamps, _ name: FieldName, in record: RecordShadow)
        -> ObservedConflict.Doubt?
    {
        if merge.server.fields == nil {
            if let delete = record.returningDelete, state.progress(of: delete, record) != .waiting { return .ownDelete }
            return record.wasDeletedThere ? .olderVersion : nil
        }
        guard let field = record.fields[name] else { return record.isOlder ? .olderVersion : nil }
        let theirs = merge.server.fields?[name] ?? .null
        if repeatsOwn(theirs, field, record) { return .ownValue }
        // A version that a later one had long replaced, brought back by a device that was put back.
        if case .named(let dot, _, _) = stamps.description(of: FieldMap.Element(name: name, value: theirs)),
            field.held(while: nil).covers(dot)
        {
            return .olderVersion
        }
        // What this device's store has held, its writer may have seen: the ancestor is then older than that.
        return theirs == field.current?.value || record.mayHaveShown(theirs, in: field) ? .olderVersion : nil
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
            policy: policy, ancestor: ancestor, result: result, isPending: isPending, edits: edits)
    }
}

/// A write of this device in a version that the server has taken.
private struct SentWrite {
    /// Nil for a delete.
    var fields: [FieldName]?
    var transaction: Int64
    var arrived: UInt64
    /// Whether the server may have taken it at another time.
    var isDoubtful = false

    mutating func insert(_ field: FieldName, _ value: ExportedValue) {
        fields?.append(field)
        arrived = max(arrived, value.arrived)
    }
}

extension RecordShadow {
    /// Takes note that the server has taken the record as it was when its export began.
    fileprivate mutating func acknowledge(_ receipt: TaggedWrite.Receipt?, through taken: Int64) {
        ended = taken
        for name in fields.keys {
            guard let transaction = fields[name]?.current?.transaction, transaction <= ended, transaction != .min else { continue }
            fields[name]?.current?.receipt = receipt
        }
    }
}

extension TaggedWrite.Receipt {
    /// The server's number; the time of its clock where it gives no other.
    var number: UInt64? { hubSequence ?? milliseconds.map { UInt64(clamping: $0) } }
}
