import SyncBytes
import SyncLines

/// A position in a block of lines, and steps from it: the one part of the reader that looks at memory without asking whether it is there.
///
/// Sound where these hold, which ``LineBlock`` sees to: a line break is at the position or behind it, and at least ``padding`` bytes of the
/// same memory follow that line break. No step passes a line break, because none takes one for part of a token, and none looks further than
/// ``padding`` bytes ahead of where it is. Debug builds check each look against the bounds of the memory.
@safe package struct LineCursor: BitwiseCopyable {
    /// How many bytes beyond the last line break may be looked at.
    package static let padding = 192

    /// How deep the value of a write's field counts as nested, so that it may be as deep as a write's values may.
    static var fieldDepth: Int { JSONParser.maximumDepth - WriteLimits.depth }

    private(set) var pointer: UnsafePointer<UInt8>
    let bounds: MemoryBounds

    /// A position in some memory; nil where that is empty.
    @inline(__always) package init?(_ memory: UnsafeBufferPointer<UInt8>, at index: Int) {
        guard let start = memory.baseAddress else { return nil }
        unsafe pointer = start + index
        unsafe bounds = MemoryBounds(start, count: memory.count)
    }

    /// The position where a text begins.
    @inline(__always) init(_ text: Text) {
        unsafe pointer = text.start
        bounds = text.bounds
    }

    /// The position a distance from here.
    @inline(__always) func at(_ distance: Int) -> LineCursor {
        var cursor = self
        cursor.advance(distance)
        return cursor
    }

    // MARK: Looking

    /// What lies at an offset; every look at memory is one of these.
    @inline(__always) func load<Value: BitwiseCopyable>(_ offset: Int, as type: Value.Type) -> Value {
        unsafe bounds.check(pointer, offset, MemoryLayout<Value>.size)
        return unsafe UnsafeRawPointer(pointer).loadUnaligned(fromByteOffset: offset, as: type)
    }

    @inline(__always) var byte: UInt8 { load(0, as: UInt8.self) }

    /// A byte that may stand behind the line break.
    @inline(__always) func byte(_ offset: Int) -> UInt8 { load(offset, as: UInt8.self) }

    @inline(__always) func word(_ offset: Int) -> UInt64 { UInt64(littleEndian: load(offset, as: UInt64.self)) }

    /// Whether a literal of up to 16 bytes is here.
    @inline(__always) func isAt(_ literal: Literal) -> Bool {
        (word(0) ^ literal.low) & literal.lowMask | (word(8) ^ literal.high) & literal.highMask == 0
    }

    /// How many bytes lie between a cursor before and this one.
    @inline(__always) func distance(from start: LineCursor) -> Int { unsafe pointer - start.pointer }

    // MARK: Going on

    @inline(__always) package mutating func advance(_ count: Int) {
        unsafe pointer += count
    }

    /// Goes where a function has ended; false where it has not found what it should.
    @inline(__always) mutating func goTo(_ end: LineCursor?) -> Bool {
        guard let end else { return false }
        self = end
        return true
    }

    @inline(__always) static func == (left: LineCursor, right: LineCursor) -> Bool { unsafe left.pointer == right.pointer }

    /// What is before a member of an object, or behind its last.
    enum Separator {
        /// What opens the object or a comma, and the quote that opens the next key.
        case comma
        /// The end of the object.
        case end
        /// Neither.
        case none
    }

    /// Consumes what opens an object, and the quote that opens its first key or the end of an object without members.
    @inline(__always) mutating func opening() -> Separator {
        guard consume(UInt8(ascii: "{")) else { return .none }
        skipSpace()
        return consume(UInt8(ascii: "\"")) ? .comma : consume(UInt8(ascii: "}")) ? .end : .none
    }

    /// Consumes what follows a member of an object.
    @inline(__always) mutating func separator() -> Separator {
        if load(0, as: UInt16.self) == UInt16(littleEndian: 0x222c) {
            advance(2)
            return .comma
        }
        // Many writers put one space behind the comma.
        if half(0) & 0xff_ffff == 0x22_202c {
            advance(3)
            return .comma
        }
        skipSpace()
        if consume(UInt8(ascii: "}")) { return .end }
        guard consume(UInt8(ascii: ",")) else { return .none }
        skipSpace()
        return consume(UInt8(ascii: "\"")) ? .comma : .none
    }

    @inline(__always) func half(_ offset: Int) -> UInt32 { UInt32(littleEndian: load(offset, as: UInt32.self)) }

    @inline(__always) private static func half(_ text: StaticString, _ offset: Int) -> UInt32 {
        unsafe UInt32(littleEndian: UnsafeRawPointer(text.utf8Start).loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    @inline(__always) private static func word(_ text: StaticString, _ offset: Int) -> UInt64 {
        unsafe UInt64(littleEndian: UnsafeRawPointer(text.utf8Start).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Consumes a text of four bytes or more that is known when the program is built: it is compared by words that stand in the code.
    @inline(__always) mutating func consume(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        // Words that may share some bytes.
        if count < 8 {
            guard half(0) == Self.half(text, 0), half(count - 4) == Self.half(text, count - 4) else { return false }
        } else {
            var (difference, offset) = (UInt64(0), 0)
            while offset < count {
                let start = min(offset, count - 8)
                difference |= word(start) ^ Self.word(text, start)
                offset += 8
            }
            guard difference == 0 else { return false }
        }
        advance(count)
        return true
    }

    @inline(__always) mutating func consume(_ byte: UInt8) -> Bool {
        guard self.byte == byte else { return false }
        advance(1)
        return true
    }

    @inline(__always) mutating func consume(_ literal: Literal) -> Bool {
        guard isAt(literal) else { return false }
        advance(literal.count)
        return true
    }

    /// Passes over white space within the line.
    @inline(__always) mutating func skipSpace() {
        while byte <= 0x20, byte == 0x20 || byte == 0x09 || byte == 0x0d { advance(1) }
    }

    /// Consumes up to seven bytes, given with the first one lowest.
    @inline(__always) mutating func consumeWord(_ bytes: UInt64, _ count: UInt64) -> Bool {
        guard word(0) & ((1 &<< (8 * count)) - 1) == bytes else { return false }
        advance(Int(clamping: count))
        return true
    }

    /// Consumes a Boolean.
    @inline(__always) mutating func truth() -> Bool? {
        consumeWord(0x6575_7274, 4) ? true : consumeWord(0x65_736c_6166, 5) ? false : nil
    }

    // MARK: Values

    /// Passes over a value of any kind; false where it is none, or a rare one.
    ///
    /// Accepts nothing that `JSONParser` refuses.
    ///
    /// - Parameters:
    ///   - depth: How many arrays and objects are open around it.
    ///   - keys: The keys of those objects.
    @inline(__always) mutating func skipValue(depth: Int, _ keys: inout KeyStack) -> Bool {
        if byte == UInt8(ascii: "\"") {
            advance(1)
            return text() != nil
        }
        guard let end = afterValue(depth: depth, &keys) else { return false }
        self = end
        return true
    }

    /// Passes over an object, all of whose keys must be plain and different.
    @inline(__always) mutating func skipObject(depth: Int, _ keys: inout KeyStack) -> Bool {
        goTo(afterObject(depth: depth, &keys))
    }

    @inline(never) private func afterValue(depth: Int, _ keys: inout KeyStack) -> LineCursor? {
        var cursor = self
        switch byte {
        case UInt8(ascii: "{"): return afterObject(depth: depth, &keys)
        case UInt8(ascii: "["): return afterArray(depth: depth, &keys)
        case UInt8(ascii: "t"): return cursor.consumeWord(0x6575_7274, 4) ? cursor : nil
        case UInt8(ascii: "f"): return cursor.consumeWord(0x65_736c_6166, 5) ? cursor : nil
        case UInt8(ascii: "n"): return cursor.consumeWord(0x6c6c_756e, 4) ? cursor : nil
        default: return cursor.skipNumber() ? cursor : nil
        }
    }

    private func afterArray(depth: Int, _ keys: inout KeyStack) -> LineCursor? {
        guard depth < JSONParser.maximumDepth else { return nil }
        var cursor = self
        cursor.advance(1)
        cursor.skipSpace()
        if cursor.consume(UInt8(ascii: "]")) { return cursor }
        while true {
            cursor.skipSpace()
            guard cursor.skipValue(depth: depth + 1, &keys) else { return nil }
            cursor.skipSpace()
            if cursor.consume(UInt8(ascii: "]")) { return cursor }
            guard cursor.consume(UInt8(ascii: ",")) else { return nil }
        }
    }

    @inline(never) private func afterObject(depth: Int, _ keys: inout KeyStack) -> LineCursor? {
        guard depth < JSONParser.maximumDepth else { return nil }
        var cursor = self
        let mark = keys.count
        var separator = cursor.opening()
        while separator == .comma {
            guard let key = cursor.key(), keys.push(key, above: mark), cursor.skipValue(depth: depth + 1, &keys) else { return nil }
            separator = cursor.separator()
        }
        keys.pop(to: mark)
        return separator == .end ? cursor : nil
    }

    /// Consumes a plain key behind its opening quote, with its colon, and the white space around that.
    @inline(__always) mutating func key() -> Text? {
        guard let key = text(), key.isPlain else { return nil }
        skipSpace()
        guard consume(UInt8(ascii: ":")) else { return nil }
        skipSpace()
        return key
    }
}

/// The keys of the objects that are open, to find one that occurs twice.
struct KeyStack {
    private static let capacity = 64

    /// Nil before there is a key.
    private var keys: Memory<LineCursor.Text>?
    private(set) var count = 0
    /// A bit for each key since the stack was cleared, by its tag: one whose bit is not set is new.
    private var bits: UInt64 = 0

    /// Adds a key; false where the same is above a mark already, or there is no more room.
    @inline(__always) mutating func push(_ key: LineCursor.Text, above mark: Int) -> Bool {
        guard count < Self.capacity else { return false }
        let keys = keys ?? makeRoom()
        let bit = 1 &<< (key.tag >> 58)
        if bits & bit != 0 {
            for index in mark..<count where keys[index].equals(key) { return false }
        }
        bits |= bit
        keys[count] = key
        count += 1
        return true
    }

    @inline(never) private mutating func makeRoom() -> Memory<LineCursor.Text> {
        let memory = Memory(repeating: LineCursor.Text.none, count: Self.capacity)
        keys = memory
        return memory
    }

    mutating func pop(to mark: Int) { count = mark }

    mutating func clear() { (count, bits) = (0, 0) }
}
