import SyncModel

/// Tagged and audited writes beside bare SQLite, in turns.
struct WriteRatio {
    let writes: Int
    let rounds: Int

    func run() throws {
        print("Writes: \(writes) inserts of cards, then as many updates of one field; median of \(rounds) rounds in turns, µs per write")
        Table.row("per transaction", "", "bare", "tagged, audited", "ratio")
        for size in [1, 100, writes] {
            // Alone, each write is a commit: a few thousand tell enough.
            let count = size == 1 ? min(writes, 5000) : writes
            var bare: [[Double]] = [[], []]
            var ours: [[Double]] = [[], []]
            for _ in 0..<rounds {
                for (index, time) in try measureBare(count, size).enumerated() { bare[index].append(time / Double(count)) }
                for (index, time) in try measureReplica(count, size).enumerated() { ours[index].append(time / Double(count)) }
            }
            for (index, name) in ["inserts", "updates"].enumerated() {
                // Each round's ratio by itself: what else the machine does meets both sides of a round.
                let ratio = zip(ours[index], bare[index]).map { $0 / $1 }.median
                Table.row(
                    size == writes ? "all" : "\(size)", name, Table.microseconds(bare[index].median), Table.microseconds(ours[index].median),
                    Table.ratio(ratio))
            }
        }
    }

    func measureBare(_ count: Int, _ size: Int) throws -> [Double] {
        let directory = try ScratchDirectory()
        let database = BareDatabase(path: "\(directory.path)/bare.sqlite")
        let inserts = seconds {
            for start in stride(from: 0, to: count, by: size) {
                database.transaction {
                    for number in start..<min(count, start + size) { database.insert(Card(number), id: CardNames.random(number)) }
                }
            }
        }
        let updates = seconds {
            for start in stride(from: 0, to: count, by: size) {
                database.transaction {
                    for step in start..<min(count, start + size) {
                        let number = shuffled(step, count)
                        database.update(email: Card.email(number, change: 1), id: CardNames.random(number))
                    }
                }
            }
        }
        return [inserts, updates]
    }

    func measureReplica(_ count: Int, _ size: Int) throws -> [Double] {
        let directory = try ScratchDirectory()
        let audited = try AuditedReplica(directory: directory.path)
        let replica = audited.replica
        let inserts = try seconds {
            for start in stride(from: 0, to: count, by: size) {
                try replica.write { batch in
                    for number in start..<min(count, start + size) { try batch.put(Card(number).fields, to: key(CardNames.random(number))) }
                }
            }
        }
        let updates = try seconds {
            for start in stride(from: 0, to: count, by: size) {
                try replica.write { batch in
                    for step in start..<min(count, start + size) {
                        let number = shuffled(step, count)
                        try batch.put(["email": .string(Card.email(number, change: 1))], to: key(CardNames.random(number)))
                    }
                }
            }
            audited.finish()
        }
        return [inserts, updates]
    }

    /// Every number once, in an order of its own.
    private func shuffled(_ step: Int, _ count: Int) -> Int { step * 7919 % count }
}

extension WriteRatio {
    func profile(_ count: Int, updates: Bool) throws {
        let directory = try ScratchDirectory()
        let audited = try AuditedReplica(directory: directory.path)
        let replica = audited.replica
        for start in stride(from: 0, to: count, by: 100) {
            try replica.write { batch in
                for number in start..<min(count, start + 100) { try batch.put(Card(number).fields, to: key(CardNames.random(number))) }
            }
        }
        guard updates else { return }
        for start in stride(from: 0, to: count, by: 100) {
            try replica.write { batch in
                for step in start..<min(count, start + 100) {
                    let number = step * 7919 % count
                    try batch.put(["email": .string(Card.email(number, change: 1))], to: key(CardNames.random(number)))
                }
            }
        }
    }
}
extension WriteRatio {
    func bareProfile(_ count: Int) throws {
        let directory = try ScratchDirectory()
        let database = BareDatabase(path: "\(directory.path)/bare.sqlite")
            for start in stride(from: 0, to: count, by: 100) {
                database.transaction {
                    for number in start..<min(count, start + 100) { database.insert(Card(number), id: CardNames.random(number)) }
                }
            }
    }
}
