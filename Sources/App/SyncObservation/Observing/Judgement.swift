import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// What a stamp says of an arriving value.
struct ArrivingVersion {
    /// How well a stamp describes the value.
    enum Description {
        /// It names the version, and what its writer's store had held.
        case named(Dot, VersionVector, isFogged: Bool)
        /// There is a stamp, and it was not made for this value: somebody's stamp was written over.
        case undescribed
        /// There is no stamp.
        case unstamped
    }

    let value: FieldValue
    let description: Description
    /// When it was made, as far as that is known: by the stamp, by the server's date, or when it arrived.
    let timestamp: HybridTimestamp
    let receipt: TaggedWrite.Receipt?

    var dot: Dot? { if case .named(let dot, _, _) = description { dot } else { nil } }
    var vector: VersionVector { if case .named(_, let vector, _) = description { vector } else { VersionVector() } }

    /// Whether a store that takes it may from then on have held a version that nobody can name.
    var spreadsFog: Bool {
        switch description {
        case .named(_, _, let isFogged): isFogged
        case .undescribed: true
        case .unstamped: false
        }
    }

    var held: HeldVersion {
        HeldVersion(dot: dot, value: value, timestamp: timestamp, vector: vector, transaction: nil, receipt: receipt)
    }
}

/// Whether an arrival that replaces a version was written by somebody who had seen it.
enum Judgement: Equatable {
    /// It was, or nothing speaks against it.
    case seen
    /// It was not, and that is proven.
    case unseen
    /// It may not have been.
    case doubtful(ObservedConflict.Doubt)
}

extension ObserverTransaction {
    /// Judges an arriving value that replaces a version that this shadow holds.
    func judge(
        _ arrival: ArrivingVersion, over loser: HeldVersion, _ field: FieldShadow, _ record: RecordShadow, _ key: RecordKey,
        _ name: FieldName
    )
        -> Judgement
    {
        let progress = loser.transaction.map { state.progress(of: $0, record) }
        if case .named(let dot, let vector, let isFogged) = arrival.description {
            guard let lost = loser.dot, lost.device != dot.device, !vector.covers(lost) else { return .seen }
            // In fog a version may have been held without its name; an engine that sends another's version again brings it back with one.
            if loser.vector.covers(dot) || field.isFogged && record.mayHaveShown(arrival.value, in: field) {
                return .doubtful(.olderVersion)
            }
            // Who has seen a delete may have seen what its writer had.
            return isFogged && progress != .waiting || record.wasDeletedThere ? .doubtful(.fog) : .unseen
        }
        guard let progress else { return .seen }
        if repeatsOwn(arrival.value, field, record) { return .doubtful(.ownValue) }
        switch progress {
        case .waiting: return record.mayHaveShown(arrival.value, in: field) ? .doubtful(.olderVersion) : .unseen
        case .begun: return .doubtful(.exportBegun)
        case .ended:
            let (mine, theirs) = (write(loser, to: key, name), write(arrival.held, to: key, name))
            return theirs.hasSeen(mine, intervals: configuration.auditRules.intervals) ? .seen : .doubtful(.acknowledged)
        }
    }

    /// Whether an arriving value may be one that this device exported itself.
    func repeatsOwn(_ value: FieldValue, _ field: FieldShadow, _ record: RecordShadow) -> Bool {
        field.mayHaveExported(value) { state.progress(of: $0, record) }
    }

    /// Judges a delete that took a version away.
    func judgeDelete(_ delete: HeldVersion, over loser: HeldVersion, _ record: RecordShadow, _ key: RecordKey, _ name: FieldName?)
        -> Judgement
    {
        guard let transaction = loser.transaction else { return .seen }
        if let delete = record.returningDelete, state.progress(of: delete, record) != .waiting { return .doubtful(.ownDelete) }
        if record.wasDeletedThere { return .doubtful(.olderVersion) }
        switch state.progress(of: transaction, record) {
        case .waiting: return .unseen
        case .begun: return .doubtful(.unstampedDelete)
        case .ended:
            let (mine, theirs) = (write(loser, to: key, name), write(delete, to: key, nil))
            return theirs.hasSeen(mine, intervals: configuration.auditRules.intervals) ? .seen : .doubtful(.unstampedDelete)
        }
    }

    /// A version as a write: of a field, or of the whole record, which it then deletes, where the name is nil.
    func write(_ version: HeldVersion, to key: RecordKey, _ name: FieldName?) -> TaggedWrite {
        TaggedWrite(
            dot: version.dot ?? serverDot(version, key), timestamp: version.timestamp, key: key,
            operation: name.map { .put([$0: version.value]) } ?? .delete, seen: nil, receipt: version.receipt)
    }

    /// A name for a version that nobody named: the server's number, or one that follows from what is known of it.
    private func serverDot(_ version: HeldVersion, _ key: RecordKey) -> Dot {
        if let number = version.receipt?.hubSequence, number >= 1 { return Dot(device: .server, sequence: number) }
        var hash = FNV1a()
        hash.combine(key.type.rawValue)
        hash.combine(key.id.rawValue)
        hash.combine(ValueHash(version.value).rawValue)
        hash.combine(UInt64(bitPattern: version.receipt?.milliseconds ?? version.timestamp.milliseconds))
        // 52 bits are exact in every reader of JSON.
        return Dot(device: .server, sequence: 1 + hash.value % (1 << 52))
    }

    /// Reports a conflict, unless it has been reported before.
    ///
    /// - Parameters:
    ///   - winner: The version that is shown; of a delete the value is null and the name nil.
    ///   - loser: The version that is not.
    mutating func report(
        _ judgement: Judgement, winner: (version: HeldVersion, isDelete: Bool), loser: (version: HeldVersion, isDelete: Bool),
        _ name: FieldName?, didArrivingWin: Bool, in record: inout RecordShadow, _ key: RecordKey
    ) throws {
        let doubt: ObservedConflict.Doubt?
        switch judgement {
        case .seen: return
        case .unseen: doubt = nil
        case .doubtful(let reason): doubt = reason
        }
        if !winner.isDelete, !loser.isDelete, winner.version.value.holdsMembers(of: loser.version.value) { return }
        let winning = write(winner.version, to: key, winner.isDelete ? nil : name)
        let losing = write(loser.version, to: key, loser.isDelete ? nil : name)
        let id = ConflictID(key: key, field: name, dots: (winning.dot, losing.dot))
        guard winning.dot != losing.dot, record.report(id.rawValue) else { return }
        let reason: MergeDecision.Reason = winner.isDelete ? .deleteWins : .policy
        let decision = MergeDecision(
            contention: winner.isDelete && loser.isDelete ? .bothDeleted : .sameRegister, field: name, winner: winning, loser: losing,
            didArrivingWin: didArrivingWin, reason: reason, policy: winner.isDelete ? "deleteWins" : "lastArrivalWins", ancestor: nil,
            result: nil, isPending: false, edits: configuration.mergeRules.edits(of: losing, besides: winning, in: name))
        tell(.conflict(decision, doubt == nil ? .causal : nil, doubt))
        let lost = LostValue(key: key, field: name, value: loser.isDelete ? nil : loser.version.value, milliseconds: milliseconds)
        try access.setLostValue(id.rawValue, lost.encoded, maximum: configuration.maximumLostValues)
    }
}
