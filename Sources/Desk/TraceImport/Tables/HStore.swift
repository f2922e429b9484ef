import SyncModel

/// The text form of PostgreSQL's hstore: `"a"=>"1", "b"=>NULL`.
enum HStore {
    /// The names and values of a text; nil where it is no hstore.
    ///
    /// - Complexity: O(*n* log *n*) in the bytes.
    static func parse(_ text: String) -> FieldMap? {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "\"") else { return nil }
        var parser = Parser(bytes: bytes)
        return parser.map()
    }

    private struct Parser {
        let bytes: [UInt8]
        var index = 0

        mutating func map() -> FieldMap? {
            var elements: [FieldMap.Element] = []
            while true {
                skipSpace()
                guard let name = quoted() else { return nil }
                skipSpace()
                guard consume("=>") else { return nil }
                skipSpace()
                if let value = quoted() {
                    elements.append(FieldMap.Element(name: FieldName(name), value: .string(value)))
                } else if consume("NULL") {
                    elements.append(FieldMap.Element(name: FieldName(name), value: .null))
                } else {
                    return nil
                }
                skipSpace()
                if index == bytes.count { return try? FieldMap(unordered: elements) }
                guard consume(",") else { return nil }
            }
        }

        private mutating func skipSpace() {
            while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
        }

        private mutating func consume(_ text: String) -> Bool {
            let text = Array(text.utf8)
            guard index + text.count <= bytes.count, text.indices.allSatisfy({ bytes[index + $0] == text[$0] }) else { return false }
            index += text.count
            return true
        }

        private mutating func quoted() -> String? {
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
            var (offset, value) = (index + 1, [UInt8]())
            while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
                if bytes[offset] == UInt8(ascii: "\\"), offset + 1 < bytes.count { offset += 1 }
                value.append(bytes[offset])
                offset += 1
            }
            guard offset < bytes.count else { return nil }
            index = offset + 1
            return String(decoding: value, as: UTF8.self)
        }
    }
}
