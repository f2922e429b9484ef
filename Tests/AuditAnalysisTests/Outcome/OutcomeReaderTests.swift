import AuditAnalysis
import AuditLog
import Foundation
import SyncBytes
import SyncMerge
import SyncModel
import SyncOracle
import Testing

@Suite struct OutcomeReaderTests {
    private static let fields: [RecordType: Set<FieldName>] = ["Card": ["name", "tags", "visits", "isOpen"]]

    private func rows(
        _ content: [UInt8], named name: String = "rows", columns: OutcomeReader.Columns = .init(),
        fields: [RecordType: Set<FieldName>] = fields
    ) throws -> OutcomeRows {
        let folder = FileManager.default.temporaryDirectory.appending(path: "outcome-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(content).write(to: file)
        var reader = OutcomeReader(columns: columns, fields: fields)
        try reader.read(path: file.path)
        return reader.rows
    }

    private func rows(
        _ content: String, named name: String = "rows", columns: OutcomeReader.Columns = .init(),
        fields: [RecordType: Set<FieldName>] = fields
    ) throws -> OutcomeRows { try rows(Array(content.utf8), named: name, columns: columns, fields: fields) }

    private func row(_ content: String) throws -> FieldMap? {
        try rows(content).rows[RecordKey(type: "Card", id: "1")]?.fields
    }

    @Test func jsonLinesAsAnAuditWritesThem() throws {
        let line = #"{"recordType":"Card","recordID":"1","fields":{"name":"Ada","tags":["x"]}}"#
        let rows = try rows("\u{feff}" + line + "\r\n\n" + line + "\n")
        #expect(rows.rows.mapValues(\.fields) == [RecordKey(type: "Card", id: "1"): ["name": "Ada", "tags": ["x"]]])
        #expect((rows.count, rows.repeats) == (2, 1))
        #expect(rows.firstRepeat?.hasSuffix("/rows:3") == true)
    }

    @Test(arguments: [
        "id,name\n1,Ada\n", "\u{feff}id,name\r\n1,Ada\r\n", "id;name\n1;Ada", "\"id\"\t\"name\"\n\"1\"\t\"Ada\"\n", "name,ID\n\nAda,1\n",
        "uuid,recordID,name\n9,1,Ada\n", "type,id,name\nCard,1,Ada\n",
    ])
    func everyCommonFormOfCSV(_ content: String) throws {
        #expect(try row(content)?["name"] == "Ada")
    }

    @Test func aValueInQuotesHoldsWhatItWants() throws {
        #expect(try row("id,name\n1,\"a \"\"b\"\", c\r\nd\n\ne\"\n2,x\n")?["name"] == "a \"b\", c\r\nd\n\ne")
        #expect(try row("id,name\n1,5\" \"pipe\"\n")?["name"] == "5\" \"pipe\"")
        #expect(try row("id,name,tags\n1,,\"\"\n") == ["name": "", "tags": ""])
    }

    @Test func theTypeFollowsFromAColumnOrTheFileOrFromThereBeingNoOther() throws {
        let two: [RecordType: Set<FieldName>] = ["Card": ["name"], "Note": ["name", "type"]]
        #expect(try rows("id,name\n1,x\n", named: "note.2026.csv", fields: two).rows.keys.map(\.type) == ["Note"])
        #expect(try rows("recordtype,id,name\nCard,1,x\n", fields: two).rows.keys.map(\.type) == ["Card"])
        #expect(try rows("kind,id,name\nCard,1,x\n", columns: .init(type: "kind"), fields: two).rows.keys.map(\.type) == ["Card"])
        // A column of that name is a field here.
        #expect(try rows("type,id,name\nCard,1,x\n", named: "Note.csv", fields: two).rows.keys.map(\.type) == ["Note"])
        #expect(try rows("key,name\n7,x\n", columns: .init(id: "key")).rows.keys.map(\.id) == ["7"])
    }

    @Test func aTableWithoutRowsSaysThatAllWereDeleted() throws {
        #expect(try rows("id,name\n").types == ["Card"])
    }

    @Test(arguments: [
        ("", #"rows:1: there is nothing in it"#),
        ("\n \n", "there is nothing in it"),
        ("[{}]", "rows:1: this is a JSON array; write one object on each line"),
        ("{\"recordType\":\"Card\"}", "rows:1: this is no row; one looks like"),
        ("{\"recordType\":\"Card\",\"recordID\":7,\"fields\":{}}", "rows:1: this is no row"),
        ("{\"recordType\":", "rows:1: byte 15: the line is cut off"),
        ("name,tags\nx,y\n", "rows:1: no column of the header is called recordID, record_id, id, uuid; say with --id-column"),
        ("id,id\n1,1\n", "rows:1: two columns of the header have the name \"id\""),
        ("id,name\n1\n", "rows:2: the row has 1 values, but the header names 2 columns"),
        ("id,name\n1,\"x\ny\n", "rows:2: the row does not end: a value in quotes"),
        ("id,name\n1,\"x\"y\n", "rows:2: a value goes on after the quote that closes it"),
    ])
    func whatCannotBeUnderstood(_ content: String, _ problem: String) throws {
        let error = try #require(throws: AuditLogError.self) { try rows(content) }
        #expect(error.description.contains(problem))
        #expect(error.code == .badData)
    }

    @Test func aTypeThatCannotBeToldAndAColumnThatIsNotThere() throws {
        let two: [RecordType: Set<FieldName>] = ["Card": [], "Note": []]
        let type = #expect(throws: AuditLogError.self) { try rows("id,name\n1,x\n", fields: two) }
        #expect(
            type?.description.contains(#"has 2; name one with --type-column, or call the file like the type, as in "Card.csv""#) == true)
        let column = #expect(throws: AuditLogError.self) { try rows("id\u{1b}[2J,name\n1,x\n", columns: .init(id: "key")) }
        #expect(column?.description.contains(#"has no column "key", which --id-column names; it has "id\u001b[2J", "name""#) == true)
        let bytes = #expect(throws: AuditLogError.self) { try rows(Array("id,name\n1,".utf8) + [0xe9, 0x0a]) }
        #expect(bytes?.description.contains("rows:2: the text is not UTF-8") == true)
    }

    @Test(
        arguments: [
            ("", nil, true), ("NULL", nil, true), ("", "", true), ("x", nil, false), ("NULL", "NULL", true), ("", "x", false),
            ("t", true, true), ("TRUE", true, true), ("0", false, true), ("f", true, false), ("yes", true, false),
            ("7", 7, true), ("7.0", 7, true), ("7", "7", true), ("8", 7, false), ("x", 7, false),
            ("9007199254740993", 9_007_199_254_740_992, false),
            ("[\"x\", 1]", ["x", 1], true), ("{\"b\":1,\"a\":2}", ["a": 2, "b": 1], true), ("[1", [1], false),
        ] as [(String, FieldValue?, Bool)])
    func aStringStandsForAValueOfAnyKind(_ text: String, _ value: FieldValue?, _ agrees: Bool) throws {
        let row = OutcomeRows.Row(fields: ["x": .string(text)], isText: true)
        #expect(row.shows(value, in: "x", under: .lastWriterWins) == agrees)
    }

    /// A value of the trace, as JSON; the same field of a row, as JSON; and whether the row shows the value.
    @Test(
        arguments: [
            (#"{"a":1,"b":[2]}"#, #"{ "b" : [ 2.0 ], "a" : 1e0 }"#, true),
            (#"{"a":"\u00e9"}"#, #"{"a":"é"}"#, true),
            (#"10"#, #"1.0E+1"#, true),
            // A column of text that holds JSON, on either side or both.
            (#"{"a":1,"b":[2]}"#, #""{ \"b\": [2], \"a\": 1.0 }""#, true),
            (#"[1,"x"]"#, #"" [1, \"\\u0078\"]""#, true),
            (#""{\"a\": 1}""#, #"{"a":1}"#, true),
            (#""[1, 2]""#, #""[1,2.0]""#, true),
            (#"{"a":1}"#, #""{\"a\":2}""#, false),
            (#"[1,2]"#, #""[2,1]""#, false),
            (#"{"a":1}"#, #""{\"a\":1""#, false),
            // Text that holds no object and no array is text.
            (#""1""#, #"1"#, false), (#""1.0""#, #""1""#, false), (#""true""#, #"true"#, false), (#""\"x\"""#, #""x""#, false),
        ])
    func jsonIsComparedByWhatItHolds(_ value: String, _ shown: String, _ agrees: Bool) throws {
        let row = try rows(#"{"recordType":"Card","recordID":"1","fields":{"x":\#(shown)}}"#).rows.values.first
        #expect(try #require(row).shows(try JSONParser.parse(value), in: "x", under: .lastWriterWins) == agrees)
    }

    @Test func aColumnOfCSVThatHoldsJSONIsComparedByWhatItHolds() throws {
        let row = try #require(try rows("id,name,tags\n1,\"{ \"\"b\"\": 2, \"\"a\"\": 1.0 }\",\"[1.0,\"\"x\"\"]\"\n").rows.values.first)
        #expect(row.shows(["a": 1, "b": 2], in: "name", under: nil))
        #expect(row.shows(.string(#"{"a":1,"b":2}"#), in: "name", under: nil))
        #expect(row.shows(.string(#"[1, "x"]"#), in: "tags", under: nil))
        #expect(!row.shows(["a": 1, "b": 3], in: "name", under: nil))
    }

    @Test func aNumberWithAFractionIsThatOfTheNearestDouble() throws {
        let row = OutcomeRows.Row(fields: ["x": "0.10000000000000001"], isText: true)
        #expect(row.shows(.number(try #require(JSONNumber(0.1))), in: "x", under: nil))
        #expect(!OutcomeRows.Row(fields: ["x": "0.11"], isText: true).shows(.number(try #require(JSONNumber(0.1))), in: "x", under: nil))
    }

    @Test func noBytesAreTooHostile() throws {
        let alphabet = Array(",;\"\r\n\u{1b}[{}x1\t:".utf8) + [0, 0xff, 0xc3]
        for seed in 1...UInt64(histories(100, of: 400)) {
            var random = SplitMix64(seed: seed)
            let start = ["id,name\n", "{\"recordType\":\"Card\"", ""][random.below(3)]
            let bytes = Array(start.utf8) + (0..<random.below(60)).map { _ in alphabet[random.below(alphabet.count)] }
            do {
                let rows = try rows(bytes)
                #expect(rows.rows.count + rows.repeats == rows.count)
            } catch let error as AuditLogError {
                #expect(error.description.contains("rows:") && !error.description.contains("\u{1b}"), "seed \(seed)")
            }
        }
    }
}
