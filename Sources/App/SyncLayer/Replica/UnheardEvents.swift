import SyncBytes
import SyncCoding
import SyncMerge

/// What processes without a sink have found, until one with a sink passes it on.
///
/// Bounded, for a store may never be opened with a sink: the oldest transactions are dropped first, and what was dropped is counted.
enum UnheardEvents {
    static let maximumTransactions = 1000
    static let maximumBytes = 4_000_000

    /// How many transactions are kept, from which number on, and what was dropped.
    private struct Tally {
        var first: UInt64 = 1
        var count: UInt64 = 0
        var bytes: UInt64 = 0
        var dropped: UInt64 = 0

        init() {}

        init?(_ reader: any ReplicaStoreReader) throws {
            guard let row = try reader.row(UnheardEvents.tallyKey, in: .unheard) else { return nil }
            try decoding("the tally of conflicts that no sink has heard of", row.content) { decoder throws(CodingFailure) in
                first = try decoder.number()
                count = try decoder.number()
                bytes = try decoder.number()
                dropped = try decoder.number()
                try decoder.finish()
            }
        }

        var encoded: [UInt8] {
            var encoder = StateEncoder()
            for number in [first, count, bytes, dropped] { encoder.append(number) }
            return encoder.bytes
        }
    }

    private static let tallyKey: [UInt8] = []

    /// Keeps what one transaction has found.
    ///
    /// - Parameter page: As ``JournalPage/encoded()`` makes it.
    /// - Complexity: O(1) amortized.
    static func append(_ page: [UInt8], _ writer: any ReplicaStoreWriter) throws {
        var tally = try Tally(writer) ?? Tally()
        try writer.setRow(StoreRow(key: (tally.first + tally.count).orderedBytes, content: page), in: .unheard)
        tally.count += 1
        tally.bytes += UInt64(page.count)
        while tally.count > maximumTransactions || tally.bytes > maximumBytes, tally.count > 0 {
            if let oldest = try writer.row(tally.first.orderedBytes, in: .unheard) {
                tally.bytes -= min(tally.bytes, UInt64(oldest.content.count))
                tally.dropped += UInt64(try [JournalEvent](encoded: oldest.content).count)
                try writer.removeRow(oldest.key, from: .unheard)
            }
            tally.first += 1
            tally.count -= 1
        }
        try writer.setRow(StoreRow(key: tallyKey, content: tally.encoded), in: .unheard)
    }

    /// Hands over what was kept, oldest first, and keeps it no longer.
    ///
    /// - Parameter milliseconds: The time at which what was dropped is told.
    static func drain(at milliseconds: Int64, _ writer: any ReplicaStoreWriter) throws -> [JournalEvent] {
        guard let tally = try Tally(writer) else { return [] }
        var events: [JournalEvent] = tally.dropped > 0 ? [.dropped(Int(clamping: tally.dropped), at: milliseconds)] : []
        for number in tally.first..<tally.first + tally.count {
            guard let row = try writer.row(number.orderedBytes, in: .unheard) else { continue }
            events += try [JournalEvent](encoded: row.content)
            try writer.removeRow(row.key, from: .unheard)
        }
        try writer.removeRow(tallyKey, from: .unheard)
        return events
    }
}
