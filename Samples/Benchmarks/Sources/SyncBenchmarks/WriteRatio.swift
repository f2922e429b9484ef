import SyncModel
import SyncRecords

/// Tagged and audited writes beside bare SQLite, in turns.
struct WriteRatio {
    let writes: Int
    let rounds: Int
    /// Whether cards are saved as structs, fetched before they are changed; else as fields.
    var areTyped = false

    func run() throws {
        print(
            "\nLocal writes, µs each: \(writes) inserts of cards with four fields, then as many updates of one field, in no order\(areTyped ? ", of structs" : "");"
        )
        print("median of \(rounds) rounds in turns; each ratio is the median of the rounds' own")
        Table.row("per transaction", "", "tagged, audited", "bare, by record", "ratio", "bare, by field", "ratio")
        for size in [1, 100, writes] {
            // Alone, each write is a commit: a few thousand tell enough.
            let count = size == 1 ? min(writes, 4000) : writes
            var times: [[[Double]]] = []
            for _ in 0..<rounds {
                times.append([
                    try areTyped ? measureStructs(count, size) : measureReplica(count, size),
                    try measureBare(BareRecords.self, count, size),
                    try measureBare(BareFields.self, count, size),
                ])
            }
            for (phase, name) in ["inserts", "updates"].enumerated() {
                func each(_ side: Int) -> String { Table.microseconds(times.map { $0[side][phase] }.median / Double(count)) }
                func ratio(_ side: Int) -> String { Table.ratio(times.map { $0[0][phase] / $0[side][phase] }.median) }
                Table.row(size == writes ? "all" : "\(size)", name, each(0), each(1), ratio(1), each(2), ratio(2))
            }
        }
    }

    private func measureBare(_ kind: (some BareTables).Type, _ count: Int, _ size: Int) throws -> [Double] {
        let directory = try ScratchDirectory()
        let database = BareDatabase(path: "\(directory.path)/bare.sqlite", kind)
        return try measure(count, size) { numbers in
            database.transaction { for number in numbers { database.insert(Card(number), id: CardNames.random(number)) } }
        } update: { numbers in
            database.transaction {
                for number in numbers { database.update(email: Card.email(number, change: 1), id: CardNames.random(number)) }
            }
        }
    }

    private func measureReplica(_ count: Int, _ size: Int) throws -> [Double] {
        let directory = try ScratchDirectory()
        let audited = try AuditedReplica(directory: directory.path)
        let times = try measure(count, size) { numbers in
            try audited.replica.write { batch in
                for number in numbers { try batch.put(Card(number).fields, to: key(CardNames.random(number))) }
            }
        } update: { numbers in
            try audited.replica.write { batch in
                for number in numbers {
                    try batch.put(["email": .string(Card.email(number, change: 1))], to: key(CardNames.random(number)))
                }
            }
        }
        audited.finish()
        return times
    }

    private func measureStructs(_ count: Int, _ size: Int) throws -> [Double] {
        let directory = try ScratchDirectory()
        let audited = try AuditedReplica(directory: directory.path)
        var fetched: [Fetched<TypedCard>] = []
        let times = try measure(count, size) { numbers in
            let cards = numbers.map(TypedCard.init)
            fetched += try audited.replica.write { batch in try cards.map { try batch.save($0) } }
        } update: { numbers in
            try audited.replica.write { batch in
                for number in numbers {
                    fetched[number].email = Card.email(number, change: 1)
                    try batch.save(&fetched[number])
                }
            }
        }
        audited.finish()
        return times
    }

    /// The seconds that all inserts and that all updates take.
    private func measure(_ count: Int, _ size: Int, insert: ([Int]) throws -> Void, update: ([Int]) throws -> Void) throws -> [Double] {
        let all = Array(0..<count)
        let shuffled = all.map { $0 * 7919 % count }
        return try [
            seconds { for start in stride(from: 0, to: count, by: size) { try insert(Array(all[start..<min(count, start + size)])) } },
            seconds { for start in stride(from: 0, to: count, by: size) { try update(Array(shuffled[start..<min(count, start + size)])) } },
        ]
    }
}
