package import ConflictAudit
package import SyncModel

/// The values that one record of a table lost, to be given back together.
package struct SavedRestoration: Sendable {
    /// The record.
    package let key: RecordKey
    /// What is there now.
    package let now: SavedState
    /// The lost values that go back into it.
    package fileprivate(set) var values: FieldMap = [:]
    /// The losses that are made good, the latest first.
    package fileprivate(set) var conflicts: [Conflict] = []

    /// The whole record as it will be.
    package var fields: FieldMap {
        var fields = now.fields
        for field in values { fields[field.name] = field.value }
        return fields
    }
}

/// What of many losses can be given back, record by record.
///
/// A loss is made good where the save that took the edit away still gives the field its value, or was the record's removal and its last
/// row. Of several losses of one field that is the last one.
///
/// ```swift
/// let plan = SavedRestorations(of: found.conflicts.map(\.conflict), isForced: false) { audit.state(of: $0) }
/// for record in plan.records { print(record.key, record.values) }
/// ```
///
/// - Complexity: O(*n*) for *n* losses.
package struct SavedRestorations: Sendable {
    /// The records, in the order of their first losses.
    package private(set) var records: [SavedRestoration] = []
    /// Why losses are not made good.
    package private(set) var refusals: [RestoreRefusal] = []
    /// How many values are there again.
    package private(set) var alreadyThere = 0

    /// Says what can be given back.
    ///
    /// - Parameters:
    ///   - losses: The losses, in the order in which they happened.
    ///   - isForced: Whether values are given back also where the record has moved on since.
    ///   - state: What a record shows now; nil where that is not known.
    package init(of losses: some Sequence<Conflict>, isForced: Bool, _ state: (RecordKey) -> SavedState?) {
        var groups: [RecordKey: [Conflict]] = [:]
        var order: [RecordKey] = []
        for loss in losses {
            if groups[loss.key] == nil { order.append(loss.key) }
            groups[loss.key, default: []].append(loss)
        }
        for key in order {
            guard let now = state(key) else {
                refuse(groups[key, default: []], key, "what is there now is not known: the rows are what devices sent, not what was kept")
                continue
            }
            var record = SavedRestoration(key: key, now: now)
            for loss in groups[key, default: []].reversed() { add(loss, to: &record, isForced: isForced) }
            if !record.conflicts.isEmpty { records.append(record) }
        }
    }

    private mutating func refuse(_ losses: [Conflict], _ key: RecordKey, _ reason: String) {
        let sentence = "\(HumanNumber.count(losses.count, "loss", "losses")) of \(EventText.register(key, nil)): \(reason)"
        refusals.append(RestoreRefusal(description: sentence, canBeForced: false))
    }

    private mutating func add(_ loss: Conflict, to record: inout SavedRestoration, isForced: Bool) {
        guard let field = loss.field, let lost = loss.loser.value else { return }
        let shown = record.now.fields[field] ?? .null
        if !record.now.isRemoved, shown == lost {
            alreadyThere += 1
            return
        }
        let isAsItWas =
            loss.winner.operation == .delete
            ? record.now.isRemoved && record.now.row.line == loss.versions?.rows.save
            : !record.now.isRemoved && record.now.rows[field]?.line == loss.versions?.rows.save
        if record.values[field] != nil {
            refusals.append(RestoreRefusal(loss, RestoreRefusal.ofEarlierEdit))
        } else if !isAsItWas, !isForced {
            let what =
                record.now.isRemoved
                ? "the record was removed since" : "the field has moved on since, \(EventText.value(shown)) is there now"
            refusals.append(RestoreRefusal(loss, "\(what); --force replaces that too", canBeForced: true))
        } else {
            record.values[field] = lost
            record.conflicts.append(loss)
        }
    }
}
