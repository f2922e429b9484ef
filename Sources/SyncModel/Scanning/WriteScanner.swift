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
    private var vectors = VectorInterner()
    private var keyOrder = KeyOrder()
    private var moments = (made: RecentMoment(), received: RecentMoment())
    private var recent = (device: RecentName(), type: RecentName())
    private let words = (write: ShortText(#""write""#), put: ShortText(#""put""#))
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
        var found = Found()
        guard bytes.count <= ValueTexts.maximumLineLength, readKeys(bytes, into: &found) else { return nil }
        // What is taken out need not be counted twice.
        guard found.isWrite, let milliseconds = found.milliseconds, let device = found.device.take(), let type = found.type.take(),
            let id = found.id.take(), let isDelete = found.isDelete, let sequence = found.number ?? number(device)
        else { return nil }
        let dot = Dot(device: device, sequence: sequence)
        let seen = found.seen.take()
        if let seen, seen[device] > sequence { return nil }
        let operation: TaggedWrite.Operation
        if isDelete {
            operation = .delete
        } else {
            guard let fields = found.fields.take() else { return nil }
            operation = .put(fields)
        }
        let receipt = found.received.map { TaggedWrite.Receipt(milliseconds: $0, hubSequence: found.hubSequence) }
        return Line(
            sequence: found.lineSequence, source: found.source,
            write: TaggedWrite(
                dot: dot, isNumbered: found.number != nil || seen != nil,
                timestamp: HybridTimestamp(milliseconds: milliseconds, counter: found.counter), key: RecordKey(type: type, id: id),
                operation: operation, seen: seen, receipt: receipt))
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

    private mutating func readKeys(_ bytes: Span<UInt8>, into found: inout Found) -> Bool {
        var scanner = ValueScanner()
        guard scanner.take(UInt8(ascii: "{"), bytes) else { return false }
        scanner.depth = 1
        var last: WriteKey?
        repeat {
            guard let key = keyOrder.key(after: last, bytes, &scanner), found.known.insert(Found.Set(rawValue: 1 << key.rawValue)).inserted,
                read(key, bytes, &scanner, into: &found)
            else { return false }
            last = key
        } while scanner.take(UInt8(ascii: ","), bytes)
        return scanner.take(UInt8(ascii: "}"), bytes) && scanner.next(bytes) == 0 && scanner.index == bytes.count
    }

    /// Reads the value of a key; false where it is not an ordinary one.
    private mutating func read(_ key: WriteKey, _ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        switch key {
        case .version: return scanner.wholeNumber(bytes) == 1
        case .event:
            if words.write.isTaken(bytes, &scanner) {
                found.isWrite = true
            } else {
                found.isWrite = scanner.plainText(bytes).map { bytes.equals("write", in: $0) } ?? false
            }
            return found.isWrite
        case .lineSequence:
            found.lineSequence = scanner.positiveNumber(bytes)
            return found.lineSequence != nil
        case .source:
            found.source = scanner.plainText(bytes).flatMap { devices.text(bytes, $0) }.map { DeviceID($0) }
            return found.source != nil
        case .moment:
            found.milliseconds = moments.made.take(bytes, &scanner)
            return found.milliseconds != nil
        case .received:
            found.received = moments.received.take(bytes, &scanner)
            return found.received != nil
        case .hubSequence:
            found.hubSequence = scanner.wholeNumber(bytes).map { UInt64($0) }
            return found.hubSequence != nil
        case .device:
            found.device = recent.device.take(bytes, &scanner, &devices).map { DeviceID($0) }
            return found.device != nil
        case .number:
            found.number = scanner.positiveNumber(bytes)
            return found.number != nil
        case .counter:
            guard let counter = scanner.wholeNumber(bytes), let fitting = UInt32(exactly: counter) else { return false }
            found.counter = fitting
            return true
        case .recordType:
            found.type = recent.type.take(bytes, &scanner, &types).map { RecordType($0) }
            return found.type != nil
        case .recordID:
            found.id = scanner.plainText(bytes).flatMap { bytes.extracting($0).validText }.map { RecordID($0) }
            return found.id != nil
        case .operation:
            if words.put.isTaken(bytes, &scanner) {
                found.isDelete = false
                return true
            }
            guard let word = scanner.plainText(bytes) else { return false }
            found.isDelete = word.count != 3
            return bytes.equals(found.isDelete == true ? "delete" : "put", in: word)
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
        guard scanner.next(bytes) == UInt8(ascii: "{") else { return nil }
        let text = vectors.text(bytes, from: scanner.index)
        if let text, let known = vectors.vector(bytes, text) {
            scanner.index = text.upperBound
            return known
        }
        scanner.index += 1
        entries.removeAll(keepingCapacity: true)
        if scanner.next(bytes) != UInt8(ascii: "}") {
            repeat {
                guard let name = scanner.plainText(bytes), let device = devices.text(bytes, name), scanner.take(UInt8(ascii: ":"), bytes),
                    let sequence = scanner.wholeNumber(bytes)
                else { return nil }
                entries.append((DeviceID(device), UInt64(sequence)))
            } while scanner.take(UInt8(ascii: ","), bytes)
        }
        guard scanner.take(UInt8(ascii: "}"), bytes), let vector = VersionVector(unordered: entries) else { return nil }
        if let text, text.upperBound == scanner.index { vectors.keep(vector, bytes, text) }
        return vector
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
}

/// The moment read last: many writes are made at one.
private struct RecentMoment {
    private var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    private var milliseconds: Int64?

    /// Takes a moment of the usual form.
    @inline(__always) mutating func take(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> Int64? {
        let quote = UInt8(ascii: "\"")
        let start = scanner.index + 1
        if let milliseconds, start + 24 < bytes.count, bytes[start - 1] == quote, bytes[start + 24] == quote,
            Self.words(bytes, at: start) == words
        {
            scanner.index = start + 25
            return milliseconds
        }
        guard let range = scanner.plainText(bytes), let moment = RFC3339.millisecondsOfUsualForm(bytes.extracting(range)) else {
            return nil
        }
        (words, milliseconds) = (Self.words(bytes, at: range.lowerBound), moment)
        return moment
    }

    /// The 24 bytes of a moment.
    @inline(__always) private static func words(_ bytes: Span<UInt8>, at index: Int) -> (UInt64, UInt64, UInt64) {
        (bytes.word(at: index), bytes.word(at: index + 8), bytes.word(at: index + 16))
    }
}

/// The name read last where such a one stood: a device makes many writes at a time, and many records are of one type.
private struct RecentName {
    private var text = ShortText("")
    private var name = ""

    /// Takes a name that is not empty.
    @inline(__always) mutating func take(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, _ names: inout TextInterner) -> String? {
        if !name.isEmpty, text.isTaken(bytes, &scanner) { return name }
        guard let range = scanner.name(bytes), let read = names.text(bytes, range) else { return nil }
        if range.count <= ShortText.maximumCount - 2 {
            text = ShortText(bytes, range.lowerBound - 1..<range.upperBound + 1)
            name = read
        }
        return read
    }
}

/// Which key followed which in the lines so far.
///
/// The lines of a trace are laid out alike, so that the next key need only be compared with one.
private struct KeyOrder {
    /// For each key, and for the beginning of a line, the key that followed it last.
    private var followers: [WriteKey] = Array(repeating: .event, count: WriteKey.allCases.count + 1)
    /// For each key its text in a line, with quotes and colon.
    private let texts = WriteKey.allCases.map { ShortText("\"\($0.name)\":") }

    /// Takes a key and the colon behind it.
    @inline(__always) mutating func key(after last: WriteKey?, _ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> WriteKey? {
        let place = last.map { Int($0.rawValue) } ?? WriteKey.allCases.count
        let expected = followers[place]
        if texts[Int(expected.rawValue)].isTaken(bytes, &scanner) { return expected }
        guard let text = scanner.text(bytes), text.isPlain, let key = WriteKey(bytes, text.range), scanner.take(UInt8(ascii: ":"), bytes)
        else { return nil }
        followers[place] = key
        return key
    }
}

/// Up to 16 bytes to look for.
private struct ShortText {
    let count: Int
    private let words: (UInt64, UInt64)
    private let masks: (UInt64, UInt64)

    static let maximumCount = 16

    init(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span, 0..<bytes.count)
    }

    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        precondition(range.count <= Self.maximumCount, "up to 16 bytes")
        count = range.count
        masks = (Self.mask(count), Self.mask(count - 8))
        func word(_ start: Int) -> UInt64 {
            let left = range.upperBound - start
            if left <= 0 { return 0 }
            return left >= 8 ? bytes.word(at: start) : bytes.word(at: start, count: left)
        }
        words = (word(range.lowerBound), word(range.lowerBound + 8))
    }

    /// Ones in place of so many bytes, up to 8.
    private static func mask(_ count: Int) -> UInt64 {
        count >= 8 ? .max : count <= 0 ? 0 : (1 << UInt64(8 * count)) - 1
    }

    /// Takes the text where it is next.
    @inline(__always) func isTaken(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> Bool {
        guard stands(in: bytes, at: scanner.index) else { return false }
        scanner.index += count
        return true
    }

    /// Whether the text stands at an index.
    @inline(__always) func stands(in bytes: Span<UInt8>, at index: Int) -> Bool {
        if index + 16 > bytes.count { return standsAtEnd(of: bytes, at: index) }
        return bytes.word(at: index) & masks.0 == words.0 && bytes.word(at: index + 8) & masks.1 == words.1
    }

    @inline(never) private func standsAtEnd(of bytes: Span<UInt8>, at index: Int) -> Bool {
        guard index + count <= bytes.count else { return false }
        let other = ShortText(bytes, index..<index + count)
        return other.words == words
    }
}

/// The keys of a write line.
private enum WriteKey: UInt8, CaseIterable {
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

    /// The key as it stands in a line.
    var name: String {
        switch self {
        case .version: "v"
        case .event: "event"
        case .lineSequence: "seq"
        case .source: "source"
        case .moment: "ts"
        case .received: "received"
        case .hubSequence: "hubSequence"
        case .device: "device"
        case .number: "n"
        case .counter: "counter"
        case .recordType: "recordType"
        case .recordID: "recordID"
        case .operation: "op"
        case .fields: "fields"
        case .seen: "seen"
        }
    }

    /// The key that a range of a line names.
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        guard let key = Self.allCases.first(where: { bytes.equals($0.name, in: range) }) else { return nil }
        self = key
    }
}
