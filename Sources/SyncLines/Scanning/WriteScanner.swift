package import SyncModel

/// Reads write lines in one pass over their bytes, without a tree of their values.
///
/// Keys may come in any order, and those that mean nothing in a write are passed over. A line that is in any way out of the ordinary
/// (an escape in a name, a revision, anything wrong) is none of its business: it returns nil and leaves the line to ``JSONParser`` and
/// ``WriteLine``, which also say what is wrong. What it does return is what they would have returned. Keep one scanner for a trace: it
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

    private var devices = TextInterner()
    private var types = TextInterner()
    private var apps = TextInterner()
    private var shapes = FieldShapes()
    /// The sequences of keys that mean nothing in a write.
    private var otherShapes = FieldShapes()
    private var vectors = VectorInterner()
    private var keyOrder = KeyOrder()
    private var moments = (made: RecentMoment(), received: RecentMoment())
    private var recent = (device: RecentName(), type: RecentName())
    private let nothing = ShortText("{}")
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
        guard let write = write(bytes, number: number, &found) else { return nil }
        var source: DeviceID?
        if found.known.contains(.source) {
            guard let name = devices.text(bytes, found.source) else { return nil }
            source = DeviceID(name)
        }
        return Line(sequence: found.known.contains(.lineSequence) ? found.lineSequence : nil, source: source, write: write)
    }

    /// Reads the write of a line that does carry an `n`, and leaves the rest of what the line says.
    ///
    /// - Parameter bytes: The line without its line break.
    /// - Returns: The write, or nil where the line is not an ordinary numbered write.
    package mutating func scanNumbered(_ bytes: Span<UInt8>) -> TaggedWrite? {
        var found = Found()
        return write(bytes, number: { _ in nil }, &found)
    }

    @inline(__always)
    private mutating func write(_ bytes: Span<UInt8>, number: (DeviceID) -> UInt64?, _ found: inout Found) -> TaggedWrite? {
        guard bytes.count <= ValueTexts.maximumLineLength, readKeys(bytes, into: &found), found.known.isSuperset(of: .needed),
            let id = bytes.text(found.id),
            // Nor may a delete's fields, which say nothing, name one twice.
            let shape = shapes.shape(at: found.names), otherShapes.hasShape(at: found.otherKeys)
        else { return nil }
        let device = DeviceID(recent.device.name)
        let isNumbered = found.known.contains(.number)
        guard let sequence = isNumbered ? found.number : number(device) else { return nil }
        if Self.names(found.seen, device, beyond: sequence) { return nil }
        let (hasCursor, hasApp) = (found.known.contains(.cursor), found.known.contains(.app))
        if hasCursor, found.seen != nil || found.known.contains(.hubSequence) && found.cursor > found.hubSequence { return nil }
        let seen = found.seen.take()
        let app = hasApp ? apps.text(bytes, found.app) : nil
        if hasApp, app == nil { return nil }
        let operation: TaggedWrite.Operation
        if found.isDelete {
            operation = .delete
        } else {
            guard found.known.contains(.fields) else { return nil }
            operation = .put(fields(bytes, shape, count: found.values))
        }
        let (isReceived, hasHubSequence) = (found.known.contains(.received), found.known.contains(.hubSequence))
        let receipt =
            isReceived || hasHubSequence
            ? TaggedWrite.Receipt(
                milliseconds: isReceived ? found.received : nil, hubSequence: hasHubSequence ? found.hubSequence : nil) : nil
        return TaggedWrite(
            dot: Dot(device: device, sequence: sequence), isNumbered: isNumbered || seen != nil,
            timestamp: HybridTimestamp(milliseconds: found.milliseconds, counter: found.counter),
            key: RecordKey(type: RecordType(recent.type.name), id: RecordID(id)), operation: operation, seen: seen,
            cursor: hasCursor ? found.cursor : nil, receipt: receipt, app: app)
    }

    /// Whether a vector names a later write of a device; borrowed, so that no reference to it is counted.
    @inline(never) private static func names(_ vector: borrowing VersionVector?, _ device: DeviceID, beyond sequence: UInt64) -> Bool {
        switch vector {
        case .none: false
        case .some(let vector): vector[device] > sequence
        }
    }

    /// What the keys of a line said.
    ///
    /// Device and type are the names that were read last, so that a line moves numbers alone.
    private struct Found {
        var known = Set()
        /// The place after the last of them.
        var last = KeyOrder.start
        var isDelete = false
        var counter: UInt32 = 0
        var lineSequence: UInt64 = 0
        var source = 0..<0
        var milliseconds: Int64 = 0
        var received: Int64 = 0
        var hubSequence: UInt64 = 0
        var cursor: UInt64 = 0
        var app = 0..<0
        var number: UInt64 = 0
        var id = 0..<0
        /// The node of the names of the fields, and how many there are.
        var names = FieldShapes.root
        var values = 0
        /// The node of the keys that mean nothing in a write.
        var otherKeys = FieldShapes.root
        var seen: VersionVector?

        /// The keys that have stood in the line.
        struct Set: OptionSet {
            let rawValue: UInt32

            static let received = Set(.received)
            static let cursor = Set(.cursor)
            static let app = Set(.app)
            static let hubSequence = Set(.hubSequence)
            static let source = Set(.source)
            static let lineSequence = Set(.lineSequence)
            static let number = Set(.number)
            static let fields = Set(.fields)
            static let needed = Set([Set(.event), Set(.moment), Set(.device), Set(.recordType), Set(.recordID), Set(.operation)])

            init(rawValue: UInt32) { self.rawValue = rawValue }
            init(_ key: WriteKey) { rawValue = 1 &<< UInt32(key.rawValue) }
        }
    }

    private mutating func readKeys(_ bytes: Span<UInt8>, into found: inout Found) -> Bool {
        var scanner = ValueScanner()
        guard scanner.take(UInt8(ascii: "{"), bytes) else { return false }
        scanner.depth = 1
        guard readUsualKeys(bytes, &scanner, into: &found) else { return false }
        if scanner.index == bytes.count - 1, bytes[scanner.index] == UInt8(ascii: "}") { return true }
        return readOtherKeys(bytes, &scanner, into: &found)
    }

    /// Reads the keys that nearly every line has as long as they stand in the usual order, the hub's account before the device or behind the number.
    ///
    /// Here it is known which key comes next, and that none has come twice.
    @inline(__always)
    private mutating func readUsualKeys(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        guard keyOrder.event.isTaken(bytes, &scanner) else { return true }
        found.known.formUnion(Found.Set(.event))
        found.last = Int(WriteKey.event.rawValue)
        if isNext(.moment, bytes, &scanner, &found), !readMoment(bytes, &scanner, into: &found) { return false }
        if isNext(.received, bytes, &scanner, &found), !readReceived(bytes, &scanner, into: &found) { return false }
        if isNext(.device, bytes, &scanner, &found), !recent.device.take(bytes, &scanner, &devices) { return false }
        if isNext(.number, bytes, &scanner, &found), !readNumber(bytes, &scanner, into: &found) { return false }
        if isNext(.counter, bytes, &scanner, &found), !readOther(.counter, bytes, &scanner, into: &found) { return false }
        if !found.known.contains(.received), isNext(.received, bytes, &scanner, &found), !readReceived(bytes, &scanner, into: &found) {
            return false
        }
        if isNext(.recordType, bytes, &scanner, &found), !recent.type.take(bytes, &scanner, &types) { return false }
        if isNext(.recordID, bytes, &scanner, &found), !readRecordID(bytes, &scanner, into: &found) { return false }
        // Its value is taken with the key.
        _ = isNext(.operation, bytes, &scanner, &found)
        if isNext(.fields, bytes, &scanner, &found), !readFields(bytes, &scanner, into: &found) { return false }
        return !isNext(.seen, bytes, &scanner, &found) || readSeen(bytes, &scanner, into: &found)
    }

    /// Takes a key where it is next, and its value where that is nearly always the same.
    @inline(__always)
    private func isNext(_ key: WriteKey, _ bytes: Span<UInt8>, _ scanner: inout ValueScanner, _ found: inout Found) -> Bool {
        guard keyOrder.keys[Int(key.rawValue)].text.isTaken(bytes, &scanner) else { return false }
        found.known.formUnion(Found.Set(key))
        found.last = Int(key.rawValue)
        return true
    }

    @inline(never)
    private mutating func readOtherKeys(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        repeat {
            while let (key, isWhole) = keyOrder.take(at: found.last, bytes, &scanner) {
                let bit = Found.Set(key)
                guard found.known.isDisjoint(with: bit), isWhole || read(key, bytes, &scanner, into: &found) else { return false }
                found.known.formUnion(bit)
                found.last = Int(key.rawValue)
            }
        } while passOtherKey(bytes, &scanner, into: &found)
        return scanner.take(UInt8(ascii: "}"), bytes) && scanner.next(bytes) == 0 && scanner.index == bytes.count
    }

    /// Passes over a key that means nothing in a write and its value; otherwise moves nothing and returns false.
    private mutating func passOtherKey(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        let start = scanner
        if passOtherMember(bytes, &scanner, into: &found) { return true }
        scanner = start
        return false
    }

    @inline(__always)
    private mutating func passOtherMember(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        guard found.last == KeyOrder.start || scanner.take(UInt8(ascii: ","), bytes) else { return false }
        if found.otherKeys == FieldShapes.root { otherShapes.beginLine() }
        guard let node = otherShapes.takeFollower(of: found.otherKeys, bytes, &scanner) ?? newOtherKey(bytes, &scanner, found),
            scanner.next(bytes) == UInt8(ascii: "\"") ? scanner.text(bytes) != nil : scanner.skipValue(bytes)
        else { return false }
        found.otherKeys = node
        if found.last == KeyOrder.start { found.last = KeyOrder.otherKey }
        return true
    }

    /// Takes a key that means nothing in a write and is not the one that followed last.
    @inline(never)
    private mutating func newOtherKey(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, _ found: Found) -> Int? {
        guard let name = scanner.plainText(bytes), WriteKey(bytes, name) == nil, scanner.take(UInt8(ascii: ":"), bytes) else { return nil }
        return otherShapes.node(after: found.otherKeys, bytes, name)
    }

    /// Reads the value of a key; false where it is not an ordinary one.
    private mutating func read(_ key: WriteKey, _ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        switch key {
        case .moment: readMoment(bytes, &scanner, into: &found)
        case .received: readReceived(bytes, &scanner, into: &found)
        case .device: recent.device.take(bytes, &scanner, &devices)
        case .number: readNumber(bytes, &scanner, into: &found)
        case .recordType: recent.type.take(bytes, &scanner, &types)
        case .recordID: readRecordID(bytes, &scanner, into: &found)
        case .fields: readFields(bytes, &scanner, into: &found)
        case .seen: readSeen(bytes, &scanner, into: &found)
        default: readOther(key, bytes, &scanner, into: &found)
        }
    }

    @inline(__always)
    private mutating func readMoment(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        guard let moment = moments.made.take(bytes, &scanner) else { return false }
        found.milliseconds = moment
        return true
    }

    @inline(__always)
    private mutating func readReceived(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        // Mostly the moment at which the write was made.
        if moments.made.isTaken(bytes, &scanner) {
            found.received = moments.made.milliseconds
            return true
        }
        guard let moment = moments.received.take(bytes, &scanner) else { return false }
        found.received = moment
        return true
    }

    @inline(__always)
    private func readNumber(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        guard let number = scanner.positiveNumber(bytes) else { return false }
        found.number = number
        return true
    }

    @inline(__always)
    private func readRecordID(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        guard let text = scanner.plainText(bytes) else { return false }
        found.id = text
        return true
    }

    private mutating func readSeen(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        guard let vector = seen(bytes, &scanner) else { return false }
        found.seen = vector
        return true
    }

    /// Reads the value of a key that few lines have, or whose value is nearly always the same and then taken with the key.
    @inline(never)
    private func readOther(_ key: WriteKey, _ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        switch key {
        case .version: return scanner.wholeNumber(bytes) == 1
        case .event: return scanner.plainText(bytes).map { bytes.equals("write", in: $0) } ?? false
        case .lineSequence:
            guard let number = scanner.positiveNumber(bytes) else { return false }
            found.lineSequence = number
        case .source:
            guard let text = scanner.plainText(bytes) else { return false }
            found.source = text
        case .hubSequence:
            guard let number = scanner.wholeNumber(bytes) else { return false }
            found.hubSequence = UInt64(number)
        case .cursor:
            guard let number = scanner.wholeNumber(bytes), number <= WriteLimits.number else { return false }
            found.cursor = UInt64(number)
        case .app:
            guard let text = scanner.plainText(bytes), !text.isEmpty, text.count <= WriteLimits.nameBytes else { return false }
            found.app = text
        case .counter:
            guard let counter = scanner.wholeNumber(bytes), let fitting = UInt32(exactly: counter) else { return false }
            found.counter = fitting
        case .operation:
            guard let word = scanner.plainText(bytes) else { return false }
            found.isDelete = word.count != 3
            return bytes.equals(found.isDelete ? "delete" : "put", in: word)
        default: return false
        }
        return true
    }

    /// Reads the fields of a put; where their values stand is noted.
    private mutating func readFields(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner, into found: inout Found) -> Bool {
        guard scanner.take(UInt8(ascii: "{"), bytes) else { return false }
        scanner.depth += 1
        shapes.beginLine()
        var (node, count) = (FieldShapes.root, 0)
        if scanner.next(bytes) != UInt8(ascii: "}") {
            repeat {
                guard let next = shapes.takeFollower(of: node, bytes, &scanner) ?? otherField(after: node, bytes, &scanner) else {
                    return false
                }
                node = next
                let first = scanner.next(bytes)
                let start = scanner.index
                guard first == UInt8(ascii: "\"") ? scanner.text(bytes) != nil : scanner.skipValue(bytes) else { return false }
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

    /// Takes the name of a field and the colon behind it.
    @inline(never)
    private mutating func otherField(after node: Int, _ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> Int? {
        guard let name = scanner.plainText(bytes), scanner.take(UInt8(ascii: ":"), bytes) else { return nil }
        return shapes.node(after: node, bytes, name)
    }

    /// The fields of a put; their values have been checked and are kept as they stand.
    private mutating func fields(_ bytes: Span<UInt8>, _ shape: Int, count: Int) -> FieldMap {
        if count == 0 { return FieldMap() }
        let ranges = valueRanges.span.extracting(0..<count)
        return FieldMap(sortedNames: shapes.names(of: shape), texts: ValueTexts(bytes, ranges, order: shapes.order(of: shape)))
    }

    private mutating func seen(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> VersionVector? {
        if nothing.isTaken(bytes, &scanner) { return VersionVector() }
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
    /// The first and the last sixteen bytes of the moment with its quotes.
    private var words: ((UInt64, UInt64), (UInt64, UInt64))
    private(set) var milliseconds: Int64 = 0
    /// When the day began.
    private var midnight: Int64 = 0

    /// A moment that nobody need have read.
    init() {
        let text = Array(#""1970-01-01T00:00:00.000Z""#.utf8)
        guard let words = Self.words(text.span, 0) else { preconditionFailure("a moment is that long") }
        self.words = words
    }

    /// Takes the moment where it is next.
    @inline(__always) func isTaken(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> Bool {
        guard let others = Self.words(bytes, scanner.index), others.1 == words.1, others.0 == words.0 else { return false }
        scanner.index += 26
        return true
    }

    /// Takes a moment of the usual form.
    @inline(__always) mutating func take(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> Int64? {
        isTaken(bytes, &scanner) || isOtherTaken(bytes, &scanner) ? milliseconds : nil
    }

    @inline(never) private mutating func isOtherTaken(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> Bool {
        guard let range = scanner.plainText(bytes), range.count == 24, let words = Self.words(bytes, range.lowerBound - 1),
            let sinceMidnight = Self.milliseconds((bytes.word(at: range.lowerBound + 11), bytes.word(at: range.lowerBound + 16)))
        else { return false }
        // The quote and the date up to the `T` behind it.
        if words.0.0 != self.words.0.0 || (words.0.1 ^ self.words.0.1) & 0xffff_ffff != 0 {
            if let day = Self.day((bytes.word(at: range.lowerBound), bytes.word(at: range.lowerBound + 3))) {
                midnight = Int64(day) * 86_400_000
            } else if let moment = RFC3339.millisecondsOfUsualForm(bytes.extracting(range)) {
                midnight = moment - sinceMidnight
            } else {
                return false
            }
        }
        self.words = words
        milliseconds = midnight + sinceMidnight
        return true
    }

    @inline(__always) private static func words(_ bytes: Span<UInt8>, _ index: Int) -> ((UInt64, UInt64), (UInt64, UInt64))? {
        guard let last = bytes.words(at: index &+ 10), let first = bytes.words(at: index) else { return nil }
        return (first, last)
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
    struct Follower {
        let key: WriteKey
        /// The key with quotes and colon, the comma before it where there is one, and its value where that is nearly always the same.
        let text: ShortText

        init(_ key: WriteKey, isFirst: Bool) {
            self.key = key
            text = ShortText((isFirst ? "" : ",") + "\"\(key.name)\":" + (key.usualValue ?? ""))
        }
    }

    /// The place before the first key; the place after a key is its number.
    static let start = WriteKey.allCases.count
    /// The place after a first key that means nothing in a write.
    static let otherKey = start + 1

    /// For each place the key that stood there last.
    private var followers: [Follower] = {
        var followers = [Follower](repeating: Follower(.event, isFirst: false), count: otherKey + 1)
        followers[start] = Follower(.event, isFirst: true)
        return followers
    }()
    /// Every key behind another.
    let keys = WriteKey.allCases.map { Follower($0, isFirst: false) }
    /// The key with which nearly every line begins.
    let event = Follower(.event, isFirst: true).text

    /// Takes a key, the colon behind it and perhaps its value; nil where there is no key.
    @inline(__always)
    mutating func take(at place: Int, _ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> (key: WriteKey, isWhole: Bool)? {
        if let key = takeFollower(at: place, bytes, &scanner) { return (key, key == .event || key == .operation) }
        if scanner.next(bytes) == UInt8(ascii: "}") { return nil }
        guard let key = otherKey(at: place, bytes, &scanner) else { return nil }
        return (key, false)
    }

    @inline(__always)
    private func takeFollower(at place: Int, _ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> WriteKey? {
        followers[place].text.isTaken(bytes, &scanner) ? followers[place].key : nil
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
        followers[place] = place == Self.start ? Follower(key, isFirst: true) : keys[Int(key.rawValue)]
        return key
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
    case cursor
    case app
    // In lines that are left to the decoder:
    case order
    case revision
    case parents

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
        case .cursor: "cursor"
        case .app: "app"
        case .order: "order"
        case .revision: "rev"
        case .parents: "parents"
        }
    }

    /// The value that the key has in nearly all lines, as it stands there.
    var usualValue: String? {
        switch self {
        case .event: #""write""#
        case .operation: #""put""#
        default: nil
        }
    }

    /// The key that a range of a line names.
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        guard let key = Self.allCases.first(where: { bytes.equals($0.name, in: range) }) else { return nil }
        self = key
    }
}
