/// The values of a map as the JSON in which they were written, checked when they were read and parsed when they are asked for.
///
/// Most values of a trace never are: only those in conflict, and those still shown at the end. One allocation, whatever the number of
/// values.
package struct ValueTexts: Sendable {
    /// For each value four bytes, lowest first, with the index at which its text starts; then the texts.
    ///
    /// The header is the count of all bytes.
    private final class Storage: ManagedBuffer<UInt32, UInt8> {}

    // Sound: it is filled before anybody else sees it, and never changes.
    private nonisolated(unsafe) let storage: ManagedBuffer<UInt32, UInt8>

    /// The longest line whose values fit.
    package static let maximumLineLength = 1 << 30

    /// Copies values out of a line.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - ranges: Where each value is in it, checked to be JSON.
    ///   - order: Which of the ranges comes first, second and so on; nil where they are in order.
    package init(_ line: Span<UInt8>, _ ranges: Span<Range<Int>>, order: [Int]?) {
        let header = 4 * ranges.count
        var size = header
        for index in ranges.indices { size += ranges[index].count }
        unsafe storage = Storage.create(minimumCapacity: size) { _ in UInt32(size) }
        unsafe line.withUnsafeBytes { line in
            unsafe storage.withUnsafeMutablePointerToElements { target in
                let target = unsafe UnsafeMutableRawBufferPointer(start: target, count: size)
                var start = header
                for index in ranges.indices {
                    let range = ranges[order?[index] ?? index]
                    unsafe target.storeBytes(of: UInt32(start).littleEndian, toByteOffset: 4 * index, as: UInt32.self)
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[start..<size]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: line[range]))
                    start += range.count
                }
            }
        }
    }

    /// Values whose bytes another has given.
    ///
    /// - Precondition: They are the bytes of one ``withBytes(_:)``, unchanged.
    package init(bytes: Span<UInt8>) {
        unsafe storage = Storage.create(minimumCapacity: bytes.count) { [count = bytes.count] _ in UInt32(count) }
        unsafe storage.withUnsafeMutablePointerToElements { target in
            unsafe bytes.withUnsafeBufferPointer { source in
                guard let first = source.baseAddress else { return }
                unsafe target.initialize(from: first, count: source.count)
            }
        }
    }

    /// Lets a closure look at all bytes, for ``init(bytes:)``.
    package func withBytes(_ body: (Span<UInt8>) -> Void) {
        unsafe storage.withUnsafeMutablePointers { size, elements in
            unsafe body(Span(_unsafeStart: UnsafePointer(elements), count: Int(size.pointee)))
        }
    }

    /// The bytes of all values.
    package var length: Int {
        unsafe storage.withUnsafeMutablePointers { size, elements in
            let bytes = unsafe Span(_unsafeStart: UnsafePointer(elements), count: Int(size.pointee))
            return bytes.count < 4 ? 0 : bytes.count - Self.start(of: 0, in: bytes)
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
                if mine.holdsSame(in: mine.indices, as: theirs, in: theirs.indices) { return true }
                return mine.isPlainValue && theirs.isPlainValue ? false : nil
            }
        }
    }

    package func withText<Result>(at index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        unsafe storage.withUnsafeMutablePointers { size, elements in
            let bytes = unsafe Span(_unsafeStart: UnsafePointer(elements), count: Int(size.pointee))
            let first = Self.start(of: 0, in: bytes)
            precondition(index >= 0 && 4 * index < first, "there is such a value")
            let end = 4 * (index + 1) < first ? Self.start(of: index + 1, in: bytes) : bytes.count
            return body(bytes.extracting(Self.start(of: index, in: bytes)..<end))
        }
    }

    private static func start(of index: Int, in bytes: Span<UInt8>) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[4 * index + $1]) << (8 * $1) }
    }
}

extension Span<UInt8> {
    /// Whether JSON that has been checked is what ``JSONText`` writes for its value, and no other text without white space or escapes says
    /// the same: it holds no number and no object, and only printable ASCII without escapes.
    package var isPlainValue: Bool {
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
}
