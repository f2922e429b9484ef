import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import Foundation
import SyncLayer
import SyncMerge
import SyncModel
import SyncRecords
import Testing

struct Card: SyncRecord, Hashable {
    let id: String
    var name: String
    var phone: String?
    var visits = 0
    var tags: Set<String> = []

    static let rules = RecordRules(fields: ["visits": .counter, "tags": .set], indexes: ["name", "phone"])
}

/// What a form saves that somebody else's edits came to meanwhile.
@Suite struct FormTests {
    private let world: World

    init() throws {
        var configuration = ReplicaConfiguration()
        configuration.declare(Card.self)
        let (rules, indexes) = (configuration.mergeRules, configuration.indexedFields)
        world = try World(rules: rules) { $0.indexedFields = indexes }
    }

    private func fetch(_ device: Device) throws -> Fetched<Card> { try #require(try device.replica.fetch(Card.self, id: "42")) }

    private func meet() async throws {
        try world.a.replica.save(Card(id: "42", name: "Ann", phone: "1", visits: 2, tags: ["vip"]))
        try await world.meet()
    }

    @Test func onlyWhatWasChangedIsWritten() async throws {
        try await meet()
        var card = try fetch(world.a)
        card.phone = "2"
        #expect(try world.a.replica.save(&card))
        let write = try #require(world.a.sink.writes.last)
        #expect(write.fields == ["phone": "2"])
        #expect(try !world.a.replica.save(card.value).value.tags.isEmpty)
        #expect(world.a.sink.writes.last == write, "nothing was changed, and nothing is written")
    }

    @Test func othersEditsOfOtherFieldsStay() async throws {
        try await meet()
        var form = try fetch(world.a)
        try world.b.replica.put(["name": "Anna"], to: form.record.key)
        try await world.meet()
        form.phone = "2"
        #expect(try world.a.replica.save(&form))
        #expect(form.name == "Anna" && form.phone == "2", "the form shows what the record shows")
        try await world.meet()
        #expect(try world.shown(form.record.key)?["name"] == "Anna")
        #expect(world.a.sink.conflicts.allSatisfy { $0.kind == .disjointUpdate })
    }

    @Test func anEditThatTheFormDidNotShowIsLostWithAConflict() async throws {
        try await meet()
        var form = try fetch(world.a)
        world.wait(1)
        try world.b.replica.put(["name": "Anna"], to: form.record.key)
        try await world.meet()
        world.wait(1)
        form.name = "Annie"
        try world.a.replica.save(&form)
        let conflict = try #require(world.a.sink.conflicts.last)
        #expect(conflict.severity == .lossy && conflict.isProven && conflict.field == "name")
        #expect(conflict.loser.value == "Anna" && conflict.winner.value == "Annie" && conflict.ancestor == "Ann")
        #expect(try world.a.replica.lostEdits.map(\.loser.value) == ["Anna"])
        try await world.meet()
        #expect(try world.shown(form.record.key)?["name"] == "Annie")
        // What the form then shows it has seen.
        form.name = "Ann-Marie"
        try world.a.replica.save(&form)
        #expect(world.a.sink.conflicts.count == 1)
    }

    @Test func countersAndSetsAddUpWhateverTheFormShowed() async throws {
        try await meet()
        var form = try fetch(world.a)
        try world.b.replica.increment("visits", of: form.record.key, by: 10)
        try world.b.replica.add(["new"], to: "tags", of: form.record.key)
        try await world.meet()
        form.visits += 1
        form.tags.remove("vip")
        form.name = "Anna"
        try world.a.replica.save(&form)
        try await world.meet()
        #expect(try fetch(world.b).value == Card(id: "42", name: "Anna", phone: "1", visits: 13, tags: ["new"]))
        #expect(try world.shown(form.record.key) != nil)
        #expect(world.a.sink.conflicts.allSatisfy { !$0.severity.isLoss })
    }

    @Test func aDeleteThatTheFormDidNotShowWinsByTheRules() async throws {
        try await meet()
        var form = try fetch(world.a)
        try world.b.replica.delete(Card.self, id: "42")
        try await world.meet()
        form.name = "Annie"
        #expect(try !world.a.replica.save(&form))
        #expect(try form.name == "Annie" && (world.a.replica.fetch(Card.self, id: "42")) == nil)
        #expect(world.a.sink.conflicts.last?.kind == .deleteUpdate)
        #expect(try world.a.replica.lostEdits.map(\.loser.value) == ["Annie"])
        try await world.meet()
        #expect(try world.shown(form.record.key) == nil)
    }

    @Test func aFormOfTheSameDeviceHasSeenWhatItsDeviceWrote() async throws {
        try await meet()
        var (one, other) = (try fetch(world.a), try fetch(world.a))
        one.name = "Anna"
        try world.a.replica.save(&one)
        other.phone = "2"
        try world.a.replica.save(&other)
        #expect(other.name == "Anna" && world.a.sink.conflicts.isEmpty)
    }

    @Test func aRecordReadBeforeItsStoreGotAnotherNameIsReadAgain() async throws {
        try await meet()
        let store = try #require(world.a.store as? InMemoryStore)
        let copy = try Device(
            "a", hub: world.hub, clock: world.clock, store: InMemoryStore(copyOf: store), rules: world.a.configuration.mergeRules)
        try world.a.replica.put(["name": "One"], to: card("42"))
        try copy.replica.put(["name": "Other"], to: card("42"))
        var form = try #require(try copy.replica.fetch(Card.self, id: "42"))
        try await world.a.sync()
        try await copy.sync()
        #expect(try copy.replica.writer != "a")
        form.phone = "3"
        let error = #expect(throws: SyncLayerError.self) { try copy.replica.save(&form) }
        #expect(error?.code == .superseded)
    }

    @Test func aStructOfOtherRulesThanTheReplicaIsRefused() throws {
        let replica = try Replica(device: "a", store: InMemoryStore())
        let error = #expect(throws: SyncLayerError.self) { try replica.save(Card(id: "1", name: "Ann")) }
        #expect(error?.code == .rulesDiffer && error?.description.contains("declare(Card.self)") == true)
    }

    @Test func anotherIdentityIsAnotherRecord() async throws {
        struct Note: SyncRecord {
            var id: Int
            var text: String
        }
        let replica = try Replica(device: "a", store: InMemoryStore())
        var note = try replica.save(Note(id: 7, text: "x"))
        #expect(note.record.key == RecordKey(type: "Note", id: "7") && note.record.fields == ["text": "x"])
        note.value.id = 8
        #expect(throws: SyncLayerError.self) { try replica.save(&note) }
        #expect(try replica.fetch(Note.self, id: 7)?.text == "x")
        #expect(try replica.fetch(Note.self).map(\.id) == [7])
    }

    @Test func aBatchThatFailsLeavesTheFormAsItWas() async throws {
        try await meet()
        var form = try fetch(world.a)
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try world.a.replica.write { batch in
                for number in 0..<5 { try batch.put(["other": .integer(number)], to: form.record.key) }
                form.name = "Annie"
                try batch.save(&form)
                throw Stop()
            }
        }
        #expect(try fetch(world.a).name == "Ann")
        try world.b.replica.put(["phone": "7"], to: form.record.key)
        try await world.meet()
        try world.a.replica.save(&form)
        #expect(form.name == "Annie" && form.phone == "7", "what was changed in the batch is written now")
        try await world.meet()
        // Writes with the numbers of those that were never made are as any others.
        world.wait(1)
        try world.b.replica.put(["name": "Bee"], to: form.record.key)
        world.wait(1)
        try world.a.replica.put(["name": "Final"], to: form.record.key)
        try await world.meet()
        #expect(try world.shown(form.record.key)?["name"] == "Final")
        #expect(world.a.sink.conflicts.contains { $0.loser.value == "Bee" })
    }

    @Test func whatABatchSavedTwiceIsAllWrittenAgain() async throws {
        try await meet()
        struct Stop: Error {}
        var form = try fetch(world.a)
        var made: Fetched<Card>?
        #expect(throws: Stop.self) {
            try world.a.replica.write { batch in
                form.phone = "2"
                form.visits += 1
                try batch.save(&form)
                form.name = "Annie"
                try batch.save(&form)
                made = try batch.save(Card(id: "7", name: "Bob", tags: ["new"]))
                throw Stop()
            }
        }
        try world.a.replica.save(&form)
        #expect(try fetch(world.a).value == Card(id: "42", name: "Annie", phone: "2", visits: 3, tags: ["vip"]))
        // What it made is made now.
        var bob = try #require(made)
        bob.phone = "3"
        #expect(try world.a.replica.save(&bob))
        #expect(try world.a.replica.fetch(Card.self, id: "7")?.value == Card(id: "7", name: "Bob", phone: "3", tags: ["new"]))
    }

    @Test func aRecordOfAnotherReplicaIsRefused() async throws {
        try await meet()
        var form = try fetch(world.a)
        form.name = "Annie"
        let error = #expect(throws: SyncLayerError.self) { try world.b.replica.save(&form) }
        #expect(error?.code == .superseded)
    }

    @Test func whatThisDeviceHasDeletedStaysDeleted() async throws {
        try await meet()
        var form = try fetch(world.a)
        try world.a.replica.delete(Card.self, id: "42")
        form.phone = "2"
        form.visits += 1
        #expect(try !world.a.replica.save(&form))
        try await world.meet()
        #expect(try world.shown(form.record.key) == nil)
    }

    @Test func aDeletedRecordDoesNotComeBackInPart() async throws {
        try await meet()
        var form = try fetch(world.a)
        try world.b.replica.delete(Card.self, id: "42")
        try await world.meet()
        form.visits += 1
        form.tags.insert("new")
        #expect(try !world.a.replica.save(&form))
        try await world.meet()
        #expect(try world.shown(form.record.key) == nil)
    }

    @Test func anEditThatWinsOverADeleteBringsTheWholeRecordBack() async throws {
        var configuration = ReplicaConfiguration()
        configuration.declare(Card.self)
        configuration.mergeRules.deletes = .editWins
        let world = try World(rules: configuration.mergeRules)
        try world.a.replica.save(Card(id: "42", name: "Ann", phone: "1", visits: 2, tags: ["vip"]))
        try await world.meet()
        var form = try fetch(world.a)
        try world.b.replica.delete(Card.self, id: "42")
        try await world.meet()
        form.phone = "2"
        #expect(try world.a.replica.save(&form))
        try await world.meet()
        #expect(try fetch(world.b).value.name == "Ann" && fetch(world.b).tags == ["vip"])
        #expect(try world.shown(form.record.key)?["phone"] == "2")
    }

    @Test func whatTheFormDidNotShowIsNotTakenAway() async throws {
        struct Counts: SyncRecord {
            let id: String
            var visits: Int?
            var tags: Set<String> = []
            static let rules = RecordRules(fields: ["visits": .counter, "tags": .set])
        }
        var configuration = ReplicaConfiguration()
        configuration.declare(Counts.self)
        let world = try World(rules: configuration.mergeRules)
        try world.a.replica.save(Counts(id: "1", visits: 2, tags: ["vip"]))
        try await world.meet()
        var form = try #require(try world.a.replica.fetch(Counts.self, id: "1"))
        try world.b.replica.increment("visits", of: form.record.key, by: 10)
        try world.b.replica.add(["vip"], to: "tags", of: form.record.key)
        try await world.meet()
        form.visits = nil
        form.tags = []
        try world.a.replica.save(&form)
        try await world.meet()
        #expect(try world.shown(form.record.key) == ["tags": ["vip"], "visits": 10])
    }

    @Test func anotherFormOfARecordThatIsKeptWholeTakesNothingBack() async throws {
        struct Point: SyncRecord {
            let id: String
            var x = 1
            var y = 1
            static let rules = RecordRules(whole: .lastWriterWins)
        }
        var configuration = ReplicaConfiguration()
        configuration.declare(Point.self)
        let world = try World(rules: configuration.mergeRules)
        var one = try world.a.replica.save(Point(id: "1"))
        try await world.meet()
        var two = one
        one.x = 2
        try world.a.replica.save(&one)
        two.y = 2
        try world.a.replica.save(&two)
        #expect(two.x == 2 && two.y == 2)
        // What another device wrote meanwhile is a conflict of the whole record.
        try await world.meet()
        world.wait(1)
        try world.b.replica.put(["x": 9], to: one.record.key)
        try await world.meet()
        world.wait(1)
        two.y = 3
        try world.a.replica.save(&two)
        try await world.meet()
        #expect(try world.shown(one.record.key) == ["x": 2, "y": 3])
        #expect(try world.a.replica.lostEdits.count == 1)
    }

    @Test func whatCannotBeReadAfterwardsIsNotWritten() async throws {
        try await meet()
        var form = try fetch(world.a)
        try world.b.replica.put(["phone": 5], to: form.record.key)
        try await world.meet()
        form.visits += 1
        for _ in 0..<3 { #expect(throws: SyncLayerError.self) { try world.a.replica.save(&form) } }
        #expect(try world.a.replica.get(form.record.key)?["visits"] == 2)
    }

    private func card(_ id: RecordID) -> RecordKey { RecordKey(type: "Card", id: id) }
}
