import SyncBytes
import SyncModel

/// The characters of stamps: words that are escaped, numbers to the base 36, separators between them.
enum StampText {
    /// The longest stamp that is read; a longer one is damaged.
    static let maximumBytes = 1 << 16

    /// The most devices or fields that a stamp names.
    static let maximumEntries = 4096

    /// Whether a byte is written as it is in a word: a visible character of ASCII that separates nothing.
    fileprivate static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "."), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "*"),
            UInt8(ascii: "="):
            false
        default: (0x21...0x7e).contains(byte)
        }
    }
}

/// The bytes of a stamp that is being written.
struct StampWriter: ~Copyable {
    private var bytes = LineBuffer(capacity: 256)

    /// The stamp.
    var text: String { unsafe bytes.withBytes { unsafe String(decoding: $0, as: UTF8.self) } }

    /// Begins another stamp in the room of the last one.
    mutating func clear() { bytes.truncate(to: 0) }

    mutating func append(_ character: Unicode.Scalar) { bytes.append(UInt8(ascii: character)) }

    /// Appends a word; what is not plain in it is `%` and two hexadecimal digits.
    mutating func append(word: String) {
        word.withBytes { word in
            var start = 0
            for index in word.indices where !StampText.isPlain(word[index]) {
                bytes.append(word.extracting(start..<index))
                append("%")
                bytes.append(Self.digit(word[index] >> 4))
                bytes.append(Self.digit(word[index] & 15))
                start = index + 1
            }
            bytes.append(word.extracting(start..<word.count))
        }
    }

    /// Appends a number to the base 36.
    mutating func append(_ number: UInt64) {
        if number >= 36 { append(number / 36) }
        bytes.append(Self.digit(UInt8(truncatingIfNeeded: number % 36)))
    }

    /// Appends a device, a full stop and a number.
    mutating func append(_ device: DeviceID, _ sequence: UInt64) {
        append(word: device.rawValue)
        append(".")
        append(sequence)
    }

    /// Appends whether a version is in fog, and the hash of its value.
    mutating func append(_ hash: ValueHash, isFogged: Bool) {
        append(isFogged ? "*" : "=")
        append(hash.rawValue)
    }

    private static func digit(_ digit: UInt8) -> UInt8 { digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10 }
}

/// The bytes of a stamp that are left to read.
struct StampReader {
    private let bytes: [UInt8]
    private var index = 0

    /// Nil where the text is longer than any stamp.
    init?(_ text: String) {
        guard text.utf8.count <= StampText.maximumBytes else { return nil }
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { index == bytes.count }

    /// Whether a number comes next.
    var isAtNumber: Bool { digit != nil }

    /// Consumes a character where it comes next.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Consumes a word up to the next separator; nil where nothing is escaped like this.
    mutating func word() -> String? {
        var word: [UInt8] = []
        while index < bytes.count {
            if StampText.isPlain(bytes[index]) || bytes[index] >= 0x80 {
                word.append(bytes[index])
                index += 1
            } else if skip("%") {
                guard let high = hexadecimalDigit(), let low = hexadecimalDigit() else { return nil }
                word.append(high << 4 | low)
            } else {
                break
            }
        }
        return word.span.validText
    }

    /// Consumes a number, which has one spelling; nil where there is none.
    mutating func number() -> UInt64? {
        guard var number = digit else { return nil }
        index += 1
        if number == 0 { return isAtNumber ? nil : 0 }
        while let digit {
            let (product, overflows) = number.multipliedReportingOverflow(by: 36)
            let (sum, carries) = product.addingReportingOverflow(digit)
            guard !overflows, !carries else { return nil }
            number = sum
            index += 1
        }
        return number
    }

    /// Consumes a device, a full stop and a number.
    mutating func dot() -> Dot? {
        guard let device = word(), let sequence = sequence() else { return nil }
        return Dot(device: DeviceID(device), sequence: sequence)
    }

    /// Consumes a full stop and the number of a write.
    mutating func sequence() -> UInt64? {
        guard skip("."), let sequence = number(), sequence >= 1 else { return nil }
        return sequence
    }

    /// Whether a version's hash comes next.
    var isAtHash: Bool { index < bytes.count && (bytes[index] == UInt8(ascii: "=") || bytes[index] == UInt8(ascii: "*")) }

    /// Consumes whether a version is in fog, and the hash of its value.
    mutating func hash() -> (hash: ValueHash, isFogged: Bool)? {
        let isFogged = skip("*")
        guard isFogged || skip("="), let hash = number(), hash >> ValueHash.bits == 0 else { return nil }
        return (ValueHash(rawValue: hash), isFogged)
    }

    private var digit: UInt64? {
        guard index < bytes.count else { return nil }
        return switch bytes[index] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(bytes[index] - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt64(bytes[index] - UInt8(ascii: "a") + 10)
        default: nil
        }
    }

    private mutating func hexadecimalDigit() -> UInt8? {
        guard let digit, digit < 16 else { return nil }
        index += 1
        return UInt8(digit)
    }
}
