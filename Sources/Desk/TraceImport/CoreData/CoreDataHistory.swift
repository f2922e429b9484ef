import AuditLog
package import ConflictAudit
import SyncBytes
import SyncMerge
package import SyncModel
import SyncSQLite

/// Reads the persistent history of a Core Data or SwiftData store: who changed which property when, without values.
///
/// What was saved here is a write of the device; what CloudKit mirroring imported is a write of ``cloud``, at the time at which it came.
/// Where an import changed a property that a local change had changed and no export had sent, there is a conflict, which is suspected:
/// mirroring's own metadata is private.
///
/// - Complexity: one pass over the history; memory grows with the mirrored records and the properties changed, not with the changes.
package struct CoreDataHistory {
    /// The device that imported changes are written by.
    package static let cloud: DeviceID = "iCloud"

    /// What was read.
    package struct Counts: Hashable, Sendable {
        /// Changes saved on this device.
        package var local = 0
        /// Changes that were imported.
        package var imported = 0
        /// Events of mirroring, and those that failed.
        package var events = 0
        package var failedEvents = 0
        /// Properties that an import changed while a local change had not been exported.
        package var conflicts = 0
        /// Properties that an import changed after a local change of which nothing tells whether it had been exported.
        package var unknown = 0
        /// Local changes that had not been exported when the store was copied.
        package var waiting = 0
        /// Rows that could not be understood.
        package var unreadable = 0
        /// Changes that were too many to follow.
        package var dropped = 0
    }

    /// What was read so far.
    package private(set) var counts = Counts()
    /// Whether the store keeps a log, as one that is in use does, and there is none beside it.
    package var lacksLog: Bool { file.lacksLog }

    private let file: CoreDataFile
    private var tables: CoreDataTables
    private let mirroring: MirroringMetadata
    private let device: DeviceID
    private var numbers: [DeviceID: UInt64] = [:]
    private var pending = PendingChanges()

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - path: The store's file, with its log beside it.
    ///   - device: The device that it comes from.
    /// - Throws: ``TraceImportError`` where there is no store, it was being written, or a table is missing.
    package init(_ path: String, device: DeviceID) throws {
        let file = try CoreDataFile(path)
        (tables, mirroring) = try file.reading {
            let tables = try CoreDataTables(file)
            return (tables, try MirroringMetadata(tables, file))
        }
        self.file = file
        self.device = device
    }

    /// Reads the history.
    ///
    /// - Parameter body: Takes each event, in the order in which the store recorded them.
    /// - Throws: ``TraceImportError`` where the store cannot be read, and what `body` throws.
    package mutating func forEach(_ body: (AuditEvent) throws -> Void) throws {
        let file = file
        try file.reading { try read(body) }
        counts.dropped = pending.dropped
    }

    /// A transaction of the history.
    private struct Transaction {
        let number: Int64
        let milliseconds: Int64
        let author: String?

        var isImport: Bool { author == "NSCloudKitMirroringDelegate.import" }
    }

    private mutating func read(_ body: (AuditEvent) throws -> Void) throws {
        let events = try MirroringEvents(tables, file)
        var event = try events?.next()
        func passEvents(until time: Int64?) throws {
            while let next = event {
                let line = next.line
                if let time, line.milliseconds > time { return }
                counts.events += 1
                if next.state == .failed { counts.failedEvents += 1 }
                try body(line)
                event = try events?.next()
            }
        }
        let transactions = try Transactions(tables, file)
        var transaction: Transaction?
        let rows = try file.connection.prepare(
            "SELECT ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS FROM ACHANGE ORDER BY Z_PK")
        while try rows.step() {
            guard let number = rows.value(0).integer, let entity = rows.value(2).integer else {
                counts.unreadable += 1
                continue
            }
            if CoreDataTables.isOwn(entity) { continue }
            if transaction?.number != number {
                transaction = try transactions.find(number).map {
                    Transaction(number: number, milliseconds: $0.milliseconds, author: $0.author)
                }
                if let transaction { try passEvents(until: transaction.milliseconds) }
            }
            guard let transaction, let type = rows.value(1).integer, (0...2).contains(type), let key = rows.value(3).integer,
                let name = tables.name(of: entity)
            else {
                counts.unreadable += 1
                continue
            }
            let row = MirroringMetadata.Row(entity: entity, key: key)
            let columns: [UInt8] = if case .blob(let bytes) = rows.value(4) { bytes } else { [] }
            guard let bits = EntityProperties.bits(in: columns) else {
                counts.unreadable += 1
                continue
            }
            try apply(
                Change(row: row, type: name, kind: type, bits: bits, bytes: columns.count, properties: try tables.properties(of: entity)),
                transaction, body)
        }
        try passEvents(until: nil)
    }

    /// A row of the history's changes.
    private struct Change {
        let row: MirroringMetadata.Row
        let type: String
        /// 0 an insert, 1 an update, 2 a delete.
        let kind: Int64
        let bits: [UInt16]
        let bytes: Int
        let properties: EntityProperties

        var isDelete: Bool { kind == 2 }

        func name(of bit: UInt16) -> FieldName { properties.name(of: bit, bytes: bytes) }
        func name(of local: PendingChanges.Change) -> FieldName { properties.name(of: local.bit, bytes: Int(local.bytes)) }
    }

    private mutating func apply(_ change: Change, _ transaction: Transaction, _ body: (AuditEvent) throws -> Void) throws {
        let writer = writer(of: transaction)
        numbers[writer, default: 0] += 1
        let dot = Dot(device: writer, sequence: numbers[writer] ?? 1)
        let record = mirroring.record(change.row)
        let key = RecordKey(type: RecordType(change.type), id: RecordID(record?.name ?? "p\(change.row.key)"))
        var fields = FieldMap()
        if !change.isDelete { for bit in change.bits { fields[change.name(of: bit)] = .null } }
        let write = TaggedWrite(
            dot: dot, timestamp: HybridTimestamp(milliseconds: transaction.milliseconds), key: key,
            operation: change.isDelete ? .delete : .put(fields), seen: nil)
        try body(AuditEvent(at: transaction.milliseconds, .write(ValuePrivacy.omitted.applied(to: write))))
        if transaction.isImport {
            counts.imported += 1
            let replaced = pending.remove(change.isDelete ? nil : change.bits, of: change.row).ordered { $0.bit < $1.bit }
            for local in replaced { try meet(local, change, key, record, transaction, dot, body) }
        } else {
            counts.local += 1
            if let last = record?.lastExport, last < transaction.number { counts.waiting += 1 }
            if change.isDelete {
                _ = pending.remove(nil, of: change.row)
            } else {
                pending.record(change.bits, of: change.row) {
                    PendingChanges.Change(
                        bit: $0, bytes: UInt16(change.bytes), dot: dot, milliseconds: transaction.milliseconds,
                        transaction: transaction.number)
                }
            }
        }
    }

    /// An import has replaced a local change.
    private mutating func meet(
        _ local: PendingChanges.Change, _ change: Change, _ key: RecordKey, _ record: MirroringMetadata.Record?, _ transaction: Transaction,
        _ dot: Dot, _ body: (AuditEvent) throws -> Void
    ) throws {
        switch mirroring.export(
            of: local.transaction, made: local.milliseconds, before: transaction.milliseconds, lastExport: record?.lastExport)
        {
        case .ended: return
        case .unknown:
            counts.unknown += 1
            return
        case .begun, .waiting: counts.conflicts += 1
        }
        let (field, window) = (change.name(of: local), AuditRules().windowMilliseconds)
        let gap = abs(transaction.milliseconds - local.milliseconds)
        let conflict = Conflict(
            id: ConflictID(key: key, field: field, dots: (dot, local.dot)), kind: change.isDelete ? .deleteUpdate : .updateUpdate,
            severity: change.isDelete ? .destructive : .lossy, basis: .arrival, key: key, field: field,
            winner: Conflict.Side(
                dot: dot, timestamp: HybridTimestamp(milliseconds: transaction.milliseconds), operation: change.isDelete ? .delete : .put,
                value: nil),
            loser: Conflict.Side(
                dot: local.dot, timestamp: HybridTimestamp(milliseconds: local.milliseconds), operation: .put, value: nil),
            gap: .milliseconds(gap), withinWindow: gap <= window, window: .milliseconds(window), policy: MergePolicy.lastArrivalWins.name,
            resolution: .applyRemote, reason: change.isDelete ? .deleteWins : .policy, clockSuspect: false)
        try body(AuditEvent(at: transaction.milliseconds, .conflict(conflict)))
    }

    /// The device that a transaction's changes are written by: the author is named beside it, where the app gave one.
    private func writer(of transaction: Transaction) -> DeviceID {
        if transaction.isImport { return Self.cloud }
        guard let author = transaction.author, !author.isEmpty else { return device }
        return DeviceID("\(device.rawValue) (\(author))")
    }
}
