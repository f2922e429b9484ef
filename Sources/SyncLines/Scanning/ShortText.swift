import SyncModel

/// Up to 16 bytes to look for.
struct ShortText: Sendable {
    let count: Int
    /// The bytes, zeros behind them.
    let words: (UInt64, UInt64)
    private let masks: (UInt64, UInt64)

    static let maximumCount = 16

    init(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span, 0..<bytes.count)
    }

    /// The bytes of a range.
    ///
    /// - Precondition: They are up to ``maximumCount``.
    @inline(__always) init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        precondition(range.count <= Self.maximumCount, "up to 16 bytes")
        count = range.count
        masks = (Self.mask(count), Self.mask(count - 8))
        if let words = bytes.words(at: range.lowerBound) {
            self.words = (words.0 & masks.0, words.1 & masks.1)
        } else {
            words = Self.words(bytes, range)
        }
    }

    /// The same close to the end of the bytes.
    @inline(never) private static func words(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (UInt64, UInt64) {
        let count = range.count
        if count < 8 { return (bytes.word(at: range.lowerBound, count: count), 0) }
        let low = bytes.word(at: range.lowerBound)
        return (low, count < 16 ? bytes.word(at: range.lowerBound + 8, count: count - 8) : bytes.word(at: range.lowerBound + 8))
    }

    /// Ones in place of so many bytes, up to 8.
    @inline(__always) private static func mask(_ count: Int) -> UInt64 {
        count >= 8 ? .max : count <= 0 ? 0 : (1 << UInt64(8 * count)) - 1
    }

    /// Takes the text where it is next.
    @inline(__always) func isTaken(_ bytes: Span<UInt8>, _ scanner: inout ValueScanner) -> Bool {
        guard stands(in: bytes, at: scanner.index) else { return false }
        scanner.index &+= count
        return true
    }

    /// Whether the text stands at an index.
    @inline(__always) private func stands(in bytes: Span<UInt8>, at index: Int) -> Bool {
        guard let other = bytes.words(at: index) else { return Self.stand(words, count, in: bytes, at: index) }
        return other.0 & masks.0 == words.0 && other.1 & masks.1 == words.1
    }

    /// The same close to the end of the bytes.
    @inline(never)
    private static func stand(_ words: (UInt64, UInt64), _ count: Int, in bytes: Span<UInt8>, at index: Int) -> Bool {
        index + count <= bytes.count && self.words(bytes, index..<index + count) == words
    }
}
