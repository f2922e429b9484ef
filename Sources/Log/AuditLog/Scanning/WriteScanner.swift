import ConflictAudit
import SyncBytes
import SyncLines
package import SyncModel

/// Reads write lines in one pass over their bytes, without a tree of their values.
///
/// Keys may come in any order, and those that mean nothing in a write are passed over. A line that is in any way out of the ordinary
/// (an escape in a name, a revision, anything wrong) is none of its business: it returns nil and leaves the line to `JSONParser` and
/// `WriteLine`, which also say what is wrong. What it does return is what they would have returned. Keep one scanner for a trace: it
/// remembers names. A value type; its owner guards it.
package struct WriteScanner: Sendable {
    /// A line that holds a write.
    package struct Line: Sendable {
        /// The line's `seq`.
        package let sequence: UInt64?
        /// The line's `source`.
        package let source: DeviceID?
        /// The write.
        package let write: TaggedWrite
    }

    private let keys = KeyFinder()
    /// The keys that mean something in a write, and those that a line must have.
    private let meaning = KeySet(EventName.write.keys)
    private let required = KeySet(EventName.write.requiredKeys)
    private var devices = NameMemo<DeviceID>(limit: 1 << 16)
    private var types = NameMemo<RecordType>(limit: 1 << 16)
    private var recordIDs = IdentifierArena()
    private var apps = NameMemo<String>(limit: 1 << 16)
    private var shapes = FieldShapes()
    /// The sequences of keys that mean nothing in a write.
    private var otherShapes = FieldShapes()
    private var vectors = VectorInterner()
    private var days = LineCursor.Days()
    private var recent = (device: RecentName<DeviceID>(""), type: RecentName<RecordType>(""))
    /// Used again for each line, so that they need no memory of their own.
    private var valueRanges: [Range<Int>] = []
    private var entries: [(device: DeviceID, sequence: UInt64)] = []
    private var copy: [UInt8] = []

    /// A copy of a line that is longer than this is not kept.
    private static let keptCopyLength = 1 << 20
    /// The line break behind a copy, and what may be looked at behind that.
    private static let padding: [UInt8] = [0x0a] + [UInt8](repeating: 0, count: LineCursor.padding)

    /// A scanner that knows no names.
    package init() {}

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - bytes: The line without its line break.
    ///   - number: Gives a write that carries no `n` its number, from its device; nil where it cannot.
    /// - Returns: The write, or nil where the line is not an ordinary write.
    package mutating func scan(_ bytes: Span<UInt8>, number: (DeviceID) -> UInt64?) -> Line? {
        guard bytes.count <= ValueTexts.maximumLineLength else { return nil }
        // Moved, so that it is not held while the scanner changes.
        var line: [UInt8] = []
        swap(&line, &copy)
        line.removeAll(keepingCapacity: true)
        bytes.append(0..<bytes.count, to: &line)
        line += Self.padding
        defer { if line.count <= Self.keptCopyLength { swap(&line, &copy) } }
        return unsafe line.withUnsafeBufferPointer { buffer in
            guard let start = unsafe LineCursor(buffer, at: 0) else { return nil }
            var found = Found(start)
            guard let write = write(number: number, &found), found.end.distance(from: found.start) == bytes.count else { return nil }
            return Line(
                sequence: found.known.contains(.sequence) ? UInt64(found.sequence) : nil,
                source: found.known.contains(.source) ? devices.value(of: found.source) { DeviceID($0, in: &$1) } : nil, write: write)
        }
    }

    /// Reads the write of a line that does carry an `n`, and leaves the rest of what the line says.
    ///
    /// - Parameters:
    ///   - block: The block in which the line is.
    ///   - start: Where it begins; on return, if it is an ordinary one, where the next one does.
    ///   - maximumLineLength: The longest line read, in bytes.
    /// - Returns: The write, or nil where the line is not an ordinary numbered write.
    package mutating func scanNumbered(_ block: LineBlock, from start: inout Int, maximumLineLength: Int) -> TaggedWrite? {
        unsafe block.bytes.withUnsafeBufferPointer { buffer in
            guard let cursor = unsafe LineCursor(buffer, at: start) else { return nil }
            var found = Found(cursor)
            guard let write = write(number: { _ in nil }, &found), case let count = found.end.distance(from: found.start),
                count <= min(maximumLineLength, ValueTexts.maximumLineLength)
            else { return nil }
            start += count + 1
            return write
        }
    }

    /// Reads a line up to its line break.
    @inline(__always) private mutating func write(number: (DeviceID) -> UInt64?, _ found: inout Found) -> TaggedWrite? {
        guard readMembers(into: &found), found.known.isSuperset(of: required),
            // Nor may a delete's fields, which say nothing, name one twice.
            let shape = shapes.shape(at: found.names), otherShapes.hasShape(at: found.otherKeys)
        else { return nil }
        let device = recent.device.name
        let isNumbered = found.known.contains(.number)
        guard let sequence = isNumbered ? UInt64(found.number) : number(device) else { return nil }
        if Self.names(found.seen, device, beyond: sequence) { return nil }
        let (hasCursor, hasHubSequence) = (found.known.contains(.cursor), found.known.contains(.hubSequence))
        if hasCursor, found.seen != nil || hasHubSequence && found.cursor > found.hubSequence { return nil }
        let seen = found.seen.take()
        let operation: TaggedWrite.Operation
        if found.isDelete {
            operation = .delete
        } else {
            guard found.known.contains(.fields) else { return nil }
            operation = .put(fields(found, shape))
        }
        let isOrdered = isNumbered || seen != nil || hasCursor
        let isReceived = found.known.contains(.received)
        let receipt =
            isReceived || hasHubSequence
            ? TaggedWrite.Receipt(
                milliseconds: isReceived ? found.received : nil, hubSequence: hasHubSequence ? UInt64(found.hubSequence) : nil) : nil
        return TaggedWrite(
            dot: Dot(device: device, sequence: sequence), isNumbered: isOrdered,
            timestamp: HybridTimestamp(milliseconds: found.milliseconds, counter: found.counter),
            key: RecordKey(type: recent.type.name, id: RecordID(found.id, in: &recordIDs)), operation: consume operation,
            seen: consume seen, cursor: hasCursor ? UInt64(found.cursor) : nil, receipt: receipt,
            app: found.known.contains(.app) ? apps.value(of: found.app) { name, _ in name.string } : nil)
    }

    /// Whether a vector names a later write of a device; borrowed, so that no reference to it is counted.
    @inline(never) private static func names(_ vector: borrowing VersionVector?, _ device: DeviceID, beyond sequence: UInt64) -> Bool {
        switch vector {
        case .none: false
        case .some(let vector): vector[device] > sequence
        }
    }

    /// What the keys of a line said; worth something where the key is in `known`.
    ///
    /// Device and type are the names that were read last, so that a line moves numbers alone.
    private struct Found {
        let start: LineCursor
        /// Where its line break is.
        var end: LineCursor
        var known = KeySet()
        var isDelete = false
        var counter: UInt32 = 0
        var sequence: Int64 = 0
        var source = LineCursor.Text.none
        var milliseconds: Int64 = 0
        var received: Int64 = 0
        var hubSequence: Int64 = 0
        var cursor: Int64 = 0
        var app = LineCursor.Text.none
        var number: Int64 = 0
        var id = LineCursor.Text.none
        /// The node of the names of the fields, and how many there are.
        var names = FieldShapes.root
        var values = 0
        /// The node of the keys that mean nothing in a write.
        var otherKeys = FieldShapes.root
        var seen: VersionVector?
        /// The keys of the objects that are open.
        var open = KeyStack()

        init(_ start: LineCursor) { (self.start, end) = (start, start) }
    }

    // MARK: Members

    @inline(__always) private mutating func readMembers(into found: inout Found) -> Bool {
        var cursor = found.start
        var separator = LineCursor.Separator.none
        if cursor.consume(#"{"event":"write""#) {
            _ = found.known.insert(.event)
            guard consumeUsualMembers(&cursor, into: &found) else { return false }
            separator = cursor.separator()
        } else {
            cursor.skipSpace()
            separator = cursor.opening()
        }
        if separator == .comma, let end = afterMembers(cursor, into: &found) { (cursor, separator) = (end, .end) }
        cursor.skipSpace()
        found.end = cursor
        return separator == .end && cursor.byte == 0x0a
    }

    /// Consumes the members that nearly every line has as long as they stand in the usual order, the hub's account before the device or
    /// behind the number.
    ///
    /// Here it is known which key comes next, and that none has come twice.
    @inline(__always) private mutating func consumeUsualMembers(_ cursor: inout LineCursor, into found: inout Found) -> Bool {
        if isNext(.timestamp, &cursor, &found), !consumeTimestamp(&cursor, into: &found) { return false }
        if isNext(.received, &cursor, &found), !consumeReceived(&cursor, into: &found) { return false }
        if isNext(.device, &cursor, &found), !recent.device.consume(&cursor, &devices, { DeviceID($0, in: &$1) }) { return false }
        if isNext(.number, &cursor, &found), !consumeNumber(&cursor, into: &found) { return false }
        if isNext(.counter, &cursor, &found), !consumeCounter(&cursor, into: &found) { return false }
        if !found.known.contains(.received), isNext(.received, &cursor, &found), !consumeReceived(&cursor, into: &found) { return false }
        if isNext(.recordType, &cursor, &found), !recent.type.consume(&cursor, &types, { RecordType($0, in: &$1) }) { return false }
        if isNext(.recordID, &cursor, &found), !consumeRecordID(&cursor, into: &found) { return false }
        if isNext(.operation, &cursor, &found), !consumeOperation(&cursor, into: &found) { return false }
        if isNext(.fields, &cursor, &found), !cursor.goTo(afterFields(cursor, into: &found)) { return false }
        return !isNext(.seen, &cursor, &found) || cursor.goTo(afterSeen(cursor, into: &found))
    }

    /// Consumes a key where it is next.
    @inline(__always) private func isNext(_ key: LineKey, _ cursor: inout LineCursor, _ found: inout Found) -> Bool {
        keys.consumeNext(key, &cursor) && found.known.insert(key)
    }

    /// Consumes members in any order, up to the end of the line's object.
    @inline(never) private mutating func afterMembers(_ start: LineCursor, into found: inout Found) -> LineCursor? {
        var cursor = start
        var separator = LineCursor.Separator.comma
        while separator == .comma {
            let member = cursor
            if let key = keys.consume(&cursor), meaning.contains(key) {
                guard found.known.insert(key), consumeValue(of: key, &cursor, into: &found) else { return nil }
            } else {
                cursor = member
                guard consumeOtherMember(&cursor, into: &found) else { return nil }
            }
            separator = cursor.separator()
        }
        return separator == .end ? cursor : nil
    }

    /// Passes over a member whose key means nothing in a write.
    @inline(__always) private mutating func consumeOtherMember(_ cursor: inout LineCursor, into found: inout Found) -> Bool {
        if found.otherKeys == FieldShapes.root { otherShapes.beginLine() }
        guard
            let node = otherShapes.consumeFollower(of: found.otherKeys, &cursor)
                ?? (keys.isAny(of: meaning, at: cursor) ? nil : otherShapes.consumeName(after: found.otherKeys, &cursor))
        else { return false }
        found.otherKeys = node
        cursor.skipSpace()
        return cursor.skipValue(depth: 1, &found.open)
    }

    // MARK: Values

    /// Consumes the value of a key, behind the opening quote of one that must be a text; false where it is not an ordinary one.
    private mutating func consumeValue(of key: LineKey, _ cursor: inout LineCursor, into found: inout Found) -> Bool {
        switch key {
        case .version: return cursor.wholeNumber() == 1
        case .event: return cursor.consume(#"write""#)
        case .timestamp: return consumeTimestamp(&cursor, into: &found)
        case .received: return consumeReceived(&cursor, into: &found)
        case .device: return recent.device.consume(&cursor, &devices) { DeviceID($0, in: &$1) }
        case .number: return consumeNumber(&cursor, into: &found)
        case .counter: return consumeCounter(&cursor, into: &found)
        case .recordType: return recent.type.consume(&cursor, &types) { RecordType($0, in: &$1) }
        case .recordID: return consumeRecordID(&cursor, into: &found)
        case .operation: return consumeOperation(&cursor, into: &found)
        case .fields: return cursor.goTo(afterFields(cursor, into: &found))
        case .seen: return cursor.goTo(afterSeen(cursor, into: &found))
        case .sequence:
            guard let number = cursor.positiveNumber() else { return false }
            found.sequence = number
        case .source:
            guard let text = cursor.text(), text.isPlain else { return false }
            found.source = text
        case .hubSequence:
            guard let number = cursor.wholeNumber() else { return false }
            found.hubSequence = number
        case .cursor:
            guard let number = cursor.wholeNumber(), number <= Int64(WriteLimits.number) else { return false }
            found.cursor = number
        case .app:
            guard let text = cursor.text(), text.canBeVersion else { return false }
            found.app = text
        default: return false
        }
        return true
    }

    @inline(__always) private mutating func consumeTimestamp(_ cursor: inout LineCursor, into found: inout Found) -> Bool {
        guard let timestamp = cursor.timestamp(&days) else { return false }
        found.milliseconds = timestamp
        return true
    }

    @inline(__always) private mutating func consumeReceived(_ cursor: inout LineCursor, into found: inout Found) -> Bool {
        guard let timestamp = cursor.timestamp(&days) else { return false }
        found.received = timestamp
        return true
    }

    @inline(__always) private func consumeNumber(_ cursor: inout LineCursor, into found: inout Found) -> Bool {
        guard let number = cursor.positiveNumber() else { return false }
        found.number = number
        return true
    }

    @inline(__always) private func consumeCounter(_ cursor: inout LineCursor, into found: inout Found) -> Bool {
        guard let number = cursor.wholeNumber(), let counter = UInt32(exactly: number) else { return false }
        found.counter = counter
        return true
    }

    @inline(__always) private func consumeRecordID(_ cursor: inout LineCursor, into found: inout Found) -> Bool {
        guard let text = cursor.text(), text.isPlain else { return false }
        found.id = text
        return true
    }

    @inline(__always) private func consumeOperation(_ cursor: inout LineCursor, into found: inout Found) -> Bool {
        if cursor.consume(#"put""#) { return true }
        found.isDelete = true
        return cursor.consume(#"delete""#)
    }

    /// Consumes the fields of a put; where their values stand is noted.
    private mutating func afterFields(_ start: LineCursor, into found: inout Found) -> LineCursor? {
        var cursor = start
        shapes.beginLine()
        var (node, count) = (FieldShapes.root, 0)
        var separator = cursor.opening()
        while separator == .comma {
            guard let next = shapes.consumeFollower(of: node, &cursor) ?? shapes.consumeName(after: node, &cursor) else { return nil }
            node = next
            cursor.skipSpace()
            let value = cursor.distance(from: found.start)
            guard cursor.skipValue(depth: LineCursor.fieldDepth, &found.open) else { return nil }
            let range = value..<cursor.distance(from: found.start)
            if count < valueRanges.count { valueRanges[count] = range } else { valueRanges.append(range) }
            count += 1
            separator = cursor.separator()
        }
        found.names = node
        found.values = count
        return separator == .end ? cursor : nil
    }

    /// The fields of a put; their values have been checked and are kept as they stand.
    private mutating func fields(_ found: Found, _ shape: Int) -> FieldMap {
        if found.values == 0 { return FieldMap() }
        let ranges = valueRanges.span.extracting(0..<found.values)
        let line = unsafe Span(_unsafeElements: found.start.text(to: found.end).bytes)
        return FieldMap(sortedNames: shapes.names(of: shape), texts: ValueTexts(line, ranges, order: shapes.order(of: shape)))
    }

    /// Consumes a version vector.
    private mutating func afterSeen(_ start: LineCursor, into found: inout Found) -> LineCursor? {
        var cursor = start
        if cursor.consumeWord(0x7d7b, 2) {
            found.seen = VersionVector()
            return cursor
        }
        let text = vectors.text(cursor)
        if let text, let known = vectors.vector(text) {
            found.seen = known
            cursor.advance(text.bytes.count)
            return cursor
        }
        entries.removeAll(keepingCapacity: true)
        var separator = cursor.opening()
        while separator == .comma {
            guard let name = cursor.key(), let sequence = cursor.wholeNumber() else { return nil }
            entries.append((devices.value(of: name) { DeviceID($0, in: &$1) }, UInt64(sequence)))
            separator = cursor.separator()
        }
        guard separator == .end, let vector = VersionVector(unordered: entries) else { return nil }
        if let text, text.bytes.count == cursor.distance(from: start) { vectors.keep(vector, text) }
        found.seen = vector
        return cursor
    }
}

/// The name read last where such a one stood: a device makes many writes at a time, and many records are of one type.
private struct RecentName<Name: StringIdentifier> {
    /// The name with its closing quote; empty where that is longer than a literal.
    private var literal = Literal("")
    private(set) var name: Name

    init(_ name: Name) { self.name = name }

    /// Consumes a name that is not empty, behind its opening quote.
    @inline(__always) mutating func consume(
        _ cursor: inout LineCursor, _ names: inout NameMemo<Name>, _ make: (LineCursor.Text, inout IdentifierArena) -> Name
    ) -> Bool {
        if literal.count > 0, cursor.consume(literal) { return true }
        return cursor.goTo(afterOther(cursor, &names, make))
    }

    @inline(never) private mutating func afterOther(
        _ start: LineCursor, _ names: inout NameMemo<Name>, _ make: (LineCursor.Text, inout IdentifierArena) -> Name
    ) -> LineCursor? {
        var cursor = start
        guard let text = cursor.text(), text.isPlain, text.count > 0 else { return nil }
        name = names.value(of: text, make)
        literal = Literal(from: start, to: cursor)
        return cursor
    }
}
