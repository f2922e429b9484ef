import SyncMerge

/// What processes without a sink have found, until one with a sink passes it on.
///
/// Bounded, for a store may never be opened with a sink: the oldest transactions are dropped first, and what was dropped is counted.
enum UnheardEvents {
    static let maximumTransactions = 1000
    static let maximumBytes = 4_000_000

    /// How many transactions are kept, from which number on, and what was dropped.
    private struct Account {
        var first: UInt64 = 1
        var count: UInt64 = 0
        var bytes: UInt64 = 0
        var dropped: UInt64 = 0

        init() {}

        init?(_ reader: any ReplicaStoreReader) throws {
            guard let row = try reader.row(UnheardEvents.accountKey, in: .unheard) else { return nil }
            do throws(CodingFailure) {
                var decoder = try StateDecoder(row.content)
                first = try decoder.number()
                count = try decoder.number()
                bytes = try decoder.number()
                dropped = try decoder.number()
                try decoder.finish()
            } catch {
                throw SyncLayerError(damaged: "the account of conflicts that no sink has heard of", error)
            }
        }

        var encoded: [UInt8] {
            var encoder = StateEncoder()
            for number in [first, count, bytes, dropped] { encoder.append(number) }
            return encoder.bytes
        }
    }

    private static let accountKey: [UInt8] = []

    /// Rows are in the order of their numbers.
    private static func key(_ number: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }

    /// Keeps what one transaction has found.
    ///
    /// - Parameter page: As ``JournalPage/encoded()`` makes it.
    /// - Complexity: O(1) amortized.
    static func append(_ page: [UInt8], _ writer: any ReplicaStoreWriter) throws {
        var account = try Account(writer) ?? Account()
        try writer.setRow(StoreRow(key: key(account.first + account.count), content: page), in: .unheard)
        account.count += 1
        account.bytes += UInt64(page.count)
        while account.count > maximumTransactions || account.bytes > maximumBytes, account.count > 0 {
            if let oldest = try writer.row(key(account.first), in: .unheard) {
                account.bytes -= min(account.bytes, UInt64(oldest.content.count))
                account.dropped += UInt64(try [JournalEvent](encoded: oldest.content).count)
                try writer.removeRow(oldest.key, from: .unheard)
            }
            account.first += 1
            account.count -= 1
        }
        try writer.setRow(StoreRow(key: accountKey, content: account.encoded), in: .unheard)
    }

    /// Hands over what was kept, oldest first, and keeps it no longer.
    ///
    /// - Parameter milliseconds: The time at which what was dropped is told.
    static func take(at milliseconds: Int64, _ writer: any ReplicaStoreWriter) throws -> [JournalEvent] {
        guard let account = try Account(writer) else { return [] }
        var events: [JournalEvent] = account.dropped > 0 ? [.dropped(Int(clamping: account.dropped), at: milliseconds)] : []
        for number in account.first..<account.first + account.count {
            guard let row = try writer.row(key(number), in: .unheard) else { continue }
            events += try [JournalEvent](encoded: row.content)
            try writer.removeRow(row.key, from: .unheard)
        }
        try writer.removeRow(accountKey, from: .unheard)
        return events
    }
}
