import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel
import SyncSQLite

/// What CloudKit mirroring has noted in a store: the names of records, and when exports ran.
///
/// Its tables are private to Apple's frameworks, so every one of them and every column may be absent.
///
/// - Complexity: memory grows with the records that are mirrored and the exports that are noted.
struct MirroringMetadata {
    /// What is noted of a record.
    struct Record {
        let name: String?
        let lastExport: Int64?
    }

    /// A row by its entity and key.
    struct Row: Hashable {
        let entity: Int64
        let key: Int64
    }

    /// What became of a change before another.
    enum Export {
        /// An export that began later has ended well.
        case ended
        /// An export began and had not ended, or failed.
        case begun
        /// No export had begun.
        case waiting
        /// Nothing tells.
        case unknown
    }

    private var records: [Row: Record] = [:]
    /// When exports began, in order, and the earliest end of those that ended well and began no earlier.
    private var exports: [(start: Int64, end: Int64)] = []
    private var firstEvent: Int64?

    /// Reads the metadata.
    init(_ tables: CoreDataTables, _ file: CoreDataFile) throws {
        let names = Set(try tables.columns(of: "ANSCKRECORDMETADATA")?.map(\.name) ?? [])
        if names.isSuperset(of: ["ZENTITYID", "ZENTITYPK"]) {
            func column(_ name: String) -> String { names.contains(name) ? name : "NULL" }
            let rows = try file.connection.prepare(
                "SELECT ZENTITYID, ZENTITYPK, \(column("ZCKRECORDNAME")), \(column("ZLASTEXPORTEDTRANSACTIONNUMBER")) FROM ANSCKRECORDMETADATA"
            )
            while try rows.step() {
                guard let entity = rows.value(0).integer, let key = rows.value(1).integer else { continue }
                let name = rows.value(2).text.flatMap { (1...WriteLimits.nameBytes).contains($0.utf8.count) ? $0 : nil }
                records[Row(entity: entity, key: key)] = Record(name: name, lastExport: rows.value(3).integer)
            }
        }
        guard let events = try MirroringEvents(tables, file) else { return }
        while let event = try events.next() {
            firstEvent = min(firstEvent ?? event.start, event.start)
            guard event.phase == .export else { continue }
            exports.append((event.start, event.state == .succeeded ? event.end ?? .max : .max))
        }
        exports.sort { $0.start < $1.start }
        for index in exports.indices.dropLast().reversed() { exports[index].end = min(exports[index].end, exports[index + 1].end) }
    }

    /// What is noted of a record.
    func record(_ row: Row) -> Record? { records[row] }

    /// What had become of a change when another came.
    ///
    /// - Parameters:
    ///   - transaction: The number of the change's transaction.
    ///   - made: When it was made, in milliseconds since 1970.
    ///   - time: When the other came.
    ///   - lastExport: The number of the last transaction of the record that was exported, as of now.
    func export(of transaction: Int64, made: Int64, before time: Int64, lastExport: Int64?) -> Export {
        if let lastExport, lastExport < transaction { return .waiting }
        guard let firstEvent, firstEvent <= made else { return .unknown }
        let index = exports.partitioningIndex { $0.start >= made }
        guard index < exports.count, exports[index].start <= time else { return .waiting }
        return exports[index].end <= time ? .ended : .begun
    }
}
