import SyncLayer
import SyncMerge
import SyncModel
import SyncRecords
import Testing

/// The examples in the documentation of the public types of SyncRecords.
@Suite struct RecordExamples {
    struct Card: SyncRecord {
        let id: String
        var name: String
        var phone: String?
        var visits = 0
        var tags: Set<String> = []

        static let rules = RecordRules(fields: ["visits": .counter, "tags": .set], indexes: ["name"])
    }

    private let replica: Replica

    init() throws {
        var configuration = ReplicaConfiguration()
        configuration.declare(Card.self)
        replica = try Replica(device: "iPhone", store: InMemoryStore(), configuration: configuration)
        try replica.save(Card(id: "42", name: "Ann"))
    }

    @Test func fetchedExample() throws {
        if var card = try replica.fetch(Card.self, id: "42") {
            card.phone = "1234"
            try replica.save(&card)
        }
        #expect(try replica.fetch(Card.self, id: "42")?.phone == "1234")
    }

    @Test func rulesExample() {
        let rules = RecordRules(fields: ["visits": .counter], indexes: ["name"], references: ["folder": "Folder"])
        #expect(rules.indexes == ["name"])
    }

    // Compiled, and not run.
    func updatesExample() async throws {
        for try await cards in replica.updates(of: Card.self, order: .ascending("name")) {
            show(cards)
        }
    }

    func show(_ cards: [Fetched<Card>]) {}

    @MainActor @Test func listExample() throws {
        let cards = RecordList(Card.self, in: replica, order: .ascending("name"))
        print(cards.records.map(\.name))
        #expect(cards.records.map(\.name) == ["Ann"])
    }
}
