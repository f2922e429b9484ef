import AuditAnalysis
import AuditReport
import ConflictAudit
import Foundation
import SyncBytes
import SyncModel
import Testing

@testable import SyncAuditCommands

@Suite struct ExportVerbTests {
    private static let log = HarmfulNames.log

    private func export(_ arguments: String...) throws -> String {
        let world = TestWorld()
        try world.pipe(Self.log)
        #expect(world.run(["export"] + arguments) == .success)
        #expect(world.errorText == "")
        return world.output.text
    }

    @Test(arguments: ["prometheus", "otlp-metrics", "otlp-logs", "csv"]) func nothingAtAllIsNotZero(_ format: String) throws {
        let directory = try TemporaryDirectory()
        let empty = try directory.path("", as: "empty.jsonl")
        let world = TestWorld()
        #expect(world.run("export", "--format", format, "-o", directory.file("out"), empty) == .badData)
        #expect(world.errorText.contains("empty.jsonl:1: there is nothing in it") && directory.content("out") == nil)
        let pipe = TestWorld()
        try pipe.pipe("")
        #expect(pipe.run("export", "--format", format, "-") == .success)
    }

    @Test func prometheusText() throws {
        let text = try export()
        #expect(text.utf8.allSatisfy { $0 == 0x0a || $0 >= 0x20 })
        let lines = text.split(separator: "\n").map(String.init)
        for line in [
            "# HELP syncaudit_conflicts_total Conflicts found.", "# TYPE syncaudit_conflicts_total counter",
            #"syncaudit_conflicts_total{certainty="proven"} 3"#, #"syncaudit_conflicts_total{certainty="suspected"} 0"#,
            "syncaudit_writes_total 4", #"syncaudit_conflicts_by_kind_total{certainty="proven",kind="insert_insert"} 3"#,
            #"syncaudit_conflict_gap_seconds{certainty="proven",percentile="100"} 60"#,
            #"syncaudit_last_conflict_timestamp_seconds{certainty="proven"} 1768485680"#,
            #"syncaudit_field_edits_lost_total{certainty="proven",record_type="Note",field="=HYPERLINK(\"x\")"} 1"#,
            #"syncaudit_field_edits_lost_total{certainty="proven",record_type="Note",field="é\\u{1b}]0;x"} 1"#,
            #"syncaudit_device_edits_lost_total{certainty="proven",device="a"} 3"#,
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(Set(lines).count == lines.count)
    }

    @Test func openMetrics() throws {
        let text = try export("--format", "openmetrics")
        #expect(text.hasSuffix("# EOF\n"))
        #expect(text.contains("# TYPE syncaudit_conflicts counter\nsyncaudit_conflicts_total{"))
        #expect(text.contains("# UNIT syncaudit_conflict_gap_seconds seconds\n"))
    }

    @Test func aBreakdownIsBoundedAndSaysSo() throws {
        let lines = try export("--series", "1").split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("syncaudit_field_edits_lost_total{") } == 1)
        #expect(lines.contains(#"syncaudit_series_omitted{breakdown="syncaudit_field_edits_lost"} 2"#))
        #expect(lines.contains(#"syncaudit_edits_lost_total{certainty="proven"} 3"#))
    }

    @Test func aSpreadsheetFindsNoFormula() throws {
        let text = try export("--format", "csv")
        let labels = "certainty,kind,severity,basis,reason,record_type,field,device,percentile,breakdown,phase,outcome,error,leg,need"
        #expect(text.hasPrefix("metric,type,\(labels),value\r\n"))
        #expect(
            text.contains("\r\nsyncaudit_field_edits_lost,counter,proven,,,,,Note,\"'=HYPERLINK(\"\"x\"\")\",,,,,,,,,1\r\n"))
        #expect(text.contains(#",Note,"é\u{1b}]0;x","#))
        #expect(!text.contains("\u{1b}"))
    }

    @Test(arguments: [
        ("plain", "plain"), ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@x", "'@x"), ("|x", "'|x"), ("\u{ff1d}1", "'\u{ff1d}1"),
        ("  =1", "\"'  =1\""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a;b", "\"a;b\""), ("\t=1", "\\u{9}=1"),
        ("a\r\nb", "a\\u{d}\\u{a}b"),
        ("", ""),
    ]) func cells(_ text: String, _ cell: String) {
        #expect(CSVText.line([text.escaped(for: .spreadsheet)], separators: "; ") == cell + "\r\n")
    }

    @Test func jsonHoldsTheSameNumbers() throws {
        let metrics = try JSONParser.parse(String(try export("-f", "json").dropLast())).object?["metrics"]?.array ?? []
        let samples = try #require(metrics.first { $0.object?["name"] == "syncaudit_edits_lost" }?.object?["samples"]?.array)
        #expect(samples == [["labels": ["certainty": "proven"], "value": 3], ["labels": ["certainty": "suspected"], "value": 0]])
    }

    /// The names that the protocol's messages have; anything else would be dropped without a word.
    private static let protocolNames: Set<String> = [
        "resourceMetrics", "resource", "attributes", "key", "value", "stringValue", "intValue", "boolValue", "scopeMetrics", "scope",
        "name",
        "version", "metrics", "description", "unit", "sum", "gauge", "dataPoints", "startTimeUnixNano", "timeUnixNano", "asInt", "asDouble",
        "aggregationTemporality", "isMonotonic", "resourceLogs", "scopeLogs", "logRecords", "observedTimeUnixNano", "severityNumber",
        "severityText", "body", "eventName",
    ]

    private func names(_ value: FieldValue) -> Set<String> {
        switch value {
        case .object(let fields): fields.reduce(into: Set(fields.names.map(\.rawValue))) { $0.formUnion(names($1.value)) }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(names($1)) }
        default: []
        }
    }

    @Test func openTelemetryMetrics() throws {
        let request = try JSONParser.parse(String(try export("-f", "otlp-metrics").dropLast()))
        #expect(names(request).isSubset(of: Self.protocolNames))
        let scope = request.object?["resourceMetrics"]?.array?.first?.object?["scopeMetrics"]?.array?.first?.object
        let lost = try #require(scope?["metrics"]?.array?.first { $0.object?["name"] == "syncaudit.edits_lost" }?.object)
        #expect(lost["sum"]?.object?["aggregationTemporality"] == 2 && lost["sum"]?.object?["isMonotonic"] == true)
        #expect(
            lost["sum"]?.object?["dataPoints"]?.array?.first == [
                "attributes": [["key": "syncaudit.certainty", "value": ["stringValue": "proven"]]],
                "startTimeUnixNano": "1768485660000000000",
                "timeUnixNano": "1768500000000000000", "asInt": "3",
            ])
    }

    @Test func openTelemetryLogsWithoutValuesUnlessAsked() throws {
        let request = try JSONParser.parse(String(try export("-f", "otlp-logs", "--record-type", "Note", "--field", "v").dropLast()))
        #expect(names(request).isSubset(of: Self.protocolNames))
        let log = request.object?["resourceLogs"]?.array?.first?.object?["scopeLogs"]?.array?.first?.object
        let records = try #require(log?["logRecords"]?.array)
        #expect(records.count == 1)
        let record = try #require(records.first?.object)
        #expect(record["severityNumber"] == 13 && record["severityText"] == "WARN" && record["eventName"] == "syncaudit.conflict")
        #expect(record["timeUnixNano"] == "1768485660000000000")
        #expect(record["body"] == ["stringValue": "insert_insert on Note/1.v: b won over a (lossy)"])
        let attributes = record["attributes"]?.array ?? []
        #expect(attributes.contains(["key": "syncaudit.loser.n", "value": ["intValue": "1"]]))
        #expect(attributes.contains(["key": "syncaudit.within_window", "value": ["boolValue": true]]))
        #expect(!attributes.contains { $0.object?["key"] == "syncaudit.loser.value" })
        let full = try export("-f", "otlp-logs", "--values")
        #expect(full.contains(#"{"key":"syncaudit.loser.value","value":{"stringValue":"5"}}"#))
    }

    @Test(arguments: [
        ("benign", 9, "INFO"), ("merged", 9, "INFO"), ("lossy", 13, "WARN"), ("destructive", 17, "ERROR"), ("divergent", 18, "ERROR2"),
    ])
    func openTelemetryTellsDestructiveFromLossy(severity: String, number: Int, name: String) throws {
        let world = TestWorld()
        let line = try #require(Self.log.split(separator: "\n").first { $0.contains(#""severity":"lossy""#) })
        try world.pipe(line.replacing(#""severity":"lossy""#, with: #""severity":"\#(severity)""#) + "\n")
        #expect(world.run("export", "-f", "otlp-logs") == .success)
        #expect(world.output.text.contains(#""severityNumber":\#(number),"severityText":"\#(name)""#))
    }

    @Test func logRecordsComeInBoundedRequests() throws {
        let world = TestWorld()
        let trace = (0..<250).map { index in
            Trace.put("a", index + 1, at: index, "\(index)", #"{"v":1}"#) + Trace.put("b", index + 1, at: index, "\(index)", #"{"v":2}"#)
        }
        try world.pipe(trace.joined())
        #expect(world.run("audit") == .success)
        let exported = TestWorld()
        try exported.pipe(world.output.text)
        #expect(exported.run("export", "-f", "otlp-logs") == .success)
        let lines = exported.output.text.split(separator: "\n")
        #expect(lines.map { $0.split(separator: "\"severityNumber\"").count - 1 } == [100, 100, 50])
    }

    @Test(.timeLimit(.minutes(10))) func watchingReplacesTheFileAfterEachChangeUntilItIsStopped() async throws {
        let directory = try TemporaryDirectory()
        let log = try directory.path(Self.log, as: "logs/a.jsonl")
        let (logs, output) = (directory.file("logs"), directory.file("out.prom"))
        let watching = try WatchingCommand(["export", "--watch", "100ms", "--output", output, logs], output: output)
        try await watching.shows("syncaudit_conflicts_total{certainty=\"proven\"} 3\n")
        // A file that cannot be read for a while ends nothing. It comes at once: nobody must see it empty, which can be read.
        try directory.create("torn", "torn\n")
        #expect(unsafe rename(directory.file("torn"), log) == 0)
        try await watching.says("a.jsonl:1: this is text, not JSON Lines")
        #expect(watching.content?.contains("syncaudit_conflicts_total{certainty=\"proven\"} 3\n") == true)
        try directory.create("logs/a.jsonl", Self.log)
        // Of the copy in another device's log nothing counts but what is new.
        let other = "\(Trace.put("c", 1, at: 70, "9", #"{"v":1}"#))\(Trace.put("d", 1, at: 71, "9", #"{"v":2}"#))"
        let audited = TestWorld()
        try audited.pipe(other)
        #expect(audited.run("audit") == .success)
        try directory.create("logs/b.jsonl", Self.log + audited.output.text)
        try await watching.shows("syncaudit_conflicts_total{certainty=\"proven\"} 4\n")
        #expect(log == directory.file("logs/a.jsonl"))
        #expect(await watching.stop() == .success)
        #expect(directory.names == ["logs", "out.prom", "out.prom.counters", "out.prom.counters.lock"])
    }

    @Test func eachConflictAndWriteOfSeveralGrowingLogsCountsOnce() throws {
        let directory = try TemporaryDirectory()
        let lines = Self.log.split(separator: "\n").map { String($0) + "\n" }
        let bare =
            #"{"event":"write","ts":"2026-01-15T14:10:00.000Z","device":"x","recordType":"Note","recordID":"8","op":"put","fields":{"v":1}}"#
            + "\n"
        var files = WatchedFiles(filter: ReportFilter(), countsCopies: false, isLenient: false)
        func counts(_ contents: [String: String]) throws -> [Int] {
            for (name, content) in contents { try directory.create("logs/" + name, content) }
            let folder = directory.file("logs")
            try files.update(contents.keys.sorted().map { .file(folder + "/" + $0) }, TestWorld().context)
            let everything = files.everything
            return [
                everything.all.statistics.totalConflicts, everything.writes.distinct?.count ?? -1,
                everything.distinctConflicts.isExact ? 1 : 0,
            ]
        }
        let (one, all) = (try counts(["a.jsonl": lines[0]]), try counts(["a.jsonl": Self.log]))
        #expect(one[0] < 3 && all == [3, 0, 1])
        #expect(try counts(["a.jsonl": Self.log, "b.jsonl": Self.log]) == all)
        // A write without a number is one with each line.
        #expect(try counts(["a.jsonl": Self.log + bare, "b.jsonl": Self.log]) == [3, 1, 1])
        #expect(try counts(["a.jsonl": Self.log + bare + bare, "b.jsonl": Self.log]) == [3, 2, 1])
        // One that cannot be read, after one that has grown: nothing of either is taken over until both can.
        #expect(throws: (any Error).self) { try counts(["a.jsonl": Self.log + bare + bare + bare, "b.jsonl": Self.log + "torn\n"]) }
        #expect(files.everything.writes.distinct?.count == 2)
        #expect(try counts(["a.jsonl": Self.log + bare + bare + bare, "b.jsonl": Self.log + bare]) == [3, 4, 1])
    }

    @Test func totalsOfLogsThatAreRotatedAwayStay() throws {
        let directory = try TemporaryDirectory()
        // Two logs that begin alike, and one that does not.
        let lines = Self.log.split(separator: "\n").map { String($0) + "\n" }
        var files = WatchedFiles(filter: ReportFilter(), countsCopies: true, isLenient: false)
        func total(_ contents: [String: String]) throws -> Int {
            let folder = directory.file("logs")
            try? FileManager.default.removeItem(atPath: folder)
            for (name, content) in contents { try directory.create("logs/" + name, content) }
            try files.update(contents.keys.sorted().map { .file(folder + "/" + $0) }, TestWorld().context)
            return files.everything.all.statistics.totalConflicts
        }
        #expect(try total(["a.jsonl": Self.log, "b.jsonl": Self.log]) == 6)
        #expect(try total(["a-1.jsonl": Self.log, "b.jsonl": Self.log]) == 6, "renamed")
        #expect(try total(["b.jsonl": Self.log]) == 6, "rotated away")
        #expect(try total(["b.jsonl": Self.log, "c.jsonl": lines.dropFirst().joined()]) == 8, "another one")
        #expect(try total(["b.jsonl": Self.log, "c.jsonl": lines.dropFirst().joined() + lines[0]]) == 9, "grown")
        #expect(try total([:]) == 9)
        #expect(try total(["c.jsonl": lines.dropFirst().joined() + lines[0]]) == 9, "back again")
        let conflict = try #require(lines.first { $0.contains("\"event\":\"conflict\"") })
        for number in 0..<100 {
            #expect(try total(["x.jsonl": String(repeating: " ", count: number) + "\n" + conflict]) == 10 + number)
        }
    }

    @Test(arguments: [
        (["--watch", "1s"], "--watch needs --output"), (["--watch", "1s", "-o", "x"], "--watch reads files again and again"),
        (["--format", "xml"], "--format: \"xml\" is not one of prometheus, openmetrics"), (["--series", "0"], "0 is too small"),
    ]) func whatCannotBeUnderstood(_ arguments: [String], _ complaint: String) throws {
        let world = TestWorld()
        try world.pipe(Self.log)
        #expect(world.run(["export"] + arguments) == .usage)
        #expect(world.errorText.contains(complaint))
    }

    @Test func aReaderThatHasSeenEnoughIsNoFailure() throws {
        let world = TestWorld()
        try world.pipe(Self.log)
        world.output.failure = .outputClosed
        #expect(world.run("export") == .success)
    }

    /// Every device that merges logs the conflict, and it is one record unless every line is asked for.
    @Test func aConflictThatSeveralDevicesLoggedIsOneRecord() throws {
        let directory = try TemporaryDirectory()
        let lines = Self.log.split(separator: "\n").filter { $0.contains(#""event":"conflict""#) }
        let one = try directory.path(lines.joined(separator: "\n") + "\n", as: "a.jsonl")
        let two = try directory.path(lines.joined(separator: "\n").replacing(#""source":""#, with: #""source":"b"#) + "\n", as: "b.jsonl")
        func records(_ options: String...) throws -> Int {
            let world = TestWorld()
            #expect(world.run(["export", "-f", "otlp-logs"] + options) == .success, "\(world.errorText)")
            return world.output.text.components(separatedBy: "\"timeUnixNano\"").count - 1
        }
        #expect(try records(one) == lines.count)
        #expect(try records(one, two) == lines.count)
        #expect(try records("--all-copies", one, two) == 2 * lines.count)
    }
}
