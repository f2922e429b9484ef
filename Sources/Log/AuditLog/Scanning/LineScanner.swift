import ConflictAudit
import SyncLines
import SyncModel

/// Reads lines for counting, in one pass over their bytes and without building anything from them.
///
/// Keys may come in any order, and those that mean nothing are passed over; those of our own writer are looked for where it puts them. A
/// line that is in any way out of the ordinary (an unknown event, an escape in a name, anything wrong) is none of its business and is left
/// to `LineDecoder`; what it does return is what that would have returned. It cannot be copied, since its tables are memory that one user
/// alone may have.
package struct LineScanner: ~Copyable {
    package private(set) var names = ScannedNames()
    private let known = KnownNames()
    private var dots = NameMemo<DotHash>(limit: 4096)
    private let numbersDevices: Bool
    private let numbersWriters: Bool
    private let numbersRecords: Bool
    /// Those of the lines scanned last that are about sync itself, in their order.
    package internal(set) var syncLines: [SyncLine] = []
    var words = NameMemo<String>(limit: 4096)

    /// The lines scanned last.
    private let lines = Memory(repeating: ScannedLine(), count: Self.linesAtATime)
    private var count = 0
    /// The names of the records of conflicts, of which there may be many.
    private let recordProbes = Memory(repeating: NameTable().probe(.none), count: Self.linesAtATime)
    /// The index of each record's conflict among the lines.
    private let recordIndices = Memory(repeating: 0, count: Self.linesAtATime)
    private var recordCount = 0
    /// How many lines are scanned before they are shown.
    package static let linesAtATime = 128

    let keys = KeyFinder()
    var quotes = QuoteMap()
    /// Where the values of the line at hand and of a side of its conflict stand, as the quotes say.
    private let extents = ValueExtents()
    let sideExtents = ValueExtents()
    /// The keys that a side must have, and those that a line must have, by event.
    let sideKeys = KeySet([.device, .number, .timestamp, .operation])
    private let requiredKeys: Memory<KeySet>
    /// The keys that mean something in a side, in a line whose event is not known yet, and in other lines, by event.
    let sideMeaning = KeySet([.device, .number, .timestamp, .counter, .operation, .value, .app])
    let meaning = KeySet(LineKey.allCases)
    let meanings: Memory<KeySet>
    /// The keys that mean nothing, of the line at hand and of a side of its conflict.
    var others = KeyStack()
    let usual = UsualKeys()
    var open = KeyStack()
    let events = Choices(EventName.self)
    /// Whether lines of an event, by its index, are read key by key.
    let areRead: Memory<Bool>
    /// Whether the line at hand is of an event that is none of the scanner's.
    var isForDecoder = false
    let kinds = Choices(Conflict.Kind.self)
    let severities = Choices(Conflict.Severity.self)
    let bases = Choices(Conflict.Basis.self)
    let resolutions = Choices(Conflict.Resolution.self)
    let reasons = Choices(Conflict.Reason.self)
    let operations = Choices(Conflict.Side.Operation.self)
    let phases = Choices(SyncActivity.Phase.self)
    let states = Choices(SyncActivity.State.self)
    let triggers = Choices(RefreshReport.Trigger.self)
    let refreshDecisions = Choices(RefreshDecision.self)

    var classes = KnownPassages(Classes())
    var decisions = KnownPassages(Decision())

    /// What the keys of the line at hand have said; worth something where the key is in `known`.
    var line = Slots()
    /// The numbers, the indices of the words in their lists and the times that the keys of a line about sync have said.
    let numbers = Memory(repeating: 0 as Int64, count: LineKey.allCases.count)
    /// The value of the key `delays`, and its buckets as they stand in the line.
    var delays = GapHistogram()
    var buckets: [(index: Int, count: Int)] = []
    /// The winner and the loser.
    let sides = Memory(repeating: Side(), count: 2)
    static let winner = 0
    static let loser = 1
    var days = LineCursor.Days()

    /// A scanner that knows no names.
    ///
    /// - Parameters:
    ///   - numbersDevices: Whether the lines of writes tell their device, which otherwise needs no memory.
    ///   - numbersWriters: Whether they tell their record type too.
    ///   - numbersRecords: Whether they tell their record too.
    ///   - readsSync: Whether lines about sync itself are read; otherwise they are left to the decoder.
    package init(
        numbersDevices: Bool = false, numbersWriters: Bool = true, numbersRecords: Bool = false, readsSync: Bool = false
    ) {
        let numbersWriters = numbersWriters || numbersRecords
        self.numbersWriters = numbersWriters
        self.numbersDevices = numbersDevices || numbersWriters
        self.numbersRecords = numbersRecords
        requiredKeys = Memory(repeating: KeySet(), count: EventName.allCases.count)
        areRead = Memory(repeating: false, count: EventName.allCases.count)
        for content in ScannedLine.Content.allCases where content != .statistics && content != .log {
            areRead[Int(content.rawValue)] = readsSync || !content.isOfSync
        }
        meanings = Memory(repeating: KeySet(LineKey.allCases), count: EventName.allCases.count)
        for (index, event) in EventName.allCases.enumerated() {
            requiredKeys[index] = KeySet(event.requiredKeys)
            meanings[index] = KeySet(event.keys)
        }
    }

    struct Slots {
        var known = KeySet()
        /// Its index in the list of all.
        var event = 0
        var milliseconds: Int64 = 0
        var source = LineCursor.Text.none
        var id: UInt64 = 0
        var kind = 0
        var severity = 0
        var basis = 0
        var resolution = 0
        var reason = 0
        var flags = Conflict.Flags()
        var recordType = LineCursor.Text.none
        var recordID = LineCursor.Text.none
        var field = LineCursor.Text.none
        var device = LineCursor.Text.none
        var gap: Int64 = 0
        var count: Int64 = 0
        var contexts: Int64 = 0
        var number: Int64 = 0
        var hubSequence: Int64 = 0
        var cursor: Int64 = 0
        var isDelete = false
        var status = LineCursor.Text.none
        var error = LineCursor.Text.none
        /// Whether `fields` is a list of names.
        var areFieldsListed = false
        /// Where `seen` is, if it came before the device whose number it may hold.
        var seen: LineCursor?
        /// The number of the writer's own that `seen` holds.
        var ownNumber: Int64 = 0
    }

    struct Side: BitwiseCopyable {
        var device = LineCursor.Text.none
        var number: Int64 = 0
        var milliseconds: Int64 = 0
        var app = LineCursor.Text.none
    }

    // MARK: Lines

    /// Reads some of the next lines of a block; ``withLines(_:)`` shows them.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - start: Where the first line is in it, nil for the beginning; on return where to go on, nil at the end of the block.
    ///   - maximumLineLength: The longest line read, in bytes.
    /// - Returns: Where a line is that is not an ordinary one, after those that are; nil where none has come up.
    package mutating func scan(_ block: LineBlock, from start: inout Int?, maximumLineLength: Int) -> Range<Int>? {
        count = 0
        syncLines.removeAll(keepingCapacity: true)
        let range = block.range
        var index = start ?? range.lowerBound
        let unread = unsafe block.bytes.withUnsafeBufferPointer { buffer -> Range<Int>? in
            while index < range.upperBound, count < lines.count {
                let first = index
                guard let start = unsafe LineCursor(buffer, at: first) else { return nil }
                if let next = keys(start) ?? (isForDecoder ? nil : account(start)), case let length = next.distance(from: start) - 1,
                    length <= maximumLineLength, appendLine()
                {
                    lines.update(count - 1) { $0.start = Int32(truncatingIfNeeded: first) }
                    index = first + length + 1
                } else {
                    let end = block.endOfLine(from: first)
                    index = end + 1
                    return first..<end
                }
            }
            return nil
        }
        start = index < range.upperBound ? index : nil
        lookUpRecords()
        return unread
    }

    /// Shows the lines that were scanned last.
    @inline(__always) package func withLines(_ body: (Span<ScannedLine>) -> Void) {
        lines.withPrefix(count, body)
    }

    /// How many lines were scanned last.
    package var lineCount: Int { count }

    /// One of the lines that were scanned last.
    package func line(_ index: Int) -> ScannedLine { lines[index] }

    /// Forgets the names of all records but some, which are numbered anew in their order; the lines scanned before do not name records any
    /// more.
    package mutating func keepRecords(_ numbers: [Int]) { names.keepRecords(numbers) }

    /// Drops those of the lines scanned last that do not pass.
    package mutating func filter(_ passes: (ScannedLine, ScannedNames) -> Bool) {
        var kept = 0
        for index in 0..<count where passes(lines[index], names) {
            lines[kept] = lines[index]
            kept += 1
        }
        count = kept
    }

    private mutating func lookUpRecords() {
        recordProbes.withPrefix(recordCount) { probes in
            names.records.numbers(of: probes) { index, record in
                lines.update(recordIndices[index]) { $0.record = Int32(truncatingIfNeeded: record) }
            }
        }
        recordCount = 0
    }

    /// Reads the keys of a line.
    ///
    /// - Returns: The position behind its line break, or nil where it is not an ordinary line.
    private mutating func keys(_ start: LineCursor) -> LineCursor? {
        var cursor = start
        line.known = KeySet()
        line.flags.bits = 0
        line.seen = nil
        line.ownNumber = 0
        open.clear()
        others.clear()
        quotes.clear()
        var separator = LineCursor.Separator.comma
        var meaning = self.meaning
        if consumeUsualStart(&cursor) {
            meaning = meanings[line.event]
            if line.event == Int(ScannedLine.Content.conflict.rawValue) {
                consumeUsualConflict(&cursor)
            } else if line.event == Int(ScannedLine.Content.write.rawValue) {
                consumeUsualWrite(&cursor)
            }
            separator = cursor.separator()
        } else if !isForDecoder, cursor.opening() == .comma {
            quotes.read(cursor)
        } else {
            return nil
        }
        // What the quotes show is read at the end, in an order that is always the same: the processor guesses what comes next.
        var known = line.known
        while separator == .comma {
            if let (key, isLast) = consumeShown(&cursor, extents) {
                guard known.insert(key) else { return nil }
                if isLast { separator = cursor.separator() }
                continue
            }
            let member = cursor
            guard let key = keys.consume(&cursor), meaning.contains(key) else {
                guard cursor.goTo(afterOthers(member, meaning, above: 0, depth: 1)) else { return nil }
                separator = cursor.separator()
                continue
            }
            guard known.insert(key), line.known.insert(key) else { return nil }
            // Most often what the quotes do not show is a side.
            let side = key.index - LineKey.winner.index
            guard cursor.goTo(side == Self.winner || side == Self.loser ? afterSide(cursor, side) : afterValue(of: key, cursor)) else {
                return nil
            }
            separator = cursor.separator()
        }
        guard separator == .end else { return nil }
        let shown = known.subtracting(line.known)
        line.known = known
        guard readValues(of: shown) else { return nil }
        cursor.skipSpace()
        return cursor.consume(0x0a) ? cursor : nil
    }

    /// Passes over members whose keys mean nothing, up to the next that means something.
    ///
    /// - Parameters:
    ///   - start: Where the key of the first begins.
    ///   - meaning: The keys that mean something.
    ///   - mark: Where the other keys of the object begin that mean nothing.
    ///   - depth: How many objects are open.
    @inline(never) mutating func afterOthers(
        _ start: LineCursor, _ meaning: KeySet, above mark: Int, depth: Int
    ) -> LineCursor? {
        var (cursor, next) = (start, start)
        guard !keys.isAny(of: meaning, at: start) else { return nil }
        repeat {
            guard let key = next.key(), others.push(key, above: mark), next.skipValue(depth: depth, &open) else { return nil }
            cursor = next
        } while next.separator() == .comma && !keys.isAny(of: meaning, at: next)
        return cursor
    }

    /// Consumes a member of an object that the quotes show; otherwise nothing.
    @inline(__always) func consumeShown(_ cursor: inout LineCursor, _ extents: ValueExtents) -> (key: LineKey, isLast: Bool)? {
        guard let member = quotes.member(cursor), let (key, start) = keys.key(of: member, cursor) else { return nil }
        extents[key] = cursor.consume(member, from: start)
        return (key, member.isLast)
    }

    /// Reads the values of some keys where the quotes say that they stand.
    @inline(never) private mutating func readValues(of shown: KeySet) -> Bool {
        var rest = shown
        while let key = rest.removeFirst() {
            let extent = extents[key]
            var end = extent.start
            guard consumeValue(of: key, &end, extent), end == extent.end else { return false }
        }
        return true
    }

    @inline(never) private mutating func afterValue(of key: LineKey, _ start: LineCursor) -> LineCursor? {
        var cursor = start
        return consumeValue(of: key, &cursor, nil) ? cursor : nil
    }

    /// Consumes a text; in a plain line its end is known where the quotes show it, and nothing between needs a look.
    @inline(__always) func text(_ cursor: inout LineCursor, _ shown: ValueExtents.Extent?) -> LineCursor.Text? {
        guard let shown, quotes.isPlain else { return cursor.text() }
        return cursor.plainText(to: shown.end)
    }

    /// Reads a value; false where it is not an ordinary one.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - cursor: Where the value begins; on return what follows it.
    ///   - shown: The same as the quotes show it, nil where they do not.
    @inline(__always) private mutating func consumeValue(
        of key: LineKey, _ cursor: inout LineCursor, _ shown: ValueExtents.Extent?
    ) -> Bool {
        switch key {
        case .version:
            guard cursor.wholeNumber() == 1 else { return false }
        case .timestamp:
            guard let timestamp = cursor.timestamp(&days) else { return false }
            line.milliseconds = timestamp
        case .sequence:
            guard cursor.skipWholeNumber(from: 1) else { return false }
        case .source:
            guard let text = text(&cursor, shown), text.isPlain else { return false }
            line.source = text
        case .event:
            guard let event = events.consume(&cursor), areRead[event] else { return false }
            line.event = event
        case .id:
            guard let id = cursor.hexadecimal(), cursor.consume(UInt8(ascii: "\"")) else { return false }
            line.id = id
        case .kind:
            guard let kind = kinds.consume(&cursor) else { return false }
            line.kind = kind
        case .severity:
            guard let severity = severities.consume(&cursor) else { return false }
            line.severity = severity
        case .basis:
            guard let basis = bases.consume(&cursor) else { return false }
            line.basis = basis
        case .resolution:
            guard let resolution = resolutions.consume(&cursor) else { return false }
            line.resolution = resolution
        case .reason:
            guard let reason = reasons.consume(&cursor) else { return false }
            line.reason = reason
        case .recordType:
            guard let text = text(&cursor, shown), text.isPlain, text.count > 0 else { return false }
            line.recordType = text
        case .recordID:
            guard let text = text(&cursor, shown), text.isPlain else { return false }
            line.recordID = text
        case .field:
            guard let text = text(&cursor, shown), text.isPlain else { return false }
            line.field = text
        case .related:
            guard cursor.goTo(afterRelated(cursor)) else { return false }
        case .ancestor:
            guard cursor.skipObject(depth: 1, &open) else { return false }
        case .fields:
            line.areFieldsListed = cursor.byte == UInt8(ascii: "[")
            if line.areFieldsListed { return cursor.goTo(afterNames(cursor)) }
            guard cursor.skipObject(depth: LineCursor.fieldDepth - 1, &open) else { return false }
        case .result, .automatic, .value:
            guard cursor.skipValue(depth: 1, &open) else { return false }
        case .gap:
            guard let gap = cursor.wholeNumber() else { return false }
            line.gap = gap
        case .window, .changes, .records:
            guard cursor.skipWholeNumber() else { return false }
        case .hubSequence:
            guard let position = cursor.wholeNumber() else { return false }
            line.hubSequence = position
        case .offset:
            guard let offset = cursor.signedNumber() else { return false }
            numbers[key] = offset
        case .cursor:
            guard let position = cursor.wholeNumber(), position <= Int64(WriteLimits.number) else { return false }
            line.cursor = position
        case .app:
            guard let app = text(&cursor, shown), app.canBeVersion else { return false }
        case .policy, .digest, .interface:
            guard text(&cursor, shown) != nil else { return false }
        case .device:
            guard let text = text(&cursor, shown), text.isPlain, text.count > 0 else { return false }
            line.device = text
        case .number:
            guard let number = cursor.positiveNumber() else { return false }
            line.number = number
        case .counter:
            guard cursor.skipWholeNumber(to: Int64(UInt32.max)) else { return false }
        case .received:
            guard cursor.timestamp(&days) != nil else { return false }
        case .operation:
            guard let operation = operations.consume(&cursor) else { return false }
            line.isDelete = operation == 1
        case .seen:
            if !line.known.contains(.device) { line.seen = cursor }
            guard cursor.goTo(afterSeen(cursor)) else { return false }
        case .writes, .bytes, .duration, .storeBytes, .warningBytes, .setAside, .shownVersion, .refreshVersion, .reloads, .missedPulses,
            .earliest, .arrived, .recordArrived, .uncertainty:
            guard let number = cursor.wholeNumber() else { return false }
            numbers[key] = number
        case .pulse:
            guard let number = cursor.positiveNumber() else { return false }
            numbers[key] = number
        case .oldest:
            guard let timestamp = cursor.timestamp(&days) else { return false }
            numbers[key] = timestamp
        case .foreground, .stillShown:
            guard let isSo = cursor.truth() else { return false }
            numbers[key] = isSo ? 1 : 0
        case .phase:
            guard let phase = phases.consume(&cursor) else { return false }
            numbers[key] = Int64(phase)
        case .state:
            guard let state = states.consume(&cursor) else { return false }
            numbers[key] = Int64(state)
        case .trigger:
            guard let trigger = triggers.consume(&cursor) else { return false }
            numbers[key] = Int64(trigger)
        case .decision:
            guard let decision = refreshDecisions.consume(&cursor) else { return false }
            numbers[key] = Int64(decision)
        case .status:
            guard let text = text(&cursor, shown), text.isPlain else { return false }
            line.status = text
        case .error:
            guard let text = text(&cursor, shown), text.isPlain else { return false }
            line.error = text
        case .delays:
            guard cursor.goTo(afterDelays(cursor)) else { return false }
        default:
            // A side is read where its key is taken, and what is in quotes is none; what order, rev and parents say is left to the decoder.
            guard let flag = key.flag, let isSo = cursor.truth() else { return false }
            line.flags[flag] = isSo
        }
        return true
    }

    /// Passes over a version vector, and notes the number in it that is the writer's own, where the writer is known by now.
    @inline(never) private mutating func afterSeen(_ start: LineCursor) -> LineCursor? {
        var cursor = start
        let isWriterKnown = line.known.contains(.device)
        var separator = cursor.opening()
        while separator == .comma {
            guard let name = cursor.key(), open.push(name, above: 0), let number = cursor.wholeNumber() else { return nil }
            if isWriterKnown, name.equals(line.device) { line.ownNumber = number }
            separator = cursor.separator()
        }
        open.clear()
        return separator == .end ? cursor : nil
    }

    // MARK: What a line says

    /// Adds the line at hand to those scanned; false where it lacks something.
    @inline(__always) private mutating func appendLine() -> Bool {
        guard line.known.isSuperset(of: requiredKeys[line.event]),
            let content = ScannedLine.Content(rawValue: UInt8(truncatingIfNeeded: line.event))
        else { return false }
        var result = ScannedLine()
        result.milliseconds = line.milliseconds
        result.content = content
        result.isConflict = content == .conflict
        switch result.content {
        case .conflict: conflict(&result)
        case .write:
            guard write(&result) else { return false }
        case .statistics, .log:
            result.count = line.count
            result.contexts = line.contexts
            result.gap = line.gap
            if line.known.contains(.source) { result.source = device(line.source) }
        case .remoteChange, .checkpoint: break
        case .clock: appendSyncLine(.clock(measurement))
        case .acknowledgement:
            guard numbers[.earliest] <= line.hubSequence, line.areFieldsListed || !line.known.contains(.fields) else { return false }
        case .sync: appendSyncLine(.sync(activity))
        case .network: appendSyncLine(.network(status: word(line.status), interface: nil))
        case .account: appendSyncLine(.account(status: word(line.status)))
        case .outbox: appendSyncLine(.outbox(outbox))
        case .refresh: appendSyncLine(.refresh(refresh))
        }
        lines[count] = result
        count += 1
        return true
    }

    @inline(__always) mutating func device(_ name: LineCursor.Text) -> Int32 {
        Int32(truncatingIfNeeded: known.number(of: name, .device, in: &names.devices))
    }

    @inline(__always) private mutating func recordType() -> Int { known.number(of: line.recordType, .recordType, in: &names.recordTypes) }

    @inline(__always) private mutating func conflict(_ result: inout ScannedLine) {
        let type = recordType()
        let hasField = line.known.contains(.field)
        let field = known.number(of: hasField ? line.field : line.recordType, owner: hasField ? type + 1 : 0, .field, in: &names.fields)
        let (winner, loser) = (sides[Self.winner], sides[Self.loser])
        result.milliseconds = max(winner.milliseconds, loser.milliseconds)
        result.device = device(winner.device)
        result.loser = device(loser.device)
        result.recordType = Int32(truncatingIfNeeded: type)
        result.field = Int32(truncatingIfNeeded: field)
        if winner.app.count > 0 || loser.app.count > 0 {
            let owner = 1 + (winner.app.count == 0 ? names.apps.number(of: "") : known.number(of: winner.app, .app, in: &names.apps))
            let pair =
                loser.app.count == 0
                ? names.appPairs.number(of: "", owner: owner) : known.number(of: loser.app, owner: owner, .app, in: &names.appPairs)
            result.apps = Int32(truncatingIfNeeded: pair)
        }
        result.id = line.id
        result.count = line.milliseconds
        result.gap = line.gap
        result.traits = TraitsNumber(
            kind: line.kind, severity: line.severity, basis: line.basis, resolution: line.resolution, reason: line.reason,
            flags: line.flags.bits)
        if result.traits.losesEdit {
            result.dot = EditHash.value(
                type: line.recordType, id: line.recordID, field: hasField ? line.field : nil,
                loser: dots.value(of: loser.device) { device, _ in DotHash(device) }, number: loser.number,
                isProven: result.traits.basis.isProof)
        }
        numberRecord(type)
    }

    /// Lets the line at hand have the number of its record, which all lines scanned get at once.
    @inline(__always) private mutating func numberRecord(_ type: Int) {
        recordProbes[recordCount] = names.records.probe(line.recordID, owner: type + 1)
        recordIndices[recordCount] = count
        recordCount += 1
    }

    private mutating func write(_ result: inout ScannedLine) -> Bool {
        guard line.isDelete || line.known.contains(.fields), !line.areFieldsListed || !line.known.contains(.fields) else { return false }
        if let start = line.seen, afterSeen(start) == nil { return false }
        // A write cannot have seen a later one of its own device; one without a number gets a number later than that.
        if line.known.contains(.number), line.ownNumber > line.number { return false }
        if line.known.contains(.source) { result.source = device(line.source) }
        // What TaggedWrite.hasCausalContext says.
        let (hasSeen, hasCursor) = (line.known.contains(.seen), line.known.contains(.cursor))
        if hasCursor, hasSeen || line.known.contains(.hubSequence) && line.cursor > line.hubSequence { return false }
        result.contexts = hasSeen || hasCursor ? 1 : 0
        // The highest number is what a decoder gives to writes that carry none.
        if line.known.contains(.number), line.number < Int64.max {
            result.dot = dots.value(of: line.device) { device, _ in DotHash(device) }.value(of: UInt64(line.number))
            result.count = line.number
        }
        if numbersDevices { result.device = device(line.device) }
        if numbersWriters {
            let type = recordType()
            result.recordType = Int32(truncatingIfNeeded: type)
            if numbersRecords { numberRecord(type) }
        }
        return true
    }
}

extension LineCursor.Text {
    /// Whether it can be the name of a version of the app, and is written as it is.
    var canBeVersion: Bool { isPlain && (1...WriteLimits.nameBytes).contains(Int(count)) }
}
