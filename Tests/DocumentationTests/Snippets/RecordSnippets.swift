import Foundation
import SyncAudit
import Testing

@Suite struct RecordSnippets {
    @Test func records() async throws {
        struct Card: SyncRecord {
            let id: String
            var name: String
            var phone: String?
            var visits = 0
            var tags: Set<String> = []

            static let rules = RecordRules(fields: ["visits": .counter, "tags": .set], indexes: ["name"], displayField: "name")
        }

        var configuration = ReplicaConfiguration()
        configuration.declare(Card.self)
        let replica = try Replica(device: "iPhone", store: InMemoryStore(), configuration: configuration)

        try replica.save(Card(id: "42", name: "Ann"))
        if var card = try replica.fetch(Card.self, id: "42") {
            card.phone = "1234"
            card.visits += 1
            try replica.save(&card)
        }
        #expect(try replica.fetch(Card.self, id: "42")?.phone == "1234")

        let some = try replica.fetch(Card.self, where: [.hasPrefix("name", "A")], order: .ascending("name"), limit: 20)
        for try await cards in replica.updates(of: Card.self, order: .ascending("name")) {
            print(cards.map(\.name))
            if !some.isEmpty { break }
        }
        #expect(some.map(\.visits) == [1])
    }
}
