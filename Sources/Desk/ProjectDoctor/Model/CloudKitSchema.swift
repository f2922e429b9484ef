package import FileFormats
import SyncModel

/// A CloudKit schema as `cktool export-schema` writes it: the record types and the types of their fields.
package struct CloudKitSchema: Sendable {
    package struct Field: Hashable, Sendable {
        /// Such as STRING, or LIST<STRING>, in upper case.
        package let type: String
        package let isEncrypted: Bool
        /// The byte at which its name begins.
        package let offset: Int
    }

    /// The fields of each record type.
    package private(set) var recordTypes: [String: [String: Field]] = [:]

    /// Reads a schema.
    ///
    /// Grants, roles and what indexes say are passed over.
    package init(_ bytes: [UInt8]) throws(FormatError) {
        var words = Words(bytes)
        guard let first = words.next(), first.text.uppercased() == "DEFINE", words.next()?.text.uppercased() == "SCHEMA" else {
            throw FormatError(at: 0, "a CloudKit schema begins with DEFINE SCHEMA")
        }
        while let word = words.next() {
            guard word.text.uppercased() == "RECORD", !word.isQuoted else { continue }
            guard words.next()?.text.uppercased() == "TYPE", let name = words.next(), words.next()?.text == "(" else {
                throw FormatError(at: word.offset, "RECORD is not followed by TYPE, a name and (")
            }
            recordTypes[name.text] = try Self.fields(&words, of: name)
        }
    }

    private static func fields(_ words: inout Words, of name: Words.Word) throws(FormatError) -> [String: Field] {
        var fields: [String: Field] = [:]
        var member: [Words.Word] = []
        var depth = 0
        while let word = words.next() {
            switch word.text {
            case "(" where !word.isQuoted, "<" where !word.isQuoted: depth += 1
            case ">" where !word.isQuoted: depth -= 1
            case ")" where !word.isQuoted && depth > 0: depth -= 1
            case ")" where !word.isQuoted, "," where !word.isQuoted && depth == 0:
                if let field = field(member) { fields[field.name] = field.field }
                member = []
                if word.text == ")" { return fields }
                continue
            default: break
            }
            member.append(word)
        }
        throw FormatError(at: name.offset, "the record type \(name.text) is not closed")
    }

    private static func field(_ words: [Words.Word]) -> (name: String, field: Field)? {
        guard words.count >= 2, words[0].isQuoted || words[0].text.uppercased() != "GRANT" else { return nil }
        var rest = words.dropFirst()
        let isEncrypted = rest.first?.text.uppercased() == "ENCRYPTED"
        if isEncrypted { rest = rest.dropFirst() }
        guard let type = rest.first?.text.uppercased() else { return nil }
        var text = type == "INT" ? "INT64" : type
        if type == "LIST", let element = rest.dropFirst(2).first { text = "LIST<\(element.text.uppercased())>" }
        return (words[0].text, Field(type: text, isEncrypted: isEncrypted, offset: words[0].offset))
    }

    /// The words of a schema: names, quoted names, and punctuation one by one.
    private struct Words {
        struct Word {
            let text: String
            let isQuoted: Bool
            let offset: Int
        }

        private let bytes: [UInt8]
        private var index = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        mutating func next() -> Word? {
            skip()
            guard index < bytes.count else { return nil }
            let start = index
            if bytes[index] == UInt8(ascii: "\"") {
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { index += 1 }
                defer { index = min(index + 1, bytes.count) }
                return Word(text: String(decoding: bytes[(start + 1)..<index], as: UTF8.self), isQuoted: true, offset: start)
            }
            while index < bytes.count, Self.isName(bytes[index]) { index += 1 }
            if index == start { index += 1 }
            return Word(text: String(decoding: bytes[start..<index], as: UTF8.self), isQuoted: false, offset: start)
        }

        /// Passes over white space and comments.
        private mutating func skip() {
            while index < bytes.count {
                if bytes[index] <= 0x20 {
                    index += 1
                } else if starts("//") || starts("--") {
                    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
                } else if starts("/*") {
                    while index < bytes.count, !starts("*/") { index += 1 }
                    index = min(index + 2, bytes.count)
                } else {
                    return
                }
            }
        }

        private func starts(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

        private static func isName(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"), 0x80...:
                true
            default: false
            }
        }
    }
}
