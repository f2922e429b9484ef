import AuditLog
import SyncBytes
import SyncLines
import SyncModel

/// A mapping in YAML as Ruby writes it: blocks of names and values, lists with hyphens, and strings plain, quoted or in blocks.
///
/// Tags are passed over. Of what other programs may write, a mapping or list in braces is read where it is JSON too.
///
/// - Complexity: linear in the bytes.
struct YAMLMapping {
    private struct Line {
        var indent: Int
        var text: Substring
    }

    private var lines: [Line] = []
    private var index = 0
    /// Values by the names of their anchors: plain ones alone, so that none grows by being named often.
    private var anchors: [Substring: FieldValue] = [:]

    /// The names and values of a document that begins with three hyphens; nil where it is no such mapping.
    static func parse(_ text: String) -> FieldMap? {
        guard text.hasPrefix("---") else { return nil }
        var parser = YAMLMapping(text)
        return parser.document()
    }

    private init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let line = line.last == "\r" ? line.dropLast() : line
            let text = line.drop { $0 == " " }
            return Line(indent: line.utf8.count - text.utf8.count, text: text)
        }
    }

    private mutating func document() -> FieldMap? {
        let first = withoutProperties(lines[0].text.dropFirst(3)).rest
        index = 1
        guard first.isEmpty else { return first == "{}" ? FieldMap() : nil }
        guard let line = next, let map = mapping(line.indent, depth: 0), next == nil else { return nil }
        return map
    }

    /// The next line with something in it; nil at the end of the document.
    private var next: Line? {
        mutating get {
            while index < lines.count, lines[index].text.isEmpty { index += 1 }
            return index < lines.count && lines[index].text != "..." ? lines[index] : nil
        }
    }

    private mutating func mapping(_ indent: Int, depth: Int) -> FieldMap? {
        guard depth < WriteLimits.depth else { return nil }
        var elements: [FieldMap.Element] = []
        while let line = next, line.indent == indent, !Self.isItem(line.text) {
            guard let (name, rest) = key(line.text) else { return nil }
            index += 1
            guard let value = value(rest, under: indent, mayListHere: true, depth: depth + 1) else { return nil }
            elements.append(FieldMap.Element(name: FieldName(name), value: value))
        }
        guard let map = try? FieldMap(unordered: elements) else { return nil }
        return map
    }

    private mutating func list(_ indent: Int, depth: Int) -> [FieldValue]? {
        guard depth < WriteLimits.depth else { return nil }
        var elements: [FieldValue] = []
        while let line = next, line.indent == indent, Self.isItem(line.text) {
            let rest = line.text.dropFirst().drop { $0 == " " }
            if !rest.isEmpty, Self.isItem(rest) || key(rest) != nil && rest.first != "!" && rest.first != "&" {
                // A list or mapping that begins behind the hyphen.
                lines[index] = Line(indent: indent + 2, text: rest)
                guard let value = block(depth: depth + 1) else { return nil }
                elements.append(value)
            } else {
                index += 1
                guard let value = value(rest, under: indent, mayListHere: false, depth: depth + 1) else { return nil }
                elements.append(value)
            }
        }
        return elements
    }

    /// The list or mapping that begins at the next line.
    private mutating func block(depth: Int) -> FieldValue? {
        guard let line = next else { return nil }
        if Self.isItem(line.text) { return list(line.indent, depth: depth).map(FieldValue.array) }
        guard let map = mapping(line.indent, depth: depth) else { return nil }
        // A time with its zone.
        if let utc = map["utc"], map["zone"] != nil { return utc }
        return .object(map)
    }

    private static func isItem(_ text: Substring) -> Bool { text == "-" || text.hasPrefix("- ") }

    /// The name before a colon, and what comes behind it.
    private func key(_ text: Substring) -> (name: String, rest: Substring)? {
        if let quote = text.first, quote == "\"" || quote == "'" {
            let inner = text.dropFirst()
            guard let end = inner.firstIndex(of: quote) else { return nil }
            let rest = inner[inner.index(after: end)...]
            return rest == ":" || rest.hasPrefix(": ") ? (String(inner[..<end]), rest.dropFirst().drop { $0 == " " }) : nil
        }
        var (offset, utf8) = (text.startIndex, text.utf8)
        while let colon = utf8[offset...].firstIndex(of: UInt8(ascii: ":")) {
            let behind = utf8.index(after: colon)
            if behind == utf8.endIndex || utf8[behind] == 0x20 {
                return (String(text[..<colon]), text[behind...].drop { $0 == " " })
            }
            offset = behind
        }
        return nil
    }

    /// A text without its tag and the name of its anchor.
    private func withoutProperties(_ text: Substring) -> (rest: Substring, anchor: Substring?) {
        var (rest, anchor) = (text.drop { $0 == " " }, Substring?.none)
        while let first = rest.first, first == "!" || first == "&" {
            let word = rest.prefix { $0 != " " }
            if first == "&" { anchor = word.dropFirst() }
            rest = rest[word.endIndex...].drop { $0 == " " }
        }
        return (rest, anchor)
    }

    /// The value behind a name or hyphen, which may go on in lines that are indented more.
    private mutating func value(_ text: Substring, under indent: Int, mayListHere: Bool, depth: Int) -> FieldValue? {
        let (rest, anchor) = withoutProperties(text)
        guard let first = rest.first else {
            guard let line = next, line.indent > indent || mayListHere && line.indent == indent && Self.isItem(line.text) else {
                return .null
            }
            return block(depth: depth)
        }
        let value: FieldValue?
        switch first {
        case "|", ">": value = .string(blockString(rest, under: indent))
        case "[", "{": return try? JSONParser.parse(String(rest))
        case "*": return anchors[rest.dropFirst()] ?? .null
        case "\"": value = doubleQuoted(rest.dropFirst()).map(FieldValue.string)
        case "'": value = singleQuoted(rest.dropFirst()).map(FieldValue.string)
        default: value = Self.plain(folded(rest, under: indent))
        }
        if let anchor, let value { anchors[anchor] = value }
        return value
    }

    /// A plain string with the lines on which it goes on.
    private mutating func folded(_ text: Substring, under indent: Int) -> String {
        var (result, breaks) = (String(text), 0)
        while index < lines.count, lines[index].text.isEmpty || lines[index].indent > indent {
            let line = lines[index].text
            index += 1
            if line.isEmpty {
                breaks += 1
            } else {
                result += (breaks == 0 ? " " : String(repeating: "\n", count: breaks)) + line
                breaks = 0
            }
        }
        return result
    }

    private static func plain(_ text: String) -> FieldValue {
        switch text {
        case "true": true
        case "false": false
        case "null", "~": .null
        default:
            if let first = text.utf8.first, first.isDigit || first == UInt8(ascii: "-"), let number = try? JSONParser.parse(text) {
                number
            } else {
                .string(text)
            }
        }
    }

    /// The lines of a string in a block, whose breaks are kept, or made spaces.
    private mutating func blockString(_ header: Substring, under indent: Int) -> String {
        var (texts, width) = ([String](), header.first { $0.isNumber }.flatMap(\.wholeNumberValue).map { indent + $0 })
        while index < lines.count {
            let line = lines[index]
            if !line.text.isEmpty, line.indent <= indent { break }
            if !line.text.isEmpty, width == nil { width = line.indent }
            texts.append(line.text.isEmpty ? "" : String(repeating: " ", count: max(0, line.indent - (width ?? 0))) + line.text)
            index += 1
        }
        let keepsEnd = header.contains("+")
        var ends = 0
        while texts.last == "" {
            texts.removeLast()
            ends += 1
        }
        let text = texts.joined(separator: header.first == "|" ? "\n" : " ")
        if header.contains("-") { return text }
        return text + (keepsEnd ? String(repeating: "\n", count: ends + 1) : texts.isEmpty ? "" : "\n")
    }

    /// The string up to a single quote, of which two are one in it.
    private mutating func singleQuoted(_ text: Substring) -> String? {
        var (result, rest) = ("", text)
        while true {
            while let quote = rest.utf8.firstIndex(of: UInt8(ascii: "'")) {
                result += rest[..<quote]
                rest = rest[rest.utf8.index(after: quote)...]
                guard rest.first == "'" else { return result }
                result += "'"
                rest = rest.dropFirst()
            }
            result += rest
            guard let line = nextOfQuoted(&result) else { return nil }
            rest = line
        }
    }

    /// The string up to a double quote.
    private mutating func doubleQuoted(_ text: Substring) -> String? {
        var (result, rest) = ("", text)
        while true {
            var isJoined = false
            while let character = rest.unicodeScalars.first {
                rest.unicodeScalars.removeFirst()
                if character == "\"" { return result }
                guard character == "\\" else {
                    result.unicodeScalars.append(character)
                    continue
                }
                guard let escaped = rest.unicodeScalars.first else {
                    isJoined = true
                    break
                }
                rest.unicodeScalars.removeFirst()
                if let count: Int = ["x": 2, "u": 4, "U": 8][escaped] {
                    let digits = rest.prefix(count)
                    guard digits.count == count, let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else { return nil }
                    result.unicodeScalars.append(scalar)
                    rest = rest.dropFirst(count)
                } else {
                    result.unicodeScalars.append(Self.escapes[escaped] ?? escaped)
                }
            }
            if isJoined {
                guard index < lines.count else { return nil }
                rest = lines[index].text
                index += 1
            } else {
                guard let line = nextOfQuoted(&result) else { return nil }
                rest = line
            }
        }
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\u{7}", "b": "\u{8}", "e": "\u{1b}", "f": "\u{c}", "v": "\u{b}", "_": "\u{a0}",
        "N": "\u{85}", "L": "\u{2028}", "P": "\u{2029}",
    ]

    /// The next line of a quoted string: a break is a space, and an empty line a break.
    private mutating func nextOfQuoted(_ result: inout String) -> Substring? {
        var breaks = 0
        while index < lines.count, lines[index].text.isEmpty {
            breaks += 1
            index += 1
        }
        guard index < lines.count else { return nil }
        result += breaks == 0 ? " " : String(repeating: "\n", count: breaks)
        defer { index += 1 }
        return lines[index].text
    }
}
