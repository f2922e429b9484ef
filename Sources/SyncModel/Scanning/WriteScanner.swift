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
        guard bytes.count <= ValueTexts.maximumLineLength, readKeys(bytes, into: &found), found.known.isSuperset(of: .needed),
            let id = bytes.text(found.id),
            // Nor may a delete's fields, which say nothing, name one twice.
            let shape = shapes.shape(at: found.names)
        else { return nil }
        let device = DeviceID(recent.device.name)
        let isNumbered = found.known.contains(.number)
        guard let sequence = isNumbered ? found.number : number(device) else { return nil }
        let seen = found.seen.take()
        if let seen, seen[device] > sequence { return nil }
        let operation: TaggedWrite.Operation
        if found.isDelete {
            operation = .delete
        } else {
            guard found.known.contains(.fields) else { return nil }
            operation = .put(fields(bytes, shape, count: found.values))
        }
        let receipt =
            found.known.contains(.received)
            ? TaggedWrite.Receipt(
                milliseconds: found.received, hubSequence: found.known.contains(.hubSequence) ? found.hubSequence : nil) : nil
        var source: DeviceID?
        if found.known.contains(.source) {
            guard let name = devices.text(bytes, found.source) else { return nil }
            source = DeviceID(name)
        }
        return Line(
            sequence: found.known.contains(.lineSequence) ? found.lineSequence : nil, source: source,
            write: TaggedWrite(
                dot: Dot(device: device, sequence: sequence), isNumbered: isNumbered || seen != nil,
                timestamp: HybridTimestamp(milliseconds: found.milliseconds, counter: found.counter),
                key: RecordKey(type: RecordType(recent.type.name), id: RecordID(id)), operation: operation, seen: seen, receipt: receipt))
    }

    /// What the keys of a line said.
    ///
    /// Device and type are the names that were read last, so that a line moves numbers alone.
    private struct Found {
        var known = Set()
        var isDelete = false
        var counter: UInt32 = 0
        var lineSequence: UInt64 = 0
        var source = 0..<0
        var milliseconds: Int64 = 0
        var received: Int64 = 0
        var hubSequence: UInt64 = 0
        var number: UInt64 = 0
        var id = 0..<0
        /// The node of the names of the fields, and how many there are.
        var names = FieldShapes.root
        var values = 0
        var seen: VersionVector?

        /// The keys that have stood in the line.
        struct Set: OptionSet {
            let rawValue: UInt16

            static let received = Set(.received)
            static let hubSequence = Set(.hubSequence)
            static let source = Set(.source)
            static let lineSequence = Set(.lineSequence)
            static let number = Set(.number)
            static let fields = Set(.fields)
            static let needed = Set([Set(.event), Set(.moment), Set(.device), Set(.recordType), Set(.recordID), Set(.operation)])

            init(rawValue: UInt16) { self.rawValue = rawValue }
            init(_ key: WriteKey) { rawValue = 1 &<< UInt16(key.rawValue) }
        }
    }

    private mutating func readKeys(_ bytes: Span<UInt8>, into found: inout Found) -> Bool {
        var scanner = ValueScanner()
        guard scanner.take(UInt8(ascii: "{"), bytes) else { return false }
        scanner.depth = 1
        var place = KeyOrder.start
        while let key = keyOrder.key(at: place, bytes, &scanner) {
            let bit = Found.Set(key)
            guard found.known.isDisjoint(with: bit), read(key, bytes, &scanner, into: &found) else { return false }
            found.known.formUnion(bit)
            place = Int(key.rawValue)
        }
        return scanner.take(UInt8(ascii: "}"), bytes) && scanner.next(bytes) == 0 && scanner.index == bytes.count
    }

    /// Reads the value of a key; false where it is not an ordinary one.
    @inline(__always)
    private mutating func read(_ key: WriteKey, _ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        switch key {
        case .version: return scanner.wholeNumber(bytes) == 1
        case .event:
            if words.write.isTaken(bytes, &scanner) { return true }
            return scanner.plainText(bytes).map { bytes.equals("write", in: $0) } ?? false
        case .lineSequence:
            guard let number = scanner.positiveNumber(bytes) else { return false }
            found.lineSequence = number
        case .source:
            guard let text = scanner.plainText(bytes) else { return false }
            found.source = text
        case .moment:
            guard let moment = moments.made.take(bytes, &scanner) else { return false }
            found.milliseconds = moment
        case .received:
            guard let moment = moments.received.take(bytes, &scanner) else { return false }
            found.received = moment
        case .hubSequence:
            guard let number = scanner.wholeNumber(bytes) else { return false }
            found.hubSequence = UInt64(number)
        case .device: return recent.device.take(bytes, &scanner, &devices)
        case .number:
            guard let number = scanner.positiveNumber(bytes) else { return false }
            found.number = number
        case .counter:
            guard let counter = scanner.wholeNumber(bytes), let fitting = UInt32(exactly: counter) else { return false }
            found.counter = fitting
        case .recordType: return recent.type.take(bytes, &scanner, &types)
        case .recordID:
            guard let text = scanner.plainText(bytes) else { return false }
            found.id = text
        case .operation:
            if words.put.isTaken(bytes, &scanner) { return true }
            guard let word = scanner.plainText(bytes) else { return false }
            found.isDelete = word.count != 3
            return bytes.equals(found.isDelete ? "delete" : "put", in: word)
        case .fields: return readFields(bytes, &scanner, into: &found)
        case .seen:
            guard let vector = seen(bytes, &scanner) else { return false }
            found.seen = vector
        }
        return true
    }

    /// Reads the fields of a put; where their values stand is noted.
    private mutating func readFields(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        guard scanner.take(UInt8(ascii: "{"), bytes) else { return false }
        scanner.depth += 1
        var (node, count) = (FieldShapes.root, 0)
        if scanner.next(bytes) != UInt8(ascii: "}") {
            repeat {
                guard let name = scanner.plainText(bytes), let next = shapes.node(after: node, bytes, name),
                    scanner.take(UInt8(ascii: ":"), bytes), scanner.next(bytes) != 0
                else { return false }
                node = next
                let start = scanner.index
                guard scanner.skipValue(bytes) else { return false }
                if count < valueRanges.count {
                    valueRanges[count] = start..<scanner.index
                } else {
                    valueRanges.append(start..<scanner.index)
                }
                count += 1
            } while scanner.take(UInt8(ascii: ","), bytes)
        }
        scanner.depth -= 1
        found.names = node
        found.values = count
        return scanner.take(UInt8(ascii: "}"), bytes)
    }

    /// The fields of a put; their values have been checked and are kept as they stand.
    private func fields(_ bytes: Span<UInt8>, _ shape: Int, count: Int) -> FieldMap {
        if count == 0 { return FieldMap() }
        let ranges = valueRanges.span.extracting(0..<count)
        return FieldMap(sortedNames: shapes.names(of: shape), texts: ValueTexts(bytes, ranges, order: shapes.order(of: shape)))
    }

    private mutating func seen(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> VersionVector? {
        guard scanner.next(bytes) == UInt8(ascii: "{") else { return nil }
        let text = vectors.text(bytes, from: scanner.index)
        if let text, let known = vectors.vector(bytes, text) {
            scanner.index = text.range.upperBound
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
        if let text, text.range.upperBound == scanner.index { vectors.keep(vector, bytes, text) }
        return vector
    }
}

extension ValueScanner {
    /// Takes a text without escapes.
    @inline(__always) fileprivate mutating func plainText(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard let text = text(bytes), text.isPlain else { return nil }
        return text.range
    }

    /// Takes a text without escapes that is not empty.
    fileprivate mutating func name(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard let range = plainText(bytes), !range.isEmpty else { return nil }
        return range
    }

    @inline(__always) fileprivate mutating func positiveNumber(_ bytes: Span<UInt8>) -> UInt64? {
        guard let number = wholeNumber(bytes), number > 0 else { return nil }
        return UInt64(number)
    }
}

/// The moment read last: many writes are made at one, and more on one day.
private struct RecentMoment {
    /// The first eight bytes of the date, and those up to the `T` behind it.
    private var date: (UInt64, UInt64) = (0, 0)
    /// The eight bytes behind that, and the last eight.
    private var time: (UInt64, UInt64) = (0, 0)
    private var milliseconds: Int64 = 0
    /// When the day began; nil before the first.
    private var midnight: Int64?

    /// Takes a moment of the usual form.
    @inline(__always) mutating func take(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> Int64? {
        let quote = UInt8(ascii: "\"")
        let start = scanner.index + 1
        if let midnight, start + 24 < bytes.count, bytes[start - 1] == quote, bytes[start + 24] == quote, Self.date(bytes, start) == date {
            let words = Self.time(bytes, start)
            if words != time {
                guard let fresh = Self.milliseconds(words) else { return nil }
                (time, milliseconds) = (words, midnight + fresh)
            }
            scanner.index = start + 25
            return milliseconds
        }
        return takeOther(bytes, &scanner)
    }

    @inline(never) private mutating func takeOther(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> Int64? {
        guard let range = scanner.plainText(bytes), range.count == 24 else { return nil }
        let (date, time) = (Self.date(bytes, range.lowerBound), Self.time(bytes, range.lowerBound))
        let midnight: Int64
        if let day = Self.day(date) {
            midnight = Int64(day) * 86_400_000
        } else if let moment = RFC3339.millisecondsOfUsualForm(bytes.extracting(range)), let sinceMidnight = Self.milliseconds(time) {
            midnight = moment - sinceMidnight
        } else {
            return nil
        }
        guard let sinceMidnight = Self.milliseconds(time) else { return nil }
        (self.date, self.time, self.midnight) = (date, time, midnight)
        milliseconds = midnight + sinceMidnight
        return milliseconds
    }

    /// The days since 1970, from the bytes `YYYY-MM-` and `Y-MM-DDT`; nil where they are no date, and at the end of a month, whose length is asked of
    /// ``RFC3339``.
    private static func day(_ date: (UInt64, UInt64)) -> Int? {
        let (one, other) = (date.0 ^ 0x2d30_302d_3030_3030, date.1 ^ 0x5430_302d_3030_2d30)
        let sixes: (UInt64, UInt64) = (0x0006_0600_0606_0606, 0x0006_0600_0606_0006)
        guard (one | one &+ sixes.0) & 0xfff0_f0ff_f0f0_f0f0 == 0, (other | other &+ sixes.1) & 0xfff0_f0ff_f0f0_fff0 == 0 else {
            return nil
        }
        func digit(_ word: UInt64, _ place: UInt64) -> Int { Int(truncatingIfNeeded: word >> (8 * place) & 0xf) }
        let year = digit(one, 0) * 1000 + digit(one, 1) * 100 + digit(one, 2) * 10 + digit(one, 3)
        let (month, dayOfMonth) = (digit(one, 5) * 10 + digit(one, 6), digit(other, 5) * 10 + digit(other, 6))
        guard month >= 1, month <= 12, dayOfMonth >= 1, dayOfMonth <= 28 else { return nil }
        return RFC3339.day(year: year, month: month, dayOfMonth: dayOfMonth)
    }

    @inline(__always) private static func date(_ bytes: Span<UInt8>, _ index: Int) -> (UInt64, UInt64) {
        (bytes.word(at: index), bytes.word(at: index + 3))
    }

    @inline(__always) private static func time(_ bytes: Span<UInt8>, _ index: Int) -> (UInt64, UInt64) {
        (bytes.word(at: index + 11), bytes.word(at: index + 16))
    }

    /// The milliseconds since midnight, from the bytes `HH:MM:SS` and `:SS.mmmZ`; nil where they are not a time of the day.
    @inline(__always) private static func milliseconds(_ time: (UInt64, UInt64)) -> Int64? {
        // What differs from `00:00:00` and from `:00.000Z`: in the place of a digit its value, in all others nothing.
        let (clock, rest) = (time.0 ^ 0x3030_3a30_303a_3030, time.1 ^ 0x5a30_3030_2e30_303a)
        let sixes: (UInt64, UInt64) = (0x0606_0006_0600_0606, 0x0006_0606_0006_0600)
        guard (clock | clock &+ sixes.0) & 0xf0f0_fff0_f0ff_f0f0 == 0, (rest | rest &+ sixes.1) & 0xfff0_f0f0_fff0_f0ff == 0 else {
            return nil
        }
        func digit(_ word: UInt64, _ place: UInt64) -> Int64 { Int64(truncatingIfNeeded: word >> (8 * place) & 0xf) }
        let (hour, minute) = (digit(clock, 0) * 10 + digit(clock, 1), digit(clock, 3) * 10 + digit(clock, 4))
        let second = digit(clock, 6) * 10 + digit(clock, 7)
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return (hour * 3600 + minute * 60 + second) * 1000 + digit(rest, 4) * 100 + digit(rest, 5) * 10 + digit(rest, 6)
    }
}

/// The name read last where such a one stood: a device makes many writes at a time, and many records are of one type.
private struct RecentName {
    private var text = ShortText("")
    private(set) var name = ""

    /// Takes a name that is not empty.
    @inline(__always) mutating func take(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, _ names: inout TextInterner) -> Bool {
        if text.count > 0, text.isTaken(bytes, &scanner) { return true }
        return takeOther(bytes, &scanner, &names)
    }

    @inline(never)
    private mutating func takeOther(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, _ names: inout TextInterner) -> Bool {
        guard let range = scanner.name(bytes), let read = names.text(bytes, range) else { return false }
        name = read
        text = range.count <= ShortText.maximumCount - 2 ? ShortText(bytes, range.lowerBound - 1..<range.upperBound + 1) : ShortText("")
        return true
    }
}

/// Which key followed which in the lines so far.
///
/// The lines of a trace are laid out alike, so that the next key need only be compared with one.
private struct KeyOrder {
    private struct Follower {
        let key: WriteKey
        /// The key with quotes and colon, and the comma before it where there is one.
        let text: ShortText

        init(_ key: WriteKey, at place: Int) {
            self.key = key
            text = ShortText((place == KeyOrder.start ? "" : ",") + "\"\(key.name)\":")
        }
    }

    /// The place before the first key; the place after a key is its number.
    static let start = WriteKey.allCases.count

    /// For each place the key that stood there last.
    private var followers = (0...start).map { Follower(.event, at: $0) }

    /// Takes a key and the colon behind it; nil where there is none.
    @inline(__always) mutating func key(at place: Int, _ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> WriteKey? {
        let expected = followers[place]
        if expected.text.isTaken(bytes, &scanner) { return expected.key }
        return scanner.next(bytes) == UInt8(ascii: "}") ? nil : otherKey(at: place, bytes, &scanner)
    }

    @inline(never) private mutating func otherKey(at place: Int, _ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> WriteKey? {
        let index = scanner.index
        guard place == Self.start || scanner.take(UInt8(ascii: ","), bytes), let text = scanner.text(bytes), text.isPlain,
            let key = WriteKey(bytes, text.range), scanner.take(UInt8(ascii: ":"), bytes)
        else {
            // A comma without a key behind it is not the end of a line.
            scanner.index = index
            return nil
        }
        followers[place] = Follower(key, at: place)
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
