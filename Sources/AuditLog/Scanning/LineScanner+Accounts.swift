import ConflictAudit

/// Lines in which a log gives account: statistics, and what became of its lines.
///
/// They are taken in the form that our writer gives them, since statistics are long: what the report needs of them is little, but all must be sound.
extension LineScanner {
    /// Takes the members behind the event.
    @inline(never) mutating func takeAccount(_ cursor: inout LineCursor) -> Bool {
        line.count = 0
        guard line.event == Int(ScannedLine.Content.log.rawValue) else { return takeStatistics(&cursor) }
        if cursor.take(#","opened":true"#) || cursor.take(#","rotated":true"#) { return true }
        if cursor.take(#","dropped":"#) {
            guard let count = cursor.wholeNumber() else { return false }
            line.count = count
            return true
        }
        return (cursor.take(#","truncated":"#) || cursor.take(#","recovered":"#)) && cursor.wholeNumber() != nil
    }

    private mutating func takeStatistics(_ cursor: inout LineCursor) -> Bool {
        guard cursor.take(#","total":"#), cursor.wholeNumber() != nil, cursor.take(#","autoResolved":"#), cursor.wholeNumber() != nil,
            cursor.take(#","unresolved":"#), cursor.wholeNumber() != nil, cursor.take(#","dataLost":"#), cursor.wholeNumber() != nil,
            cursor.take(#","clockSuspect":"#), cursor.wholeNumber() != nil, cursor.take(#","withinWindow":"#), cursor.wholeNumber() != nil,
            cursor.take(#","outsideWindow":"#), cursor.wholeNumber() != nil,
            cursor.take(#","writesObserved":"#), let writes = cursor.wholeNumber()
        else { return false }
        line.count = writes
        if cursor.take(#","firstConflict":""#), cursor.moment(days) == nil { return false }
        if cursor.take(#","lastConflict":""#), cursor.moment(days) == nil { return false }
        return cursor.take(#","kinds":"#) && takeCountsOfWords(&cursor) && cursor.take(#","severities":"#) && takeCountsOfWords(&cursor)
            && cursor.take(#","bases":"#) && takeCountsOfWords(&cursor) && cursor.take(#","reasons":"#) && takeCountsOfWords(&cursor)
            && cursor.take(#","recordTypes":"#) && Self.takeCountsOfNames(&cursor)
            && cursor.take(#","winningDevices":"#) && Self.takeCountsOfNames(&cursor)
            && cursor.take(#","losingDevices":"#) && Self.takeCountsOfNames(&cursor)
            && cursor.take(#","fields":"#) && Self.takeList(&cursor, Self.takeField)
            && cursor.take(#","devicePairs":"#) && Self.takeList(&cursor, Self.takePair)
            && cursor.take(#","gaps":"#) && Self.takeGaps(&cursor)
    }

    /// Takes an object of counts whose keys are few.
    private mutating func takeCountsOfWords(_ cursor: inout LineCursor) -> Bool {
        open.clear()
        defer { open.clear() }
        guard cursor.take(UInt8(ascii: "{")) else { return false }
        if cursor.take(UInt8(ascii: "}")) { return true }
        repeat {
            guard let key = cursor.key(), open.push(key, above: 0), cursor.wholeNumber() != nil else { return false }
        } while cursor.take(UInt8(ascii: ","))
        return cursor.take(UInt8(ascii: "}"))
    }

    /// Takes an object of counts whose keys stand in their order, so that none stands twice.
    private static func takeCountsOfNames(_ cursor: inout LineCursor) -> Bool {
        guard cursor.take(UInt8(ascii: "{")) else { return false }
        if cursor.take(UInt8(ascii: "}")) { return true }
        guard var last = cursor.key(), cursor.wholeNumber() != nil else { return false }
        while cursor.take(UInt8(ascii: ",")) {
            guard let key = cursor.key(), last.precedes(key), cursor.wholeNumber() != nil else { return false }
            last = key
        }
        return cursor.take(UInt8(ascii: "}"))
    }

    private static func takeList(_ cursor: inout LineCursor, _ takeElement: (inout LineCursor) -> Bool) -> Bool {
        guard cursor.take(UInt8(ascii: "[")) else { return false }
        if cursor.take(UInt8(ascii: "]")) { return true }
        repeat {
            guard takeElement(&cursor) else { return false }
        } while cursor.take(UInt8(ascii: ","))
        return cursor.take(UInt8(ascii: "]"))
    }

    private static func takeField(_ cursor: inout LineCursor) -> Bool {
        guard cursor.take(#"{"recordType":""#), cursor.text() != nil else { return false }
        if cursor.take(#","field":""#), cursor.text() == nil { return false }
        return takeCount(&cursor)
    }

    private static func takePair(_ cursor: inout LineCursor) -> Bool {
        cursor.take(#"{"winner":""#) && cursor.text() != nil && cursor.take(#","loser":""#) && cursor.text() != nil && takeCount(&cursor)
    }

    /// Takes the last member of an element and what closes it.
    private static func takeCount(_ cursor: inout LineCursor) -> Bool {
        // Not so many that the counts of a line could add up to more than a number holds.
        guard cursor.take(#","count":"#), let count = cursor.wholeNumber(), count <= Int64(UInt32.max) else { return false }
        return cursor.take(UInt8(ascii: "}"))
    }

    /// Takes a histogram of which `GapHistogram` would say that it does not contradict itself.
    private static func takeGaps(_ cursor: inout LineCursor) -> Bool {
        if cursor.take(#"{"buckets":[]}"#) { return true }
        guard cursor.take(#"{"minMs":"#), let minimum = cursor.wholeNumber(), cursor.take(#","maxMs":"#), let maximum = cursor.wholeNumber(),
            minimum <= maximum, cursor.take(#","buckets":"#), cursor.take(UInt8(ascii: "["))
        else { return false }
        let first = Int64(GapHistogram.bucket(of: minimum))
        var last: Int64?
        repeat {
            guard cursor.take(UInt8(ascii: "[")), let bucket = cursor.wholeNumber(), bucket < GapHistogram.bucketCount,
                last.map({ bucket > $0 }) ?? (bucket == first), cursor.take(UInt8(ascii: ",")), cursor.positiveNumber() != nil,
                cursor.take(UInt8(ascii: "]"))
            else { return false }
            last = bucket
        } while cursor.take(UInt8(ascii: ","))
        return last == Int64(GapHistogram.bucket(of: maximum)) && cursor.take(UInt8(ascii: "]")) && cursor.take(UInt8(ascii: "}"))
    }
}
