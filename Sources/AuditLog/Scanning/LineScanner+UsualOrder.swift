/// Takes what stands where our writer puts it.
///
/// Keys that are known beforehand cost a comparison with words that stand in the code. Nothing depends on them: where anything is otherwise, the scanner
/// goes on from the last member that was taken.
extension LineScanner {
    /// Takes what every line of our writer begins with, the event included; otherwise nothing.
    @inline(__always) mutating func takeUsualStart(_ cursor: inout LineCursor) -> Bool {
        var next = cursor
        guard next.take(#"{"v":1,"ts":""#), takeUsualStart(behindTimeKey: &next) else { return false }
        cursor = next
        return true
    }

    /// Takes the same from the time on; otherwise nothing that matters.
    @inline(__always) mutating func takeUsualStart(behindTimeKey next: inout LineCursor) -> Bool {
        guard let moment = next.moment(days), next.take(#","seq":"#), next.skipWholeNumber(from: 1),
            next.take(#","source":""#), let source = next.text(), source.isPlain, next.take(#","event":""#), let event = events.take(&next),
            event < Int(ScannedLine.Content.statistics.rawValue)
        else { return false }
        line.milliseconds = moment
        line.source = source
        line.event = event
        line.known = usual.start
        return true
    }

    /// Takes the members of a conflict behind the event, as far as they stand in the order of our writer.
    @inline(__always) mutating func takeUsualConflict(_ cursor: inout LineCursor) {
        guard takeNames(&cursor), takeSides(&cursor) else {
            open.clear()
            return
        }
        takeDecision(&cursor)
    }

    /// Takes the members of a write behind the event, up to its values and as far as they stand in the order of our writer.
    @inline(__always) mutating func takeUsualWrite(_ cursor: inout LineCursor) {
        var next = cursor
        guard next.take(#","device":""#), let device = next.text(), device.isPlain, device.count > 0,
            next.take(#","n":"#), let number = next.positiveNumber(),
            next.take(#","counter":"#), next.skipWholeNumber(to: Int64(UInt32.max)),
            next.take(#","recordType":""#), let type = next.text(), type.isPlain, type.count > 0,
            next.take(#","recordID":""#), let record = next.text(), record.isPlain,
            next.take(#","op":""#), let operation = operations.take(&next)
        else { return }
        line.device = device
        line.number = number
        line.recordType = type
        line.recordID = record
        line.isDelete = operation == 1
        line.known.insert(usual.write)
        cursor = next
    }

    @inline(__always) private mutating func takeNames(_ cursor: inout LineCursor) -> Bool {
        var next = cursor
        guard next.take(#","id":""#), let id = next.hexadecimal(), let classes = takeClasses(&next),
            let type = next.text(), type.isPlain, type.count > 0,
            next.take(#","recordID":""#), let record = next.text(), record.isPlain
        else { return false }
        line.id = id
        line.kind = Int(classes.kind)
        line.severity = Int(classes.severity)
        line.basis = Int(classes.basis)
        line.recordType = type
        line.recordID = record
        line.known.insert(usual.names)
        cursor = next
        if next.take(#","field":""#) {
            guard let field = next.text(), field.isPlain else { return false }
            line.field = field
            _ = line.known.insert(.field)
            cursor = next
        }
        if next.take(#","related":"#) {
            guard next.goTo(afterRelated(next)) else { return false }
            _ = line.known.insert(.related)
            cursor = next
        }
        return true
    }

    /// Takes what stands between the id and the type of the record.
    @inline(__always) private mutating func takeClasses(_ cursor: inout LineCursor) -> Classes? {
        // Where the words stand that may differ.
        var sample = cursor.word(10)
        sample = sample &* 3 ^ cursor.word(37)
        sample = sample &* 3 ^ cursor.word(53)
        sample = sample &* 3 ^ cursor.word(61)
        return classes.take(&cursor, sample, isLong: false) ?? readClasses(&cursor, sample)
    }

    @inline(never) private mutating func readClasses(_ cursor: inout LineCursor, _ sample: UInt64) -> Classes? {
        var next = cursor
        guard next.take(#"","kind":""#), let kind = kinds.take(&next),
            next.take(#","severity":""#), let severity = severities.take(&next), next.take(#","basis":""#), let basis = bases.take(&next),
            next.take(#","recordType":""#)
        else { return nil }
        let result = Classes(kind: UInt8(kind), severity: UInt8(severity), basis: UInt8(basis))
        classes.remember(cursor, to: next, sample, isLong: false, result)
        cursor = next
        return result
    }

    @inline(__always) private mutating func takeSides(_ cursor: inout LineCursor) -> Bool {
        var next = cursor
        guard next.take(#","winner":"#), next.goTo(afterSide(next, Self.winner)), next.take(#","loser":"#),
            next.goTo(afterSide(next, Self.loser))
        else { return false }
        line.known.insert(usual.sides)
        cursor = next
        if next.take(#","ancestor":"#) {
            guard next.skipObject(depth: 1, &open) else { return false }
            _ = line.known.insert(.ancestor)
            cursor = next
        }
        if next.take(#","result":"#) {
            guard next.skipValue(depth: 1, &open) else { return false }
            _ = line.known.insert(.result)
            cursor = next
        }
        return true
    }

    /// Reads a side of a conflict as our writer writes it.
    @inline(__always) mutating func afterUsualSide(_ start: LineCursor, _ number: Int) -> LineCursor? {
        var cursor = start
        guard cursor.take(#"{"device":""#), let device = cursor.text(), device.isPlain, device.count > 0,
            cursor.take(#","n":"#), cursor.skipWholeNumber(from: 1), cursor.take(#","ts":""#), let moment = cursor.moment(days),
            cursor.take(#","counter":0,"op":"put""#) || takeCounterAndOperation(&cursor)
        else { return nil }
        if cursor.take(#","value":"#), !cursor.skipValue(depth: 2, &open) { return nil }
        var app = LineCursor.Text.none
        if cursor.take(#","app":""#) {
            guard let text = cursor.text(), text.canBeVersion else { return nil }
            app = text
        }
        sides[number] = Side(device: device, milliseconds: moment, app: app)
        return cursor.take(UInt8(ascii: "}")) ? cursor : nil
    }

    private func takeCounterAndOperation(_ cursor: inout LineCursor) -> Bool {
        cursor.take(#","counter":"#) && cursor.skipWholeNumber(to: Int64(UInt32.max)) && cursor.take(#","op":""#)
            && operations.take(&cursor) != nil
    }

    @inline(__always) private mutating func takeDecision(_ cursor: inout LineCursor) {
        var next = cursor
        guard next.take(#","gapMs":"#), let gap = next.wholeNumber() else { return }
        // The words of all that differs where the policy has a name of usual length; they may belong to the next line.
        var sample = next.word(16)
        var place = 80
        while place < 152 {
            sample = sample &* 3 ^ next.word(place)
            place += 8
        }
        guard let decision = decisions.take(&next, sample, isLong: true) ?? readDecision(&next, sample) else { return }
        line.gap = gap
        line.withinWindow = decision.isWithinWindow
        line.resolution = Int(decision.resolution)
        line.reason = Int(decision.reason)
        line.clockSuspect = decision.isClockSuspect
        line.known.insert(usual.decision)
        cursor = next
    }

    @inline(never) private mutating func readDecision(_ cursor: inout LineCursor, _ sample: UInt64) -> Decision? {
        var next = cursor
        guard next.take(#","withinWindow":"#), let isWithin = next.truth(),
            next.take(#","windowMs":"#), next.skipWholeNumber(), next.take(#","policy":""#), next.text() != nil,
            next.take(#","resolution":""#), let resolution = resolutions.take(&next),
            next.take(#","reason":""#), let reason = reasons.take(&next), next.take(#","auto":"#), next.truth() != nil,
            next.take(#","clockSuspect":"#), let isSuspect = next.truth()
        else { return nil }
        let result = Decision(
            isWithinWindow: isWithin, resolution: UInt8(resolution), reason: UInt8(reason), isClockSuspect: isSuspect)
        decisions.remember(cursor, to: next, sample, isLong: true, result)
        cursor = next
        return result
    }
}

/// What sort of conflict it is, each word as its place in its list.
struct Classes: BitwiseCopyable {
    var kind: UInt8 = 0
    var severity: UInt8 = 0
    var basis: UInt8 = 0
}

/// How a conflict was decided, each word as its place in its list.
struct Decision: BitwiseCopyable {
    var isWithinWindow = false
    var resolution: UInt8 = 0
    var reason: UInt8 = 0
    var isClockSuspect = false
}

/// The keys that are taken together, worked out once.
struct UsualKeys {
    let start = KeySet([.version, .moment, .sequence, .source, .event])
    let write = KeySet([.device, .number, .counter, .recordType, .recordID, .operation])
    let names = KeySet([.id, .kind, .severity, .basis, .recordType, .recordID])
    let sides = KeySet([.winner, .loser])
    let decision = KeySet([.gap, .withinWindow, .window, .policy, .resolution, .reason, .automatic, .clockSuspect])
}
