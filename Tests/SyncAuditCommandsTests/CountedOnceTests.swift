import SyncAuditCommands
import SyncBytes
import SyncModel
import Testing

/// One small fleet; `CountedOnceHistories` has larger ones.
@Suite struct CountedOnceTests {
    @Test func reportExportAndCheckAgreeWithTheLines() async throws {
        try await CountCheck().countsOfEveryVerb(SimulatedFleet.Size(devices: 3, steps: 50), seed: 1, atLeast: 5)
    }

    /// A device may know of others' clocks what another does not: whose log is read first changes no count.
    @Test(arguments: [false, true]) func aClockIsSuspectWhereAnyLogSaysSo(_ isReversed: Bool) throws {
        let directory = try TemporaryDirectory()
        let audit = TestWorld()
        #expect(audit.run("audit", try directory.create("trace.jsonl", Trace.clash())) == .success)
        let lines = audit.output.text.split(separator: "\n").filter { $0.contains(#""event":"conflict""#) }
        try #require(lines.count == 1)
        func log(_ device: String, _ isSuspect: Bool) throws -> String {
            let line = lines[0].replacing(#""source":"syncaudit""#, with: #""source":"\#(device)""#)
                .replacing(#""clockSuspect":false"#, with: #""clockSuspect":\#(isSuspect)"#)
            return try directory.create("\(device).jsonl", line + "\n")
        }
        let logs = try [log("a", true), log("b", false), log("c", true)]
        func count(_ verb: String, _ logs: [String]) throws -> [FieldValue?] {
            let world = TestWorld()
            _ = world.run([verb, "--format", verb == "report" ? "summary" : "json"] + logs)
            let object = try #require(try JSONParser.parse(world.output.text).object, "\(world.errorText)")
            let counts = verb == "report" ? object["proven"]?.object : object
            return [counts?["clockSuspect"], counts?["byWinningDevice"]?.array?.first?.object?["clockSuspect"]]
        }
        for order in isReversed ? [[logs[1], logs[0], logs[2]], [logs[1], logs[2]]] : [logs, [logs[0], logs[2]]] {
            #expect(try count("report", order) == [1, 1])
            #expect(try count("check", order) == [1, nil])
        }
    }
}
