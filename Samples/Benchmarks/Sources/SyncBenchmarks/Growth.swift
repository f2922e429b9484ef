import SeededRandom
import SyncModel

/// The cost of a write in stores of different sizes.
///
/// Updates of a few of the records show what grows with the store, in memory and in its trees. Updates of any record show what it costs that they lie
/// scattered over ever more pages of the file, which are read and written whole; bare SQLite in the same run pays it too.
struct Growth {
    let sizes: [Int]
    /// Writes measured at each size.
    let writes = 10_000

    func run() throws {
        print("\nCost of a write by the size of the store, µs, 100 writes a transaction")
        Table.row("records", "", "tagged, audited", "bare, by record", "ratio")
        let directory = try ScratchDirectory()
        let audited = try AuditedReplica(directory: directory.path)
        let database = BareDatabase(path: "\(directory.path)/bare.sqlite", BareRecords.self)
        var records = 0
        for size in sizes {
            try insert(records..<size - min(writes, size / 2), audited, database)
            records = size - min(writes, size / 2)
            let count = size - records
            let inserts = try insert(records..<size, audited, database)
            records = size
            var random = SplitMix64(seed: UInt64(size))
            func updates(of numbers: Range<Int>) throws -> (Double, Double) {
                try update((0..<count).map { _ in Int.random(in: numbers, using: &random) }, audited, database)
            }
            let latest = try updates(of: size - sizes[0]..<size)
            let scattered = try updates(of: 0..<size)
            for (name, times) in [("inserts", inserts), ("updates of \(sizes[0])", latest), ("updates of any", scattered)] {
                Table.row(
                    "\(size)", name, Table.microseconds(times.0 / Double(count)), Table.microseconds(times.1 / Double(count)),
                    Table.ratio(times.0 / times.1))
            }
        }
        audited.finish()
    }

    @discardableResult
    private func insert(_ range: Range<Int>, _ audited: AuditedReplica, _ database: BareDatabase) throws -> (Double, Double) {
        try inTurns(Array(range)) { numbers in
            try audited.replica.write { batch in
                for number in numbers { try batch.put(Card(number).fields, to: key(CardNames.ordered(number))) }
            }
        } bare: { numbers in
            database.transaction { for number in numbers { database.insert(Card(number), id: CardNames.ordered(number)) } }
        }
    }

    private func update(_ numbers: [Int], _ audited: AuditedReplica, _ database: BareDatabase) throws -> (Double, Double) {
        try inTurns(numbers) { numbers in
            try audited.replica.write { batch in
                for number in numbers {
                    try batch.put(["email": .string(Card.email(number, change: 1))], to: key(CardNames.ordered(number)))
                }
            }
        } bare: { numbers in
            database.transaction {
                for number in numbers { database.update(email: Card.email(number, change: 1), id: CardNames.ordered(number)) }
            }
        }
    }

    /// The seconds of either side, which take turns transaction by transaction.
    private func inTurns(_ numbers: [Int], ours: ([Int]) throws -> Void, bare: ([Int]) -> Void) rethrows -> (Double, Double) {
        var times = (0.0, 0.0)
        for start in stride(from: 0, to: numbers.count, by: 100) {
            let part = Array(numbers[start..<min(numbers.count, start + 100)])
            times.0 += try seconds { try ours(part) }
            times.1 += seconds { bare(part) }
        }
        return times
    }
}
