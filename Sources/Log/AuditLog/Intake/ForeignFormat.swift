import SyncBytes

/// A sort of file that is no log and no trace, told by its beginning, and the command that reads it.
package enum ForeignFormat: Hashable, Sendable {
    /// Values with separators between them.
    case csv
    /// A database of SQLite.
    case sqlite
    /// One array of JSON.
    case jsonArray
    /// One value of JSON that goes over several lines.
    case jsonDocument
    /// Text of two bytes or more for each character.
    case utf16
    /// An archive, or a workbook in one.
    case zip
    /// Compressed by what this package does not decompress.
    case compressed(by: String)
    /// A property list that is no text.
    case propertyList
    /// Words, as programs print them.
    case text
    /// Something else that is no text.
    case binary

    /// The first bytes of formats that are no text, but for SQLite's.
    private static let signatures: [([UInt8], ForeignFormat)] = [
        ([0x50, 0x4b, 0x03, 0x04], .zip), ([0x28, 0xb5, 0x2f, 0xfd], .compressed(by: "zstd")),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a], .compressed(by: "xz")), ([0x42, 0x5a, 0x68], .compressed(by: "bzip2")),
        (Array("bplist".utf8), .propertyList),
    ]

    /// The first bytes of every database of SQLite; its NUL is left out.
    private static let magic = Array("SQLite format 3".utf8)

    /// The longest first line of CSV that is looked at, in bytes.
    private static let longestHeader = 64 << 10

    /// What begins with some bytes: the first line, without the byte order mark, or more than it.
    package init?(_ bytes: Span<UInt8>) {
        if bytes.hasPrefix(Self.magic) {
            self = .sqlite
            return
        }
        if bytes.count >= 2, bytes[0] == 0xff && bytes[1] == 0xfe || bytes[0] == 0xfe && bytes[1] == 0xff {
            self = .utf16
            return
        }
        if let format = Self.signatures.first(where: { bytes.hasPrefix($0.0) })?.1 {
            self = format
            return
        }
        let end = bytes.newline(from: 0) ?? bytes.count
        let line = bytes.extracting(0..<end)
        let start = line.indices.first { line[$0] > 0x20 }
        // What a power failure leaves of a log may have zeros in it.
        if line.indices.contains(where: { line[$0] == 0 }), start.map({ line[$0] != UInt8(ascii: "{") }) ?? true {
            self = .binary
            return
        }
        guard let first = start else { return nil }
        switch line[first] {
        case UInt8(ascii: "["): self = .jsonArray
        case UInt8(ascii: "{"):
            // A line of a log that is cut off has more in it.
            guard line.indices.allSatisfy({ $0 == first || line[$0] <= 0x20 }) else { return nil }
            self = .jsonDocument
        default:
            if Self.isHeader(line) {
                self = .csv
            } else if Self.isText(line) {
                self = .text
            } else {
                return nil
            }
        }
    }

    /// What a file begins with that can be read from its start; nil where it is a log, or cannot be read.
    package init?(path: String) {
        guard let head = try? Self.head(path: path), let format = Self(head.span) else { return nil }
        self = format
    }

    private static func head(path: String) throws(AuditLogError) -> [UInt8]? {
        var lines = try LineReader(path: path, maximumLength: longestHeader)
        guard lines.length != nil, case .bytes(let range)? = try? lines.next() else { return nil }
        return lines.withBytes(range) { bytes in
            let bytes = bytes.hasByteOrderMark ? bytes.extracting(3...) : bytes
            return bytes.indices.map { bytes[$0] }
        }
    }

    /// Whether a line is words and nothing that may be left of JSON.
    private static func isText(_ line: Span<UInt8>) -> Bool {
        let isWord = { (byte: UInt8) in (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte >= 0x80 }
        return line.indices.contains { isWord(line[$0]) }
            && line.indices.allSatisfy { line[$0] >= 0x20 && !"\"{}[]".utf8.contains(line[$0]) || line[$0] == 0x09 || line[$0] == 0x0d }
    }

    /// Whether a line may be the header of CSV: two names or more, neither long nor with control characters in them.
    private static func isHeader(_ line: Span<UInt8>) -> Bool {
        guard line.count <= longestHeader, line.indices.allSatisfy({ line[$0] >= 0x20 || line[$0] == 0x09 || line[$0] == 0x0d }) else {
            return false
        }
        let separator = CSVParser.separator(ofHeader: line)
        var parser = CSVParser(separator: separator, maximumLength: longestHeader)
        guard let names = try? parser.consume(line) else { return false }
        return names.count > 1 && names.allSatisfy { $0.utf8.count <= 64 && !$0.isEmpty }
    }

    /// What the file is and which command reads it, as a sentence without its full stop.
    package var sentence: String {
        switch self {
        case .csv: "this is CSV, not JSON Lines: 'syncaudit audit --csv FILE' audits its rows"
        case .sqlite: "this is a database of SQLite: 'syncaudit audit --sqlite FILE' tells which tables it has, and audits their rows"
        case .jsonArray:
            "this is a JSON array, not one object on each line: 'jq -c \".[]\" FILE > lines.jsonl' makes lines of it"
        case .jsonDocument:
            "this is JSON that goes over several lines, not one object on each line: 'jq -c . FILE > lines.jsonl' makes lines of it"
        case .utf16: "this is UTF-16, not UTF-8: 'iconv -f UTF-16 -t UTF-8 FILE' converts it"
        case .zip:
            "this is a ZIP archive, as workbooks are (.xlsx, .ods): export the sheet as CSV, or unpack the archive and name what is in it"
        case .compressed(let tool): "this is compressed by \(tool): '\(tool) -dc FILE > lines.jsonl' decompresses it"
        case .propertyList: "this is a binary property list: 'plutil -convert json -o out.json FILE' converts it"
        case .text:
            "this is text, not JSON Lines, and it does not begin as Apple's log does: name a log with one JSON object on each line; of Apple's log, "
                + "'log show --style ndjson' writes one"
        case .binary:
            "this is a binary file, not text: name a log or a trace with one JSON object on each line, or a table for 'syncaudit audit --csv FILE'"
        }
    }
}

extension Span<UInt8> {
    fileprivate func hasPrefix(_ prefix: [UInt8]) -> Bool { count >= prefix.count && prefix.indices.allSatisfy { self[$0] == prefix[$0] } }
}
