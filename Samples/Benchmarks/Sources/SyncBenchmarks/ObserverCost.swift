import ConflictAudit
import SyncModel
import SyncObservation

/// What an observer adds to a save of an app's own store: to the thread that saves, which asks for stamps, and to the queue that reads the store's
/// history, which reports the save.
///
/// Three kinds of saves of 100 records each: new ones, updates of records that were saved just before, which the observer still has in memory, and updates
/// of records that it must read from its shadow again, because thousands were saved since. The same saves without an observer, in the same turns, are what
/// the ratios are to: bare statements of SQLite's C interface, so that an app's own store, which does more, has lower ratios.
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
            "by an update of one field, and as many updates when thousands of others were saved since; median of \(rounds) rounds in turns; each ratio is the median of the rounds' own"
        )
        Table.row("model", "", "bare save", "saving thread", "ratio", "history's queue", "ratio")
        for (name, level) in Self.levels {
            var times: [[[Double]]] = []
            for _ in 0..<rounds {
                times.append([try measureBare(), try measureObserver(level, .stamps), try measureObserver(level, .saved)])
            }
            for (phase, phaseName) in ["inserts", "updates, warm", "updates, cold"].enumerated() {
                func each(_ side: Int) -> String { Table.microseconds(times.map { $0[side][phase] }.median / Double(saves)) }
                func ratio(_ side: Int) -> String { Table.percent(times.map { $0[side][phase] / $0[0][phase] }.median) }
                Table.row(name, phaseName, each(0), each(1), ratio(1), each(2), ratio(2))
            }
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
        let observer = try SyncObserver(configuration, shadow: .file(path: "\(directory.path)/shadow.sqlite"), sink: NoSink())
        return try measure { numbers, change in
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
private struct NoSink: AuditSink {
    func record(_ event: AuditEvent) {}
}
