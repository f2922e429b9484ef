import ConflictAudit
import SyncModel
import SyncObservation

/// What an observer adds to a save of an app's own store: to the thread that saves, which asks for stamps, and to the queue that reads the store's
/// history, which reports the save.
///
/// Three kinds of saves of 100 records each: new ones, updates of records that were saved just before, and updates of all of them by the next process, which
/// has read what stamps are made of. The same saves without an observer, in the same turns, are what the ratios are to: by GRDB, as an app would
/// make them, and by bare statements of SQLite's C interface, the least that a save can cost.
struct ObserverCost {
    let saves: Int
    let rounds: Int

    private static let records = 100
    private static let levels: [(name: String, level: ObservationLevel)] = [
        ("no stamp", .unstamped), ("stamp of the record", .recordStamp("stamp")),
        ("stamps of 2 fields", .fieldStamps(["email": "emailStamp", "phone": "phoneStamp"])),
    ]

    func run() throws {
        print(
            "\nAn observer beside saves of \(Self.records) records with four fields into SQLite, µs a save: \(saves) saves of new records, each followed"
        )
        print(
            "by an update of one field, and as many updates by the next process; median of \(rounds) rounds in turns; each ratio is the median of the rounds' own"
        )
        Table.row("model", "", "saving thread", "save with GRDB", "ratio", "bare save", "ratio", "history's queue")
        for (name, level) in Self.levels {
            var times: [[[Double]]] = []
            for _ in 0..<rounds {
                times.append([
                    try measureObserver(level, .stamps), try measureApp(), try measureBare(), try measureObserver(level, .saved),
                ])
            }
            for (phase, phaseName) in ["inserts", "updates", "updates, reopened"].enumerated() {
                func each(_ side: Int) -> String { Table.microseconds(times.map { $0[side][phase] }.median / Double(saves)) }
                func ratio(to side: Int) -> String { Table.percent(times.map { $0[0][phase] / $0[side][phase] }.median) }
                Table.row(name, phaseName, each(0), each(1), ratio(to: 1), each(2), ratio(to: 2), each(3))
            }
        }
    }

    private func measureApp() throws -> [Double] {
        let directory = try ScratchDirectory()
        let database = try AppDatabase(path: "\(directory.path)/app.sqlite")
        return try measure { numbers, change in
            let cards = numbers.map { (id: CardNames.random($0), card: Card($0)) }
            let emails = numbers.map { (id: CardNames.random($0), email: Card.email($0, change: change)) }
            return try seconds { if change == 0 { try database.insert(cards) } else { try database.update(emails) } }
        }
    }

    private func measureBare() throws -> [Double] {
        let directory = try ScratchDirectory()
        let database = BareDatabase(path: "\(directory.path)/bare.sqlite", BareRecords.self)
        return measure { numbers, change in
            seconds {
                database.transaction {
                    for number in numbers {
                        if change == 0 {
                            database.insert(Card(number), id: CardNames.random(number))
                        } else {
                            database.update(email: Card.email(number, change: change), id: CardNames.random(number))
                        }
                    }
                }
            }
        }
    }

    private enum Part {
        /// What is done before the save returns.
        case stamps
        /// What is done when the history is read.
        case saved
    }

    private func measureObserver(_ level: ObservationLevel, _ part: Part) throws -> [Double] {
        let directory = try ScratchDirectory()
        var configuration = SyncObserver.Configuration(device: "phone", installation: "1")
        configuration.standardLevel = level
        var observer = try SyncObserver(configuration, shadow: .file(path: "\(directory.path)/shadow.sqlite"), sink: NoSink())
        var isReopened = false
        return try measure { numbers, change in
            if change == 2, !isReopened {
                observer = try SyncObserver(configuration, shadow: .file(path: "\(directory.path)/shadow.sqlite"), sink: NoSink())
                try observer.prepareStamps()
                isReopened = true
            }
            var changes = numbers.map { number in
                let fields: FieldMap = change == 0 ? Card(number).fields : ["email": .string(Card.email(number, change: change))]
                return LocalChange(key(CardNames.random(number)), .put(fields), isNew: change == 0)
            }
            var stamps: [FieldMap] = []
            let stamping = try seconds { stamps = try observer.stamps(for: changes) }
            for index in changes.indices {
                guard case .put(var fields) = changes[index].operation else { continue }
                for stamp in stamps[index] { fields[stamp.name] = stamp.value }
                changes[index].operation = .put(fields)
            }
            let saving = try seconds { try observer.saved(changes) }
            return part == .stamps ? stamping : saving
        }
    }

    /// The seconds that all saves of each kind take.
    private func measure(_ save: ([Int], _ change: Int) throws -> Double) rethrows -> [Double] {
        var times = [0.0, 0, 0]
        for changes in [0...1, 2...2] {
            for number in 0..<saves {
                let start = number * Self.records
                for change in changes { times[change] += try save(Array(start..<start + Self.records), change) }
            }
        }
        return times
    }
}

/// A log would be written by a thread of its own.
struct NoSink: AuditSink {
    func record(_ event: AuditEvent) {}
}
