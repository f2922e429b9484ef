package import FileFormats
import SyncBytes
import SyncModel

/// A reader of a part of YAML 1.1 that specifications of projects are written in.
///
/// Understood are block and flow mappings and sequences, plain and quoted scalars on one or more lines, `|` and `>` blocks, comments,
/// anchors, aliases and merge keys. Tags are passed over, and only the first document is read: each with a note. Values come as a property
/// list: null is the empty string, and the words for Booleans are those of YAML 1.1 (`yes`, `on`, `true`).
package struct YAMLReader {
    let bytes: [UInt8]
    var position = 0
    /// The byte at which the line of `position` begins.
    var lineStart = 0
    /// What was passed over, with its offset.
    package internal(set) var notes: [FormatError] = []

    /// The values that have a name, each with the values in it and how many are inside each other.
    private var anchors: [String: (value: PropertyList, count: Int, depth: Int)] = [:]
    /// How many values were read, those of aliases included.
    private var count = 0
    /// How many values that are read are inside each other at most.
    private var deepest = 0
    private var remainingAliased = Self.maximumAliased

    /// How many values all aliases together may stand for, so that aliases of aliases do not grow without limit.
    static let maximumAliased = 100_000

    /// How many lists may be inside each other.
    package static let maximumDepth = 64

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { (position, lineStart) = (3, 3) }
    }

    /// Parses the first document.
    package mutating func parse() throws(FormatError) -> PropertyList {
        try settle()
        while position < bytes.count, bytes[position] == UInt8(ascii: "%") { try skipLine() }
        if isDocumentMark("---") {
            position += 3
            try settle()
        }
        let value = try node(parent: -1, depth: 0)
        if position < bytes.count {
            guard isDocumentMark("---") || isDocumentMark("...") else {
                throw FormatError(at: position, "a line that is indented like none before it")
            }
            note(position, "only the first document of the file is read")
        }
        return value
    }

    var column: Int { position - lineStart }

    mutating func note(_ offset: Int, _ sentence: String) { notes.append(FormatError(at: offset, sentence)) }

    private mutating func skipLine() throws(FormatError) {
        while position < bytes.count, bytes[position] != 0x0a, bytes[position] != 0x0d { position += 1 }
        try settle()
    }

    /// Goes to the next byte that is neither white space nor part of a comment.
    mutating func settle() throws(FormatError) {
        while position < bytes.count {
            switch bytes[position] {
            case 0x0a, 0x0d:
                position += 1
                lineStart = position
            case UInt8(ascii: " "): position += 1
            case 0x09:
                // A tab may be before a comment or a line's end, and indents nothing.
                let rest = bytes[position...].firstIndex { $0 != 0x09 && $0 != 0x20 }
                let isIndentation = bytes[lineStart..<position].allSatisfy { $0 == 0x20 }
                if let rest, isIndentation, ![0x0a, 0x0d, UInt8(ascii: "#")].contains(bytes[rest]) {
                    throw FormatError(at: position, "a tab in the indentation")
                }
                position = rest ?? bytes.count
            case UInt8(ascii: "#"):
                while position < bytes.count, bytes[position] != 0x0a, bytes[position] != 0x0d { position += 1 }
            default: return
            }
        }
    }

    private func isDocumentMark(_ mark: String) -> Bool {
        column == 0 && bytes[position...].starts(with: mark.utf8) && isEnd(position + 3)
    }

    /// Whether white space or the end of the file is at an index.
    func isEnd(_ index: Int) -> Bool { index >= bytes.count || isWhiteSpace(bytes[index]) }

    /// Parses the value at the position, which is settled before and afterwards.
    private mutating func node(parent: Int, depth: Int) throws(FormatError) -> PropertyList {
        guard depth < Self.maximumDepth else { throw FormatError(at: position, "more than \(Self.maximumDepth) lists inside each other") }
        guard position < bytes.count, column > parent, !isDocumentMark("---"), !isDocumentMark("...") else {
            return PropertyList(.string(""), at: min(position, bytes.count))
        }
        if isSequenceItem { return try sequence(depth: depth) }
        if try isMappingStart() { return try mapping(depth: depth) }
        return try inline(parent: parent, depth: depth)
    }

    private var isSequenceItem: Bool { position < bytes.count && bytes[position] == UInt8(ascii: "-") && isEnd(position + 1) }

    private mutating func sequence(depth: Int) throws(FormatError) -> PropertyList {
        enter(depth)
        let (indent, start) = (column, position)
        var elements: [PropertyList] = []
        while isSequenceItem, column == indent {
            position += 1
            try settle()
            elements.append(try node(parent: indent, depth: depth + 1))
        }
        try checkIndentation(indent)
        return PropertyList(.array(elements), at: start)
    }

    private mutating func mapping(depth: Int) throws(FormatError) -> PropertyList {
        enter(depth)
        let (indent, start) = (column, position)
        var entries: [PropertyList.Entry] = []
        var merged: [PropertyList] = []
        while position < bytes.count, column == indent, !isSequenceItem, !isDocumentMark("---"), !isDocumentMark("...") {
            let keyOffset = position
            let key = try key()
            let line = lineStart
            try settle()
            let value: PropertyList
            if lineStart == line, position < bytes.count {
                value = try inline(parent: indent, depth: depth + 1)
            } else if isSequenceItem, column == indent {
                value = try sequence(depth: depth + 1)
            } else {
                value = try node(parent: indent, depth: depth + 1)
            }
            if key == "<<" {
                merged += value.elements.isEmpty ? [value] : value.elements
            } else {
                entries.append(PropertyList.Entry(key: key, keyOffset: keyOffset, value: value))
            }
        }
        try checkIndentation(indent)
        return PropertyList(.dictionary(Self.merging(merged, into: entries)), at: start)
    }

    /// The entries of a mapping with those that merge keys add: its own come before them, and earlier ones before later.
    static func merging(_ lists: [PropertyList], into entries: [PropertyList.Entry]) -> [PropertyList.Entry] {
        guard !lists.isEmpty else { return entries }
        var known = Set(entries.map(\.key))
        return entries + lists.flatMap(\.entries).filter { known.insert($0.key).inserted }
    }

    // MARK: Anchors

    mutating func enter(_ depth: Int) {
        count += 1
        deepest = max(deepest, depth)
    }

    /// Consumes the `&name` or `*name` at the position.
    mutating func anchorName() throws(FormatError) -> String {
        let start = position + 1
        position = start
        while !isEnd(position), !",[]{}".utf8.contains(bytes[position]) { position += 1 }
        return try string(start..<position)
    }

    /// Parses a value and keeps it by a name.
    mutating func anchor(
        _ name: String, depth: Int, _ parse: (inout YAMLReader) throws(FormatError) -> PropertyList
    ) throws(FormatError) -> PropertyList {
        let (countBefore, deepestBefore) = (count, deepest)
        deepest = depth
        let value = try parse(&self)
        anchors[name] = (value, count - countBefore, deepest - depth)
        deepest = max(deepest, deepestBefore)
        return value
    }

    /// The value of the alias at the position, which is consumed.
    mutating func alias(depth: Int) throws(FormatError) -> PropertyList {
        let start = position
        let name = try anchorName()
        enter(depth)
        guard let anchor = anchors[name] else {
            note(start, "no value before has the name \(name.quoted); the alias has no value")
            return PropertyList(.string(""), at: start)
        }
        guard anchor.count <= remainingAliased, depth + anchor.depth < Self.maximumDepth else {
            note(start, "the aliases stand for too many values, or values too deep inside each other; this one has no value")
            return PropertyList(.string(""), at: start)
        }
        remainingAliased -= anchor.count
        count += anchor.count
        deepest = max(deepest, depth + anchor.depth)
        return anchor.value
    }

    private func checkIndentation(_ indent: Int) throws(FormatError) {
        guard position == bytes.count || column <= indent else {
            throw FormatError(at: position, "a line that is indented more than expected")
        }
    }

    /// Whether a key and a colon begin at the position.
    private func isMappingStart() throws(FormatError) -> Bool {
        let first = bytes[position]
        if first == UInt8(ascii: "?"), isEnd(position + 1) { throw FormatError(at: position, "keys that begin with ? are not understood") }
        if [UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "!")].contains(
            first)
        {
            return false
        }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            var copy = self
            guard (try? copy.quoted()) != nil, copy.lineStart == lineStart else { return false }
            while copy.position < bytes.count, bytes[copy.position] == 0x20 { copy.position += 1 }
            return copy.position < bytes.count && bytes[copy.position] == UInt8(ascii: ":") && isEnd(copy.position + 1)
        }
        return plainKeyEnd() != nil
    }

    /// Where the colon after a plain key is; nil where there is none on the line.
    private func plainKeyEnd() -> Int? {
        var index = position
        while index < bytes.count, bytes[index] != 0x0a, bytes[index] != 0x0d {
            if bytes[index] == UInt8(ascii: ":"), isEnd(index + 1) { return index }
            if bytes[index] == UInt8(ascii: "#"), index > position, isWhiteSpace(bytes[index - 1]) { return nil }
            index += 1
        }
        return nil
    }

    /// Consumes a key and its colon.
    private mutating func key() throws(FormatError) -> String {
        let start = position
        if bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") {
            let key = try quoted()
            while position < bytes.count, bytes[position] == 0x20 { position += 1 }
            guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
                throw FormatError(at: start, "a string where a key is expected")
            }
            position += 1
            return key
        }
        guard try isMappingStart(), let end = plainKeyEnd() else { throw FormatError(at: start, "a line without a key and a colon") }
        position = end + 1
        return try string(start..<end).trimmed
    }

    /// Parses a value that is no block of lines with keys or dashes of their own; the position is settled afterwards.
    private mutating func inline(parent: Int, depth: Int) throws(FormatError) -> PropertyList {
        guard depth < Self.maximumDepth else { throw FormatError(at: position, "more than \(Self.maximumDepth) lists inside each other") }
        enter(depth)
        let start = position
        switch bytes[position] {
        case UInt8(ascii: "|"), UInt8(ascii: ">"): return PropertyList(.string(try blockScalar(parent: parent)), at: start)
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            let value = try flow(depth: depth)
            try endLine()
            return value
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let text = try quoted()
            try endLine()
            return PropertyList(.string(text), at: start)
        case UInt8(ascii: "&"):
            let name = try anchorName()
            return try anchor(name, depth: depth) { reader throws(FormatError) in try reader.rest(parent: parent, depth: depth) }
        case UInt8(ascii: "!"):
            note(start, "a tag is not understood and passed over")
            while !isEnd(position) { position += 1 }
            return try rest(parent: parent, depth: depth)
        case UInt8(ascii: "*"):
            let value = try alias(depth: depth)
            try endLine()
            return value
        case UInt8(ascii: "@"), UInt8(ascii: "`"), UInt8(ascii: "%"):
            throw FormatError(at: start, "a value that begins with a reserved character")
        default: return try plain(parent: parent)
        }
    }

    /// Parses the value behind an anchor or a tag.
    private mutating func rest(parent: Int, depth: Int) throws(FormatError) -> PropertyList {
        let line = lineStart
        try settle()
        if lineStart != line, isSequenceItem, column == parent { return try sequence(depth: depth + 1) }
        return lineStart == line && position < bytes.count
            ? try inline(parent: parent, depth: depth + 1) : try node(parent: parent, depth: depth + 1)
    }

    /// Checks that nothing but a comment follows on the line, and settles.
    private mutating func endLine() throws(FormatError) {
        let (line, start) = (lineStart, position)
        try settle()
        guard position == bytes.count || lineStart != line else { throw FormatError(at: start, "characters after the end of a value") }
    }

    /// A plain scalar, with the lines that go on with it.
    private mutating func plain(parent: Int) throws(FormatError) -> PropertyList {
        let start = position
        var lines: [String] = []
        repeat {
            let begin = position
            var end = begin
            while end < bytes.count, bytes[end] != 0x0a, bytes[end] != 0x0d {
                if bytes[end] == UInt8(ascii: "#"), end > begin, isWhiteSpace(bytes[end - 1]) { break }
                if bytes[end] == UInt8(ascii: ":"), isEnd(end + 1) {
                    throw FormatError(at: end, "a colon in a value that is not in quotes")
                }
                end += 1
            }
            lines.append(try string(begin..<end).trimmed)
            position = end
            try settle()
        } while position < bytes.count && column > parent && bytes[lineStart..<position].allSatisfy { $0 == 0x20 } && !isDocumentMark("---")
            && !isDocumentMark("...")
        return Self.plainValue(lines.joined(separator: " "), at: start)
    }

    /// The value of a plain scalar, by the words and numbers of YAML 1.1.
    static func plainValue(_ text: String, at offset: Int) -> PropertyList {
        switch text {
        case "", "~", "null", "Null", "NULL": return PropertyList(.string(""), at: offset)
        case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON": return PropertyList(.bool(true), at: offset)
        case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF": return PropertyList(.bool(false), at: offset)
        default:
            let isNumeric = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } && Double(text) != nil
            return PropertyList(isNumeric ? .number(text) : .string(text), at: offset)
        }
    }
}
