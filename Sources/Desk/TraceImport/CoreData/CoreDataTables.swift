import SyncLines
import SyncModel
import SyncSQLite

/// What a store says of its own tables, entities and columns.
struct CoreDataTables {
    private let file: CoreDataFile
    private var entities: [Int64: Entity] = [:]
    private var parents: Set<Int64> = []
    private var properties: [Int64: EntityProperties] = [:]
    /// What the names of the schema mean, in capitals, and whether it has pages of its own.
    private var schema: [String: (type: String, isStored: Bool)] = [:]

    private struct Entity {
        let name: String
        let parent: Int64
    }

    /// Reads the list of entities.
    ///
    /// - Parameter needsHistory: Whether a store without a history is refused.
    /// - Throws: ``TraceImportError`` that names what is missing.
    init(_ file: CoreDataFile, needsHistory: Bool = true) throws {
        self.file = file
        let names = try file.connection.prepare("SELECT name, type, rootpage FROM sqlite_schema")
        while try names.step() { schema[names.text(0).uppercased()] = (names.text(1), names.integer(2) > 0) }
        try require("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER"], else: "so it is no store of Core Data or SwiftData")
        if needsHistory { try requireHistory() }
        let rows = try file.connection.prepare("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY")
        while try rows.step() {
            guard let number = rows.value(0).integer, let name = rows.value(1).text, !name.isEmpty, name.utf8.count <= WriteLimits.nameBytes
            else { continue }
            let parent = rows.value(2).integer ?? 0
            entities[number] = Entity(name: name, parent: parent)
            if parent != 0 { parents.insert(parent) }
        }
    }

    private func requireHistory() throws {
        let history = "the store keeps no history: SwiftData and mirrored containers do, others with NSPersistentHistoryTrackingKey"
        try require("ATRANSACTION", key: "Z_PK", ["ZTIMESTAMP"], else: history)
        try require("ACHANGE", key: "Z_PK", ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"], else: history)
    }

    /// The columns of a table, in their order; nil where there is no such table.
    ///
    /// - Throws: ``TraceImportError`` where the name is that of something else.
    func columns(of table: String) throws -> [Column]? {
        guard let found = schema[table.uppercased()] else { return nil }
        guard found.type == "table", found.isStored else {
            throw file.error("\(table) is \(found.type == "view" ? "a view" : "no ordinary table"), which no app of Core Data writes")
        }
        let rows = try file.connection.statement("SELECT name, type, pk FROM pragma_table_xinfo(?1) WHERE hidden = 0 ORDER BY cid")
        try rows.bind(table, at: 1)
        defer { rows.reset() }
        var columns: [Column] = []
        while try rows.step() { columns.append(Column(name: rows.text(0), type: rows.text(1), isKey: rows.integer(2) == 1)) }
        return columns
    }

    /// A column of a table.
    struct Column {
        let name: String
        let type: String
        /// Whether rows are found by it without a search.
        let isKey: Bool
    }

    private func require(_ table: String, key: String? = nil, _ names: [String], else consequence: String) throws {
        guard let columns = try columns(of: table) else { throw file.error("there is no table \(table), \(consequence)") }
        if let key, !columns.contains(where: { $0.name == key && $0.isKey }) {
            throw file.error("the key of the table \(table) is not \(key), so the store is of a version that is not known")
        }
        if let missing = names.first(where: { name in !columns.contains { $0.name == name } }) {
            throw file.error("the table \(table) has no column \(missing), so the store is of a version that is not known")
        }
    }

    /// The name of an entity; nil where the store does not list it, or it is one of Core Data's own.
    func name(of entity: Int64) -> String? { entity < Self.firstOwnEntity ? entities[entity]?.name : nil }

    /// Whether an entity is one of those that Core Data keeps its own metadata in.
    static func isOwn(_ entity: Int64) -> Bool { entity >= firstOwnEntity }

    private static let firstOwnEntity: Int64 = 16_000

    /// The tables in which the app's records are: one for each entity that inherits from none.
    var tablesOfEntities: [String] {
        entities.filter { $0.value.parent == 0 && !Self.isOwn($0.key) }.map { "Z" + $0.value.name.uppercased() }.sorted()
    }

    /// The properties of an entity.
    mutating func properties(of entity: Int64) throws -> EntityProperties {
        if let known = properties[entity] { return known }
        var found = EntityProperties()
        // Entities that inherit from each other share one table, which does not tell whose its columns are.
        if let name = entities[entity]?.name, entities[entity]?.parent == 0, !parents.contains(entity) {
            let table = "Z" + name.uppercased()
            if let columns = try columns(of: table) {
                found = EntityProperties(columns) { schema["\(table)_\($0)_INDEX"]?.type == "index" }
            }
        }
        properties[entity] = found
        return found
    }
}
