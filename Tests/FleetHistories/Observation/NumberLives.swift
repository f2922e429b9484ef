import ConflictAudit
import ConflictAuditTesting
import SyncModel
package import SyncObservation
package import Testing

/// A device whose shadow loses with every life what was not forced onto the disk: no number is given twice.
package enum NumberLives {
    /// Saves a record so many times in each life.
    package static func check(_ level: ObservationLevel, saves: [Int], sourceLocation: SourceLocation = #_sourceLocation) throws {
        var shadow = MemoryShadow()
        // What was told and not noted is told again, with its name.
        var named: [Dot: Set<RecordKey>] = [:]
        for (life, saves) in saves.enumerated() {
            var configuration = SyncObserver.Configuration(device: "phone", installation: "first")
            configuration.standardLevel = level
            let sink = CollectingAuditSink()
            let observer = try SyncObserver(
                configuration, memory: shadow, sink: sink, wallClock: { WallTime(millisecondsSince1970: 1_768_485_600_000) })
            for number in 0..<saves {
                let key = RecordKey(type: "Card", id: RecordID("\(life).\(number)"))
                var fields: FieldMap = ["title": "Plan"]
                let stamps = try observer.stamps(for: LocalChange(key, .put(fields), isNew: true))
                for stamp in stamps { fields[stamp.name] = stamp.value }
                _ = try observer.saved([LocalChange(key, .put(fields), isNew: true)], transaction: Int64(number) + 1)
            }
            for event in sink.events {
                if case .write(let write) = event.content { named[write.dot, default: []].insert(write.key) }
            }
            shadow = MemoryShadow(shadow.durableContent)
        }
        #expect(named.count == saves.reduce(0, +), sourceLocation: sourceLocation)
        #expect(named.values.allSatisfy { $0.count == 1 }, sourceLocation: sourceLocation)
    }
}
