import SyncLines
import SyncModel

/// Reads property lists in XML, as far as values go: no document type, no external entity, nothing fetched.
struct PropertyList {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// The value at the top; nil where the text is no property list.
    static func parse(_ bytes: [UInt8]) -> FieldValue? {
        var parser = PropertyList(bytes: bytes)
        guard var tag = parser.nextTag() else { return nil }
        if tag.name == "plist" {
            guard !tag.isClosed, let inner = parser.nextTag() else { return nil }
            tag = inner
        }
        return parser.value(tag)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private struct Tag {
        var name: String
        var isEnd = false
        /// Whether it is an element without content, as in `<true/>`.
        var isClosed = false
    }

    private mutating func value(_ tag: Tag) -> FieldValue? {
        guard !tag.isEnd, depth < JSONParser.maximumDepth else { return nil }
        depth += 1
        defer { depth -= 1 }
        switch tag.name {
        case "true", "false":
            guard tag.isClosed || nextTag()?.isEnd == true else { return nil }
            return .bool(tag.name == "true")
        case "dict": return tag.isClosed ? .object(FieldMap()) : dictionary()
        case "array": return tag.isClosed ? .array([]) : array()
        case "string", "date", "data", "key": return tag.isClosed ? "" : text(until: tag.name).map(FieldValue.string)
        case "integer", "real":
            guard let text = text(until: tag.name), let value = try? JSONParser.parse(text), case .number = value else { return nil }
            return value
        default: return nil
        }
    }

    private mutating func dictionary() -> FieldValue? {
        var elements: [FieldMap.Element] = []
        while let tag = nextTag() {
            if tag.isEnd { return tag.name == "dict" ? (try? FieldMap(unordered: elements)).map(FieldValue.object) : nil }
            guard tag.name == "key", let key = tag.isClosed ? "" : text(until: "key"), let next = nextTag(), let value = value(next) else {
                return nil
            }
            elements.append(FieldMap.Element(name: FieldName(key), value: value))
        }
        return nil
    }

    private mutating func array() -> FieldValue? {
        var elements: [FieldValue] = []
        while let tag = nextTag() {
            if tag.isEnd { return tag.name == "array" ? .array(elements) : nil }
            guard let value = value(tag) else { return nil }
            elements.append(value)
        }
        return nil
    }

    /// The text up to an element's end, entities replaced.
    private mutating func text(until name: String) -> String? {
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "<") {
                if skip("<!--") {
                    guard skip(past: "-->") else { return nil }
                } else if skip("<![CDATA[") {
                    let start = position
                    guard skip(past: "]]>") else { return nil }
                    text += bytes[start..<position - 3]
                } else {
                    guard let tag = nextTag(), tag.isEnd, tag.name == name else { return nil }
                    return text.span.validText
                }
            } else if byte == UInt8(ascii: "&") {
                guard let end = bytes[position...].prefix(16).firstIndex(of: UInt8(ascii: ";")), let entity = entity(position + 1..<end)
                else {
                    return nil
                }
                text += entity
                position = end + 1
            } else {
                text.append(byte)
                position += 1
            }
        }
        return nil
    }

    private func entity(_ range: Range<Int>) -> [UInt8]? {
        let name = String(decoding: bytes[range], as: UTF8.self)
        let named = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        if let text = named[name] { return Array(text.utf8) }
        guard name.hasPrefix("#") else { return nil }
        let isHexadecimal = name.hasPrefix("#x")
        guard let number = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(number)
        else { return nil }
        return Array(String(Character(scalar)).utf8)
    }

    /// The next tag; what comes before it, comments, instructions and the document type are passed over.
    private mutating func nextTag() -> Tag? {
        while skip(past: "<") {
            if skip("!--") {
                guard skip(past: "-->") else { return nil }
            } else if skip("?") {
                guard skip(past: "?>") else { return nil }
            } else if skip("!") {
                guard skip(past: ">") else { return nil }
            } else {
                let isEnd = skip("/")
                let start = position
                guard skip(past: ">") else { return nil }
                let content = bytes[start..<position - 1]
                let isClosed = content.last == UInt8(ascii: "/")
                let name = content.prefix { !" \t\r\n/".utf8.contains($0) }
                return Tag(name: String(decoding: name, as: UTF8.self), isEnd: isEnd, isClosed: isClosed)
            }
        }
        return nil
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard position + length <= bytes.count, matches(text, at: position) else { return false }
        position += length
        return true
    }

    private mutating func skip(past text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        while position + length <= bytes.count {
            if matches(text, at: position) {
                position += length
                return true
            }
            position += 1
        }
        return false
    }

    private func matches(_ text: StaticString, at index: Int) -> Bool {
        text.withUTF8Buffer { wanted in
            for unsafe(offset, byte) in unsafe wanted.enumerated() where bytes[index + offset] != byte { return false }
            return true
        }
    }
}
