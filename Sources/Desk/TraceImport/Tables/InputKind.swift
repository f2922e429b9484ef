package import AuditLog
import SyncBytes
import SyncModel

/// What an input is, as its first bytes tell.
package enum InputKind: Hashable, Sendable {
    /// The lines of a trace, or of a log of conflicts: each names its event.
    case trace
    /// Values with separators between them.
    case separatedValues
    /// A database of SQLite.
    case sqlite
    /// Rows as JSON, one on each line, over several lines, or in an array.
    case json
    /// Nothing at all.
    case empty
    /// Something that is neither, and a sentence without its full stop of what it is and how to make rows of it.
    case foreign(String)

    /// How many bytes are looked at.
    static let headLength = 64 << 10

    /// What a file is, decompressed where it is gzip data.
    ///
    /// - Throws: ``AuditLogError`` that names the path, and ``ReadingError``.
    package init(path: String) throws {
        try self.init(InputChunks(path: path))
    }

    /// What an input is, whose bytes can all be read afterwards.
    package init(_ input: InputChunks) throws(ReadingError) {
        let head = try input.peek(count: Self.headLength)
        self.init(head: head.span)
    }

    /// What an input is of which nobody says that it is a table: what has no header may be a log whose first line is damaged.
    ///
    /// A trace, which may be endless, is known by its first line; of anything else more is looked at. All of it can be read afterwards.
    package static func named(_ input: InputChunks) throws(ReadingError) -> InputKind {
        if try InputKind(input) == .trace { return .trace }
        let bytes = try input.peek(count: longestBeginning, lines: mostLines).withoutByteOrderMark
        let kind = InputKind(head: bytes.span.extracting(first: headLength))
        guard kind.isTable || kind == .foreign(noColumns) || kind == .foreign(binary) else { return kind }
        let isText = kind == .separatedValues || kind == .foreign(noColumns) || kind == .foreign(binary)
        if isText, ForeignFormat(bytes.span) != .csv { return .trace }
        if kind == .sqlite { return kind }
        return holdsEvents(bytes.span) ? .trace : kind
    }

    /// Whether it has rows.
    package var isTable: Bool {
        switch self {
        case .separatedValues, .sqlite, .json: true
        case .trace, .empty, .foreign: false
        }
    }

    /// What begins with some bytes.
    package init(head: Span<UInt8>) {
        let head = head.hasByteOrderMark ? head.extracting(3...) : head
        guard !head.isEmpty else {
            self = .empty
            return
        }
        if AppleLogDetector.recognizes(head) {
            self = .trace
            return
        }
        guard let start = head.indices.first(where: { head[$0] > 0x20 || head[$0] == 0 }) else {
            self = .separatedValues
            return
        }
        switch (ForeignFormat(head), head[start]) {
        case (.sqlite, _): self = .sqlite
        case (.utf16, _), (.zip, _), (.compressed, _), (.propertyList, _): self = .foreign(ForeignFormat(head)?.sentence ?? "")
        case (.binary, _):
            self = .foreign(Self.binary)
        case (_, UInt8(ascii: "[")): self = .json
        case (_, UInt8(ascii: "{")) where head.extracting(start...).holdsText(":", beforeQuote: true): self = .foreign(Self.edn)
        case (_, UInt8(ascii: "{")): self = Self.isEvent(head.extracting(start...)) ? .trace : .json
        case (_, UInt8(ascii: "<")):
            self = .foreign("this is XML or HTML, not a table: export the rows as CSV or JSON, one row for each version of a record")
        case (_, UInt8(ascii: "(")): self = .foreign(Self.edn)
        default:
            let end = head.newline(from: 0) ?? head.count
            let hasColumns = head.extracting(0..<end).indices.contains { ",;\t|".utf8.contains(head[$0]) }
            self =
                hasColumns
                ? .separatedValues
                : .foreign(Self.noColumns)
        }
    }

    /// What is said of bytes that are no text.
    private static let binary = "this is a binary file, not a table: export the table as CSV or JSON, or name a database of SQLite"

    /// What is said of a text that may be anything.
    private static let noColumns =
        "its first line names no columns: a table is CSV with a header, JSON with a key for each column, or a database of SQLite"

    private static let edn = "this is EDN, not JSON: print each map as JSON, as Clojure's data.json and Babashka's 'cheshire' do"

    /// Whether one of the first lines is one of the format, though the first of all is not: a log that begins with damage.
    private static func holdsEvents(_ bytes: Span<UInt8>) -> Bool {
        var start = 0
        for _ in 0..<mostLines where start < bytes.count {
            let end = bytes.newline(from: start) ?? bytes.count
            // With what follows, by which a line is known that goes on behind what is looked at.
            let line = bytes.extracting(start..<min(end + 1, bytes.count))
            start = end + 1
            if let first = line.indices.first(where: { line[$0] > 0x20 }), line[first] == UInt8(ascii: "{"),
                isEvent(line.extracting(first...))
            {
                return true
            }
        }
        return false
    }

    /// How many lines are looked at, and how many bytes of them.
    private static let mostLines = 200
    private static let longestBeginning = 1 << 20

    /// Whether an object is a line of the format: it names one of its events.
    ///
    /// A table may have a column of that name (`event`) with other words in it, as `created`.
    private static func isEvent(_ bytes: Span<UInt8>) -> Bool {
        let end = bytes.newline(from: 0) ?? bytes.count
        let line = bytes.extracting(0..<end)
        guard let object = try? JSONParser.parse(line).object else {
            // Cut off by a line that goes on behind what is looked at, or by a crash.
            let isVersioned = end < bytes.count && line.count > 5 && line[1] == UInt8(ascii: "\"") && line[2] == UInt8(ascii: "v")
            return isVersioned || EventName.allCases.contains { line.holdsText("\"event\":\"\($0.rawValue)\"") }
        }
        if object["summary"] != nil || object["rules"] != nil && object["event"] == nil && object["id"] == nil { return true }
        guard let event = object["event"]?.string else { return false }
        // A newer version may know more events.
        return EventName(rawValue: event) != nil || object["v"]?.integer != nil && object["ts"]?.string != nil
    }
}

extension Span<UInt8> {
    /// Whether a string occurs, by its bytes.
    fileprivate func holdsText(_ text: String) -> Bool {
        let text = Array(text.utf8)
        guard count >= text.count else { return false }
        return (0...count - text.count).contains { start in text.indices.allSatisfy { self[start + $0] == text[$0] } }
    }

    /// Whether the first character behind an opening brace is a given one and no quote.
    fileprivate func holdsText(_ character: Unicode.Scalar, beforeQuote: Bool) -> Bool {
        indices.dropFirst().first { self[$0] > 0x20 }.map { self[$0] == UInt8(ascii: character) } ?? false
    }
}
