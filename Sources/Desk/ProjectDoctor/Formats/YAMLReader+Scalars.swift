import FileFormats
import SyncBytes
import SyncModel

extension YAMLReader {
    func string(_ range: Range<Int>) throws(FormatError) -> String {
        guard let text = bytes.span.extracting(range).validText else { throw FormatError(at: range.lowerBound, "bytes that are not UTF-8") }
        return text
    }

    /// A string in quotes; a line end in it is a space, several are one fewer.
    mutating func quoted() throws(FormatError) -> String {
        let (start, quote) = (position, bytes[position])
        var text: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case quote:
                guard quote == UInt8(ascii: "'"), position < bytes.count, bytes[position] == quote else {
                    guard let result = text.span.validText else { throw FormatError(at: start, "bytes that are not UTF-8") }
                    return result
                }
                text.append(quote)
                position += 1
            case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""): try escape(into: &text)
            case 0x0a, 0x0d: fold(into: &text, first: byte)
            default: text.append(byte)
            }
        }
        throw FormatError(at: start, "a string that is not closed")
    }

    /// Consumes line ends and the spaces around them, of which the first byte is consumed.
    private mutating func fold(into text: inout [UInt8], first: UInt8) {
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        var count = 1
        if first == 0x0d, position < bytes.count, bytes[position] == 0x0a { position += 1 }
        lineStart = position
        while position < bytes.count, isWhiteSpace(bytes[position]) {
            if bytes[position] == 0x0a {
                count += 1
                lineStart = position + 1
            }
            position += 1
        }
        text += count == 1 ? [0x20] : [UInt8](repeating: 0x0a, count: count - 1)
    }

    private mutating func escape(into text: inout [UInt8]) throws(FormatError) {
        guard position < bytes.count else { return }
        let start = position - 1
        let byte = bytes[position]
        position += 1
        switch byte {
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "0"): text.append(0)
        case UInt8(ascii: "e"): text.append(0x1b)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: " "): text.append(byte)
        case 0x0a, 0x0d:
            var folded: [UInt8] = []
            fold(into: &folded, first: byte)
        case UInt8(ascii: "x"), UInt8(ascii: "u"), UInt8(ascii: "U"):
            let count = byte == UInt8(ascii: "x") ? 2 : byte == UInt8(ascii: "u") ? 4 : 8
            let digits = bytes[position...].prefix(count)
            guard digits.count == count, let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(number)
            else { throw FormatError(at: start, "an escape that is no Unicode scalar") }
            text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            position += count
        default: throw FormatError(at: start, "an escape that is not understood")
        }
    }

    /// The lines of a `|` or `>` block; the position is settled afterwards.
    mutating func blockScalar(parent: Int) throws(FormatError) -> String {
        let start = position
        let isFolded = bytes[position] == UInt8(ascii: ">")
        position += 1
        var (chomping, explicit): (UInt8?, Int?) = (nil, nil)
        while !isEnd(position) {
            let byte = bytes[position]
            if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") {
                chomping = byte
            } else if (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(byte) {
                explicit = max(parent, 0) + Int(byte - UInt8(ascii: "0"))
            } else {
                throw FormatError(at: start, "a block whose first line is not understood")
            }
            position += 1
        }
        while position < bytes.count, bytes[position] != 0x0a { position += 1 }
        var lines: [String] = []
        var indent = explicit
        while position < bytes.count {
            // The position is at a line feed: what follows is the next line.
            let begin = position + 1
            let end = bytes[begin...].firstIndex(of: 0x0a) ?? bytes.count
            let first = bytes[begin..<end].firstIndex { $0 != 0x20 && $0 != 0x0d } ?? end
            if first < end {
                if indent == nil { indent = first - begin }
                guard let indent, first - begin >= indent, indent > parent else { break }
                lines.append(try string(begin + indent..<end).droppingReturn)
            } else {
                lines.append("")
            }
            position = end
            lineStart = begin
        }
        if position < bytes.count { try settle() }
        var trailing = 0
        while lines.last == "" {
            lines.removeLast()
            trailing += 1
        }
        let text = isFolded ? Self.folded(lines) : lines.joined(separator: "\n")
        switch chomping {
        case UInt8(ascii: "-"): return text
        case UInt8(ascii: "+"): return text + String(repeating: "\n", count: trailing + 1)
        default: return lines.isEmpty ? text : text + "\n"
        }
    }

    /// Joins lines by spaces, but at empty lines and lines that are indented.
    private static func folded(_ lines: [String]) -> String {
        var text = ""
        for (index, line) in lines.enumerated() {
            if index > 0 {
                let isIndented = line.hasPrefix(" ") || lines[index - 1].hasPrefix(" ")
                if line.isEmpty || isIndented {
                    text += "\n"
                } else if !lines[index - 1].isEmpty {
                    text += " "
                }
            }
            text += line
        }
        return text
    }

    /// A list in brackets or braces, or a scalar in one, over as many lines as it has; the position is behind it afterwards.
    mutating func flow(depth: Int) throws(FormatError) -> PropertyList {
        guard depth < Self.maximumDepth else { throw FormatError(at: position, "more than \(Self.maximumDepth) lists inside each other") }
        enter(depth)
        let start = position
        switch bytes[position] {
        case UInt8(ascii: "["), UInt8(ascii: "{"): break
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return PropertyList(.string(try quoted()), at: start)
        case UInt8(ascii: "?") where isEnd(position + 1): throw FormatError(at: start, "keys that begin with ? are not understood")
        case UInt8(ascii: "&"):
            let name = try anchorName()
            try settle()
            guard position < bytes.count else { throw FormatError(at: start, "a value is missing in a list") }
            return try anchor(name, depth: depth) { reader throws(FormatError) in try reader.flow(depth: depth + 1) }
        case UInt8(ascii: "*"): return try alias(depth: depth)
        case UInt8(ascii: "!"):
            note(start, "a tag in a list is not understood; its value is missing")
            _ = try flowPlain()
            return PropertyList(.string(""), at: start)
        default: return Self.plainValue(try flowPlain(), at: start)
        }
        let isMapping = bytes[position] == UInt8(ascii: "{")
        let close = isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]")
        position += 1
        var (elements, entries): ([PropertyList], [PropertyList.Entry]) = ([], [])
        var merged: [PropertyList] = []
        while true {
            try settle()
            guard position < bytes.count else { throw FormatError(at: start, "a list that is not closed") }
            if bytes[position] == close {
                position += 1
                return PropertyList(isMapping ? .dictionary(Self.merging(merged, into: entries)) : .array(elements), at: start)
            }
            let (offset, key) = (position, try flow(depth: depth + 1))
            try settle()
            if position < bytes.count, bytes[position] == UInt8(ascii: ":") {
                position += 1
                try settle()
                guard position < bytes.count else { throw FormatError(at: start, "a list that is not closed") }
                let isEmpty = bytes[position] == UInt8(ascii: ",") || bytes[position] == close
                let value = isEmpty ? PropertyList(.string(""), at: position) : try flow(depth: depth + 1)
                let entry = PropertyList.Entry(key: key.scalarText ?? "", keyOffset: offset, value: value)
                if isMapping, entry.key == "<<" {
                    merged += value.elements.isEmpty ? [value] : value.elements
                } else if isMapping {
                    entries.append(entry)
                } else {
                    elements.append(PropertyList(.dictionary([entry]), at: offset))
                }
                try settle()
            } else if isMapping {
                entries.append(
                    PropertyList.Entry(key: key.scalarText ?? "", keyOffset: offset, value: PropertyList(.string(""), at: offset)))
            } else {
                elements.append(key)
            }
            guard position < bytes.count else { throw FormatError(at: start, "a list that is not closed") }
            if bytes[position] == UInt8(ascii: ",") {
                position += 1
            } else if bytes[position] != close {
                throw FormatError(at: position, "a comma is missing in a list")
            }
        }
    }

    /// A plain scalar in a list; a line end in it is a space.
    private mutating func flowPlain() throws(FormatError) -> String {
        let start = position
        var text = try flowPlainLine()
        while position < bytes.count, bytes[position] == 0x0a || bytes[position] == 0x0d {
            guard let next = bytes[position...].firstIndex(where: { !isWhiteSpace($0) }), !",[]{}#:".utf8.contains(bytes[next]) else {
                break
            }
            try settle()
            text += " " + (try flowPlainLine())
        }
        guard start < position else { throw FormatError(at: start, "a value is missing in a list") }
        return text
    }

    private mutating func flowPlainLine() throws(FormatError) -> String {
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if ",[]{}\n\r".utf8.contains(byte) { break }
            if byte == UInt8(ascii: ":"), isEnd(position + 1) || ",[]{}".utf8.contains(bytes[position + 1]) { break }
            if byte == UInt8(ascii: "#"), position > start, isWhiteSpace(bytes[position - 1]) { break }
            position += 1
        }
        return try string(start..<position).trimmed
    }
}

extension String {
    /// The string without a carriage return at its end.
    fileprivate var droppingReturn: String { utf8.last == 0x0d ? String(decoding: utf8.dropLast(), as: UTF8.self) : self }
}

extension PropertyList {
    /// A scalar as a build setting is written: Booleans are YES and NO; nil for other values.
    var scalarText: String? {
        switch value {
        case .string(let text), .number(let text): text
        case .bool(let flag): flag ? "YES" : "NO"
        default: nil
        }
    }

    /// The scalars of an array, or the one scalar.
    var scalarTexts: [String] { scalarText.map { [$0] } ?? elements.compactMap(\.scalarText) }
}
