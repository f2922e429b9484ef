import SeededRandom
import SyncModel
import SyncRecords

/// A business card: four short texts, as most records of most apps are.
struct Card {
    let name: String
    let email: String
    let phone: String
    let company: String

    init(_ number: Int) {
        name = "John Smith \(number)"
        email = "john.smith.\(number)@example.com"
        phone = "+1-555-\(1000 + number % 9000)"
        company = "Old Corporation \(number % 100)"
    }

    var fields: FieldMap {
        ["name": .string(name), "email": .string(email), "phone": .string(phone), "company": .string(company)]
    }

    /// The email at its n-th change.
    static func email(_ number: Int, change: Int) -> String { "john.smith.\(number)+\(change)@example.com" }
}

/// The same card as an app's struct.
struct TypedCard: SyncRecord {
    let id: String
    let name: String
    var email: String
    let phone: String
    let company: String

    init(_ number: Int) {
        let card = Card(number)
        (id, name, email, phone, company) = (CardNames.random(number), card.name, card.email, card.phone, card.company)
    }
}

/// Names of records.
enum CardNames {
    /// UUIDs, in no order: every insertion goes to another place of the index.
    static func random(_ number: Int) -> String {
        var generator = SplitMix64(seed: UInt64(number))
        return text(generator.next(), generator.next())
    }

    /// UUIDs of version 7, in the order of time.
    static func ordered(_ number: Int) -> String {
        var generator = SplitMix64(seed: UInt64(number))
        return text((0x0190_0000_0000 + UInt64(number)) << 16 | 0x7000 | generator.next() >> 52, generator.next())
    }

    private static func text(_ high: UInt64, _ low: UInt64) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        for index in 0..<32 {
            if [8, 12, 16, 20].contains(index) { bytes.append(UInt8(ascii: "-")) }
            let nibble = UInt8((index < 16 ? high >> (60 - 4 * index) : low >> (60 - 4 * (index - 16))) & 15)
            bytes.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
