import AuditLog
import Foundation
import SyncBytes
import SyncModel
import SyncOracle
import TemporaryDirectory
import Testing

@testable import TraceImport

/// What rows become; what the command says of them is for its own tests.
@Suite struct RowTraceTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The trace that CSV becomes.
    private func trace(_ csv: String, map: String = "", _ change: (inout RowReading) -> Void = { _ in }) throws -> RowTrace {
        var reading = RowReading()
        if !map.isEmpty { try reading.mapping.map(map) }
        change(&reading)
        try directory.create("Card.csv", csv)
        return try RowTrace(csv: directory.file("Card.csv"), separator: nil, reading)
    }

    /// The lines of a trace, blank ones included.
    private func lines(_ trace: RowTrace) throws -> [String] {
        var bytes: [UInt8] = []
        while try trace.append(to: &bytes) {}
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// What each row edits, as `device fields`, or `-` for none.
    private func edits(_ csv: String, _ change: (inout RowReading) -> Void = { _ in }) throws -> [String] {
        try lines(trace(csv, change)).dropFirst().map { line in
            guard let start = line.range(of: #""fields":"#)?.upperBound else { return line.contains("delete") ? "delete" : "-" }
            return String(line[start...].dropLast())
        }
    }

    @Test func aRowIsALineAtItsOwnNumber() throws {
        let lines = try lines(
            trace("id,device,updated_at,note\n\n1,a,2026-01-01T00:00:00Z,\"x\ny\"\n2,b,2026-01-01T00:00:01Z,z\r\n"))
        #expect(
            lines == [
                "", "",
                #"{"event":"write","ts":"2026-01-01T00:00:00.000Z","device":"a","recordType":"Card","recordID":"1","op":"put","fields":{"note":"x\ny"}}"#,
                "",
                #"{"event":"write","ts":"2026-01-01T00:00:01.000Z","device":"b","recordType":"Card","recordID":"2","op":"put","fields":{"note":"z"}}"#,
            ])
    }

    @Test func allThatATraceKnowsCanBeMapped() throws {
        let lines = try lines(
            trace(
                "a;b;c;d;e;f;g;h;i;j;k\n7;iPad;0;1000;3;4;5;6;r2;r1;2.0\n",
                map:
                    "recordID=a,device=b,ts=c,received=d,n=e,counter=f,hubSequence=g,rev=i,parents=j,app=k,recordType=:Note,field=:t,value=h"
            ) { $0.times = .epoch(.milliseconds) })
        #expect(
            lines == [
                "",
                #"{"event":"write","ts":"1970-01-01T00:00:00.000Z","device":"iPad","n":3,"counter":4,"hubSequence":5,"received":"1970-01-01T00:00:01.000Z","#
                    + #""recordType":"Note","recordID":"7","op":"put","rev":"r2","parents":["r1"],"app":"2.0","fields":{"t":"6"}}"#,
            ])
    }

    @Test func whatWasOnlySentAlongIsNoEdit() throws {
        let header = "id,device,ts,x,y\n"
        func row(_ device: String, _ second: Int, _ x: String, _ y: String) -> String {
            "1,\(device),2026-01-01T00:00:0\(second)Z,\(x),\(y)\n"
        }
        // The device had the other's value before its own edit; another had not.
        let csv =
            header + row("a", 0, "1", "1") + row("b", 1, "1", "2") + row("a", 2, "3", "2") + row("c", 3, "1", "4") + row("b", 4, "3", "2")
        #expect(try edits(csv) == [#"{"x":"1","y":"1"}"#, #"{"y":"2"}"#, #"{"x":"3"}"#, #"{"y":"4"}"#, "-"])
        #expect(
            try edits(csv) { $0.shape = .changes } == [
                #"{"x":"1","y":"1"}"#, #"{"x":"1","y":"2"}"#, #"{"x":"3","y":"2"}"#, #"{"x":"1","y":"4"}"#, #"{"x":"3","y":"2"}"#,
            ])
        let trace = try trace(csv)
        _ = try lines(trace)
        #expect(trace.counts.repeats == 1)
    }

    @Test func aDeviceThatTakesItsOwnEditBackHasEdited() throws {
        #expect(
            try edits("id,device,ts,x\n1,a,2026-01-01T00:00:00Z,1\n1,a,2026-01-01T00:00:01Z,0\n1,a,2026-01-01T00:00:02Z,1\n").map { $0 }
                == [#"{"x":"1"}"#, #"{"x":"0"}"#, #"{"x":"1"}"#])
    }

    @Test func whoeverDeletesARecordMayCreateItAnew() throws {
        #expect(
            try edits(
                "id,device,ts,x,deleted\n1,a,2026-01-01T00:00:00Z,1,f\n1,a,2026-01-01T00:00:01Z,1,2026-01-01\n1,a,2026-01-01T00:00:02Z,1,\n"
            )
                == [#"{"x":"1"}"#, "delete", #"{"x":"1"}"#])
    }

    @Test func anEmptyCellSaysNothingUnlessTold() throws {
        let csv = "id,device,ts,x,y\n1,a,2026-01-01T00:00:00Z,1,2\n1,a,2026-01-01T00:00:01Z,,3\n1,a,2026-01-01T00:00:02Z,1,\n"
        #expect(try edits(csv) == [#"{"x":"1","y":"2"}"#, #"{"y":"3"}"#, "-"])
        #expect(try edits(csv) { $0.empty = .null } == [#"{"x":"1","y":"2"}"#, #"{"x":null,"y":"3"}"#, #"{"x":"1","y":null}"#])
    }

    @Test func theRestIsCarriedWhereRecordsAreKeptWhole() throws {
        let lines = try lines(
            trace("id,device,ts,x,y\n1,a,2026-01-01T00:00:00Z,1,2\n1,b,2026-01-01T00:00:01Z,1,3\n") { $0.carriesRest = true })
        #expect(lines.last?.hasSuffix(#""fields":{"y":"3"},"carried":{"x":"1"}}"#) == true)
    }

    @Test(arguments: [
        (
            "record_id,id,client_id,updated_at,n\n",
            #"the record is "record_id"; the device is "client_id"; the time is "updated_at"; fields are "n"; left out is "id""#
        ),
        (
            "Entity,UUID,User-ID,Modified At,name,created_at\n",
            #"the type is "Entity"; the record is "UUID"; the device is "User-ID"; the time is "Modified At"; fields are "name"; left out is "created_at""#
        ),
        ("id,device,ts,attribute,new_value,x\n", #"field is "attribute"; value is "new_value"; left out is "x""#),
        // One alone is a field like any other.
        ("id,device,ts,value\n", #"fields are "value""#),
    ])
    func columnsAreKnownByTheirNames(header: String, sentence: String) throws {
        #expect(try trace(header).columns.hasSuffix(sentence))
    }

    @Test(arguments: [
        ("1,a,2026-01-01T00:00:00Z\n", "the row has 3 values, but the header names 4 columns"),
        (",a,2026-01-01T00:00:00Z,x\n", #""id" is empty"#),
        ("1,,2026-01-01T00:00:00Z,x\n", #""device" is empty"#), ("1,a,,x\n", #""ts" is empty"#),
        ("1,a,yesterday,x\n", "not a date that exists"),
        ("1,a,1767225600,x\n", "--times seconds"), ("1,a,2026-01-01T00:00:00Z,\"x\n", "the row does not end"),
        ("1,a,2026-01-01T00:00:00Z,\"x\"y\n", "goes on after the quote"),
        ("1,\(String(repeating: "a", count: 5000)),2026-01-01T00:00:00Z,x\n", "4096 are allowed"),
    ])
    func aBadRowEndsTheReadingUnlessItIsToBePassedOver(row: String, problem: String) throws {
        let csv = "id,device,ts,x\n1,a,2026-01-01T00:00:00Z,1\n" + row + (row.contains("\"x\n") ? "" : "1,b,2026-01-01T00:00:01Z,2\n")
        var bytes: [UInt8] = []
        let strict = try trace(csv)
        let error = #expect(throws: ReadingError.self) { while try strict.append(to: &bytes) {} }
        #expect(error?.sentence.contains(problem) == true)
        // The next line is that of the row.
        #expect(bytes.count { $0 == 0x0a } == 2)
        let lenient = try trace(csv) { $0.isLenient = true }
        #expect(try lines(lenient).count { !$0.isEmpty } == (row.contains("\"x\n") ? 1 : 2))
        #expect(lenient.counts.skipped == 1)
        #expect(lenient.counts.firstProblem?.hasPrefix("\(directory.file("Card.csv")):3: ") == true)
    }

    @Test func aBadHeaderIsToldWithItsColumns() {
        func problem(_ header: String, map: String = "", fields: String? = nil) -> String {
            do {
                _ = try trace(header, map: map) { reading in
                    if let fields { try? reading.mapping.nameFields(fields) }
                }
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(problem("").contains("there is no header"))
        #expect(problem("id,id,device,ts,x\n").contains(#"two columns have the name "id""#))
        #expect(
            problem("id,ts,x\n").hasSuffix(
                #"no column is known to name the device; say which does, as with --map device=COLUMN. There are "id", "ts", "x""#))
        #expect(problem("id,device,ts\n").contains("no column is left"))
        #expect(problem("id,device,ts,x\n", map: "ts=when").contains(#"there is no column "when""#))
        #expect(problem("id,device,ts,x\n", fields: "y").contains(#"there is no column "y", which --fields names"#))
        #expect(problem("{\"a\":1}\n").contains("this is JSON, not CSV"))
        #expect(problem("SQLite format 3\0").contains("--sqlite FILE"))
    }

    @Test func aListOfColumnsMayHaveCommasInQuotes() throws {
        let trace = try trace("\"a,b\",device,ts,x:y\n1,a,2026-01-01T00:00:00Z,1\n", map: "\"recordID=a,b\",device=device") {
            try? $0.mapping.nameFields("x:y")
        }
        #expect(try lines(trace).last?.hasSuffix(#""fields":{"x:y":"1"}}"#) == true)
        var mapping = RowMapping()
        for list in ["", "x", "=x", "ts=", "when=x", "ts=x,ts=y", "\"ts=x"] {
            #expect(throws: RowMapping.Problem.self) { try mapping.map(list) }
        }
    }

    @Test func rowsOutOfOrderAndNumbersOfRowsAreNoticed() throws {
        let trace = try trace(
            "id,device,ts,card_id\n1,a,2026-01-01T00:00:01Z,1\n2,a,2026-01-01T00:00:00Z,1\n3,b,2026-01-01T00:00:00Z,1\n")
        _ = try lines(trace)
        #expect(trace.counts.backwards == 1)
        #expect(trace.counts.firstBackwards?.hasSuffix("Card.csv:3") == true)
        #expect(trace.counts.otherRecordColumns == ["card_id"])
    }

    @Test func whateverIsInATableEveryLineCanBeRead() throws {
        let pieces = [
            ",", ",", ",", "\"", "\n", "\n", "\r\n", "\0", "\u{1b}[31m", "é", "1", "a", "2026-01-01T00:00:00Z", "null", "=1+1", ";",
            "delete", "\u{2028}",
            "1,a,2026-01-01T00:00:00Z,x,put\n", "2,b,2026-01-01T00:00:01Z,\"y\nz\",delete\n",
        ]
        var random = SplitMix64(seed: 21)
        var read = 0
        for _ in 0..<500 {
            let body = (0..<random.below(60)).map { _ in pieces[random.below(pieces.count)] }.joined()
            let trace = try trace("id,device,ts,x,op\n" + body) { $0.isLenient = true }
            var decoder = LineDecoder()
            var writes = 0
            for line in try lines(trace) where !line.isEmpty {
                guard case .line = try decoder.decode(Array(line.utf8).span) else { continue }
                writes += 1
            }
            #expect(writes + trace.counts.repeats == trace.counts.rows, "\(body.debugDescription)")
            read += writes
        }
        #expect(read > 100)
    }
}
