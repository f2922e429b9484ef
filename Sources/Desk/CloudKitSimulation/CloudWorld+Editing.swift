import SyncModel
import SyncObservation
import SyncSimulation

extension CloudWorld {
    /// A person edits a record, perhaps in a window that still shows what it was before the last import.
    mutating func edit(_ index: Int, _ key: RecordKey) throws {
        let content = devices[index].content
        let shown = content.store[key]
        let isNew = content.known[key] == nil
        let changed = shown == nil ? fields : fields.filter { _ in random.chance(0.5) }
        if changed.isEmpty { return }
        let stale = shown == nil || random.chance(0.7) ? nil : content.contexts[key]
        devices[index].content.contexts[key] = nil
        var values = FieldMap()
        for field in changed {
            let value = FieldValue.number(JSONNumber(random.below(engine.values)))
            // An attribute that is set to what it is has not changed.
            if value == (stale?.cells ?? shown)?[field]?.value || value == shown?[field]?.value { continue }
            values[field] = value
        }
        if values.isEmpty { return }
        var snapshot = FieldMap()
        if stale != nil || random.chance(0.5) {
            for (name, cell) in stale?.cells ?? shown ?? [:] { snapshot[name] = cell.value }
        }
        var change = LocalChange(key, .put(values), snapshot: snapshot, isNew: isNew)
        var stamps = FieldMap()
        try tell(index) { stamps = try $0.stamps(for: change) }
        devices[index].content.transaction += 1
        let transaction = devices[index].content.transaction
        var cells = shown ?? [:]
        var made: [FieldName: Int] = [:]
        for element in values {
            let version = addVersion(index, key, element, known: stale?.known ?? content.known[key] ?? [:])
            if let old = cells[element.name]?.version { truth.show(version, over: old) }
            cells[element.name] = CloudDatabase.Cell(value: element.value, version: version)
            made[element.name] = version
        }
        for stamp in stamps { cells[stamp.name] = CloudDatabase.Cell(value: stamp.value, version: nil) }
        note(index, "saves \(described(key, cells.filter { values[$0.key] != nil }))\(stale == nil ? "" : " in a window of old values")")
        devices[index].content.store[key] = cells
        devices[index].content.pendingDeletes[key] = nil
        var all = values
        for stamp in stamps { all[stamp.name] = stamp.value }
        for name in all.names { devices[index].content.pending[key, default: [:]][name] = transaction }
        change.operation = .put(all)
        try call(index) { try $0.saved([change], transaction: transaction) }
        try judge(index, at: key, made: made)
    }

    private mutating func addVersion(
        _ index: Int, _ key: RecordKey, _ element: FieldMap.Element, known: [FieldName: Set<Int>]
    ) -> Int {
        let content = devices[index].content
        // One sequential writer: what a device wrote it has seen, in whatever window.
        let history = (known[element.name] ?? []).union(content.own[key]?[element.name] ?? []).union(content.knownDeletes[key] ?? [])
        let version = truth.add(
            .init(
                device: devices[index].identity, key: key, field: element.name, value: element.value, history: history,
                shown: content.shown))
        devices[index].content.shown.insert(version)
        devices[index].content.known[key, default: [:]][element.name, default: []].insert(version)
        devices[index].content.own[key, default: [:]][element.name, default: []].insert(version)
        return version
    }

    mutating func delete(_ index: Int, _ key: RecordKey) throws {
        let content = devices[index].content
        guard content.store[key] != nil else { return }
        let history = (content.known[key] ?? [:]).values.reduce(into: content.knownDeletes[key] ?? []) { $0.formUnion($1) }
        let version = truth.add(
            .init(device: devices[index].identity, key: key, field: nil, value: .null, history: history, shown: content.shown))
        devices[index].content.shown.insert(version)
        devices[index].content.transaction += 1
        let transaction = devices[index].content.transaction
        devices[index].content.knownDeletes[key, default: []].insert(version)
        devices[index].content.store[key] = nil
        devices[index].content.pending[key] = nil
        devices[index].content.contexts[key] = nil
        devices[index].content.pendingDeletes[key] = (version, transaction)
        note(index, "deletes \(key.id)")
        try call(index) { try $0.saved([LocalChange(key, .delete)], transaction: transaction) }
        try judge(index, at: key, deletion: version)
    }
}
