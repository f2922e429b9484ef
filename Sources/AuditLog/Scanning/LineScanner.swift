import ConflictAudit
import SyncModel

/// Reads lines for counting, in one pass over their bytes and without building anything from them.
///
/// Keys may come in any order: the scanner expects the key that came next last time, which costs one comparison where a writer keeps to an order, and
/// looks it up where it did not come. A line that is in any way out of the ordinary (an unknown event or key, an escape in a name, anything wrong) is
/// none of its business and is left to ``LineDecoder``; what it does return is what that would have returned. A value type; its owner guards it.
package struct LineScanner {
    package private(set) var devices = NameTable()
    package private(set) var recordTypes = NameTable()
    /// The owner is twice the type's number, plus 1 where it is a field and not the whole record.
    package private(set) var fields = NameTable()
    /// The owner is the type's number.
    package private(set) var records = NameTable()
    /// The losers, each with the winner's number for its owner.
    package private(set) var pairs = NameTable()

    /// Lines whose names in large tables are yet to be looked up.
    private let waiting = Memory(repeating: Waiting(), count: 32)
    private var waitingCount = 0
    /// Kept, so that looking ahead is not taken for idle.
    private var touched: UInt64 = 0

    private struct Waiting: BitwiseCopyable {
        var line = ScannedLine()
        var (start, end) = (0, 0)
        var record: NameTable.Probe
        var pair: NameTable.Probe

        init() {
            record = NameTable().probe(.none)
            pair = record
        }
    }

    private let keys = KeyFinder()
    /// The keys that a side must have, and those that a line must have, by event.
    private let sideKeys = KeySet([.device, .number, .moment, .operation])
    private let requiredKeys: Memory<KeySet>
    private var open = KeyStack()
    private var events = Choices(EventName.self)
    private var kinds = Choices(Conflict.Kind.self)
    private var severities = Choices(Conflict.Severity.self)
    private var bases = Choices(Conflict.Basis.self)
    private var resolutions = Choices(Conflict.Resolution.self)
    private var reasons = Choices(Conflict.Reason.self)
    private var operations = Choices(Conflict.Side.Operation.self)
    private var phases = Choices(SyncActivity.Phase.self)
    private var states = Choices(SyncActivity.State.self)

    /// What the keys of the line at hand have said; worth something where the key is in `known`.
    private var line = Slots()
    private var winner = Side()
    private var loser = Side()
    private var day = LineCursor.Day()
    private var receiptDay = LineCursor.Day()

    /// A scanner that knows no names.
    package init() {
        requiredKeys = Memory(repeating: KeySet(), count: EventName.allCases.count)
        for (index, event) in EventName.allCases.enumerated() { requiredKeys[index] = KeySet(event.requiredKeys) }
    }

    private struct Slots {
        var known = KeySet()
        /// Its place in the list of all.
        var event = 0
        var milliseconds: Int64 = 0
        var source = LineCursor.Text.none
        var id: UInt64 = 0
        var kind = 0
        var severity = 0
        var basis = 0
        var resolution = 0
        var reason = 0
        var withinWindow = false
        var clockSuspect = false
        var recordType = LineCursor.Text.none
        var recordID = LineCursor.Text.none
        var field = LineCursor.Text.none
        var device = LineCursor.Text.none
        var gap: Int64 = 0
        var number: Int64 = 0
        var isDelete = false
        /// Where `seen` stands, if it came before the device whose number it may hold.
        var seen: LineCursor?
        /// The number of the writer's own that `seen` holds.
        var ownNumber: Int64 = 0
    }

    private struct Side {
        var device = LineCursor.Text.none
        var milliseconds: Int64 = 0
        var day = LineCursor.Day()
    }

    /// Reads a line into the row of those that wait.
    ///
    /// - Returns: Where the line ends, or nil where it is not an ordinary line.
    @inline(__always) mutating func scan(at start: Int, of base: UnsafePointer<UInt8>, maximumLength: Int) -> Int? {
        var cursor = unsafe LineCursor(base + start)
        guard keys(&cursor), cursor.take(0x0a), case let end = unsafe cursor.place - base - 1, end - start <= maximumLength,
            line.known.isSuperset(of: requiredKeys[line.event])
        else { return nil }
        var isGood = true
        waiting.update(waitingCount) { waiting in
            (waiting.start, waiting.end) = (start, end)
            waiting.line.milliseconds = line.milliseconds
            waiting.line.content = ScannedLine.Content(rawValue: UInt8(truncatingIfNeeded: line.event)) ?? .write
            switch waiting.line.content {
            case .conflict: conflict(&waiting)
            case .write: isGood = write(&waiting.line)
            case .sync, .remoteChange, .network, .account, .clock, .checkpoint: break
            }
        }
        guard isGood else { return nil }
        waitingCount += 1
        return end
    }

    /// Whether the row of those that wait is full.
    var isFull: Bool { waitingCount == waiting.count }

    /// Looks up the names of the lines that wait, and hands them on; false where the receiver does not want to go on.
    ///
    /// Each step is done for all of them, so that the memory of large tables is waited for once and not for each line.
    mutating func flush(_ body: (ScannedLine?, Range<Int>, LineScanner) -> Bool) -> Bool {
        var touched: UInt64 = 0
        for index in 0..<waitingCount { touched ^= records.slot(waiting[index].record) ^ pairs.slot(waiting[index].pair) }
        for index in 0..<waitingCount {
            touched ^= records.touch(records.slot(waiting[index].record)) ^ pairs.touch(pairs.slot(waiting[index].pair))
        }
        self.touched = touched
        let count = waitingCount
        waitingCount = 0
        for index in 0..<count {
            if waiting[index].line.content == .conflict {
                let (record, pair) = (records.number(of: waiting[index].record), pairs.number(of: waiting[index].pair))
                waiting.update(index) { ($0.line.record, $0.line.pair) = (record, pair) }
            }
            guard body(waiting[index].line, waiting[index].start..<waiting[index].end, self) else { return false }
        }
        return true
    }

    private mutating func keys(_ cursor: inout LineCursor) -> Bool {
        line.known = KeySet()
        line.seen = nil
        line.ownNumber = 0
        open.clear()
        guard cursor.take(UInt8(ascii: "{")) else { return false }
        var (row, previous) = (KeyFinder.start, KeyFinder.first)
        while true {
            cursor.skipSpace()
            guard let key = keys.take(&cursor, row: row, after: previous), line.known.insert(key), value(of: key, &cursor) else { return false }
            if key == .event { row = KeyFinder.row(ofEvent: line.event) }
            previous = Int(key.rawValue)
            cursor.skipSpace()
            if cursor.take(UInt8(ascii: ",")) { continue }
            guard cursor.take(UInt8(ascii: "}")) else { return false }
            cursor.skipSpace()
            return true
        }
    }

    /// Takes the value of a key; false where it is not an ordinary one.
    @inline(__always) private mutating func value(of key: LineKey, _ cursor: inout LineCursor) -> Bool {
        switch key {
        case .version: return cursor.wholeNumber() == 1
        case .moment: return Self.moment(&cursor, &day, &line.milliseconds)
        case .sequence: return cursor.positiveNumber() != nil
        case .source: return Self.plainText(&cursor, &line.source)
        case .event:
            return Self.choice(&cursor, &events, &line.event)
        case .id:
            guard cursor.take(UInt8(ascii: "\"")), let id = cursor.hexadecimal(), cursor.take(UInt8(ascii: "\"")) else { return false }
            line.id = id
            return true
        case .kind: return Self.choice(&cursor, &kinds, &line.kind)
        case .severity: return Self.choice(&cursor, &severities, &line.severity)
        case .basis: return Self.choice(&cursor, &bases, &line.basis)
        case .resolution: return Self.choice(&cursor, &resolutions, &line.resolution)
        case .reason: return Self.choice(&cursor, &reasons, &line.reason)
        case .recordType: return Self.plainText(&cursor, &line.recordType) && line.recordType.count > 0
        case .recordID: return Self.plainText(&cursor, &line.recordID)
        case .field: return Self.plainText(&cursor, &line.field)
        case .related: return related(&cursor)
        case .winner: return Self.side(&cursor, &winner, keys, sideKeys, &operations, &open)
        case .loser: return Self.side(&cursor, &loser, keys, sideKeys, &operations, &open)
        case .ancestor, .fields: return cursor.skipObject(depth: 1, &open)
        case .result, .automatic, .value: return cursor.skipValue(depth: 1, &open)
        case .gap: return Self.number(&cursor, &line.gap)
        case .window, .hubSequence, .writes, .bytes, .duration, .changes, .refreshVersion, .uncertainty, .records:
            return cursor.wholeNumber() != nil
        case .offset: return cursor.signedNumber() != nil
        case .policy, .error, .status, .interface, .digest: return cursor.take(UInt8(ascii: "\"")) && cursor.text() != nil
        case .withinWindow: return Self.truth(&cursor, &line.withinWindow)
        case .clockSuspect: return Self.truth(&cursor, &line.clockSuspect)
        case .device: return Self.plainText(&cursor, &line.device) && line.device.count > 0
        case .number: return Self.number(&cursor, &line.number) && line.number > 0
        case .counter: return cursor.wholeNumber().map { $0 <= UInt32.max } ?? false
        case .received:
            var received: Int64 = 0
            return Self.moment(&cursor, &receiptDay, &received)
        case .operation:
            guard let operation = operations.take(&cursor) else { return false }
            line.isDelete = operation == 1
            return true
        case .seen:
            let start = cursor
            guard seen(&cursor) else { return false }
            if !line.known.contains(.device) { line.seen = start }
            return true
        case .phase:
            return phases.take(&cursor) != nil
        case .state:
            return states.take(&cursor) != nil
        }
    }

    @inline(__always) private static func moment(_ cursor: inout LineCursor, _ day: inout LineCursor.Day, _ moment: inout Int64) -> Bool {
        guard cursor.take(UInt8(ascii: "\"")), let found = cursor.moment(&day) else { return false }
        moment = found
        return true
    }

    @inline(__always) private static func plainText(_ cursor: inout LineCursor, _ text: inout LineCursor.Text) -> Bool {
        guard cursor.take(UInt8(ascii: "\"")), let found = cursor.text(), found.isPlain else { return false }
        text = found
        return true
    }

    @inline(__always) private static func choice(_ cursor: inout LineCursor, _ choices: inout Choices, _ choice: inout Int) -> Bool {
        guard let found = choices.take(&cursor) else { return false }
        choice = found
        return true
    }

    @inline(__always) private static func number(_ cursor: inout LineCursor, _ number: inout Int64) -> Bool {
        guard let found = cursor.wholeNumber() else { return false }
        number = found
        return true
    }

    @inline(__always) private static func truth(_ cursor: inout LineCursor, _ flag: inout Bool) -> Bool {
        guard let found = cursor.truth() else { return false }
        flag = found
        return true
    }

    @inline(__always) private static func side(
        _ cursor: inout LineCursor, _ side: inout Side, _ keys: KeyFinder, _ required: KeySet, _ operations: inout Choices,
        _ open: inout KeyStack
    ) -> Bool {
        guard cursor.take(UInt8(ascii: "{")) else { return false }
        var known = KeySet()
        var previous = KeyFinder.first
        while true {
            cursor.skipSpace()
            guard let key = keys.take(&cursor, row: KeyFinder.sides, after: previous), known.insert(key) else { return false }
            previous = Int(key.rawValue)
            let isGood: Bool
            switch key {
            case .device: isGood = plainText(&cursor, &side.device) && side.device.count > 0
            case .number: isGood = cursor.positiveNumber() != nil
            case .moment: isGood = moment(&cursor, &side.day, &side.milliseconds)
            case .counter: isGood = cursor.wholeNumber().map { $0 <= UInt32.max } ?? false
            case .operation: isGood = operations.take(&cursor) != nil
            case .value: isGood = cursor.skipValue(depth: 2, &open)
            default: isGood = false
            }
            guard isGood else { return false }
            cursor.skipSpace()
            if cursor.take(UInt8(ascii: ",")) { continue }
            guard cursor.take(UInt8(ascii: "}")) else { return false }
            return known.isSuperset(of: required)
        }
    }

    /// Takes the key of another record.
    private func related(_ cursor: inout LineCursor) -> Bool {
        guard cursor.take(UInt8(ascii: "{")), cursor.take(Self.relatedType), let type = cursor.text(), type.count > 0, cursor.take(Self.relatedID),
            cursor.text() != nil
        else { return false }
        return cursor.take(UInt8(ascii: "}"))
    }

    private static let relatedType = Literal(#""recordType":""#)
    private static let relatedID = Literal(#","recordID":""#)

    /// Takes a version vector, and the number in it that is the writer's own, where the writer is known by now.
    private mutating func seen(_ cursor: inout LineCursor) -> Bool {
        guard cursor.take(UInt8(ascii: "{")) else { return false }
        cursor.skipSpace()
        if cursor.take(UInt8(ascii: "}")) { return true }
        let isWriterKnown = line.known.contains(.device)
        while true {
            guard let name = cursor.key(), open.push(name, above: 0), let number = cursor.wholeNumber() else { return false }
            if isWriterKnown, name.equals(line.device) { line.ownNumber = number }
            cursor.skipSpace()
            if cursor.take(UInt8(ascii: ",")) { continue }
            open.clear()
            return cursor.take(UInt8(ascii: "}"))
        }
    }

    // MARK: Names of another scanner

    /// The numbers that another scanner's names have here.
    package struct Numbers {
        package fileprivate(set) var devices: [Int] = []
        package fileprivate(set) var recordTypes: [Int] = []
        package fileprivate(set) var fields: [Int] = []
        package fileprivate(set) var records: [Int] = []
        package fileprivate(set) var pairs: [Int] = []
    }

    /// Takes over the names of another scanner.
    ///
    /// - Complexity: O(*n*) in its names.
    package mutating func adopt(_ other: LineScanner) -> Numbers {
        var numbers = Numbers()
        numbers.devices = devices.adopt(other.devices) { _ in 0 }
        numbers.recordTypes = recordTypes.adopt(other.recordTypes) { _ in 0 }
        numbers.fields = fields.adopt(other.fields) { numbers.recordTypes[$0 >> 1] << 1 | $0 & 1 }
        numbers.records = records.adopt(other.records) { numbers.recordTypes[$0] }
        numbers.pairs = pairs.adopt(other.pairs) { numbers.devices[$0] }
        return numbers
    }

    // MARK: What a line says

    @inline(__always) private mutating func conflict(_ waiting: inout Waiting) {
        let winning = devices.number(of: winner.device)
        let type = recordTypes.number(of: line.recordType)
        let hasField = line.known.contains(.field)
        waiting.line.milliseconds = max(winner.milliseconds, loser.milliseconds)
        waiting.line.device = winning
        waiting.line.loser = devices.number(of: loser.device)
        waiting.line.recordType = type
        waiting.line.field = hasField ? fields.number(of: line.field, owner: type << 1 | 1) : fields.number(of: .none, owner: type << 1)
        waiting.line.id = line.id
        waiting.line.gap = line.gap
        waiting.line.traits = ConflictTraits(
            kind: line.kind, severity: line.severity, basis: line.basis, resolution: line.resolution, reason: line.reason,
            withinWindow: line.withinWindow, clockSuspect: line.clockSuspect)
        waiting.record = records.probe(line.recordID, owner: type)
        waiting.pair = pairs.probe(loser.device, owner: winning)
    }

    private mutating func write(_ result: inout ScannedLine) -> Bool {
        guard line.isDelete || line.known.contains(.fields) else { return false }
        if var place = line.seen, !seen(&place) { return false }
        // A write cannot have seen a later one of its own device; one without a number gets a number later than that.
        if line.known.contains(.number), line.ownNumber > line.number { return false }
        result.source = line.known.contains(.source) ? devices.number(of: line.source) : -1
        result.device = devices.number(of: line.device)
        result.recordType = recordTypes.number(of: line.recordType)
        return true
    }
}

extension EventName {
    /// The keys that every line of the event must have; none for those that are left to the decoder.
    fileprivate var requiredKeys: [LineKey] {
        switch self {
        case .conflict:
            [
                .moment, .event, .id, .kind, .severity, .basis, .recordType, .recordID, .winner, .loser, .gap, .withinWindow, .window, .policy,
                .resolution, .reason, .clockSuspect,
            ]
        case .write: [.moment, .event, .device, .recordType, .recordID, .operation]
        case .sync: [.moment, .event, .phase, .state, .writes, .bytes, .duration]
        case .remoteChange: [.moment, .event, .changes, .refreshVersion]
        case .network, .account: [.moment, .event, .status]
        case .clock: [.moment, .event, .device, .offset, .uncertainty]
        case .checkpoint: [.moment, .event, .seen, .records, .digest]
        case .statistics, .log: [.moment, .event]
        }
    }
}
