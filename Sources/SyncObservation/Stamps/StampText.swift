import SyncModel

/// The characters of stamps: words that are escaped, numbers to the base 36, separators between them.
enum StampText {
    /// The longest stamp that is read; a longer one is damaged.
    static let maximumBytes = 1 << 16

    /// The most devices or fields that a stamp names.
    static let maximumEntries = 4096

    private static let separators = Array("%.;:,*".utf8)

    /// A word without separators: each of them, and whatever is no visible character of ASCII, is `%` and two hexadecimal digits.
    static func escaped(_ word: String) -> String {
        if word.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !separators.contains($0) }) { return word }
        var text = ""
        for byte in word.utf8 {
            if (0x21...0x7e).contains(byte), !separators.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += byte < 16 ? "%0" : "%"
                text += String(byte, radix: 16)
            }
        }
        return text
    }

    /// The parts between separators.
    static func split(_ text: Substring, at separator: Unicode.Scalar) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// The word that was escaped; nil where nothing is escaped like this.
    static func word(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes.span.validText
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    static func number(_ number: UInt64) -> String { String(number, radix: 36) }

    static func number(_ text: Substring) -> UInt64? {
        // No sign, and one spelling for each number.
        guard let first = text.utf8.first, first != UInt8(ascii: "0") || text.utf8.count == 1 else { return nil }
        var number: UInt64 = 0
        for byte in text.utf8 {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            let (product, overflows) = number.multipliedReportingOverflow(by: 36)
            let (sum, carries) = product.addingReportingOverflow(UInt64(digit))
            guard !overflows, !carries else { return nil }
            number = sum
        }
        return number
    }

    /// A dot as its device, a full stop and its number.
    static func dot(_ device: DeviceID, _ sequence: UInt64) -> String { escaped(device.rawValue) + "." + number(sequence) }

    static func dot(_ text: Substring) -> Dot? {
        let parts = split(text, at: ".")
        guard parts.count == 2, let device = word(parts[0]), let sequence = number(parts[1]), sequence >= 1 else { return nil }
        return Dot(device: DeviceID(device), sequence: sequence)
    }
}
