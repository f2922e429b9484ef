import ConflictAudit
import SyncLines

/// Lines in which a log gives account: statistics, and what became of its lines.
///
/// They are few, so that a key is looked for among all one after the other. But statistics are long: a report needs little of them, and yet
/// all of it must be sound.
extension LineScanner {
    /// What such a line has said so far.
    struct Account {
        var event: EventName?
        var isDated = false
        /// Whether it says that the log was opened or rotated, and whether it says anything of the log.
        var isTurn = false
        var isNote = false
        var writes: Int64 = 0
        /// -1 where the line does not say.
        var contexts: Int64 = -1
        var reverts: Int64 = 0
        var dropped: Int64 = 0
    }

    /// Reads such a line, its keys in any order.
    ///
    /// - Returns: The position behind its line break, or nil where it is no such line or not an ordinary one.
    @inline(never) mutating func account(_ start: LineCursor) -> LineCursor? {
        var cursor = start
        var account = Account()
        line.known = KeySet()
        open.clear()
        let isSound = consumeMembers(&cursor) { scanner, key, cursor in scanner.consumeMember(key, &cursor, &account) }
        cursor.skipSpace()
        guard isSound, cursor.consume(0x0a), account.isDated else { return nil }
        switch account.event {
        case .statistics:
            line.event = Int(ScannedLine.Content.statistics.rawValue)
            line.count = account.writes
            line.contexts = account.contexts
            line.gap = account.reverts
        case .log:
            guard account.isNote else { return nil }
            line.event = Int(ScannedLine.Content.log.rawValue)
            line.count = account.isTurn ? 0 : account.dropped
        default: return nil
        }
        line.known.insert(KeySet([.timestamp, .event]))
        return cursor
    }

    private mutating func consumeMember(_ key: LineCursor.Text, _ cursor: inout LineCursor, _ account: inout Account) -> Bool {
        let isAny = { (names: [StaticString]) in names.contains { key.equals($0) } }
        if key.equals("v") { return cursor.wholeNumber() == 1 }
        if key.equals("seq") { return cursor.positiveNumber() != nil }
        if key.equals("ts") {
            account.isDated = true
            return cursor.consume(UInt8(ascii: "\"")) && Self.consume(cursor.timestamp(&days), &line.milliseconds)
        }
        if key.equals("source") {
            guard cursor.consume(UInt8(ascii: "\"")), let text = cursor.text(), text.isPlain else { return false }
            line.source = text
            return line.known.insert(.source)
        }
        if key.equals("event") {
            account.event = cursor.consume(#""statistics""#) ? .statistics : cursor.consume(#""log""#) ? .log : nil
            return account.event != nil
        }
        if ConflictStatistics.counters.contains(where: { key.equals($0.key) }) { return cursor.wholeNumber() != nil }
        if isAny(ConflictStatistics.breakdowns.map(\.key) + ["recordTypes", "winningDevices", "losingDevices"]) {
            return consumeMembers(&cursor) { _, _, cursor in cursor.wholeNumber() != nil }
        }
        if key.equals("fields") { return consumeCounts(&cursor, of: "recordType", and: "field", isOptional: true) }
        if key.equals("devicePairs") { return consumeCounts(&cursor, of: "winner", and: "loser", isOptional: false) }
        if key.equals("gaps") { return gaps(&cursor) != nil }
        if isAny(["firstConflict", "lastConflict"]) { return cursor.consume(UInt8(ascii: "\"")) && cursor.timestamp(&days) != nil }
        if key.equals("writesObserved") { return Self.consume(cursor.wholeNumber(), &account.writes) }
        if key.equals("writesWithContext") { return Self.consume(cursor.wholeNumber(), &account.contexts) }
        if key.equals("reverts") { return Self.consume(cursor.wholeNumber(), &account.reverts) }
        guard isAny(["opened", "rotated", "dropped", "truncated", "recovered"]) else { return cursor.skipValue(depth: 1, &open) }
        account.isNote = true
        if isAny(["opened", "rotated"]) {
            account.isTurn = true
            return cursor.truth() == true
        }
        return key.equals("dropped") ? Self.consume(cursor.wholeNumber(), &account.dropped) : cursor.wholeNumber() != nil
    }

    private static func consume(_ number: Int64?, _ count: inout Int64) -> Bool {
        guard let number else { return false }
        count = number
        return true
    }

    /// Consumes an object, all of whose keys must be plain and different.
    private mutating func consumeMembers(
        _ cursor: inout LineCursor, _ consumeValue: (inout LineScanner, LineCursor.Text, inout LineCursor) -> Bool
    ) -> Bool {
        let mark = open.count
        var (last, isSorted) = (LineCursor.Text.none, true)
        var separator = cursor.opening()
        while separator == .comma {
            guard let key = cursor.key() else { return false }
            // None occurs twice if they stand in their order, which many may; or if all are known.
            isSorted = isSorted && (open.count == mark || last.precedes(key))
            last = key
            guard open.push(key, above: mark) || isSorted, consumeValue(&self, key, &cursor) else { return false }
            separator = cursor.separator()
        }
        open.pop(to: mark)
        return separator == .end
    }

    mutating func consumeList(_ cursor: inout LineCursor, _ consumeElement: (inout LineScanner, inout LineCursor) -> Bool) -> Bool {
        guard cursor.consume(UInt8(ascii: "[")) else { return false }
        cursor.skipSpace()
        if cursor.consume(UInt8(ascii: "]")) { return true }
        repeat {
            cursor.skipSpace()
            guard consumeElement(&self, &cursor) else { return false }
            cursor.skipSpace()
        } while cursor.consume(UInt8(ascii: ","))
        return cursor.consume(UInt8(ascii: "]"))
    }

    /// Consumes a list of counts by two names.
    private mutating func consumeCounts(
        _ cursor: inout LineCursor, of first: StaticString, and second: StaticString, isOptional: Bool
    ) -> Bool {
        consumeList(&cursor) { scanner, cursor in
            var (hasFirst, hasSecond, hasCount) = (false, isOptional, false)
            let isSound = scanner.consumeMembers(&cursor) { _, key, cursor in
                if key.equals("count") {
                    hasCount = true
                    // Not so many that the counts of a line could add up to more than a number holds.
                    return cursor.wholeNumber().map { $0 <= Int64(UInt32.max) } ?? false
                }
                if key.equals(first) { hasFirst = true } else if key.equals(second) { hasSecond = true } else { return false }
                return cursor.consume(UInt8(ascii: "\"")) && cursor.text() != nil
            }
            return isSound && hasFirst && hasSecond && hasCount
        }
    }

    /// Consumes a histogram; nil where it is none, or contradicts itself.
    mutating func gaps(_ cursor: inout LineCursor) -> GapHistogram? {
        var (minimum, maximum) = (Int64?.none, Int64?.none)
        var hasBuckets = false
        buckets.removeAll(keepingCapacity: true)
        let isSound = consumeMembers(&cursor) { scanner, key, cursor in
            if key.equals("minMs") {
                minimum = cursor.wholeNumber()
                return minimum != nil
            }
            if key.equals("maxMs") {
                maximum = cursor.wholeNumber()
                return maximum != nil
            }
            hasBuckets = true
            return key.equals("buckets")
                && scanner.consumeList(&cursor) { scanner, cursor in
                    guard cursor.consume(UInt8(ascii: "[")), let index = cursor.wholeNumber(), cursor.consume(UInt8(ascii: ",")) else {
                        return false
                    }
                    cursor.skipSpace()
                    guard let count = cursor.wholeNumber(), cursor.consume(UInt8(ascii: "]")) else { return false }
                    scanner.buckets.append((Int(clamping: index), Int(clamping: count)))
                    return true
                }
        }
        return isSound && hasBuckets ? GapHistogram(buckets: buckets, minimum: minimum, maximum: maximum) : nil
    }
}
