import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

extension ReplicaCore {
    /// Looks at the list of lost edits, or changes it.
    func lostEdits<Result>(_ body: (inout LostEditList) throws -> Result) throws -> Result {
        do {
            return try body(&lost)
        } catch let failure as CodingFailure {
            throw SyncLayerError(damaged: "the list of lost edits", failure)
        }
    }

    /// Whether the list of lost edits has changed since this was last asked.
    func takeLostEditsChanged() -> Bool {
        defer { haveLostEditsChanged = false }
        return haveLostEditsChanged
    }

    /// Keeps the edit that a finding tells to be lost, where it tells of one.
    ///
    /// - Parameter name: What its record is called.
    func keepLostEdit(of finding: Finding, called name: RecordName?, _ writer: any ReplicaStoreWriter) throws {
        guard case .decision = finding else { return }
        try keep(finding.conflict(classifier), called: name, writer)
    }

    /// The same of a conflict that the app has decided, unless for the edit that had lost until then.
    func keepLostEdit(of finding: Finding, decidedAs result: FieldValue?, _ writer: any ReplicaStoreWriter) throws {
        guard case .decision(let decision) = finding else { return }
        let conflict = finding.conflict(classifier).decided(result)
        if conflict.loser.operation == .put, result == conflict.loser.value { return }
        let name = try name(of: finding.key, besides: [decision.winner, decision.loser], in: record(finding.key, writer))
        try keep(conflict, called: name, writer)
    }

    private func keep(_ conflict: Conflict, called name: RecordName?, _ writer: any ReplicaStoreWriter) throws {
        // What the log leaves out is not listed either.
        guard conflict.losesEdit, conflict.withinWindow || configuration.auditRules.outsideWindow == .log else { return }
        var conflict = conflict
        conflict.name = name
        let (now, limits) = (configuration.wall, configuration.lostEditLimits)
        try lostEdits { [conflict] in try $0.insert(conflict, at: now, limits, StoredLostEdits(writer)) }
    }

    /// Takes off the list what a merged write has made good.
    ///
    /// - Parameter state: The record's after the write.
    func observeLostEdits(_ write: TaggedWrite, _ state: RecordState, _ writer: any ReplicaStoreWriter) throws {
        try lostEdits { list in
            try list.observe(write, shown: { state.winner(of: $0, rules: rules) }, StoredLostEdits(writer))
        }
    }

    /// Forgets what is older than the limit.
    func forgetOldLostEdits() {
        if !lost.isEmpty { lost.prune(at: configuration.wall, configuration.lostEditLimits) }
    }

    /// Writes out what the transaction has changed in the list.
    func finishLostEdits(_ writer: any ReplicaStoreWriter) throws {
        let (hasChanged, forgotten) = try lostEdits { try $0.finish(WritableLostEdits(writer)) }
        guard hasChanged else { return }
        haveLostEditsChanged = true
        if forgotten > 0 { log(.lostEditsForgotten(forgotten, at: configuration.wall)) }
    }
}

/// The rows of a store's list of lost edits: the latest comes first in the order of the index.
struct StoredLostEdits: LostEditRows {
    private let reader: any ReplicaStoreReader

    init(_ reader: any ReplicaStoreReader) { self.reader = reader }

    func lostEditRow(_ number: UInt64) throws -> [UInt8]? {
        try reader.row(LostEditKey.bytes(of: number), in: .lostEdits)?.content
    }

    func lostEditRows(before number: UInt64?, limit: Int) throws -> [(number: UInt64, content: [UInt8])] {
        try reader.rows(in: .lostEdits, startingWith: [], after: number.map(LostEditKey.bytes) ?? LostEditKey.bytes(of: 0), limit: limit)
            .map { (LostEditKey.number($0.key), $0.content) }
    }
}

/// The same in a transaction.
struct WritableLostEdits: LostEditRowWriter {
    private let writer: any ReplicaStoreWriter

    init(_ writer: any ReplicaStoreWriter) { self.writer = writer }

    func lostEditRow(_ number: UInt64) throws -> [UInt8]? { try StoredLostEdits(writer).lostEditRow(number) }

    func lostEditRows(before number: UInt64?, limit: Int) throws -> [(number: UInt64, content: [UInt8])] {
        try StoredLostEdits(writer).lostEditRows(before: number, limit: limit)
    }

    func setLostEditRow(_ number: UInt64, _ content: [UInt8]) throws {
        try writer.setRow(StoreRow(key: LostEditKey.bytes(of: number), content: content), in: .lostEdits)
    }

    func removeLostEditRow(_ number: UInt64) throws { try writer.removeRow(LostEditKey.bytes(of: number), from: .lostEdits) }
}

/// The keys of the rows: the number 0 has no bytes, so that it comes before the highest.
private enum LostEditKey {
    static func bytes(of number: UInt64) -> [UInt8] { number == 0 ? [] : (UInt64.max - number).orderedBytes }

    static func number(_ bytes: [UInt8]) -> UInt64 { UInt64.max - bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
