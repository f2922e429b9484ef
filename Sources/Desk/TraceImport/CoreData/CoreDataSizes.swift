import SyncBytes
import SyncModel
import SyncSQLite
import SyncSystem

/// The sizes of what a store of Core Data or SwiftData holds.
///
/// Of binary data that Core Data keeps in files beside the store the files are measured. Values are not read into memory whole but by
/// SQLite.
package enum CoreDataSizes {
    /// A value of a record.
    package struct Value: Sendable {
        /// The property, in capitals as the store has it.
        package let property: String
        package let bytes: Int
        /// Whether it is kept in a file beside the store, as what goes to CloudKit as an asset.
        package let isExternal: Bool
    }

    /// What is measured.
    package struct Summary: Sendable {
        /// Records that CloudKit mirroring has yet to upload, with their bytes; nil where the store does not tell.
        package internal(set) var waiting: (records: Int, bytes: Int)?
        /// The bytes of the records that are still there, by the day since 1970 on which the history says that they were made.
        package internal(set) var bytesByDay: [Int: Int] = [:]
        /// Whether the store's log is missing.
        package internal(set) var lacksLog = false
    }

    /// Measures a store.
    ///
    /// - Parameter body: Takes each record: the name of its entity, its key in the store, and its values that are not null.
    /// - Throws: ``TraceImportError`` where the file is no store or cannot be read.
    /// - Complexity: O(*n*) in the bytes of the store.
    package static func measure(_ path: String, _ body: (_ entity: String, _ key: Int64, _ values: [Value]) -> Void) throws -> Summary {
        let file = try CoreDataFile(path)
        file.connection.allowLongValues()
        return try file.reading {
            let tables = try CoreDataTables(file, needsHistory: false)
            var summary = Summary()
            summary.lacksLog = file.lacksLog
            let days = try days(tables, file)
            let uploads = try uploads(tables, file)
            if let uploads { summary.waiting = (uploads.count, 0) }
            let folder = ExternalFolder(path)
            for table in tables.tablesOfEntities {
                try measure(table, tables, file, folder) { entity, row, values in
                    let bytes = values.reduce(0) { $0 + $1.bytes }
                    if uploads?.contains(row) ?? false { summary.waiting?.bytes += bytes }
                    if let day = days[row] { summary.bytesByDay[day, default: 0] += bytes }
                    body(entity, row.key, values)
                }
            }
            return summary
        }
    }

    private static func measure(
        _ table: String, _ tables: CoreDataTables, _ file: CoreDataFile, _ folder: ExternalFolder,
        _ body: (String, MirroringMetadata.Row, [Value]) -> Void
    ) throws {
        guard let columns = try tables.columns(of: table), columns.contains(where: { $0.name == "Z_ENT" }),
            columns.contains(where: { $0.name == "Z_PK" })
        else { return }
        let properties = columns.map(\.name).filter(isProperty)
        let names = (["Z_ENT", "Z_PK"] + properties).map(\.sqlIdentifier).joined(separator: ", ")
        let rows = try file.connection.prepare("SELECT \(names) FROM \(table.sqlIdentifier)")
        while try rows.step() {
            let row = MirroringMetadata.Row(entity: rows.integer(0), key: rows.integer(1))
            guard let entity = tables.name(of: row.entity) else { continue }
            var values: [Value] = []
            for (index, name) in properties.enumerated() {
                let column = Int32(index + 2)
                guard let bytes = rows.storedSize(column) else { continue }
                let external = ExternalFolder.referenceLengths.contains(bytes) ? folder.size(of: rows.bytes(column)) : nil
                values.append(Value(property: String(name.dropFirst()), bytes: external ?? bytes, isExternal: external != nil))
            }
            body(entity, row, values)
        }
    }

    private static func isProperty(_ column: String) -> Bool {
        column.hasPrefix("Z") && !["Z_PK", "Z_ENT", "Z_OPT"].contains(column) && !column.hasPrefix("Z_FOK_")
    }

    /// The days on which records were made, as far as the history tells.
    private static func days(_ tables: CoreDataTables, _ file: CoreDataFile) throws -> [MirroringMetadata.Row: Int] {
        guard try tables.columns(of: "ACHANGE") != nil, try tables.columns(of: "ATRANSACTION") != nil else { return [:] }
        let rows = try file.connection.prepare(
            """
            SELECT ACHANGE.ZENTITY, ACHANGE.ZENTITYPK, ATRANSACTION.ZTIMESTAMP FROM ACHANGE
            JOIN ATRANSACTION ON ATRANSACTION.Z_PK = ACHANGE.ZTRANSACTIONID WHERE ACHANGE.ZCHANGETYPE = 0
            """)
        var days: [MirroringMetadata.Row: Int] = [:]
        while try rows.step() {
            guard let entity = rows.value(0).integer, let key = rows.value(1).integer, let time = CoreDataTime.milliseconds(rows.value(2))
            else { continue }
            days[MirroringMetadata.Row(entity: entity, key: key)] = Int((Double(time) / 86_400_000).rounded(.down))
        }
        return days
    }

    /// The records that mirroring has yet to upload; nil where the store does not tell.
    private static func uploads(_ tables: CoreDataTables, _ file: CoreDataFile) throws -> Set<MirroringMetadata.Row>? {
        let names = Set(try tables.columns(of: "ANSCKRECORDMETADATA")?.map(\.name) ?? [])
        guard names.isSuperset(of: ["ZENTITYID", "ZENTITYPK", "ZNEEDSUPLOAD"]) else { return nil }
        let rows = try file.connection.prepare("SELECT ZENTITYID, ZENTITYPK FROM ANSCKRECORDMETADATA WHERE ZNEEDSUPLOAD = 1")
        var uploads: Set<MirroringMetadata.Row> = []
        while try rows.step() {
            guard let entity = rows.value(0).integer, let key = rows.value(1).integer else { continue }
            uploads.insert(MirroringMetadata.Row(entity: entity, key: key))
        }
        return uploads
    }
}

extension String {
    /// The name of a table or a column as SQL has it, whatever is in it.
    fileprivate var sqlIdentifier: String {
        enclosed(in: "\"", escapedAs: "\"\"")
    }
}

/// The folder beside a store in which Core Data keeps large binary data.
///
/// A value that is kept there is a reference in the table: the byte 2, and the name of the file. That is Core Data's own form and
/// documented nowhere.
private struct ExternalFolder {
    private let path: String

    /// The lengths of a reference.
    static let referenceLengths = 37...38

    init(_ store: String) {
        let parts = store.split(separator: "/", omittingEmptySubsequences: false)
        let name = parts.last ?? ""
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
        path = (parts.dropLast().map(String.init) + [".\(stem)_SUPPORT", "_EXTERNAL_DATA"]).joined(separator: "/")
    }

    /// The size of the file that a reference names; nil where it is none, or there is no such file.
    func size(of reference: [UInt8]) -> Int? {
        guard reference.first == 2 else { return nil }
        let name = reference.dropFirst().prefix { $0 != 0 }
        guard name.count == 36, name.allSatisfy({ $0 == UInt8(ascii: "-") || Self.isHexadecimal($0) }),
            let status = try? FileStatus(path: path + "/" + String(decoding: name, as: UTF8.self)), status.isRegular
        else { return nil }
        return Int(clamping: status.size)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: false
        }
    }
}
