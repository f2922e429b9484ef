import CoreDataStore
import SyncModel
import Testing

@testable import TraceImport

/// The bits of changed properties.
@Suite struct EntityPropertiesTests {
    @Test func bitsCountFromTheHighestOfTheFirstByte() {
        #expect(EntityProperties.bits(in: []) == [])
        #expect(EntityProperties.bits(in: [0x80]) == [0])
        #expect(EntityProperties.bits(in: [0x20, 0x00, 0x40, 0x01, 0x00]) == [2, 17, 31])
        #expect(EntityProperties.bits(in: [UInt8](repeating: 0xff, count: 9)) == Array(0..<72))
        #expect(EntityProperties.bits(in: [UInt8](repeating: 0, count: 501)) == nil)
    }

    @Test func bitsNameRelationshipsThenAttributesInOrderOfName() {
        let columns = [
            ("Z_PK", "INTEGER"), ("Z_ENT", "INTEGER"), ("Z_OPT", "INTEGER"), ("ZVISITS", "INTEGER"), ("ZOWNER", "INTEGER"),
            ("Z3_OWNER", "INTEGER"),
            ("Z_FOK_OWNER", "INTEGER"), ("ZBOSS", "INTEGER"), ("ZBORN", "TIMESTAMP"), ("ZNAME", "VARCHAR"), ("ZA_B", "BLOB"),
        ].map { CoreDataTables.Column(name: $0.0, type: $0.1, isKey: false) }
        let properties = EntityProperties(columns) { ["ZOWNER", "ZBOSS", "ZNAME"].contains($0) }
        #expect(properties.names == ["BOSS", "OWNER", "3_OWNER", "_FOK_OWNER", "A_B", "BORN", "NAME", "VISITS"])
        #expect(properties.name(of: 1, bytes: 1) == "OWNER")
        #expect(properties.name(of: 8, bytes: 2) == "#9", "a relationship without a column")
        let more = EntityProperties(columns + [CoreDataTables.Column(name: "ZZ", type: "", isKey: false)]) { _ in false }
        #expect(more.name(of: 1, bytes: 1) == "#2", "fewer bits than columns: the columns are others")
    }

    @Test func bitsGoBeyond64Columns() throws {
        let store = try CoreDataStore(isMirrored: false)
        let columns = (10..<90).map { "ZF\($0) VARCHAR" }.joined(separator: ", ")
        try store.execute(
            "CREATE TABLE ZWIDE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(columns)); INSERT INTO Z_PRIMARYKEY VALUES (2, 'Wide', 0, 1)"
        )
        try store.transaction(at: 1)
        try store.update(1, bytes: [0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0x01], entity: 2)
        #expect(try events(of: store.copy()) == [#"1 phone:1 p1: ["F10", "F89"]"#])
    }

    @Test func bitsOfEntitiesThatShareATableAreToldApart() throws {
        let store = try CoreDataStore()
        try store.execute("INSERT INTO Z_PRIMARYKEY VALUES (2, 'Contact', 1, 1), (3, 'Nowhere', 99, 0)")
        try store.event(0, from: 0, to: 0)
        for (entity, seconds) in [(1, 1.0), (2, 2), (3, 3)] {
            try store.transaction(at: seconds)
            try store.update(1, bytes: [0x50], entity: entity)
        }
        try store.transaction(at: 4, by: .cloud)
        try store.update(1, bytes: [0x10], entity: 2)
        #expect(
            try events(of: store.copy()).dropFirst() == [
                ##"1 phone:1 p1: ["#2", "#4"]"##, ##"2 phone:2 p1: ["#2", "#4"]"##, ##"3 phone:3 p1: ["#2", "#4"]"##,
                ##"4 iCloud:1 p1: ["#4"]"##, "4 conflict update_update lossy arrival p1.#4: iCloud:1 over phone:2",
            ])
    }
}
