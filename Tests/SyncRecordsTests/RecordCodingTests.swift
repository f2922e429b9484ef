import ConflictAudit
import Foundation
import SyncLayer
import SyncModel
import SyncRecords
import Testing

private enum Colour: String, Codable, Hashable { case red, green }
private struct Address: Codable, Hashable {
    var street: String
    var number: Int?
}
private enum Shape: Codable, Hashable {
    case circle(radius: Double)
    case square
}
private class Base: Codable {
    var first = 1
}
private struct Everything: SyncRecord, Hashable {
    let id: UUID
    var text = "t\u{0}é😀"
    var flag = true
    var small: Int8 = -128
    var large = UInt64.max
    var integer = Int.min
    var double = 0.1
    var float: Float = 0.1
    var huge = 1e300
    var decimal = Decimal(sign: .plus, exponent: -1, significand: Decimal(UInt64(12_345_678_901_234_567_890)) * 10 + 5)
    var date = Date(timeIntervalSince1970: 1_768_482_000.123)
    var data = Data([0, 1, 255])
    var url = URL(filePath: "/tmp/a b")
    var colour = Colour.green
    var address = Address(street: "Main", number: nil)
    var addresses = [Address(street: "A", number: 1), Address(street: "B", number: nil)]
    var byName = ["b": 1, "a": 2]
    var byNumber = [1: "x"]
    var tags: Set<String> = ["b", "a", "c"]
    var shape = Shape.circle(radius: 2)
    var shapes = [Shape.square]
    var maybe: Int?
    var list: [Int?] = [1, nil, 3]
    var range = 1...3
    var lock: Bool?
}

/// What structs become, and that they come back as they were.
@Suite struct RecordCodingTests {
    private let replica: Replica

    init() throws { replica = try Replica(device: "a", store: InMemoryStore()) }

    @Test func everythingComesBack() throws {
        let given = Everything(id: UUID())
        let saved = try replica.save(given)
        #expect(saved.value == given)
        #expect(try replica.fetch(Everything.self, id: given.id)?.value == given)
        let fields = saved.record.fields
        #expect(fields["date"] == "2026-01-15T13:00:00.123Z" && fields["data"] == "AAH/" && fields["tags"] == ["a", "b", "c"])
        #expect(fields["float"] == 0.1 && fields["large"]?.description == "18446744073709551615" && fields["colour"] == "green")
        #expect(fields["address"] == ["street": "Main"] && fields["maybe"] == nil && fields["id"] == nil)
        #expect(fields["decimal"]?.description == "12345678901234567890.5" && fields["list"] == [1, .null, 3])
        #expect(saved.record.key.id.rawValue == given.id.uuidString)
    }

    @Test func nothingIsWrittenOfAStructThatIsAsItWas() throws {
        var saved = try replica.save(Everything(id: UUID()))
        let before = try replica.outboxStatus().writes
        try replica.save(&saved)
        try replica.save(saved.value)
        #expect(try replica.outboxStatus().writes == before)
        saved.maybe = 5
        saved.lock = false
        saved.address.number = 3
        try replica.save(&saved)
        #expect(saved.maybe == 5 && saved.lock == false && saved.address.number == 3)
        saved.maybe = nil
        try replica.save(&saved)
        #expect(saved.maybe == nil && saved.record.fields["maybe"] == nil && saved.lock == false)
    }

    @Test func fieldsThatTheStructDoesNotKnowStay() throws {
        struct Card: SyncRecord {
            let id: String
            var name: String
        }
        let key = RecordKey(type: "Card", id: "1")
        try replica.put(["name": "Ann", "added later": [1]], to: key)
        var card = try #require(try replica.fetch(Card.self, id: "1"))
        card.name = "Anna"
        try replica.save(&card)
        try replica.save(Card(id: "1", name: "Ann"))
        #expect(try replica.get(key) == ["name": "Ann", "added later": [1]])
    }

    @Test func whatOlderRecordsLackHasADefault() throws {
        struct Card: SyncRecord {
            let id: String
            var title: String
            var stars: Int
            static let rules = RecordRules(defaults: ["stars": 3])
            enum CodingKeys: String, CodingKey {
                case id, stars
                // Renamed in Swift alone.
                case title = "name"
            }
        }
        try replica.put(["name": "Ann"], to: RecordKey(type: "Card", id: "1"))
        var card = try #require(try replica.fetch(Card.self, id: "1"))
        #expect(card.title == "Ann" && card.stars == 3)
        card.title = "Anna"
        try replica.save(&card)
        #expect(card.record.fields == ["name": "Anna"], "a default is not written unless it is changed")
    }

    @Test func whatCannotBeReadIsSaidInASentence() throws {
        struct Card: SyncRecord {
            let id: String
            var name: String
            var address: [String: Int]
        }
        try replica.put(["name": "Ann"], to: RecordKey(type: "Card", id: "1"))
        try replica.put(["name": "Ann", "address": ["zip": "x"]], to: RecordKey(type: "Card", id: "2"))
        try replica.put(["name": "Ann", "address": ["zip": 1]], to: RecordKey(type: "Card", id: "3"))
        let missing = #expect(throws: SyncLayerError.self) { try replica.fetch(Card.self, id: "1") }
        #expect(missing?.description.contains("\"address\" has no value in the record") == true)
        let wrong = #expect(throws: SyncLayerError.self) { try replica.fetch(Card.self, id: "2") }
        #expect(wrong?.description.contains(#""address.zip" cannot be read: "x" is no Int"#) == true, "\(wrong?.description ?? "")")
        #expect(throws: SyncLayerError.self) { try replica.fetch(Card.self) }
        var unreadable: [RecordID] = []
        #expect(try replica.fetch(Card.self, unreadable: { record, _ in unreadable.append(record.key.id) }).map(\.id) == ["3"])
        #expect(unreadable == ["1", "2"])
        struct Number: SyncRecord {
            let id: String
            var value: Double
        }
        let invalid = #expect(throws: SyncLayerError.self) { try replica.save(Number(id: "1", value: .nan)) }
        #expect(invalid?.description.contains("\"value\" cannot be written") == true)
    }

    @Test func whateverAnotherDeviceWritesIsReadOrSaidToBeUnreadable() throws {
        var deep: FieldValue = 1
        for _ in 0..<250 { deep = [deep] }
        let hostile: [FieldValue] = [
            false, 0, -1, 1e300, .number(JSONNumber(UInt64.max)), .number(JSONNumber(Int64.min)), "", "x", "\u{0}", "2026-99-99T00:00:00Z",
            .string(String(repeating: "9", count: 100_000)), [], [1, "x", .null], [["x"]], [:], ["": 1], ["circle": ["radius": "x"]],
            ["circle": [:], "square": [:]], ["$counter": 1], ["$add": 1], ["lowerBound": 1], deep,
        ]
        let saved = try replica.save(Everything(id: UUID()))
        var (readable, unreadable) = (0, 0)
        for field in saved.record.fields.names {
            for value in hostile {
                try replica.put([field: value], to: saved.record.key)
                let found = try replica.fetch(Everything.self) { _, error in
                    unreadable += 1
                    #expect(error.code == .invalidValue && error.description.utf8.count < 1000)
                }
                readable += found.count
            }
            try replica.put([field: saved.record.fields[field] ?? .null], to: saved.record.key)
        }
        #expect(readable + unreadable == saved.record.fields.count * hostile.count)
        #expect(readable > 20 && unreadable > 300)
        #expect(try replica.fetch(Everything.self).map(\.value) == [saved.value])
    }

    @Test func whatIsChangedInPlaceIsWritten() throws {
        struct Holder: SyncRecord {
            let id: Int
            var base: Base
        }
        var saved = try replica.save(Holder(id: 1, base: Base()))
        saved.base.first = 2
        try replica.save(&saved)
        #expect(try replica.get(saved.record.key) == ["base": ["first": 2]])
    }

    @Test func dictionariesWithOtherKeysAreWrittenInOneOrder() throws {
        struct Held: SyncRecord {
            let id: Int
            var counts: [Colour: Int]
            var names: [UUID: String]
        }
        let names = Dictionary(uniqueKeysWithValues: (0..<9).map { (UUID(), "\($0)") })
        let saved = try replica.save(Held(id: 1, counts: [.red: 1, .green: 2], names: names))
        let before = try replica.outboxStatus().writes
        for _ in 0..<20 {
            var other = names
            other.reserveCapacity(Int.random(in: 10...1000))
            try replica.save(Held(id: 1, counts: [.green: 2, .red: 1], names: other))
        }
        #expect(try replica.outboxStatus().writes == before && saved.names == names)
    }

    @Test func identitiesAreReadAsTheyAreWritten() throws {
        struct Big: SyncRecord {
            let id: UInt64
            var x = 1
        }
        for id in [0, 7, UInt64.max] as [UInt64] {
            try replica.save(Big(id: id))
            #expect(try replica.fetch(Big.self, id: id)?.id == id)
        }
        #expect(try replica.fetch(Big.self).count == 3)
        // Another spelling of an identity is the same record, as it is written.
        struct Named: SyncRecord {
            let id: UUID
            var x: Int
        }
        let key = RecordKey(type: "Named", id: "00112233-4455-6677-8899-aabbccddeeff")
        try replica.put(["x": 1], to: key)
        var named = try #require(try replica.fetch(Named.self).first)
        named.x = 2
        try replica.save(&named)
        #expect(try replica.get(key) == ["x": 2])
    }

    @Test func classesAndTheirSuperclassesAreOneObject() throws {
        struct Holder: SyncRecord {
            let id: Int
            var base: Base
        }
        let saved = try replica.save(Holder(id: 1, base: Base()))
        #expect(saved.record.fields["base"] == ["first": 1] && saved.id == 1)
    }

    @Test func valuesAreMadeFromVariables() {
        let (number, text, flag) = (3, "x", true)
        let fields: FieldMap = [
            "a": FieldValue(number), "b": "v\(number)", "c": .integer(number), "d": FieldValue(text), "e": FieldValue(flag),
        ]
        #expect(fields.description == #"{"a":3,"b":"v3","c":3,"d":"x","e":true}"#)
        #expect("\(fields["b"] ?? .null)" == #""v3""# && fields["e"]?.bool == true && fields["a"]?.double == 3)
        let (date, id, data) = (Date(timeIntervalSince1970: 0.5), UUID(), Data("hi".utf8))
        #expect(FieldValue(date)?.date == date && FieldValue(id).uuid == id && FieldValue(data).data == data)
        #expect(FieldValue(Date(timeIntervalSince1970: 1e15)) == nil && FieldValue("x").date == nil)
    }
}
