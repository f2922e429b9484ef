import ConflictAudit
import SyncModel

extension ObserverTransaction {
    /// Takes note of a version that came from the server.
    ///
    /// - Returns: Whether it was news.
    mutating func arrive(_ arrival: Arrival) throws -> Bool {
        if try provesEarlierLife(arrival) { try becomeNewWriter() }
        let known = try record(arrival.key)
        var record = known ?? RecordShadow()
        if let transaction = arrival.transaction, transaction <= record.arrived { return false }
        if let number = arrival.receipt?.hubSequence, number <= record.serverNumber { return false }
        record.arrived = max(record.arrived, arrival.transaction ?? .min)
        // What the store had shown before the shadow began came before this.
        if known == nil {
            if state.hasOlderRecords, !arrival.isNew { record.becomeOlder() }
            record.everyFieldArrived = arrival.receipt?.number ?? .max
        }
        let isShown: Bool
        switch arrival.operation {
        case .put(let fields): isShown = try put(fields, arrival, &record)
        case .delete:
            try delete(arrival, &record)
            isShown = true
        }
        // Of what was kept from being shown a merge may show the rest later, with no new number.
        if isShown { record.serverNumber = max(record.serverNumber, arrival.receipt?.hubSequence ?? 0) }
        try setRecord(arrival.key, record)
        return true
    }

    /// Whether a stamp names a write of this device that this shadow has not made: it was put back from a backup, and lived on after that
    /// was made.
    private func provesEarlierLife(_ arrival: Arrival) throws -> Bool {
        guard case .put(let fields) = arrival.operation else { return false }
        return configuration.level(of: arrival.key.type).stamps(in: fields).dots.contains {
            $0.device == state.writer && !wasGiven($0.sequence)
        }
    }

    /// Takes note of a version with fields.
    ///
    /// - Returns: Whether the store shows all of it, as far as is known.
    private mutating func put(_ fields: FieldMap, _ arrival: Arrival, _ record: inout RecordShadow) throws -> Bool {
        let level = configuration.level(of: arrival.key.type)
        let leftOut = configuration.attributesLeftOut(of: arrival.key.type)
        let stamps = ArrivedStamps(fields, level)
        if let made = stamps.record, made.dot.device != state.writer, !record.fields.values.contains(where: { $0.current?.dot == made.dot })
        {
            delays.append(max(0, milliseconds - made.time.millisecondsSince1970))
        }
        if let deletion = record.deletion {
            if try putOverDelete(deletion, fields, stamps, arrival, &record) { return false }
            record.remove()
        }
        record.isLive = true
        var isShown = true
        for element in fields where !leftOut.contains(element.name) {
            let version = arriving(element, stamps, arrival.receipt)
            var field = record.fields[element.name] ?? FieldShadow()
            let isKept = arrival.keptFields.map { $0.contains(element.name) }
            if try !arrive(version, as: element.name, isKept: isKept, in: &field, &record, arrival.key) { isShown = false }
            record.fields[element.name] = field
        }
        if let number = arrival.receipt?.number { tellStillShown(fields, by: number, arrival.key, in: &record) }
        // One attribute speaks for the whole record: whatever it does not describe may have been written by anyone.
        if case .recordStamp = level, stamps.record != nil {
            for name in record.fields.keys where fields[name] == nil { record.fields[name]?.isFogged = true }
        }
        return isShown
    }

    /// Takes note of a version of one field.
    ///
    /// - Returns: Whether the store shows it, as far as is known.
    private mutating func arrive(
        _ version: ArrivingVersion, as name: FieldName, isKept: Bool?, in field: inout FieldShadow, _ record: inout RecordShadow,
        _ key: RecordKey
    ) throws -> Bool {
        if version.spreadsFog || record.wasDeletedThere || record.isOlder { field.isFogged = true }
        if isKept != true { field.countArrival(version.receipt) }
        // The adapter knows that the merge did not show it.
        if isKept == true { field.mergedIn = nil }
        guard let current = field.current else {
            // What the store shows instead was saved before the shadow began.
            if isKept == true { return false }
            field.show(version.held)
            return true
        }
        let frozen = record
        let progress = current.transaction.map { state.progress(of: $0, record) } ?? .ended
        // An engine that keeps what waits may have had an answer that this observer has not heard of, and waits no more.
        let mayBeKept = isKept == nil && progress != .ended && configuration.pendingFields != .overwritten
        let isKept = isKept ?? (progress == .waiting && configuration.pendingFields == .kept)
        if version.value == current.value {
            guard version.dot != nil, version.dot != current.dot else {
                // The value is shown from the server too, and may come again after others of this device.
                if !isKept, current.isOwn { field.lastArrived = ValueHash(version.value).rawValue }
                return !isKept
            }
        } else {
            for loser in [current, field.pending].compactMap(\.self) {
                let judgement = judge(version, over: loser, field, record, key, name)
                let (theirs, mine) = ((version.held, false), (loser, false))
                try report(
                    judgement, winner: isKept ? mine : theirs, loser: isKept ? theirs : mine, name, didArrivingWin: !isKept, in: &record,
                    key)
            }
        }
        if isKept { return false }
        if mayBeKept { field.pending = current } else { field.dropUnsent { state.progress(of: $0, frozen) } }
        field.show(version.held)
        return !mayBeKept
    }

    /// Judges a version of a record that this device has deleted.
    ///
    /// - Returns: Whether the record stays deleted.
    private mutating func putOverDelete(
        _ deletion: HeldVersion, _ fields: FieldMap, _ stamps: ArrivedStamps, _ arrival: Arrival, _ record: inout RecordShadow
    ) throws -> Bool {
        let progress = deletion.transaction.map { state.progress(of: $0, record) } ?? .ended
        let leftOut = configuration.attributesLeftOut(of: arrival.key.type)
        for element in fields where !leftOut.contains(element.name) {
            let version = arriving(element, stamps, arrival.receipt)
            // Whether it is shown or not: what follows may have been written by somebody who knew of it.
            record.fields[element.name, default: FieldShadow()].countArrival(arrival.receipt)
            // A delete that may have been sent is perhaps no obstacle to the engine.
            if progress == .begun { record.fields[element.name]?.mergeIn(version) }
            let field = record.fields[element.name] ?? FieldShadow()
            let isKnown = element.value == field.current?.value ?? .null || version.dot.map { deletion.vector.covers($0) } ?? false
            if isKnown { continue }
            var judgement = progress == .waiting ? Judgement.unseen : .doubtful(.unstampedDelete)
            // In fog a version may have been held without its name.
            if version.dot == nil || field.isFogged || record.isOlder, record.mayHaveShown(element.value, in: field) {
                judgement = .doubtful(.olderVersion)
            }
            if version.dot == nil {
                if repeatsOwn(element.value, field, record) { judgement = .doubtful(.ownValue) }
            } else if version.dot?.device == state.writer {
                judgement = .seen
            }
            let (delete, put) = ((deletion, true), (version.held, false))
            let isDeleted = progress != .ended
            try report(
                judgement, winner: isDeleted ? delete : put, loser: isDeleted ? put : delete, element.name, didArrivingWin: !isDeleted,
                in: &record, arrival.key)
        }
        return progress != .ended
    }

    private mutating func delete(_ arrival: Arrival, _ record: inout RecordShadow) throws {
        let delete = HeldVersion(
            dot: nil, value: .null, timestamp: HybridTimestamp(milliseconds: arrival.receipt?.milliseconds ?? milliseconds),
            vector: VersionVector(), transaction: nil, receipt: arrival.receipt)
        // Two deletes cost nothing: worth a word where it is proven that there were two.
        if let deletion = record.deletion, judgeDelete(delete, over: deletion, record, arrival.key, nil) == .unseen {
            try report(.unseen, winner: (delete, true), loser: (deletion, true), nil, didArrivingWin: true, in: &record, arrival.key)
        }
        if record.isLive {
            for (name, field) in record.fields.sorted(by: { $0.key < $1.key }) {
                for loser in [field.current, field.pending].compactMap(\.self) {
                    let judgement = judgeDelete(delete, over: loser, record, arrival.key, name)
                    try report(
                        judgement, winner: (delete, true), loser: (loser, false), name, didArrivingWin: true, in: &record, arrival.key)
                }
            }
        }
        record.dropUnsent(state)
        record.remove()
        record.everyFieldArrived = max(record.everyFieldArrived, arrival.receipt?.number ?? .max)
        record.wasDeletedThere = true
        // Deletes carry no stamp: nobody knows what their writers had seen.
        for name in record.fields.keys { record.fields[name]?.isFogged = true }
    }

    /// What the stamps of a server's version say of one of its fields.
    func arriving(_ element: FieldMap.Element, _ stamps: ArrivedStamps, _ receipt: TaggedWrite.Receipt?) -> ArrivingVersion {
        let description = stamps.description(of: element)
        let made = description.isNamed ? stamps.record?.time.millisecondsSince1970 : nil
        return ArrivingVersion(
            value: element.value, description: description,
            timestamp: HybridTimestamp(milliseconds: made ?? receipt?.milliseconds ?? milliseconds), receipt: receipt)
    }
}

/// The stamps of one arriving version.
struct ArrivedStamps {
    let record: RecordStamp?
    private let level: ObservationLevel
    private let fields: FieldMap

    init(_ fields: FieldMap, _ level: ObservationLevel) {
        self.fields = fields
        self.level = level
        if case .recordStamp(let attribute) = level { record = fields[attribute]?.string.flatMap { RecordStamp($0) } } else { record = nil }
    }

    func description(of element: FieldMap.Element) -> ArrivingVersion.Description {
        switch level {
        case .unstamped: return .unstamped
        case .fieldStamps(let attributes):
            guard let text = attributes[element.name].flatMap({ fields[$0]?.string }) else { return .unstamped }
            guard let stamp = FieldStamp(text), stamp.describes(element.value) else { return .undescribed }
            return .named(stamp.dot, stamp.vector, isFogged: stamp.isFogged)
        case .recordStamp(let attribute):
            guard fields[attribute]?.string != nil else { return .unstamped }
            guard let entry = record?.entries[element.name], entry.describes(element.value) else { return .undescribed }
            return .named(entry.dot, entry.vector, isFogged: entry.isFogged)
        }
    }
}

extension ArrivingVersion.Description {
    fileprivate var isNamed: Bool { if case .named = self { true } else { false } }
}
