import SyncBytes
import SyncModel
import SyncOracle
import TemporaryDirectory
import Testing

@testable import TraceImport

/// Rows of CSV behind those that were looked at first are numbered from their bytes; nothing may be different in them.
@Suite struct PlainCellsTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A table that tells all that a row can tell, whose texts have every form.
    private static func cells(seed: UInt64) -> (columns: [String], rows: [[String]]) {
        var random = SplitMix64(seed: seed)
        func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
        let columns = [
            "id", "type", "note_id", "op", "is_deleted", "user", "version", "base_version", "edited_at", "received_at", "title", "body",
            "n",
        ]
        let zones = ["Z", "+02:00", ".5Z", ".123456Z", "z"]
        let rows = (0..<SampledTable.maximumRows + 1500).map { number -> [String] in
            let time = "2026-01-\(10 + number % 10)T10:\(10 + number % 50):00\(zones[number % zones.count])"
            let (version, note) = (1 + number / 40, number % 40)
            return [
                "\(number)", pick(["note", "Card"]), pick(["n\(note)", "ö\(note)", #"{"a": \(note)}"#, #"{"a":\(note)}"#]),
                pick(["insert", "UPDATE", "update", "u", "d", "delete", ""]), pick(["", "0", "1", "f", "true"]),
                pick(["ann", "ben", "cyd", "", "NULL"]), pick(["\(version)", #"W/"\(version)""#, "0", #"["\(version)"]"#, "none"]),
                version > 1 ? pick(["\(version - 1)", "0", "", "null"]) : "", pick([time, "", "0000-00-00 00:00:00"]), time,
                pick(["plan", "Plan B", "a, b", "say \"hi\"", "two\nlines", "NULL", #"\N"#, "", "日本語", "null"]),
                pick([#"{"x":1,"y":[2]}"#, #"{ "y" : [2], "x" : 1 }"#, #"["a"]"#, "{no json", "x", ""]),
                pick(["1", "1.0", "01", "-5", ""]),
            ]
        }
        return (columns, rows)
    }

    private static func csv(_ cell: String, _ separator: String) -> String {
        cell.contains(where: { "\"\n".contains($0) }) || cell.contains(separator) ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
    }

    private static func json(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONText.append(.string(text), to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func rows(_ content: String, _ name: String, empty: RowReading.EmptyValue) throws -> [String] {
        let map = [
            "recordType=type", "recordID=note_id", "op=op", "deleted=is_deleted", "device=user", "version=version", "base=base_version",
            "ts=edited_at", "received=received_at", "order=id",
        ]
        let table = try SavedRowTexts.table(content, name: name, in: directory) { reading in
            for item in map { try reading.mapping.map(item) }
            reading.empty = empty
        }
        return try SavedRowTexts.rows(of: table, since: 0)
    }

    @Test(arguments: [1, 2, 3] as [UInt64], [",", "\t"])
    func aCellMeansWhatItsValueMeans(seed: UInt64, separator: String) throws {
        let (columns, cells) = Self.cells(seed: seed)
        let csv = ([columns] + cells).map { $0.map { Self.csv($0, separator) }.joined(separator: separator) }.joined(separator: "\n")
        let lines = cells.map { row in
            let fields = zip(columns, row).map { name, cell in
                "\(Self.json(name)):" + (["", "NULL", #"\N"#].contains(cell) ? "null" : Self.json(cell))
            }
            return "{" + fields.joined(separator: ",") + "}"
        }
        for empty in [RowReading.EmptyValue.null, .absent] {
            let expected = try rows(lines.joined(separator: "\n"), "notes.jsonl", empty: empty)
            let found = try rows(csv, "notes.csv", empty: empty)
            #expect(expected.count == cells.count)
            #expect(found == expected)
        }
    }
}
