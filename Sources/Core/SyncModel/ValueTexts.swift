import SyncBytes

/// The values of a map as the JSON in which they were written, checked when they were read and parsed when they are asked for.
///
/// Most values of a trace never are: only those in conflict, and those still shown at the end. One allocation, whatever the number of
/// values.
package struct ValueTexts: Sendable {
    /// Of several values for each four bytes, lowest first, with the index at which its text starts; then the texts.
    ///
    /// The header is the count of all bytes, with ``single`` where there is but one value.
    private final class Storage: ManagedBuffer<UInt32, UInt8> {}

    // Sound: it is filled before anybody else sees it, and never changes.
    private nonisolated(unsafe) let storage: ManagedBuffer<UInt32, UInt8>

    private static let single: UInt32 = 1 << 31

    /// The longest line whose values fit.
    package static let maximumLineLength = 1 << 30

    /// Copies values out of a line.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - ranges: Where each value is in it, checked to be JSON.
    ///   - order: Which of the ranges comes first, second and so on; nil where they are in order.
    package init(_ line: Span<UInt8>, _ ranges: Span<Range<Int>>, order: [Int]?) {
        let isSingle = ranges.count == 1
        let table = isSingle ? 0 : 4 * ranges.count
        var size = table
        for index in ranges.indices { size += ranges[index].count }
        unsafe storage = Self.makeStorage(size, isSingle)
        unsafe line.withUnsafeBytes { line in
            unsafe storage.withUnsafeMutablePointerToElements { target in
                let target = unsafe UnsafeMutableRawBufferPointer(start: target, count: size)
                var start = table
                for index in ranges.indices {
                    let range = ranges[order?[index] ?? index]
                    if !isSingle { unsafe target.storeBytes(of: UInt32(start).littleEndian, toByteOffset: 4 * index, as: UInt32.self) }
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[start..<size]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: line[range]))
                    start += range.count
                }
            }
        }
    }

    /// Values whose bytes another has given.
    ///
    /// - Parameter count: How many values there are.
    /// - Precondition: They are the bytes of one ``withBytes(_:)``, unchanged.
    package init(bytes: Span<UInt8>, count: Int) {
        unsafe storage = Self.makeStorage(bytes.count, count == 1)
        unsafe storage.withUnsafeMutablePointerToElements { target in
            unsafe bytes.withUnsafeBufferPointer { source in
                guard let first = source.baseAddress else { return }
                unsafe target.initialize(from: first, count: source.count)
            }
        }
    }

    private static func makeStorage(_ size: Int, _ isSingle: Bool) -> ManagedBuffer<UInt32, UInt8> {
        Storage.create(minimumCapacity: size) { _ in UInt32(size) | (isSingle ? single : 0) }
    }

    /// Lets a closure look at all bytes, for ``init(bytes:count:)``.
    package func withBytes(_ body: (Span<UInt8>) -> Void) { withParts { bytes, _ in body(bytes) } }

    /// Lets a closure look at all bytes, and how many of them tell where the values start.
    private func withParts<Result>(_ body: (Span<UInt8>, _ table: Int) -> Result) -> Result {
        unsafe storage.withUnsafeMutablePointers { header, elements in
            let header = unsafe header.pointee
            let bytes = unsafe Span(_unsafeStart: UnsafePointer(elements), count: Int(header & ~Self.single))
            return body(bytes, header & Self.single != 0 || bytes.isEmpty ? 0 : Self.start(of: 0, in: bytes))
        }
    }

    /// The bytes of all values.
    package var length: Int { withParts { bytes, table in bytes.count - table } }

    /// Whether the text of one of the values fulfils a condition.
    func contains(where isWanted: (Span<UInt8>) -> Bool) -> Bool {
        withParts { bytes, table in
            if table == 0 { return !bytes.isEmpty && isWanted(bytes) }
            var start = table
            for index in 1...table / 4 {
                let end = 4 * index < table ? Self.start(of: index, in: bytes) : bytes.count
                if isWanted(bytes.extracting(start..<end)) { return true }
                start = end
            }
            return false
        }
    }

    /// The value at an index.
    package func value(at index: Int) -> FieldValue {
        withText(at: index) { text in
            do throws(JSONError) {
                return try JSONParser.parse(text)
            } catch {
                preconditionFailure("the text was checked when it was read")
            }
        }
    }

    /// Whether two values are equal; nil where their JSON does not decide it.
    package func holdsSame(at index: Int, as other: ValueTexts, at otherIndex: Int) -> Bool? {
        withText(at: index) { mine in
            other.withText(at: otherIndex) { theirs in
                let common = mine.countInCommon(with: theirs)
                if common == mine.count, common == theirs.count { return true }
                if mine.isString != theirs.isString || mine.differs(from: theirs, at: common) { return false }
                return mine.isPlainValue && theirs.isPlainValue ? false : nil
            }
        }
    }

    package func withText<Result>(at index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        withParts { bytes, table in body(bytes.extracting(Self.range(of: index, in: bytes, table))) }
    }

    private static func range(of index: Int, in bytes: Span<UInt8>, _ table: Int) -> Range<Int> {
        if table == 0 {
            precondition(index == 0 && !bytes.isEmpty, "there is such a value")
            return bytes.indices
        }
        precondition(index >= 0 && 4 * index < table, "there is such a value")
        let end = 4 * (index + 1) < table ? start(of: index + 1, in: bytes) : bytes.count
        return start(of: index, in: bytes)..<end
    }

    private static func start(of index: Int, in bytes: Span<UInt8>) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[4 * index + $1]) << (8 * $1) }
    }
}

extension Span<UInt8> {
    /// Whether JSON that has been checked is what ``JSONText`` writes for its value, and no other text without white space or escapes says
    /// the same: it holds no number and no object, and only printable ASCII without escapes.
    package var isPlainValue: Bool {
        if isString { return isPlainText }
        var isInText = false
        for index in indices {
            switch self[index] {
            case UInt8(ascii: "\""): isInText.toggle()
            case UInt8(ascii: "\\"): return false
            case 0x20..<0x7f where isInText: break
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: "a")...UInt8(ascii: "z"): break
            default: return false
            }
        }
        return true
    }

    /// Whether JSON that has been checked is of a string.
    fileprivate var isString: Bool { count > 0 && self[0] == UInt8(ascii: "\"") }

    /// How many bytes are the same from the start.
    fileprivate func countInCommon(with other: Span<UInt8>) -> Int {
        let shorter = Swift.min(count, other.count)
        var index = 0
        while index + 8 <= shorter, word(at: index) == other.word(at: index) { index += 8 }
        while index < shorter, self[index] == other[index] { index += 1 }
        return index
    }

    /// Whether two strings of JSON, or lists that hold strings, are not equal for sure, by the first byte that is not the same: in both a
    /// plain character of a string, which is no part of an escape.
    fileprivate func differs(from other: Span<UInt8>, at index: Int) -> Bool {
        let backslash = UInt8(ascii: "\\")
        func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7f && byte != backslash }
        guard index < count, index < other.count, isPlain(self[index]), isPlain(other[index]) else { return false }
        if isString { return (Swift.max(0, index - 5)..<index).allSatisfy { self[$0] != backslash } }
        var isInText = false
        for before in 0..<index {
            switch self[before] {
            case UInt8(ascii: "\""): isInText.toggle()
            // Of an object the keys may come in another order.
            case UInt8(ascii: "{"), backslash: return false
            default: break
            }
        }
        return isInText
    }

    /// Whether each byte is printable ASCII and none a backslash, eight at a time.
    private var isPlainText: Bool {
        let ones = UInt64.max / 255
        var (found, index): (UInt64, Int) = (0, 0)
        func look(_ word: UInt64) {
            let (backslash, delete) = (word ^ (ones * UInt64(UInt8(ascii: "\\"))), word ^ (ones * 0x7f))
            // Borrows from below only where a lower byte has been found already. What is below a space has been refused.
            found |= (word | (backslash &- ones) & ~backslash | (delete &- ones) & ~delete) & (ones << 7)
        }
        while index + 8 <= count {
            look(word(at: index))
            index += 8
        }
        look(word(at: index, count: count - index))
        return found == 0
    }
}
