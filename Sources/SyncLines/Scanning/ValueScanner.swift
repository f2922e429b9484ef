import SyncModel

/// Checks JSON without building anything from it.
///
/// Accepts nothing that ``JSONParser`` refuses. What is rare it does not accept either: whoever scans then turns to the parser, which reads it or says
/// what is wrong.
struct ValueScanner {
    /// A text in quotes.
    struct Text {
        /// What stands between the quotes.
        let range: Range<Int>
        /// Whether it stands there as it is meant, without a backslash.
        let isPlain: Bool
    }

    /// The next byte to look at.
    var index = 0
    /// How many arrays and objects are open.
    var depth = 0

    /// Passes over white space, and returns the byte after it; 0 at the end.
    @inline(__always) mutating func next(_ bytes: Span<UInt8>) -> UInt8 {
        while index < bytes.count {
            let byte = bytes[index]
            if byte > 0x20 { return byte }
            guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { return 0 }
            index += 1
        }
        return 0
    }

    /// Takes one byte, after white space.
    @inline(__always) mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard next(bytes) == byte else { return false }
        index += 1
        return true
    }

    /// Takes a text in quotes.
    @inline(__always) mutating func text(_ bytes: Span<UInt8>) -> Text? {
        guard take(UInt8(ascii: "\""), bytes) else { return nil }
        let start = index
        var place = start
        // Nearly every text is ASCII, and ends where something out of the ordinary is first met.
        while place <= bytes.count &- 8 {
            let special = Self.special(bytes.word(at: place))
            if special == 0 {
                place &+= 8
                continue
            }
            place &+= special.trailingZeroBitCount / 8
            guard bytes[place] == UInt8(ascii: "\"") else { break }
            index = place + 1
            return Text(range: start..<place, isPlain: true)
        }
        return unusualText(bytes)
    }

    /// Takes a text behind its first quote.
    @inline(never) private mutating func unusualText(_ bytes: Span<UInt8>) -> Text? {
        let start = index
        var (isPlain, isASCII) = (true, true)
        while true {
            skipOrdinary(bytes)
            guard index < bytes.count else { return nil }
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let range = start..<index
                index += 1
                return isASCII || bytes.extracting(range).validText != nil ? Text(range: range, isPlain: isPlain) : nil
            case UInt8(ascii: "\\"):
                isPlain = false
                guard skipEscape(bytes) else { return nil }
            case 0..<0x20: return nil
            default:
                isASCII = false
                index += 1
            }
        }
    }

    /// Passes over ASCII that stands for itself.
    @inline(__always) private mutating func skipOrdinary(_ bytes: Span<UInt8>) {
        while index + 8 <= bytes.count {
            let special = Self.special(bytes.word(at: index))
            if special != 0 {
                index += special.trailingZeroBitCount / 8
                return
            }
            index += 8
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
            index += 1
        }
    }

    /// Marks the first byte of a word that is a quote, a backslash, a control character or not ASCII, and perhaps some after it.
    ///
    /// Source: Anderson, *Bit Twiddling Hacks*, `haszero` and `hasless`.
    @inline(__always) private static func special(_ word: UInt64) -> UInt64 {
        let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
        let quotes = word ^ ones &* 0x22
        let backslashes = word ^ ones &* 0x5c
        let marks = (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes | (word &- ones &* 0x20) & ~word | word
        return marks & highs
    }

    /// Takes an escape; not one of a surrogate, which only counts as one of a pair.
    private mutating func skipEscape(_ bytes: Span<UInt8>) -> Bool {
        guard index + 1 < bytes.count else { return false }
        switch bytes[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 2
            return true
        case UInt8(ascii: "u"):
            guard index + 6 <= bytes.count else { return false }
            for place in index + 2..<index + 6 {
                switch bytes[place] {
                case 48...57, 65...70, 97...102: continue
                default: return false
                }
            }
            let isSurrogate = bytes[index + 2] | 0x20 == UInt8(ascii: "d") && bytes[index + 3] >= UInt8(ascii: "8")
            index += 6
            return !isSurrogate
        default: return false
        }
    }

    /// Takes a whole number without a sign, of at most 18 digits.
    @inline(__always) mutating func wholeNumber(_ bytes: Span<UInt8>) -> Int64? {
        let first = next(bytes)
        guard first >= 48, first <= 57 else { return nil }
        let start = index
        var value: Int64 = 0
        while index < bytes.count, case let digit = bytes[index] &- 48, digit <= 9 {
            guard index - start < 18 else { return nil }
            value = value * 10 + Int64(digit)
            index += 1
        }
        if first == 48, index - start > 1 { return nil }
        // A fraction or an exponent may still make it a whole number.
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") || bytes[index] | 0x20 == UInt8(ascii: "e") { return nil }
        return value
    }

    /// Passes over a value.
    mutating func skipValue(_ bytes: Span<UInt8>) -> Bool {
        switch next(bytes) {
        case UInt8(ascii: "\""): text(bytes) != nil
        case UInt8(ascii: "["): skipArray(bytes)
        case UInt8(ascii: "{"): skipObject(bytes)
        case UInt8(ascii: "t"): skipWord("true", bytes)
        case UInt8(ascii: "f"): skipWord("false", bytes)
        case UInt8(ascii: "n"): skipWord("null", bytes)
        case 0: false
        default: skipNumber(bytes)
        }
    }

    private mutating func skipWord(_ word: String, _ bytes: Span<UInt8>) -> Bool {
        let end = index + word.utf8.count
        guard end <= bytes.count, bytes.equals(word, in: index..<end) else { return false }
        index = end
        return true
    }

    /// Takes a number without an exponent, short enough to lie in the range of a `Double`.
    private mutating func skipNumber(_ bytes: Span<UInt8>) -> Bool {
        let start = index
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        let whole = skipDigits(bytes)
        guard whole > 0, whole == 1 || bytes[index - whole] != 48 else { return false }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard skipDigits(bytes) > 0 else { return false }
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") { return false }
        return index - start <= 300
    }

    private mutating func skipDigits(_ bytes: Span<UInt8>) -> Int {
        let start = index
        while index < bytes.count, bytes[index] &- 48 <= 9 { index += 1 }
        return index - start
    }

    private mutating func skipArray(_ bytes: Span<UInt8>) -> Bool {
        guard descend() else { return false }
        if next(bytes) != UInt8(ascii: "]") {
            repeat {
                // Most elements are texts, and these need no call.
                guard next(bytes) == UInt8(ascii: "\"") ? text(bytes) != nil : skipValue(bytes) else { return false }
            } while take(UInt8(ascii: ","), bytes)
        }
        depth -= 1
        return take(UInt8(ascii: "]"), bytes)
    }

    /// Takes an object of up to eight keys, all different.
    private mutating func skipObject(_ bytes: Span<UInt8>) -> Bool {
        guard descend() else { return false }
        if next(bytes) != UInt8(ascii: "}") {
            var keys: [Range<Int>] = []
            repeat {
                guard let key = text(bytes), key.isPlain, keys.count < 8, take(UInt8(ascii: ":"), bytes) else { return false }
                guard !keys.contains(where: { bytes.holdsSame(in: $0, as: key.range) }) else { return false }
                keys.append(key.range)
                guard skipValue(bytes) else { return false }
            } while take(UInt8(ascii: ","), bytes)
        }
        depth -= 1
        return take(UInt8(ascii: "}"), bytes)
    }

    private mutating func descend() -> Bool {
        depth += 1
        index += 1
        // A field's value is two levels down in its line; what else is nested so deep is left to the parser.
        return depth <= WriteLimits.depth + 2
    }
}

extension Span<UInt8> {
    /// Whether two ranges hold the same bytes.
    fileprivate func holdsSame(in one: Range<Int>, as other: Range<Int>) -> Bool {
        one.count == other.count && (0..<one.count).allSatisfy { self[one.lowerBound + $0] == self[other.lowerBound + $0] }
    }
}
