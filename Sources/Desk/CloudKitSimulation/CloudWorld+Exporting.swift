import ConflictAudit
import SyncModel
import SyncObservation
import SyncSimulation

extension CloudWorld {
    /// The engine decides what to send next.
    mutating func beginExport(_ index: Int, isWhole: Bool) throws {
        let content = devices[index].content
        let keys = keys.filter { content.pending[$0]?.isEmpty == false || content.pendingDeletes[$0] != nil }
        if keys.isEmpty { return }
        var export: CloudDevice.Export
        switch engine.exports {
        case .everything: export = .init(scope: .everything)
        case .transactions: export = .init(scope: .transactions(through: content.transaction), saves: capture(index, keys))
        case .records:
            let batch = isWhole ? keys : [random.pick(keys)]
            export = .init(scope: .records(batch), saves: capture(index, batch))
        }
        export.isCut = !isWhole && keys.count > 1
        devices[index].export = export
        note(index, "begins an export of \(export.scope)")
        try tell(index) { try $0.exportBegan(export.scope) }
        try judge(index, at: self.keys[0])
    }

    /// What would be sent of some records now.
    private func capture(_ index: Int, _ keys: [RecordKey]) -> [CloudDevice.Captured] {
        let content = devices[index].content
        return keys.compactMap { key in
            let base = content.base[key]?.number ?? 0
            if let deletion = content.pendingDeletes[key] {
                return .init(
                    save: .init(key: key, cells: nil, deletion: deletion.version, base: base), transactions: [:],
                    deleteTransaction: deletion.transaction)
            }
            guard let pending = content.pending[key], !pending.isEmpty, let cells = content.store[key] else { return nil }
            let sent = engine.policy == .allKeys ? cells : cells.filter { pending[$0.key] != nil }
            return .init(save: .init(key: key, cells: sent, base: base), transactions: pending)
        }
    }

    /// The batch reaches the server, all of it, a part, or nothing.
    mutating func deliver(_ index: Int, isSafe: Bool) throws {
        guard var export = devices[index].export, !export.isDelivered else { return }
        export.isDelivered = true
        defer { devices[index].export = export }
        let saves = export.saves ?? capture(index, keys)
        // A transient error, or no room left: nothing is taken.
        if !isSafe, random.chance(0.12) {
            export.isCut = true
            note(index, "sends nothing: a transient error")
            return
        }
        for save in saves.prefix(export.isCut ? 1 : CloudDatabase.batchLimit) {
            let (outcome, replaced) = database.save(save.save, policy: engine.policy, from: devices[index].identity)
            for pair in replaced { truth.discard(pair.old, for: pair.new) }
            switch outcome {
            case .saved(let number):
                note(index, "sends \(described(save.save.key, save.save.cells)), number \(number)")
                export.taken.append((save, number))
            case .serverRecordChanged:
                note(index, "sends \(described(save.save.key, save.save.cells)), which is refused")
                export.refused.append(save)
            }
        }
        if saves.count > export.taken.count + export.refused.count { export.isCut = true }
    }

    /// The answer arrives, or is lost.
    mutating func endExport(_ index: Int, isSafe: Bool) throws {
        guard let export = devices[index].export else { return }
        devices[index].export = nil
        if !isSafe, !export.isDelivered || random.chance(0.2) {
            note(index, "gets no answer")
            return try tell(index) { try $0.exportFailed("the network connection was lost") }
        }
        guard export.isDelivered else { return }
        note(index, "gets its answer\(export.isCut ? ", of a part" : "")")
        for (save, number) in export.taken { acknowledge(index, save, number) }
        let namesRecords = export.scope.namesRecords || engine.givesNumbers
        let numbers = export.taken.map { taken in
            Acknowledgement(
                taken.save.save.key,
                receipt: engine.givesNumbers ? TaggedWrite.Receipt(milliseconds: clock.now, hubSequence: taken.number) : nil)
        }
        try tell(index) { observer in
            if namesRecords { try observer.acknowledged(numbers) }
            if export.isCut || !export.refused.isEmpty {
                try observer.exportFailed("a part was refused")
            } else {
                if case .transactions(let through) = export.scope {
                    try observer.exportSucceeded(through: through)
                } else {
                    try observer.exportSucceeded()
                }
            }
        }
        try judge(index, at: keys[0])
        for save in export.refused { try resolve(index, save) }
    }

    private mutating func acknowledge(_ index: Int, _ captured: CloudDevice.Captured, _ number: UInt64) {
        let key = captured.save.key
        for (name, transaction) in captured.transactions where devices[index].content.pending[key]?[name] == transaction {
            devices[index].content.pending[key]?[name] = nil
        }
        if let transaction = captured.deleteTransaction, devices[index].content.pendingDeletes[key]?.transaction == transaction {
            devices[index].content.pendingDeletes[key] = nil
        }
        // A newer version may have arrived before the answer; a careless app forgets that.
        if !engine.keepsOlderBase, devices[index].content.base[key]?.number ?? 0 > number { return }
        var cells = devices[index].content.base[key]?.cells ?? [:]
        if let sent = captured.save.cells { cells.merge(sent) { $1 } } else { cells = [:] }
        devices[index].content.base[key] = .init(number: number, cells: cells)
    }

    /// The record had changed on the server: three versions meet, and the app takes the server's fields where both have changed.
    private mutating func resolve(_ index: Int, _ captured: CloudDevice.Captured) throws {
        let key = captured.save.key
        guard let server = database.records[key] else { return }
        let (content, base) = (devices[index].content, devices[index].content.base[key])
        let isDeletedHere = content.pendingDeletes[key] != nil
        if server.deletion == nil, !isDeletedHere, let cells = content.store[key] {
            let merge = RecordedMerge(
                key: key, at: WallTime(millisecondsSince1970: clock.now + devices[index].skew), by: devices[index].configuration.device,
                ancestor: base.map { .init(fields: self.values(of: $0.cells)) }, client: .init(fields: self.values(of: cells)),
                server: .init(fields: self.values(of: server.cells)))
            note(
                index,
                "is told of versions: here \(described(key, cells)), there \(described(key, server.cells)), "
                    + "before \(base == nil ? "nothing" : described(key, base?.cells))")
            try call(index) { try $0.merged(merge) }
            try judgeMerge(index, key, client: cells, server: server.cells)
        }
        try apply(index, key, server, isMerge: true)
    }

    private func values(of cells: [FieldName: CloudDatabase.Cell]) -> FieldMap {
        var map = FieldMap()
        for (name, cell) in cells { map[name] = cell.value }
        return map
    }
}

extension ExportScope {
    fileprivate var namesRecords: Bool { if case .records = self { true } else { false } }
}
