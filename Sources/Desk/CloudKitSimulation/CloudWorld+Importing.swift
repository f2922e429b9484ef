import SyncModel
import SyncObservation

extension CloudWorld {
    /// Fetches one page of changes, unless one is on its way.
    mutating func fetchPage(_ index: Int, limit: Int) {
        guard devices[index].fetched == nil else { return }
        let token = devices[index].content.token
        let (page, next, hasMore) = database.changes(since: token, limit: limit)
        let news = page.filter { page in
            engine.ownExportsReturn || !page.record.writers.allSatisfy { $0.number <= token || $0.device == devices[index].identity }
        }
        devices[index].fetched = .init(page: news, token: next, hasMore: hasMore)
    }

    /// Puts the page that was fetched into the store, or fetches one for that.
    ///
    /// - Returns: Whether there is more.
    mutating func importPage(_ index: Int, limit: Int) throws -> Bool {
        fetchPage(index, limit: limit)
        guard let fetched = devices[index].fetched else { return false }
        devices[index].fetched = nil
        for (key, record) in fetched.page {
            // Since it was fetched the server may have taken a newer version from here.
            if record.number < devices[index].content.base[key]?.number ?? 0 { continue }
            try apply(index, key, record, isMerge: false)
        }
        devices[index].content.token = fetched.token
        return fetched.hasMore
    }

    /// The engine puts the server's record into the store, and the adapter says what the store then shows.
    mutating func apply(
        _ index: Int, _ key: RecordKey, _ record: CloudDatabase.Record, isMerge: Bool
    ) throws {
        let before = devices[index].content.store[key]
        let isNew = devices[index].content.known[key] == nil && devices[index].content.knownDeletes[key] == nil
        let base = devices[index].content.base[key]?.cells ?? [:]
        defer { devices[index].content.base[key] = .init(number: record.number, cells: record.cells) }
        if let deletion = record.deletion { return try remove(index, key, deletion, record, before) }
        let isDeletedHere = devices[index].content.pendingDeletes[key] != nil
        var shown = before ?? [:]
        var kept: Set<FieldName> = []
        var arrived = record.cells.compactMapValues(\.version)
        if !isDeletedHere {
            for (name, cell) in record.cells {
                let isPending = devices[index].content.pending[key]?[name] != nil
                let isChanged = base[name] != cell
                let isKept = isPending && (engine.keepsPending && !isMerge || !isChanged && !engine.overwritesUnchanged)
                if isKept {
                    // What a merge has shown already is not kept from being shown.
                    if shown[name] != cell { kept.insert(name) }
                    continue
                }
                if let old = shown[name]?.version, let new = cell.version, old != new { truth.show(new, over: old) }
                if isPending, shown[name] != cell, !engine.resendsOverwritten { devices[index].content.pending[key]?[name] = nil }
                shown[name] = cell
                if let version = cell.version { hold(index, key, name, version) }
            }
            devices[index].content.store[key] = shown
        }
        // An engine that keeps what waits hands its adapter the server's record; of another only the store is seen.
        let cells = engine.keepsPending || isDeletedHere ? record.cells : shown
        if !engine.keepsPending, !isDeletedHere { arrived = shown.compactMapValues(\.version) }
        if isMerge, !engine.tellsMerges { return }
        devices[index].arrived[key] = arrived
        note(index, "is shown \(described(key, cells)), number \(record.number)\(kept.isEmpty ? "" : ", and keeps \(kept.sorted())")")
        var fields = FieldMap()
        for (name, cell) in cells { fields[name] = cell.value }
        try tell(index, Arrival(key, .put(fields), keptFields: engine.keepsPending ? kept : nil, isNew: isNew), record)
        try judge(index, at: key)
    }

    private mutating func remove(
        _ index: Int, _ key: RecordKey, _ deletion: Int, _ record: CloudDatabase.Record, _ before: [FieldName: CloudDatabase.Cell]?
    ) throws {
        let replaced = (before ?? [:]).compactMapValues(\.version)
        for old in replaced.values { truth.show(deletion, over: old) }
        devices[index].content.store[key] = nil
        devices[index].content.pending[key] = nil
        devices[index].content.pendingDeletes[key] = nil
        devices[index].content.contexts[key] = nil
        devices[index].content.shown.insert(deletion)
        devices[index].content.knownDeletes[key, default: []].formUnion(truth.versions[deletion].history.union([deletion]))
        note(index, "is shown the delete of \(key.id), number \(record.number)")
        try tell(index, Arrival(key, .delete), record)
        try judge(index, at: key, deletion: deletion)
    }

    /// A store holds a version, and with it has seen what its writer had seen.
    private mutating func hold(_ index: Int, _ key: RecordKey, _ name: FieldName, _ version: Int) {
        devices[index].content.shown.insert(version)
        devices[index].content.known[key, default: [:]][name, default: []].formUnion(truth.versions[version].history.union([version]))
    }

    private mutating func tell(_ index: Int, _ arrival: Arrival, _ record: CloudDatabase.Record) throws {
        devices[index].content.arrivals += 1
        var arrival = arrival
        arrival.transaction = devices[index].content.arrivals
        if engine.givesNumbers { arrival.receipt = TaggedWrite.Receipt(milliseconds: clock.now, hubSequence: record.number) }
        let told = arrival
        try call(index) { try $0.arrived([told]) }
    }
}
