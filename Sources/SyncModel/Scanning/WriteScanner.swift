/// Reads write lines in one pass over their bytes, without a tree of their values.
///
/// Keys may come in any order. A line that is in any way out of the ordinary (a key that it does not know, an escape in a name, anything wrong) is none of
/// its business: it returns nil and leaves the line to ``JSONParser`` and ``WriteLine``, which also say what is wrong. What it does return is what
/// they would have returned. Keep one scanner for a trace: it remembers names. A value type; its owner guards it.
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

    private var devices = TextInterner()
    private var types = TextInterner()
    private var shapes = FieldShapes()
    /// Used again for each line, so that they need no memory of their own.
    private var valueRanges: [Range<Int>] = []
    private var entries: [(device: DeviceID, sequence: UInt64)] = []

    /// A scanner that knows no names.
    package init() {}

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - bytes: The line without its line break.
    ///   - number: Gives a write that carries no `n` its number, from its device; nil where it cannot.
    /// - Returns: The write, or nil where the line is not an ordinary write.
    package mutating func scan(_ bytes: Span<UInt8>, number: (DeviceID) -> UInt64?) -> Line? {
        guard bytes.count <= ValueTexts.maximumLineLength, let found = keys(bytes) else { return nil }
        guard found.isWrite, let milliseconds = found.milliseconds, let device = found.device, let type = found.type, let id = found.id,
            let isDelete = found.isDelete, let sequence = found.number ?? number(device)
        else { return nil }
        let dot = Dot(device: device, sequence: sequence)
        if let seen = found.seen, seen[device] > sequence { return nil }
        let operation: TaggedWrite.Operation
        if isDelete {
            operation = .delete
        } else {
            guard let fields = found.fields else { return nil }
            operation = .put(fields)
        }
        let receipt = found.received.map { TaggedWrite.Receipt(milliseconds: $0, hubSequence: found.hubSequence) }
        return Line(
            sequence: found.lineSequence, source: found.source,
            write: TaggedWrite(
                dot: dot, isNumbered: found.number != nil || found.seen != nil,
                timestamp: HybridTimestamp(milliseconds: milliseconds, counter: found.counter), key: RecordKey(type: type, id: id),
                operation: operation, seen: found.seen, receipt: receipt))
    }

    /// What the keys of a line said.
    private struct Found {
        var known = Set()
        var isWrite = false
        var lineSequence: UInt64?
        var source: DeviceID?
        var milliseconds: Int64?
        var received: Int64?
        var hubSequence: UInt64?
        var device: DeviceID?
        var number: UInt64?
        var counter: UInt32 = 0
        var type: RecordType?
        var id: RecordID?
        var isDelete: Bool?
        var fields: FieldMap?
        var seen: VersionVector?

        /// The keys that have stood in the line.
        struct Set: OptionSet { let rawValue: UInt16 }
    }

    private mutating func keys(_ bytes: Span<UInt8>) -> Found? {
        var found = Found()
        var scanner = ValueScanner()
        guard scanner.take(UInt8(ascii: "{"), bytes) else { return nil }
        scanner.depth = 1
        repeat {
            guard let text = scanner.text(bytes), text.isPlain, let key = WriteKey(bytes, text.range),
                scanner.take(UInt8(ascii: ":"), bytes), found.known.insert(Found.Set(rawValue: 1 << key.rawValue)).inserted,
                read(key, bytes, &scanner, into: &found)
            else { return nil }
        } while scanner.take(UInt8(ascii: ","), bytes)
        guard scanner.take(UInt8(ascii: "}"), bytes), scanner.next(bytes) == 0, scanner.index == bytes.count else { return nil }
        return found
    }

    /// Reads the value of a key; false where it is not an ordinary one.
    private mutating func read(_ key: WriteKey, _ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        switch key {
        case .version: return scanner.wholeNumber(bytes) == 1
        case .event:
            found.isWrite = scanner.plainText(bytes).map { bytes.equals("write", in: $0) } ?? false
            return found.isWrite
        case .lineSequence:
            found.lineSequence = scanner.positiveNumber(bytes)
            return found.lineSequence != nil
        case .source:
            found.source = scanner.plainText(bytes).flatMap { devices.text(bytes, $0) }.map { DeviceID($0) }
            return found.source != nil
        case .moment:
            found.milliseconds = scanner.moment(bytes)
            return found.milliseconds != nil
        case .received:
            found.received = scanner.moment(bytes)
            return found.received != nil
        case .hubSequence:
            found.hubSequence = scanner.wholeNumber(bytes).map { UInt64($0) }
            return found.hubSequence != nil
        case .device:
            found.device = scanner.name(bytes).flatMap { devices.text(bytes, $0) }.map { DeviceID($0) }
            return found.device != nil
        case .number:
            found.number = scanner.positiveNumber(bytes)
            return found.number != nil
        case .counter:
            guard let counter = scanner.wholeNumber(bytes), let fitting = UInt32(exactly: counter) else { return false }
            found.counter = fitting
            return true
        case .recordType:
            found.type = scanner.name(bytes).flatMap { types.text(bytes, $0) }.map { RecordType($0) }
            return found.type != nil
        case .recordID:
            found.id = scanner.plainText(bytes).flatMap { bytes.extracting($0).validText }.map { RecordID($0) }
            return found.id != nil
        case .operation:
            guard let word = scanner.plainText(bytes) else { return false }
            found.isDelete = bytes.equals("delete", in: word)
            return found.isDelete == true || bytes.equals("put", in: word)
        case .fields:
            found.fields = fields(bytes, &scanner)
            return found.fields != nil
        case .seen:
            found.seen = seen(bytes, &scanner)
            return found.seen != nil
        }
    }

    /// Reads the fields of a put; their values are checked and kept as they stand.
    private mutating func fields(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> FieldMap? {
        guard scanner.take(UInt8(ascii: "{"), bytes) else { return nil }
        scanner.depth += 1
        valueRanges.removeAll(keepingCapacity: true)
        var node = FieldShapes.root
        if scanner.next(bytes) != UInt8(ascii: "}") {
            repeat {
                guard let name = scanner.plainText(bytes), let next = shapes.node(after: node, bytes, name),
                    scanner.take(UInt8(ascii: ":"), bytes), scanner.next(bytes) != 0
                else { return nil }
                node = next
                let start = scanner.index
                guard scanner.skipValue(bytes) else { return nil }
                valueRanges.append(start..<scanner.index)
            } while scanner.take(UInt8(ascii: ","), bytes)
        }
        scanner.depth -= 1
        guard scanner.take(UInt8(ascii: "}"), bytes), let shape = shapes.shape(at: node) else { return nil }
        if valueRanges.isEmpty { return FieldMap() }
        return FieldMap(sortedNames: shape.names, texts: ValueTexts(bytes, valueRanges, order: shape.order))
    }

    private mutating func seen(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> VersionVector? {
        guard scanner.take(UInt8(ascii: "{"), bytes) else { return nil }
        entries.removeAll(keepingCapacity: true)
        if scanner.next(bytes) != UInt8(ascii: "}") {
            repeat {
                guard let name = scanner.plainText(bytes), let device = devices.text(bytes, name), scanner.take(UInt8(ascii: ":"), bytes),
                    let sequence = scanner.wholeNumber(bytes)
                else { return nil }
                entries.append((DeviceID(device), UInt64(sequence)))
            } while scanner.take(UInt8(ascii: ","), bytes)
        }
        guard scanner.take(UInt8(ascii: "}"), bytes) else { return nil }
        return VersionVector(unordered: entries)
    }
}

extension ValueScanner {
    /// Takes a text without escapes.
    fileprivate mutating func plainText(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard let text = text(bytes), text.isPlain else { return nil }
        return text.range
    }

    /// Takes a text without escapes that is not empty.
    fileprivate mutating func name(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard let range = plainText(bytes), !range.isEmpty else { return nil }
        return range
    }

    fileprivate mutating func positiveNumber(_ bytes: Span<UInt8>) -> UInt64? {
        guard let number = wholeNumber(bytes), number > 0 else { return nil }
        return UInt64(number)
    }

    fileprivate mutating func moment(_ bytes: Span<UInt8>) -> Int64? {
        plainText(bytes).flatMap { RFC3339.millisecondsOfUsualForm(bytes.extracting($0)) }
    }
}

/// The keys of a write line.
private enum WriteKey: UInt16 {
    case version
    case event
    case lineSequence
    case source
    case moment
    case received
    case hubSequence
    case device
    case number
    case counter
    case recordType
    case recordID
    case operation
    case fields
    case seen

    /// The key that a range of a line names.
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        guard let first = range.isEmpty ? nil : bytes[range.lowerBound] else { return nil }
        let (key, name): (WriteKey, String)
        switch (range.count, first) {
        case (1, UInt8(ascii: "n")): (key, name) = (.number, "n")
        case (1, _): (key, name) = (.version, "v")
        case (2, UInt8(ascii: "t")): (key, name) = (.moment, "ts")
        case (2, _): (key, name) = (.operation, "op")
        case (3, _): (key, name) = (.lineSequence, "seq")
        case (4, _): (key, name) = (.seen, "seen")
        case (5, _): (key, name) = (.event, "event")
        case (6, UInt8(ascii: "d")): (key, name) = (.device, "device")
        case (6, UInt8(ascii: "f")): (key, name) = (.fields, "fields")
        case (6, _): (key, name) = (.source, "source")
        case (7, _): (key, name) = (.counter, "counter")
        case (8, UInt8(ascii: "r")) where bytes[range.lowerBound + 3] == UInt8(ascii: "e"): (key, name) = (.received, "received")
        case (8, _): (key, name) = (.recordID, "recordID")
        case (10, _): (key, name) = (.recordType, "recordType")
        case (11, _): (key, name) = (.hubSequence, "hubSequence")
        default: return nil
        }
        guard bytes.equals(name, in: range) else { return nil }
        self = key
    }
}
