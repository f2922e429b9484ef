import Foundation
import SyncAuditCommands
import SyncBytes
import Testing

/// `--times` of another unit than the trace's moves every time by decades, and every window with it.
@Suite struct WrongTimesTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Forty writes a minute apart, the first at 2026-01-15T13:00:00Z, by numbers made of the seconds since 1970.
    private func trace(_ number: (_ index: Int, _ seconds: Int) -> String) throws -> String {
        let lines = (0..<40).map { index in
            #"{"event":"write","ts":\#(number(index, 1_768_482_000 + 60 * index)),"device":"\#(index % 2)","recordType":"C","recordID":"\#(index % 3)","op":"put","fields":{"t":\#(index)}}"#
        }
        return try directory.path(lines.joined(separator: "\n") + "\n", as: "trace.jsonl")
    }

    private func table(_ number: (_ index: Int, _ seconds: Int) -> String) throws -> String {
        let lines = (0..<40).map { index in "\(index % 3),\(["A", "B"][index % 2]),\(number(index, 1_768_482_000 + 60 * index)),t\(index)" }
        return try directory.path("id,device,updated_at,title\n" + lines.joined(separator: "\n") + "\n", as: "table.csv")
    }

    private func audit(_ times: String, _ path: String, _ options: [String] = []) -> (code: ExitCode, output: String, errors: String) {
        let world = TestWorld()
        let code = world.run(["audit", "--times", times] + options + [path])
        return (code, world.output.text, world.errorText)
    }

    @Test(arguments: [
        ("milliseconds", "1970-01-21T11:14:42.000Z", "--times seconds"), ("apple", "2057-01-15T13:00:00.000Z", "--times seconds"),
    ])
    func secondsTakenForAnotherUnitAreRefused(times: String, wrong: String, right: String) throws {
        let asWrites = ["--csv", "--rows", "snapshots", "--map", "recordID=id,ts=updated_at"]
        for (path, options) in [
            (try trace { "\($1)" }, []), (try table { "\($1)" }, []), (try table { "\($1)" }, asWrites),
        ] as [(String, [String])] {
            let found = audit(times, path, options)
            #expect(found.code == .badData && found.output.isEmpty, "\(path) \(options)")
            #expect(found.errors.contains(wrong) && found.errors.contains(right), "\(found.errors)")
            #expect(audit("seconds", path, options).code == .success)
        }
    }

    @Test func millisecondsTakenForSecondsAreRefused() throws {
        for path in [try trace { "\($1 * 1000)" }, try table { "\($1 * 1000)" }] {
            let found = audit("seconds", path)
            #expect(found.code == .badData && found.output.isEmpty)
            #expect(found.errors.contains("--times milliseconds"), "\(found.errors)")
        }
    }

    /// The day 46037 of a spreadsheet is 2026-01-15.
    @Test(arguments: ["seconds", "milliseconds", "apple"]) func daysOfASpreadsheetAreRefused(times: String) throws {
        let found = audit(times, try table { _, seconds in "\(Double(seconds) / 86_400 + 25_569)" })
        #expect(found.code == .badData && found.output.isEmpty)
        #expect(found.errors.contains("days of a spreadsheet") && found.errors.contains("2026-01-15"), "\(found.errors)")
    }

    @Test func mixedUnitsAreSaidWithTheLine() throws {
        let path = try trace { $0 == 20 ? "\($1)" : "\($1 * 1000)" }
        let found = audit("milliseconds", path)
        #expect(found.code == .success)
        #expect(found.errors.contains("\(path):21") && found.errors.contains("mixed"), "\(found.errors)")
    }

    @Test func halfOfEachUnitIsSaidToo() throws {
        let path = try trace { $0 % 2 == 1 ? "\($1)" : "\($1 * 1000)" }
        #expect(audit("milliseconds", path).errors.contains("\(path):2: units are mixed"))
    }

    /// Seconds since 2001 are seconds since 1970 in 1995.
    @Test func theNewerOfTwoUnitsThatFitIsNamed() throws {
        let found = audit("milliseconds", try trace { "\($1 - 978_307_200)" })
        #expect(found.code == .badData && found.errors.contains("--times apple takes it as 2026-01-15T13:00:00.000Z"), "\(found.errors)")
    }

    /// A clock that was never set starts in 1970: that is for the audit to find.
    @Test func aClockThatIsOffIsNoWrongUnit() throws {
        let found = audit("seconds", try trace { $0 % 3 == 0 ? "\($0)" : "\($1)" })
        #expect(found.code == .success, "\(found.errors)")
    }

    @Test func oldTimesThatFitNoOtherUnitAreTaken() throws {
        let found = audit("milliseconds", try trace { "\(($1 - 1_400_000_000) * 1000)" })
        #expect(found.code == .success, "\(found.errors)")
    }
}
