import ConflictAuditTesting
package import SyncModel
package import SyncObservation
import TemporaryDirectory
import Testing

/// Saves, arrivals, an emptied store and reading ahead at once leave stamps that a process makes which reads each record.
package enum StampRaces {
    private static func key(_ number: Int) -> RecordKey { RecordKey(type: "Card", id: RecordID("card-\(number)")) }

    private static func open(_ path: String, _ level: ObservationLevel) throws -> SyncObserver {
        var configuration = SyncObserver.Configuration(device: "phone", installation: "first")
        configuration.standardLevel = level
        return try SyncObserver(configuration, shadow: .file(path: path), sink: CollectingAuditSink())
    }

    /// Lets five tasks go on at once, and holds what the cache then knows against the shadow.
    package static func check(_ level: ObservationLevel, records: Int, rounds: Int) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("shadow")
        let observer = try open(path, level)
        try observer.saved((0..<records).map { LocalChange(key($0), .put(["title": "a", "note": "b"]), isNew: true) })
        let reopened = try open(path, level)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<5 {
                group.addTask {
                    for round in 0..<rounds {
                        let keys = (0..<60).map { key(($0 * 29 + round * 131 + worker * 7) % (records + 100)) }
                        switch worker {
                        case 0: try reopened.prepareStamps()
                        case 1 where round == rounds / 2: try reopened.storeEmptied()
                        case 1, 2:
                            let puts = keys.map { LocalChange($0, .put(["title": .string("\(worker) \(round)")])) }
                            let stamped = zip(puts, try reopened.stamps(for: puts)).map { put, stamps in
                                guard case .put(var fields) = put.operation else { return put }
                                for stamp in stamps { fields[stamp.name] = stamp.value }
                                return LocalChange(put.key, .put(fields))
                            }
                            try reopened.saved(stamped)
                        default:
                            let stamp = FieldValue.string(
                                "1tablet.\(worker * 1000 + round + 1);=\(String(ValueHash("c").rawValue, radix: 36))")
                            try reopened.arrived(keys.map { Arrival($0, .put(["note": "c", "noteStamp": stamp])) })
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let reading = try open(path, level)
        var compared = 0
        for number in 0..<records + 200 {
            let put = LocalChange(key(number), .put(["title": "x", "note": "y"]))
            let (held, read) = (try reopened.stamps(for: put), try reading.stamps(for: put))
            #expect(held.map(\.name) == read.map(\.name))
            for (one, other) in zip(held, read) {
                guard let one = one.value.string, let other = other.value.string else { continue }
                compared += 1
                if case .recordStamp = level {
                    let (one, other) = (try #require(RecordStamp(one)).entries, try #require(RecordStamp(other)).entries)
                    #expect(one.mapValues { $0.vector.without("phone") } == other.mapValues { $0.vector.without("phone") })
                    #expect(one.mapValues(\.isFogged) == other.mapValues(\.isFogged))
                } else {
                    let (one, other) = (try #require(FieldStamp(one)), try #require(FieldStamp(other)))
                    #expect(one.vector.without("phone") == other.vector.without("phone"))
                    #expect(one.isFogged == other.isFogged)
                }
            }
        }
        #expect(compared >= records + 200)
    }
}

extension VersionVector {
    /// The vector without a device's entry.
    package func without(_ device: DeviceID) -> VersionVector {
        VersionVector(entries.filter { $0.device != device }.map { Dot(device: $0.device, sequence: $0.sequence) })
    }
}
