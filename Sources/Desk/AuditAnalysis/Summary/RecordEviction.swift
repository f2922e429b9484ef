import SyncBytes

/// Which records are forgotten once more have been counted than there is room for, so that those with the most conflicts remain.
///
/// When the table is full, every record pays as many conflicts as the record in the middle has, and those that cannot pay go. A record that
/// came later owes only what was asked for since. So a count is too low by ``missing`` at most, which is no more than the conflicts counted
/// divided by half of the records that there is room for.
///
/// Source: Misra and Gries, *Finding repeated elements*, 1982; emptying half of the table at a time: Anderson, Bevan, Lang, Liberty, Rhodes
/// and Thaler, *A high-performance algorithm for identifying frequent items in data streams*, 2017.
struct RecordEviction {
    /// What any record may have lost.
    private(set) var missing = 0
    /// What had been asked for when each record came, by its number.
    private var entered: [UInt32] = []

    /// Enters the records that have come since.
    mutating func enter(upTo count: Int) {
        while entered.count < count { entered.append(UInt32(clamping: missing)) }
    }

    /// Takes what every record can pay.
    ///
    /// - Parameters:
    ///   - counts: The conflicts of each record since it came, by its number.
    ///   - room: How many records may remain at most.
    /// - Returns: The numbers of the records that remain, in order; from now on these are their numbers.
    mutating func evict(_ counts: [Int], room: Int) -> [Int] {
        enter(upTo: counts.count)
        let credits = counts.indices.map { counts[$0] - (missing - Int(entered[$0])) }
        let price = Self.price(credits, room: room)
        let kept = credits.indices.filter { credits[$0] > price }
        missing += price
        entered = kept.map { entered[$0] }
        return kept
    }

    /// The count that no more than `room` records exceed.
    static func price(_ credits: [Int], room: Int) -> Int {
        guard credits.count > room else { return 0 }
        return max(0, credits.ordered(by: >)[room])
    }
}
