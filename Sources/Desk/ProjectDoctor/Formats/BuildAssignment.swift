import FileFormats

/// One line that sets a build setting, perhaps under conditions.
package struct BuildAssignment: Hashable, Sendable {
    /// Such as `sdk=iphoneos*`.
    package struct Condition: Hashable, Sendable {
        package let name: String
        /// A name in which `*` is any number of characters.
        package let pattern: String

        package init(name: String, pattern: String) { (self.name, self.pattern) = (name, pattern) }
    }

    package let name: String
    package let conditions: [Condition]
    /// The value before variables are replaced.
    package let text: String
    package let location: SourceLocation

    package init(name: String, conditions: [Condition] = [], text: String, location: SourceLocation) {
        (self.name, self.conditions, self.text, self.location) = (name, conditions, text, location)
    }

    /// Parses a name with its conditions, such as `KEY[sdk=iphoneos*][config=Debug]` or `KEY[sdk=macosx*,arch=arm64]`.
    ///
    /// Nil where it has another form.
    package init?(spelled: some StringProtocol, text: String, location: SourceLocation) {
        let key = String(spelled).trimmed
        let bytes = Array(key.utf8)
        let nameEnd = bytes.firstIndex(of: UInt8(ascii: "[")) ?? bytes.count
        let name = String(decoding: bytes[..<nameEnd], as: UTF8.self).trimmed
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else { return nil }
        var conditions: [Condition] = []
        var position = nameEnd
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "["), let end = bytes[position...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
            for part in bytes[position + 1..<end].split(separator: UInt8(ascii: ",")) {
                guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return nil }
                let name = String(decoding: part[..<equals], as: UTF8.self).trimmed
                conditions.append(Condition(name: name, pattern: String(decoding: part[(equals + 1)...], as: UTF8.self).trimmed))
            }
            position = end + 1
            while position < bytes.count, isWhiteSpace(bytes[position]) { position += 1 }
        }
        self.init(name: name, conditions: conditions, text: text, location: location)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}

/// Whether a name is what a pattern allows, in which `*` is any number of bytes.
///
/// - Complexity: O(*n* · *m*) in the lengths; those above 1,024 bytes match nothing.
func matches(_ name: some StringProtocol, pattern: some StringProtocol) -> Bool {
    let (name, pattern) = (Array(name.utf8), Array(pattern.utf8))
    guard name.count <= 1024, pattern.count <= 1024 else { return false }
    var (index, position) = (0, 0)
    var retry: (index: Int, position: Int)?
    while index < name.count {
        if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
            retry = (index, position)
            position += 1
        } else if position < pattern.count, pattern[position] == name[index] {
            (index, position) = (index + 1, position + 1)
        } else if let last = retry {
            // The last star takes one byte more.
            retry = (last.index + 1, last.position)
            (index, position) = (last.index + 1, last.position + 1)
        } else {
            return false
        }
    }
    return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
}
