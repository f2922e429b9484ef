import SyncBytes

/// The entities that XML itself defines.
enum XMLEntity {
    /// The UTF-8 of an entity by its name without `&` and `;`, such as `amp` or `#x2F`.
    static func bytes(of name: String, at offset: Int) throws(FormatError) -> [UInt8] {
        switch name {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default: break
        }
        guard name.utf8.first == UInt8(ascii: "#") else {
            throw FormatError(at: offset, "the entity \(name.quoted) is not one of the five of XML, and others are not expanded")
        }
        let isHexadecimal = name.hasPrefix("#x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        guard digits.utf8.first != UInt8(ascii: "+"), let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number != 0,
            let scalar = Unicode.Scalar(number)
        else { throw FormatError(at: offset, "the entity \(name.quoted) is no Unicode scalar") }
        return Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}

/// Whether a byte is white space in XML, property lists and YAML.
package func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x09 || byte == 0x0d
}

/// Whether a byte may be part of an XML name.
package func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...0xff: true
    default: false
    }
}

extension StaticString {
    /// One byte of the UTF-8.
    ///
    /// - Precondition: The index is less than `utf8CodeUnitCount`.
    func utf8Start(_ index: Int) -> UInt8 {
        precondition(index >= 0 && index < utf8CodeUnitCount, "the byte is there")
        return unsafe utf8Start[index]
    }
}
