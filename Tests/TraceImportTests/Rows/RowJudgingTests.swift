import AuditLog
import Foundation
import SyncBytes
import SyncModel
import TemporaryDirectory
import Testing

@testable import TraceImport

/// What columns are taken for by what is in them.
@Suite struct RowJudgingTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func trace(_ csv: String, _ change: (inout RowReading) throws -> Void = { _ in }) throws -> RowTrace {
        var reading = RowReading()
        try change(&reading)
        try directory.create("t.csv", csv)
        return try RowTrace(csv: directory.file("t.csv"), separator: nil, reading)
    }

    /// A table of as many rows, of which each has a text as well.
    private func table(rows: Int = 6, of column: String = "x", _ value: (Int) -> String) -> String {
        "id,device,ts,text,\(column)\n"
            + (0..<rows).map { "\($0 % 2),d\($0 % 2),\(time($0)),t\($0 * 7 % 5),\(value($0))\n" }.joined()
    }

    /// A minute for each row, from ten minutes past.
    private func time(_ row: Int) -> String { RFC3339.string(milliseconds: 1_767_225_600_000 + Int64(row + 10) * 60_000) }

    /// The reason why the last column is no field; nil where it is one.
    private func reason(_ csv: String, times: TimestampForm = .zoned) throws -> String? {
        let trace = try trace(csv) { $0.times = times }
        #expect(trace.columns.contains("left out is") == (trace.rejection != nil))
        return trace.rejection
    }

    @Test func whatNumbersRowsIsNoField() throws {
        for value in [{ "\($0 * 10)" }, { "\(9 - $0)" }, { "\(UUID(uuid: (UInt8($0), 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6)))" }]
            as [(Int) -> String]
        {
            #expect(try reason(table(value))?.contains(#""x" numbers the rows"#) == true)
        }
        // Without an order, but with few gaps.
        #expect(try reason(table(rows: 20) { "\(100 + $0 * 7 % 20)" })?.contains("numbers the rows") == true)
    }

    @Test func whatOnlyMayNumberRowsIsAField() throws {
        // A gap, a repetition, text that is different each time, numbers of any size, and too few rows to tell.
        for value in [{ $0 == 3 ? "" : "\($0)" }, { "\($0 / 2)" }, { "a note \($0)" }, { "\($0 * 7919 % 1009)" }] as [(Int) -> String] {
            #expect(try reason(table(value)) == nil)
        }
        #expect(try reason(table(rows: 20) { "\($0 * 7919 % 1009)" }) == nil)
        #expect(try reason(table(rows: 3) { "\($0)" }) == nil)
        // Nothing else would be left.
        let alone = try trace("id,device,ts,x\n" + (0..<6).map { "1,a,2026-01-01T00:1\($0):00Z,\($0)\n" }.joined())
        #expect(alone.rejection == nil && alone.columns.hasSuffix(#"fields are "x""#))
    }

    @Test func timesNearThoseOfTheRowsAreNoField() throws {
        // Zoned, without a zone, in milliseconds, now and then missing, and of a device that was offline for weeks.
        let columns: [(Int) -> String] = [
            { "2026-01-01T00:\($0 + 10):05+00:00" }, { "2026-01-01 00:\($0 + 10):05" }, { "\(1_767_226_205_000 + $0 * 60_000)" },
            { $0 == 2 ? "" : "2026-01-01T00:\($0 + 10):05Z" }, { $0 == 2 ? "2026-01-21T00:00:00Z" : "2026-01-01T00:\($0 + 10):05Z" },
        ]
        for value in columns {
            let rejection = try reason(table(value))
            #expect(rejection?.contains(#""x" holds times near those of the rows"#) == true)
            #expect(rejection?.hasSuffix(#"If "x" says when the server received the row, add --map received=x"#) == true)
        }
        // The same of times that are numbers.
        let csv = "id,device,ts,text,x\n" + (0..<6).map { "1,a,\(1_767_226_200 + $0),t\($0 % 2),\(1_767_226_203 + $0)\n" }.joined()
        #expect(try reason(csv, times: .epoch(.seconds))?.contains("holds times near") == true)
        // Before the row, it is no receipt.
        #expect(try reason(table { "2026-01-01T00:0\($0):00Z" })?.contains("received") == false)
    }

    @Test func timesThatPeopleSetAreFields() throws {
        // Due days from now, one long ago or in weeks, a time once set that stays, and no times.
        let columns: [(Int) -> String] = [
            { "2026-01-\($0 + 10)T00:00:00Z" }, { $0 == 2 ? "2024-01-01T00:00:00Z" : "2026-01-01T00:\($0 + 10):05Z" },
            { $0 == 2 ? "2026-02-15T00:00:00Z" : "2026-01-01T00:\($0 + 10):05Z" }, { _ in "2025-12-01T00:00:00Z" },
            { $0 == 2 ? "soon" : "2026-01-01T00:\($0 + 10):05Z" },
        ]
        for value in columns { #expect(try reason(table(value)) == nil) }
    }

    @Test func whoWroteARowIsNoField() throws {
        #expect(try reason(table(of: "author") { "name \($0 % 2)" })?.contains(#""author" says who wrote them"#) == true)
        #expect(try reason(table(of: "updated_by") { "name \($0 % 2)" })?.contains("says who wrote them") == true)
        // The author of a book, and a column of another name.
        #expect(try reason(table(of: "author") { "name \($0 % 3)" }) == nil)
        #expect(try reason(table(of: "colour") { "name \($0 % 2)" }) == nil)
    }

    @Test func theFieldsNamedAreNotJudged() throws {
        let trace = try trace(table { "\($0)" }) { try $0.mapping.nameFields("x") }
        #expect(trace.rejection == nil && trace.columns.contains(#"fields are "x""#))
        let quoted = try self.trace(table(of: "\"row, no\"") { "\($0)" })
        #expect(quoted.rejection?.contains(#"--fields 'text,"row, no"' takes it all the same"#) == true)
    }

    @Test func noRowIsLostToTheLookAtTheFirst() throws {
        let csv = table(rows: 2500) { "\($0)" }.replacingOccurrences(of: "2026-01-01T00:17:00.000Z,t4,7\n", with: "never,t4,7\n")
        let lenient = try trace(csv) { $0.isLenient = true }
        var bytes: [UInt8] = []
        while try lenient.append(to: &bytes) {}
        #expect(lenient.counts.rows == 2499 && lenient.counts.skipped == 1)
        #expect(bytes.count { $0 == 0x0a } == 2501)
        #expect(lenient.counts.firstProblem?.contains("t.csv:9: ") == true)
    }

    @Test func allThatIsMissingIsNamedWithOneMapping() throws {
        func problem(_ csv: String, map: String? = nil) -> String {
            do {
                _ = try trace(csv) { if let map { try $0.mapping.map(map) } }
                return ""
            } catch {
                return "\(error)"
            }
        }
        let csv = "card_no,card_key,edited_by,day,written on\n1,a,x,mo,2026-01-01T00:00:00Z\n2,a,x,tu,2026-01-01T00:00:00Z\n"
        #expect(
            problem(csv).contains(
                "no column is known to name the record, the device and the time; say which do, as with --map "
                    + "'recordID=card_key,device=edited_by,ts=written on'. There are \"card_no\""))
        let absent = problem(csv, map: "n=no,recordID=nothing")
        #expect(absent.contains(#"there is no column "no", which --map takes as n"#))
        #expect(absent.contains(#"there is no column "nothing", which --map takes as recordID"#))
        #expect(absent.contains("the device and the time; say which do, as with --map 'recordID=card_key,device=edited_by,ts=written on'"))
        #expect(problem("a,b\n1,2\n").contains("--map recordID=COLUMN,device=COLUMN,ts=COLUMN. "))
    }

    @Test func recordsWrittenOnceAreDoubtedWhereOthersRepeat() throws {
        func doubt(_ csv: String, map: String? = nil) throws -> String? {
            try trace(csv) { if let map { try $0.mapping.map(map) } }.recordDoubt
        }
        let csv = "id,list_id,card_id,device,ts,x\n" + (0..<6).map { "\($0),1,\($0 / 2),a,2026-01-01T00:00:00Z,\($0 % 2)\n" }.joined()
        let sentence = try #require(try doubt(csv))
        #expect(sentence.contains(#"if "card_id" names the record, add --map recordID=card_id ("list_id" repeats too), and"#))
        #expect(sentence.hasSuffix("--map recordID=id"))
        #expect(try doubt(csv, map: "recordID=id") == nil)
        #expect(try doubt(csv.replacingOccurrences(of: "5,1,2,", with: "4,1,2,")) == nil)
        #expect(try doubt("id,card_id,device,ts,x\n" + (0..<6).map { "\($0),\($0),a,2026-01-01T00:00:00Z,1\n" }.joined()) == nil)
    }
}
