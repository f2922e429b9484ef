import Foundation
import SyncSQLite
package import TemporaryDirectory

/// The file of a store with the tables that Core Data, SwiftData and CloudKit mirroring make, to be filled by a test.
///
/// Its one entity is Card, with a to-one relationship and four attributes; their bits are those of ``Property``.
package final class CoreDataStore {
    /// The properties of a card by their bits in the first byte of `ZCOLUMNS`.
    package struct Property: OptionSet {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let owner = Property(rawValue: 0x80)
        package static let born = Property(rawValue: 0x40)
        package static let name = Property(rawValue: 0x20)
        package static let phone = Property(rawValue: 0x10)
        package static let visits = Property(rawValue: 0x08)
    }

    /// Who saves.
    package enum Author: Int {
        case app = 0
        case cloud = 1
        case widget = 2
    }

    /// The directory that the store is in.
    package let directory: TemporaryDirectory
    private let connection: SQLiteConnection
    private var transactions = 0

    /// The file.
    package var path: String { directory.file("default.store") }

    /// Seconds between 2001 and the second from which a test counts: noon of 13 January 2026, UTC.
    package static let epoch = 789_998_400.0

    /// Makes a store, open as in an app that runs.
    ///
    /// - Parameters:
    ///   - isMirrored: Whether there are tables of CloudKit mirroring.
    ///   - keepsHistory: Whether there are tables of persistent history.
    package init(isMirrored: Bool = true, keepsHistory: Bool = true) throws {
        directory = try TemporaryDirectory()
        connection = try SQLiteConnection(path: directory.file("default.store"), busyTimeout: 100)
        _ = try connection.text("PRAGMA journal_mode = WAL")
        try execute(
            """
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            CREATE TABLE ZCARD (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZVISITS INTEGER, ZOWNER INTEGER, ZBORN TIMESTAMP,
                ZNAME VARCHAR, ZPHONE VARCHAR);
            CREATE INDEX ZCARD_ZOWNER_INDEX ON ZCARD (ZOWNER);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'Card', 0, 2), (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0),
                (16003, 'TRANSACTIONSTRING', 0, 0);
            """)
        if keepsHistory {
            try execute(
                """
                CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER,
                    ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR,
                    ZPROCESSID VARCHAR, ZQUERYGEN BLOB);
                CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
                CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER,
                    ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
                INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, 1, 'NSCloudKitMirroringDelegate.import'), (2, 16003, 1, 'widget');
                """)
        }
        if isMirrored {
            try execute(
                """
                CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER, ZENTITYPK INTEGER,
                    ZLASTEXPORTEDTRANSACTIONNUMBER INTEGER, ZNEEDSCLOUDDELETE INTEGER, ZNEEDSLOCALDELETE INTEGER, ZNEEDSUPLOAD INTEGER,
                    ZPENDINGEXPORTCHANGETYPENUMBER INTEGER, ZPENDINGEXPORTTRANSACTIONNUMBER INTEGER, ZENCODEDRECORDASSET INTEGER,
                    ZRECORDZONE INTEGER, ZSYSTEMFIELDSASSET INTEGER, ZCKRECORDNAME VARCHAR);
                CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCLOUDKITEVENTTYPE INTEGER,
                    ZCOUNTAFFECTEDOBJECTS INTEGER, ZCOUNTFINISHEDOBJECTS INTEGER, ZERRORCODE INTEGER, ZSUCCEEDED INTEGER, ZENDEDAT TIMESTAMP,
                    ZSTARTEDAT TIMESTAMP, ZERRORDOMAIN VARCHAR, ZEVENTIDENTIFIER BLOB);
                """)
        }
    }

    /// Runs statements of any kind on the store.
    package func execute(_ sql: String) throws { try connection.execute(sql) }

    /// Opens a transaction of the history, to which the changes that follow belong.
    package func transaction(at seconds: Double, by author: Author = .app) throws {
        transactions += 1
        let key = author == .app ? "NULL" : "\(author.rawValue)"
        try execute(
            "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, ZTIMESTAMP) VALUES (\(transactions), 16002, 1, \(key), \(Self.epoch + seconds))"
        )
    }

    /// Records that a card was made.
    package func insert(_ key: Int) throws { try change(0, key, "NULL") }

    /// Records that properties of a card were changed.
    package func update(_ key: Int, _ properties: Property) throws { try update(key, bytes: [properties.rawValue]) }

    /// Records that properties were changed, by the bytes of their bits.
    package func update(_ key: Int, bytes: [UInt8], entity: Int = 1) throws {
        let digits = bytes.map { String(format: "%02x", $0) }.joined()
        try change(1, key, "x'\(digits)'", entity: entity)
    }

    /// Records that a card was deleted.
    package func delete(_ key: Int) throws { try change(2, key, "NULL") }

    private func change(_ kind: Int, _ key: Int, _ columns: String, entity: Int = 1) throws {
        try execute(
            """
            INSERT INTO ACHANGE (Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
            VALUES (16001, 1, \(kind), \(entity), \(key), \(transactions), \(columns))
            """)
    }

    /// Records a setup (0), an import (1) or an export (2).
    package func event(_ type: Int, from start: Double, to end: Double?, error: Int? = nil, records: Int = 1) throws {
        try execute(
            """
            INSERT INTO ANSCKEVENT (ZCLOUDKITEVENTTYPE, ZSTARTEDAT, ZENDEDAT, ZSUCCEEDED, ZERRORDOMAIN, ZERRORCODE, ZCOUNTFINISHEDOBJECTS)
            VALUES (\(type), \(Self.epoch + start), \(end.map { "\(Self.epoch + $0)" } ?? "NULL"), \(end != nil && error == nil ? 1 : 0),
                \(error == nil ? "NULL" : "'CKErrorDomain'"), \(error ?? 0), \(records))
            """)
    }

    /// Records what CloudKit calls a card, and the last transaction of it that was exported.
    package func name(_ key: Int, _ name: String, lastExport: Int? = nil) throws {
        try execute(
            """
            INSERT INTO ANSCKRECORDMETADATA (ZENTITYID, ZENTITYPK, ZCKRECORDNAME, ZLASTEXPORTEDTRANSACTIONNUMBER)
            VALUES (1, \(key), '\(name)', \(lastExport.map { "\($0)" } ?? "NULL"))
            """)
    }

    /// Copies the store, as a person does while the app runs, into a directory of its own.
    ///
    /// - Parameter withLog: Whether the -wal is copied too.
    package func copy(withLog: Bool = true) throws -> String {
        let folder = "copy-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory.file(folder), withIntermediateDirectories: true)
        let copy = directory.file(folder + "/default.store")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        if withLog { try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal") }
        return copy
    }

    /// Brings what is in the log into the store's file, as the end of an app does.
    package func checkpoint() throws { _ = try connection.text("PRAGMA wal_checkpoint(TRUNCATE)") }
}
