import ConflictAudit
import SyncModel
import SyncObservation
package import Testing

/// A cache of stamps that is given more records than it has room for.
package enum FullStampCache {
    private static func key(_ number: Int) -> RecordKey { RecordKey(type: "Card", id: RecordID("card-\(number)")) }

    private static func cache(_ maximumBytes: Int) -> StampCache {
        var configuration = SyncObserver.Configuration(device: "phone", installation: "first")
        configuration.standardLevel = .recordStamp("stamp")
        return StampCache(configuration, maximumBytes: maximumBytes)
    }

    /// Expects that the cache keeps within its memory, and takes no record for new that the shadow has.
    ///
    /// - Parameter records: How many it is given; some 5,000 fill a megabyte.
    package static func checkKnownRecords(_ records: Int, maximumBytes: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        var cache = cache(maximumBytes)
        cache.numbers.reserved = 1 << 40
        _ = cache.keep([], isLast: true, since: cache.losses)
        let record = RecordShadow(Dictionary(uniqueKeysWithValues: ["title", "note", "phone", "mail"].map { ($0, ["phone": 300]) }))
        for number in 0..<records { _ = cache.keep([(key(number), record)], isLast: false, since: 0) }
        let bytes = cache.bytes
        #expect(bytes <= maximumBytes, sourceLocation: sourceLocation)
        var read = 0
        // Every record is known or read; none counts as one that the shadow has not.
        for number in stride(from: 0, to: records, by: 97) {
            let change = LocalChange(key(number), .put(["title": "x"]), isNew: true)
            let time = WallTime(millisecondsSince1970: 0)
            var stamp = cache.stamps(for: [change], at: time)
            if stamp == nil {
                read += 1
                stamp = cache.stamps(for: [change], reading: [key(number): record], at: time)
            }
            let entry = stamp?.first?["stamp"]?.string.flatMap { RecordStamp($0)?.entries["title"] }
            #expect(entry != nil, "\(number)", sourceLocation: sourceLocation)
            // Names, too, are only so many; where all are known, what has none is new.
            let missing = cache.missing([LocalChange(key(-number - 1), .put(["title": "x"]))])
            #expect(missing.count == (records < 100_000 ? 0 : 1), "\(number)", sourceLocation: sourceLocation)
        }
        #expect(read > 0, "the cache had room for all", sourceLocation: sourceLocation)
    }

    /// Expects that records that do not fit are known by their names.
    ///
    /// - Parameter records: How many it is given; some 1,500 are too many for a quarter of a megabyte.
    package static func checkNames(_ records: Int, maximumBytes: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        var cache = cache(maximumBytes)
        let record = RecordShadow(
            Dictionary(uniqueKeysWithValues: (0..<9).map { (FieldName("field \($0)"), ["phone": .max, "tablet": .max]) }))
        let losses = cache.losses
        for number in 0..<records {
            let hasRoom = cache.keep([(key(number), record)], isLast: number == records - 1, since: losses)
            #expect(hasRoom, "\(number)", sourceLocation: sourceLocation)
        }
        let bytes = cache.bytes
        #expect(bytes <= maximumBytes, sourceLocation: sourceLocation)
        func puts(_ numbers: Range<Int>) -> [LocalChange] { numbers.map { LocalChange(key($0), .put(["title": "x"])) } }
        let (known, unknown) = (cache.missing(puts(0..<records)).count, cache.missing(puts(records..<records + 100)).count)
        #expect((1..<records).contains(known), sourceLocation: sourceLocation)
        #expect(unknown == 0, sourceLocation: sourceLocation)
        let deletes = cache.missing([LocalChange(key(records - 1), .delete)])
        #expect(deletes.isEmpty, sourceLocation: sourceLocation)
    }
}
