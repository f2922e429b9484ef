import ConflictAudit
import SyncLines

/// Consumes what is where our writer puts it.
///
/// Keys that are known beforehand cost a comparison with words that stand in the code; members whose keys mean nothing may stand between
/// them. Nothing depends on them: where anything is otherwise, the scanner goes on from the last member that was taken.
extension LineScanner {
    /// Consumes what every line of our writer begins with, the event included; otherwise nothing.
    @inline(__always) mutating func consumeUsualStart(_ cursor: inout LineCursor) -> Bool {
        var next = cursor
        isForDecoder = false
        guard next.consume(#"{"v":1,"ts":""#) || next.goTo(afterLateStart(cursor)),
            let timestamp = next.timestamp(&days), consume(#","seq":"#, meaning, &next), next.skipWholeNumber(from: 1),
            consume(#","source":""#, meaning, &next), let source = next.text(), source.isPlain,
            consume(#","event":""#, meaning, &next), let event = events.consume(&next)
        else {
            others.clear()
            return false
        }
        guard areRead[event] else {
            others.clear()
            isForDecoder = event != Int(ScannedLine.Content.statistics.rawValue) && event != Int(ScannedLine.Content.log.rawValue)
            return false
        }
        line.milliseconds = timestamp
        line.source = source
        line.event = event
        line.known = usual.start
        cursor = next
        return true
    }

    /// Consumes the version and the key of the time where members that mean nothing come before either.
    @inline(never) private mutating func afterLateStart(_ start: LineCursor) -> LineCursor? {
        var cursor = start
        guard cursor.opening() == .comma else { return nil }
        if cursor.goTo(afterOthers(cursor, meaning, above: 0, depth: 1)), cursor.separator() != .comma { return nil }
        return cursor.consume(#"v":1"#) && consume(#","ts":""#, meaning, &cursor) ? cursor : nil
    }

    /// Consumes the key of a member and what opens its value, and before it any members whose keys mean nothing.
    @inline(__always) private mutating func consume(_ key: StaticString, _ meaning: KeySet, _ cursor: inout LineCursor) -> Bool {
        cursor.consume(key) || cursor.goTo(behindOthers(cursor, meaning)) && cursor.consume(key)
    }

    /// The same of a member of a conflict.
    @inline(__always) private mutating func consume(_ key: StaticString, _ cursor: inout LineCursor) -> Bool {
        consume(key, meanings[Int(ScannedLine.Content.conflict.rawValue)], &cursor)
    }

    /// Consumes the same of a member that may be missing.
    ///
    /// - Parameter following: The key of the next member that is never missing.
    @inline(__always) private mutating func consume(_ key: StaticString, orLeave following: Literal, _ cursor: inout LineCursor) -> Bool {
        cursor.consume(key) || !cursor.isAt(following) && consume(key, &cursor)
    }

    /// Passes over members whose keys mean nothing; nil where there are none.
    @inline(never) private mutating func behindOthers(_ start: LineCursor, _ meaning: KeySet) -> LineCursor? {
        var cursor = start
        return cursor.separator() == .comma ? afterOthers(cursor, meaning, above: 0, depth: 1) : nil
    }

    /// Consumes the members of a conflict behind the event, as far as they stand in the order of our writer.
    @inline(__always) mutating func consumeUsualConflict(_ cursor: inout LineCursor) {
        var taken = others.count
        if consumeNames(&cursor, &taken), consumeSides(&cursor, &taken), consumeDecision(&cursor) { return }
        // What was passed over behind the last member taken is read again.
        others.pop(to: taken)
        open.clear()
    }

    /// Consumes the members of a write behind the event, up to its values and as far as they stand in the order of our writer.
    @inline(__always) mutating func consumeUsualWrite(_ cursor: inout LineCursor) {
        var next = cursor
        let taken = others.count
        let meaning = meanings[Int(ScannedLine.Content.write.rawValue)]
        guard consume(#","device":""#, meaning, &next), let device = next.text(), device.isPlain, device.count > 0,
            consume(#","n":"#, meaning, &next), let number = next.positiveNumber(),
            consume(#","counter":"#, meaning, &next), next.skipWholeNumber(to: Int64(UInt32.max)),
            consume(#","recordType":""#, meaning, &next), let type = next.text(), type.isPlain, type.count > 0,
            consume(#","recordID":""#, meaning, &next), let record = next.text(), record.isPlain,
            consume(#","op":""#, meaning, &next), let operation = operations.consume(&next)
        else {
            others.pop(to: taken)
            return
        }
        line.device = device
        line.number = number
        line.recordType = type
        line.recordID = record
        line.isDelete = operation == 1
        line.known.insert(usual.write)
        cursor = next
    }

    /// - Parameter taken: How many members that mean nothing have been passed over before the last one taken.
    @inline(__always) private mutating func consumeNames(_ cursor: inout LineCursor, _ taken: inout Int) -> Bool {
        var next = cursor
        guard consume(#","id":""#, &next), let id = next.hexadecimal(), let classes = consumeClasses(&next),
            let type = next.text(), type.isPlain, type.count > 0,
            consume(#","recordID":""#, &next), let record = next.text(), record.isPlain
        else { return false }
        line.id = id
        line.kind = Int(classes.kind)
        line.severity = Int(classes.severity)
        line.basis = Int(classes.basis)
        line.recordType = type
        line.recordID = record
        line.known.insert(usual.names)
        goOn(to: next, &cursor, &taken)
        if consume(#","field":""#, orLeave: usual.winner, &next) {
            guard let field = next.text(), field.isPlain else { return false }
            line.field = field
            _ = line.known.insert(.field)
            goOn(to: next, &cursor, &taken)
        }
        if consume(#","related":"#, orLeave: usual.winner, &next) {
            guard next.goTo(afterRelated(next)) else { return false }
            _ = line.known.insert(.related)
            goOn(to: next, &cursor, &taken)
        }
        return true
    }

    /// Goes on behind a member that was taken.
    @inline(__always) private func goOn(to next: LineCursor, _ cursor: inout LineCursor, _ taken: inout Int) {
        cursor = next
        taken = others.count
    }

    /// Consumes what is between the id and the type of the record.
    @inline(__always) private mutating func consumeClasses(_ cursor: inout LineCursor) -> Classes? {
        // Where the words stand that may differ.
        var sample = cursor.word(10)
        sample = sample &* 3 ^ cursor.word(37)
        sample = sample &* 3 ^ cursor.word(53)
        sample = sample &* 3 ^ cursor.word(61)
        return classes.consume(&cursor, sample, isLong: false) ?? readClasses(&cursor, sample)
    }

    @inline(never) private mutating func readClasses(_ cursor: inout LineCursor, _ sample: UInt64) -> Classes? {
        var next = cursor
        let passedOver = others.count
        guard next.consume(UInt8(ascii: "\"")), consume(#","kind":""#, &next), let kind = kinds.consume(&next),
            consume(#","severity":""#, &next), let severity = severities.consume(&next),
            consume(#","basis":""#, &next), let basis = bases.consume(&next),
            consume(#","recordType":""#, &next)
        else { return nil }
        let result = Classes(kind: UInt8(kind), severity: UInt8(severity), basis: UInt8(basis))
        if others.count == passedOver { classes.remember(cursor, to: next, sample, isLong: false, result) }
        cursor = next
        return result
    }

    @inline(__always) private mutating func consumeSides(_ cursor: inout LineCursor, _ taken: inout Int) -> Bool {
        var next = cursor
        guard consume(#","winner":"#, &next), next.goTo(afterSide(next, Self.winner)), consume(#","loser":"#, &next),
            next.goTo(afterSide(next, Self.loser))
        else { return false }
        line.known.insert(usual.sides)
        goOn(to: next, &cursor, &taken)
        if consume(#","ancestor":"#, orLeave: usual.gap, &next) {
            guard next.skipObject(depth: 1, &open) else { return false }
            _ = line.known.insert(.ancestor)
            goOn(to: next, &cursor, &taken)
        }
        if consume(#","result":"#, orLeave: usual.gap, &next) {
            guard next.skipValue(depth: 1, &open) else { return false }
            _ = line.known.insert(.result)
            goOn(to: next, &cursor, &taken)
        }
        return true
    }

    /// Reads a side of a conflict as our writer writes it.
    @inline(__always) mutating func afterUsualSide(_ start: LineCursor, _ number: Int) -> LineCursor? {
        var cursor = start
        guard cursor.consume(#"{"device":""#), let device = cursor.text(), device.isPlain, device.count > 0,
            cursor.consume(#","n":"#), let sequence = cursor.positiveNumber(), cursor.consume(#","ts":""#),
            let timestamp = cursor.timestamp(&days),
            cursor.consume(#","counter":0,"op":"put""#) || consumeCounterAndOperation(&cursor)
        else { return nil }
        if cursor.consume(#","value":"#), !cursor.skipValue(depth: 2, &open) { return nil }
        var app = LineCursor.Text.none
        if cursor.consume(#","app":""#) {
            guard let text = cursor.text(), text.canBeVersion else { return nil }
            app = text
        }
        sides[number] = Side(device: device, number: sequence, milliseconds: timestamp, app: app)
        return cursor.consume(UInt8(ascii: "}")) ? cursor : nil
    }

    private func consumeCounterAndOperation(_ cursor: inout LineCursor) -> Bool {
        cursor.consume(#","counter":"#) && cursor.skipWholeNumber(to: Int64(UInt32.max)) && cursor.consume(#","op":""#)
            && operations.consume(&cursor) != nil
    }

    @inline(__always) private mutating func consumeDecision(_ cursor: inout LineCursor) -> Bool {
        var next = cursor
        guard consume(#","gapMs":"#, &next), let gap = next.wholeNumber() else { return false }
        // The words of all that differs where the policy has a name of usual length; they may belong to the next line.
        var sample = next.word(16)
        var offset = 80
        while offset < 152 {
            sample = sample &* 3 ^ next.word(offset)
            offset += 8
        }
        guard let decision = decisions.consume(&next, sample, isLong: true) ?? readDecision(&next, sample) else { return false }
        line.gap = gap
        line.resolution = Int(decision.resolution)
        line.reason = Int(decision.reason)
        line.flags = decision.flags
        line.known.insert(usual.decision)
        cursor = next
        return true
    }

    @inline(never) private mutating func readDecision(_ cursor: inout LineCursor, _ sample: UInt64) -> Decision? {
        var next = cursor
        let passedOver = others.count
        guard consume(#","withinWindow":"#, &next), let isWithin = next.truth(),
            consume(#","windowMs":"#, &next), next.skipWholeNumber(), consume(#","policy":""#, &next), next.text() != nil,
            consume(#","resolution":""#, &next), let resolution = resolutions.consume(&next),
            consume(#","reason":""#, &next), let reason = reasons.consume(&next), consume(#","auto":"#, &next), next.truth() != nil,
            consume(#","clockSuspect":"#, &next), let isSuspect = next.truth()
        else { return nil }
        var result = Decision(resolution: UInt8(resolution), reason: UInt8(reason))
        result.flags[.withinWindow] = isWithin
        result.flags[.clockSuspect] = isSuspect
        if others.count == passedOver { decisions.remember(cursor, to: next, sample, isLong: true, result) }
        cursor = next
        return result
    }
}

/// What sort of conflict it is, each word as its index in its list.
struct Classes: BitwiseCopyable {
    var kind: UInt8 = 0
    var severity: UInt8 = 0
    var basis: UInt8 = 0
}

/// How a conflict was decided, each word as its index in its list.
struct Decision: BitwiseCopyable {
    var resolution: UInt8 = 0
    var reason: UInt8 = 0
    var flags = Conflict.Flags()
}

/// The keys that are taken together, worked out once.
struct UsualKeys {
    let winner = Literal(#","winner":"#)
    let gap = Literal(#","gapMs":"#)
    let start = KeySet([.version, .timestamp, .sequence, .source, .event])
    let write = KeySet([.device, .number, .counter, .recordType, .recordID, .operation])
    let names = KeySet([.id, .kind, .severity, .basis, .recordType, .recordID])
    let sides = KeySet([.winner, .loser])
    let decision = KeySet([.gap, .withinWindow, .window, .policy, .resolution, .reason, .automatic, .clockSuspect])
}
