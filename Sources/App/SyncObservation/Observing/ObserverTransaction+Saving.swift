import ConflictAudit
import SyncModel

extension ObserverTransaction {
    /// Takes note of what a local save did to a record.
    mutating func save(_ change: LocalChange, in transaction: Int64) throws {
        let known = try record(change.key)
        var record = known ?? RecordShadow()
        // A transaction that is reported again has been counted.
        guard transaction > record.saved else { return }
        record.saved = transaction
        // What the store had shown before the shadow began has no number here.
        if known == nil, !change.isNew { record.becomeOlder() }
        state.transaction = max(state.transaction, transaction)
        let timestamp = state.timestamp(milliseconds)
        switch change.operation {
        case .put(let fields): try put(fields, change, in: transaction, at: timestamp, &record, isKnown: known != nil)
        case .delete: try delete(change, in: transaction, at: timestamp, &record)
        }
        try setRecord(change.key, record)
    }

    private mutating func put(
        _ fields: FieldMap, _ change: LocalChange, in transaction: Int64, at timestamp: HybridTimestamp, _ record: inout RecordShadow,
        isKnown: Bool
    ) throws {
        let level = configuration.level(of: change.key.type)
        let stamps = level.stamps(in: fields)
        // A new shadow does not know the numbers that a lost one gave.
        for dot in stamps.dots where dot.device == state.writer { skipNumbers(through: dot.sequence) }
        let leftOut = configuration.attributesLeftOut(of: change.key.type)
        record.isLive = true
        record.deletion = nil
        var shared: Dot?
        var rest = FieldMap()
        for element in fields where !leftOut.contains(element.name) {
            let isUnknown = record.wasDeletedThere || record.isOlder
            var field = record.fields[element.name] ?? FieldShadow(isFogged: isUnknown)
            let stamp = stamps.ownStamp(of: element, by: state.writer)
            let before = field
            field.takeMerged()
            let isAlone = level.stampsAlone(element.name)
            // One write for all fields of a save, but for those whose stamps say what was seen of each.
            let dot: Dot
            if let named = stamp?.dot { dot = named } else if isAlone { dot = nextDot() } else { dot = shared ?? nextDot() }
            if !isAlone {
                shared = dot
                rest[element.name] = element.value
            }
            let version = HeldVersion(
                dot: dot, value: element.value, timestamp: timestamp, vector: stamp?.vector ?? field.vector.including(dot),
                transaction: transaction, receipt: nil)
            try reportUnshown(element.name, change, before, level, winner: (version, false), &record)
            let frozen = record
            let arrived = max(field.arrived, record.everyFieldArrived)
            field.willExport(element.value, of: dot, in: transaction, after: arrived) { state.progress(of: $0, frozen) }
            field.pending = nil
            field.show(version)
            record.fields[element.name] = field
            if isAlone {
                let seen = change.isNew && !isKnown ? VersionVector() : version.vector
                // In fog the vector may lack versions, and is no causal context.
                let isExact = stamp?.isFogged == false
                tellWrite(dot, timestamp, change.key, .put([element.name: element.value]), seen: isExact ? seen : nil)
            }
        }
        if let shared { tellWrite(shared, timestamp, change.key, .put(rest), seen: change.isNew && !isKnown ? VersionVector() : nil) }
    }

    private mutating func delete(
        _ change: LocalChange, in transaction: Int64, at timestamp: HybridTimestamp, _ record: inout RecordShadow
    ) throws {
        let dot = nextDot()
        let before = record.fields
        for name in record.fields.keys { record.fields[name]?.takeMerged() }
        let vector = record.fields.values.reduce(into: VersionVector()) { $0.formUnion($1.vector) }.including(dot)
        let deletion = HeldVersion(
            dot: dot, value: .null, timestamp: timestamp, vector: vector, transaction: transaction, receipt: nil)
        let level = configuration.level(of: change.key.type)
        for (name, field) in before.sorted(by: { $0.key < $1.key }) {
            try reportUnshown(name, change, field, level, winner: (deletion, true), &record)
            record.fields[name]?.pending = nil
        }
        record.deletionArrived = record.fields.values.reduce(record.everyFieldArrived) { max($0, $1.arrived) }
        record.dropUnsent(state)
        record.isLive = false
        record.deletion = deletion
        // An earlier delete that was sent may come back after this one.
        if record.returningDelete.map({ state.progress(of: $0, record) }) ?? .waiting == .waiting { record.returningDelete = transaction }
        tellWrite(dot, timestamp, change.key, .delete, seen: nil)
    }

    /// Reports an arrival that the editing context did not show, and that this save replaces.
    private mutating func reportUnshown(
        _ name: FieldName, _ change: LocalChange, _ field: FieldShadow, _ level: ObservationLevel,
        winner: (version: HeldVersion, isDelete: Bool), _ record: inout RecordShadow
    ) throws {
        guard record.isLive, let current = field.current, !current.isOwn, current.dot?.device != state.writer else { return }
        let shown = change.snapshot[name]
        // The context shows what a merge has put there.
        if let shown, ValueHash(shown).rawValue == field.mergedIn?.hash { return }
        var judgement = Judgement.unseen
        if let dot = current.dot, let attribute = level.attribute(of: name),
            let stamp = change.snapshot[attribute]?.string.flatMap({ FieldStamp($0) })
        {
            if stamp.vector.covers(dot) { return }
        } else {
            guard let shown, shown != current.value else { return }
            if current.dot == nil, repeatsOwn(current.value, field, record) { judgement = .doubtful(.ownValue) }
            // Shown before it came again: only a stamp of its own would say which of the two the writer had seen.
            let isNamed = current.dot != nil && level.attribute(of: name) != nil
            if !isNamed, record.mayHaveShown(current.value, in: field) { judgement = .doubtful(.olderVersion) }
        }
        try report(
            judgement, winner: winner, loser: (current, false), name, didArrivingWin: false, in: &record, change.key)
    }

    private mutating func tellWrite(
        _ dot: Dot, _ timestamp: HybridTimestamp, _ key: RecordKey, _ operation: TaggedWrite.Operation, seen: VersionVector?
    ) {
        tell(.write(TaggedWrite(dot: dot, timestamp: timestamp, key: key, operation: operation, seen: seen)))
    }
}

extension VersionVector {
    /// The vector with one write more.
    fileprivate func including(_ dot: Dot) -> VersionVector {
        var vector = self
        vector.insert(dot)
        return vector
    }
}

extension ObservationLevel {
    /// Whether any stamp is kept in the model.
    var isStamped: Bool { if case .unstamped = self { false } else { true } }

    /// The attribute that holds the stamp of a field alone.
    func attribute(of field: FieldName) -> FieldName? {
        if case .fieldStamps(let attributes) = self { attributes[field] } else { nil }
    }

    /// Whether a field has a stamp of its own.
    fileprivate func stampsAlone(_ field: FieldName) -> Bool { attribute(of: field) != nil }
}

extension ObservationLevel.Stamps {
    /// What this device's stamp in a save says of one of its fields; nil where the save carries none that was made for the value.
    fileprivate func ownStamp(of element: FieldMap.Element, by writer: DeviceID) -> FieldStamp? {
        guard let entry = entries[element.name], entry.dot.device == writer, entry.describes(element.value) else { return nil }
        return entry
    }
}
