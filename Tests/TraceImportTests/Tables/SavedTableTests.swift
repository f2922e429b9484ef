import AuditLog
import CompressedData
import ConflictAudit
import Foundation
import SyncModel
import SyncSQLite
import SyncSystem
import TemporaryDirectory
import Testing

@testable import TraceImport

/// A table becomes saved rows, whatever it is written in.
@Suite struct SavedTableTests {
    private let directory: TemporaryDirectory
    private let log = TriggerLog(seed: 45, count: 60)

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func rows(_ content: String, _ name: String) throws -> [String] {
        try SavedRowTexts.rows(of: SavedRowTexts.table(content, name: name, in: directory))
    }

    @Test func aTriggersLogIsTheSameFromEverySource() throws {
        #expect(log.expected.contains { $0.contains("delete") } && log.expected.contains { $0.contains(" b") })
        let objects = log.objects(asText: false)
        #expect(try rows(log.separated(by: ","), "a.csv") == log.expected)
        #expect(try rows(log.separated(by: "\t"), "a.tsv") == log.expected)
        #expect(try rows(log.objects(asText: true).joined(separator: "\n"), "text.jsonl") == log.expected)
        #expect(try rows(objects.joined(separator: "\n") + "\n", "nested.jsonl") == log.expected)
        #expect(try rows("[" + objects.joined(separator: ",") + "]", "one-line.json") == log.expected)
        let pretty = objects.map { $0.replacing(#","changed_by""#, with: ",\n  \"changed_by\"") }
        #expect(try rows("\u{feff} [\n  " + pretty.joined(separator: " ,\n  ") + "\n]\n", "pretty.json") == log.expected)
    }

    @Test func aDatabasesHistoryIsFoundAmongItsTables() throws {
        let database = try SQLiteConnection(path: directory.file("notes.db"), busyTimeout: 0)
        try database.execute(log.sql)
        let table = try SavedTable(path: directory.file("notes.db"), TableReading())
        #expect(table.name == directory.file("notes.db") + ": audit_log, row")
        #expect(table.orderColumn == "id")
        #expect(try SavedRowTexts.rows(of: table) == log.expected)
        #expect(table.doubts.isEmpty)

        var reading = TableReading()
        reading.query = "SELECT * FROM audit_log WHERE id <= 3"
        #expect(try SavedRowTexts.rows(of: SavedTable(path: directory.file("notes.db"), reading)).count == 3)
        reading.query = nil
        reading.table = "note"
        #expect(
            throws: TraceImportError(
                .badData, directory.file("notes.db") + #": there is no table "note"; there are "audit_log", "notes", "settings""#)
        ) {
            try SavedTable(path: directory.file("notes.db"), reading)
        }
        try database.execute("CREATE TABLE other_log AS SELECT * FROM audit_log")
        #expect(
            throws: TraceImportError(
                .badData,
                directory.file("notes.db")
                    + ": several tables look like a history; say which is, as one of --table audit_log, --table other_log")
        ) {
            try SavedTable(path: directory.file("notes.db"), TableReading())
        }
    }

    @Test func aKeyMayBeOfSeveralColumns() throws {
        let table = try SavedRowTexts.table(
            "board,nr,user,title\na,1,u,x\nb,1,u,y\na,1,v,z\n", in: directory, map: "recordID=board+nr,recordType=:Note")
        #expect(
            try SavedRowTexts.rows(of: table) == [#"Note/a/1 u {"title":"x"}"#, #"Note/b/1 u {"title":"y"}"#, #"Note/a/1 v {"title":"z"}"#])
        #expect(table.columnSentences.contains(#""board+nr" names the record; --map recordID=COLUMN says otherwise"#))
    }

    @Test func aCompressedDatabaseIsToBeDecompressed() throws {
        let database = try SQLiteConnection(path: directory.file("notes.db"), busyTimeout: 0)
        try database.execute(log.sql)
        let path = directory.file("notes.db.gz")
        try Data(compressed(Data(contentsOf: URL(fileURLWithPath: directory.file("notes.db"))))).write(to: URL(fileURLWithPath: path))
        #expect(
            throws: TraceImportError(
                .badData,
                path + ": this is a database of SQLite, which is read from a file alone: save it uncompressed and name the file")
        ) {
            try SavedTable(path: path, TableReading())
        }
    }

    @Test func compressedRowsComeThroughAPipe() throws {
        let content = log.objects(asText: false).joined(separator: "\n")
        let path = directory.file("a.jsonl.gz")
        try Data(compressed(content.utf8)).write(to: URL(fileURLWithPath: path))
        #expect(try SavedRowTexts.rows(of: SavedTable(path: path, TableReading())) == log.expected)
        #expect(try InputKind(path: path) == .json)

        let pipe = Pipe()
        let writer = Thread {
            pipe.fileHandleForWriting.write(Data(content.utf8))
            try? pipe.fileHandleForWriting.close()
        }
        writer.start()
        let input = InputChunks(descriptor: pipe.fileHandleForReading.fileDescriptor)
        #expect(try InputKind.named(input) == .json)
        let table = try SavedTable(input, name: "standard input", TableReading())
        #expect(try SavedRowTexts.rows(of: table) == log.expected)
    }

    @Test func whatWasLookedAtIsReadAgain() throws {
        let path = try directory.create("a.csv", log.separated(by: ","))
        let input = try InputChunks(path: path)
        #expect(try InputKind(input) == .separatedValues)
        #expect(try SavedRowTexts.rows(of: SavedTable(input, name: "a", TableReading())) == log.expected)
    }

    /// What follows may never come, or never end.
    @Test(.timeLimit(.minutes(1))) func aTraceIsKnownByItsFirstLineWhileItsWriterWaits() throws {
        let line = #"{"v":1,"ts":"2026-01-15T09:00:00.000Z","event":"write","device":"a","n":1}"# + "\n"
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data(line.utf8))
        let input = InputChunks(descriptor: pipe.fileHandleForReading.fileDescriptor)
        #expect(try InputKind.named(input) == .trace)
        pipe.fileHandleForWriting.write(Data(line.utf8))
        try pipe.fileHandleForWriting.close()
        var bytes: [UInt8] = []
        while try input.append(to: &bytes) {}
        #expect(bytes == Array((line + line).utf8))
    }

    @Test func aLogWhoseFirstLineIsDamagedIsNoTable() throws {
        let damaged = #"5,"ts","event""# + "\n" + #"{"v":1,"ts":"2026-01-15T09:00:00.000Z","event":"write"}"# + "\n"
        #expect(try InputKind.named(InputChunks(path: directory.create("a.log", damaged))) == .trace)
        #expect(try InputKind.named(InputChunks(path: directory.create("a.csv", "a,b\n1,2\n"))) == .separatedValues)
        // Blank lines say nothing, and a pipe may give them first.
        #expect(try InputKind.named(InputChunks(path: directory.create("a.json", "\n\n[{\"a\":1}]"))) == .json)
    }

    @Test func eachColumnIsToldWithTheOptionThatSaysOtherwise() throws {
        let table = try SavedRowTexts.table(log.separated(by: ","), in: directory)
        #expect(
            table.columnSentences == [
                #"the type is always "note"; --map recordType=COLUMN says otherwise"#,
                #""note_id" names the record; --map recordID=COLUMN says otherwise"#,
                #""changed_by" says who saved; --map device=new_row.device_id says otherwise"#,
                #""changed_at" is the time by the server's clock, written; --map received=COLUMN says otherwise"#,
                #""new_row.updated_at" is the time by the author's clock, written; --map ts=COLUMN says otherwise"#,
                #""id" numbers the rows in the server's order; --map order=COLUMN says otherwise"#,
                #""new_row.version" names the version; --map version=COLUMN says otherwise"#,
                #""new_row.base_version" names the version that the author had been looking at; --map base=COLUMN says otherwise"#,
                #""action" is the operation; --map op=COLUMN says otherwise"#,
                #""new_row" is the record after the row"#, #""old_row" is the record before the row"#,
                #"the fields are "body", "tags", "title"; --fields NAME,… takes others"#,
                #""id" names the record again, so it is no field; --fields body,tags,title,id takes it as a field all the same"#,
                #""device_id" says who saved, so it is no field; --fields body,tags,title,device_id takes it as a field all the same"#,
            ])
        let mapped = try SavedRowTexts.table(
            log.separated(by: ","), in: directory,
            map: "device=new_row.device_id,ts=changed_at,received=new_row.updated_at,recordType=:Note"
        ) {
            try $0.mapping.nameFields("title")
        }
        var reader = SavedRowTexts.Reader(mapped)
        let first = try #require(try reader.next())
        #expect(first.key.type == "Note" && first.fields.names.map(\.rawValue) == ["title"])
        #expect((first.made ?? 0) > (first.received ?? 0))
    }

    @Test(arguments: [
        ("", "there is nothing in it, so there are no rows"), ("[]", "there are no rows in it"),
        ("[1]", "1: the row is no JSON object; each must be one, with a key for each column"),
        (#"[{"id":1,"by":"a","v":2}"#, "1: the array does not end: the file is cut off"),
        (#"{"id":1,"by":"a","t":2}"# + "\n{\"id\":1,\n{\"id\":2}", "2: the value is cut off: it does not end with its line"),
        // As COPY … TO STDOUT escapes it.
        (
            #"{"id":1,"body":"6\\" wide"}"# + "\n",
            "1: the value is cut off: it does not end with its line; if COPY … TO STDOUT wrote this, it doubled the backslashes: "
                + "psql -qAtX -c 'SELECT row_to_json(…) …' writes JSON"
        ),
        (
            #"{"id":1,"body":"\\"both\\" books"}"#,
            "1: a comma or a closing bracket is expected; if COPY … TO STDOUT wrote this, it doubled the backslashes: "
                + "psql -qAtX -c 'SELECT row_to_json(…) …' writes JSON"
        ),
        (#"{"id":1,"id":2}"#, #"1: the key "id" stands twice in one object"#),
        ("id,user,title\n1,a,b,c\n", "2: the row has 4 values, but the header names 3 columns"),
        ("id,user,user\n1,a,b\n", #"two columns have the name "user"; give each a name of its own"#),
        ("a,b\n1,2\n", #"no column is known to name the record; say which does, as with --map recordID=COLUMN. There are "a", "b""#),
        (
            "hello\n",
            "its first line names no columns: a table is CSV with a header, JSON with a key for each column, or a database of SQLite"
        ),
        ("{:id 1}", "this is EDN, not JSON: print each map as JSON, as Clojure's data.json and Babashka's 'cheshire' do"),
        ("<osm>", "this is XML or HTML, not a table: export the rows as CSV or JSON, one row for each version of a record"),
        (#"{"event":"write","ts":"x"}"#, "these are lines of a trace and no table: leave out what is said of columns"),
    ])
    func whatIsNoTableIsNamed(content: String, problem: String) throws {
        do {
            _ = try SavedRowTexts.table(content, name: "x", in: directory)
            Issue.record("it was taken")
        } catch let error as TraceImportError {
            let location = problem.first?.isNumber == true ? ":" : ": "
            #expect(error.description == directory.file("x") + location + problem)
        }
    }

    @Test func rowsThatCannotBeUnderstoodArePassedOverWhereAsked() throws {
        let content = #"""
            {"note_id":"n1","device":"a","op":"put","title":"1"}
            {"note_id":"n1","device":
            {"note_id":"n1","device":"b","op":"burn","title":"2"}
            {"note_id":"n1","device":"b","op":"put","title":"3"}
            """#
        let table = try SavedRowTexts.table(content, name: "a.jsonl", in: directory, map: "op=op") { $0.isLenient = true }
        #expect(
            try SavedRowTexts.rows(of: table) == [#"note/n1 a {"title":"1"}"#, #"note/n1 b {"title":"3"}"#])
        #expect(table.counts.skipped == 2)
        #expect(table.counts.firstProblem == directory.file("a.jsonl") + ":2: the value is cut off: it does not end with its line")
    }

    /// Of a long table that begins with creations alone no record comes twice in the rows that are looked at.
    @Test func whatNumbersTheFirstRowsOfALongTableNamesNoRecord() throws {
        let numbers = 1...SampledTable.maximumRows
        let creations = numbers.map { "\($0),n\($0),ann,title \($0)" }
        let table = try SavedRowTexts.table(
            (["id,note_id,user,title"] + creations + ["\(numbers.count + 1),n1,ben,new"]).joined(separator: "\n"), in: directory)
        #expect(try SavedRowTexts.rows(of: table).last == #"note/n1 ben o\#(numbers.count + 1) {"title":"new"}"#)
        #expect(table.doubts.isEmpty)
        // Where no other column may name it, it is the record as ever.
        let rows = ["id,user,title"] + numbers.map { "\($0),ann,title \($0)" } + ["1,ben,new"]
        let other = try SavedRowTexts.table(rows.joined(separator: "\n"), in: directory)
        #expect(try SavedRowTexts.rows(of: other).last == #"cards/1 ben {"title":"new"}"#)
    }

    /// More rows are looked at where the first ones are creations, or say nothing of the version that was seen.
    @Test func aTableMayBeginWithAnImport() throws {
        let creations = SampledTable.maximumRows + 500
        var rows = ["id,note_id,folder_id,action,old_row,new_row,changed_by,changed_at"]
        func row(_ number: Int, _ note: Int, _ version: Int, _ base: String) -> String {
            let image =
                #"{""id"":""n\#(note)"",""title"":""t\#(version)"",""device_id"":""d\#(number % 7)"","#
                + #"""version"":\#(version),""base_version"":\#(base)}"#
            let action = version == 1 ? "INSERT" : "UPDATE"
            return "\(number),n\(note),f\(note % 9),\(action),,\"\(image)\",d\(number % 7),2026-11-09T00:00:00Z"
        }
        for number in 1...creations { rows.append(row(number, number, 1, "null")) }
        for number in 1...1000 {
            rows.append(row(creations + number, 1 + number / 4, 2 + number % 4, "\(1 + number % 4)"))
        }
        let table = try SavedRowTexts.table(rows.joined(separator: "\n"), in: directory)
        #expect(table.columnSentences.contains { $0.hasPrefix(#""note_id" names the record"#) })
        #expect(table.columnSentences.contains { $0.hasPrefix(#""new_row.base_version" names the version that"#) })
        var bases = 0
        var reader = SavedRowTexts.Reader(table)
        while let row = try reader.next() { if row.base != nil { bases += 1 } }
        #expect(bases == 1000)
    }

    /// Of one table among many few rows are looked at, whatever they tell.
    @Test func howManyRowsAreLookedAtIsBounded() throws {
        final class Rows: TableSource {
            var columns: [String] { ["id"] }
            var countsRows: Bool { true }
            private(set) var count = 0

            func next() throws(RowProblem) -> TableRow? {
                count += 1
                return TableRow(line: count, values: [.string("\(count)")])
            }
        }
        let (one, several) = (Rows(), Rows())
        let few = SampledTable(one, maximumRows: 10, largestShare: 1)
        #expect(!few.extend() && one.count == 10)
        let many = SampledTable(several, maximumRows: 10)
        #expect(many.extend() && many.extend() && !many.extend() && several.count == 160 && many.sample.count == 160)
    }

    /// A column that repeats is no record where nothing of its rows stays as it was.
    @Test func theFolderOfNewNotesIsNoRecord() throws {
        let creations = (1...SampledTable.maximumRows + 500).map { "\($0),n\($0),f\($0 % 9),title \($0),d\($0 % 7)" }
        let edits = (1...1000).map { "\(creations.count + $0),n\(1 + $0 / 4),f\((1 + $0 / 4) % 9),title \($0 / 3),d\($0 % 7)" }
        let rows = ["id,note_id,folder_id,title,device_id"] + creations + edits
        let table = try SavedRowTexts.table(rows.joined(separator: "\n"), in: directory)
        #expect(table.columnSentences.contains { $0.hasPrefix(#""note_id" names the record"#) })
    }

    @Test func keysThatComeLaterAreFields() throws {
        let rows = (0..<SampledTable.maximumRows + 1).map { #"{"note_id":"n\#($0 % 2)","user":"u\#($0 % 3)","title":"t\#($0)"}"# }
        let table = try SavedRowTexts.table(
            (rows + [#"{"note_id":"n1","user":"u1","title":"t","colour":"red"}"#]).joined(separator: "\n"), name: "a.jsonl", in: directory)
        #expect(try SavedRowTexts.rows(of: table).last == #"note/n1 u1 {"colour":"red","title":"t"}"#)
    }
}
