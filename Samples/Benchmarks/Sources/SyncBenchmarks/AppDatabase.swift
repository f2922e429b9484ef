import GRDB

/// An app's store as GRDB makes it: WAL and `synchronous = NORMAL`, records that are inserted and updated by their changed columns.
final class AppDatabase {
    private struct CardRecord: Codable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "cards"

        let id: String
        let name: String
        var email: String
        let phone: String
        let company: String
    }

    private let pool: DatabasePool
    /// What the app shows.
    private var cards: [String: CardRecord] = [:]

    init(path: String) throws {
        pool = try DatabasePool(path: path)
        try pool.write { database in
            try database.execute(sql: "CREATE TABLE cards (id TEXT PRIMARY KEY, name TEXT, email TEXT, phone TEXT, company TEXT)")
        }
    }

    func insert(_ cards: [(id: String, card: Card)]) throws {
        let records = cards.map { id, card in
            CardRecord(id: id, name: card.name, email: card.email, phone: card.phone, company: card.company)
        }
        for record in records { self.cards[record.id] = record }
        try pool.write { database in
            for record in records { try record.insert(database) }
        }
    }

    func update(_ emails: [(id: String, email: String)]) throws {
        var records = emails.compactMap { cards[$0.id] }
        try pool.write { database in
            for index in records.indices { _ = try records[index].updateChanges(database) { $0.email = emails[index].email } }
        }
        for record in records { cards[record.id] = record }
    }
}
