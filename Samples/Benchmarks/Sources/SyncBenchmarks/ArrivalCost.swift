import AuditLog
import SyncModel
import SyncObservation

/// What an observer of somebody else's sync engine adds to an import: until it has found the conflicts, and their lines are on the disk.
///
/// A device saves records and exports them; then another device's stamped versions of all of them arrive, over edits that wait to be exported: each is a
/// conflict. The bound is of the whole audit of one import.
struct ArrivalCost {
    let records: Int
    let rounds: Int
    /// How many seconds the audit of an import may take.
    let bound: Double

    func run() throws {
        print("\nAn observer beside an import of \(records) records, all of them in conflict; median of \(rounds) rounds")
        Table.row("", "", "milliseconds", "of which log", "conflicts")
        for (name, level) in [("no stamp", ObservationLevel.unstamped), ("stamp of the record", .recordStamp("stamp"))] {
            var all: [Double] = []
            var logging: [Double] = []
            var conflicts = 0
            for _ in 0..<rounds {
                let round = try measure(level)
                all.append(round.all)
                logging.append(round.logging)
                conflicts = round.conflicts
            }
            Table.row(
                name, "", Table.milliseconds(all.median), Table.milliseconds(logging.median), "\(conflicts)",
                all.median <= bound ? "in bounds" : "TOO MUCH")
        }
    }

    private func measure(_ level: ObservationLevel) throws -> (all: Double, logging: Double, conflicts: Int) {
        let directory = try ScratchDirectory()
        let log = try AuditLogWriter(directory: "\(directory.path)/log", source: "phone")
        func observer(_ name: DeviceID) throws -> SyncObserver {
            var configuration = SyncObserver.Configuration(device: name, installation: "1")
            configuration.standardLevel = level
            let path = "\(directory.path)/\(name).sqlite"
            return name == "phone"
                ? try SyncObserver(configuration, shadow: .file(path: path), sink: log)
                : try SyncObserver(configuration, shadow: .file(path: path), sink: NoSink())
        }
        let (phone, tablet) = (try observer("phone"), try observer("tablet"))
        var versions: [FieldMap] = []
        for (device, change) in [(phone, 0), (tablet, 1), (phone, 2)] {
            var changes = (0..<records).map { number in
                LocalChange(
                    key(CardNames.random(number)),
                    .put(change == 0 ? Card(number).fields : ["email": .string(Card.email(number, change: change))]),
                    isNew: change < 2)
            }
            let stamps = try device.stamps(for: changes)
            for index in changes.indices {
                guard case .put(var fields) = changes[index].operation else { continue }
                for stamp in stamps[index] { fields[stamp.name] = stamp.value }
                changes[index].operation = .put(fields)
                if change == 1 { versions.append(fields) }
            }
            try device.saved(changes)
            if change == 0 {
                try device.exportBegan()
                try device.exportSucceeded()
            }
        }
        let arrivals = versions.enumerated().map { Arrival(key(CardNames.random($0)), .put($1)) }
        var conflicts = 0
        let finding = try seconds { conflicts = try phone.arrived(arrivals).count }
        let logging = seconds { log.flush() }
        log.close()
        return (finding + logging, logging, conflicts)
    }
}
