import SyncAuditCommands
import SyncBytes
import Testing

@Suite struct TimeValueTests {
    @Test(
        arguments: [
            ("0", 0), ("90", 90_000), ("60s", 60_000), ("5m", 300_000), ("1h30m", 5_400_000), ("2d", 172_800_000), ("250ms", 250),
            ("1w", 604_800_000), ("1w2d3h4m5s6ms", 788_645_006), ("0s", 0), ("007s", 7000), ("9223372036854775807ms", .max),
            ("9223372036854775", 9_223_372_036_854_775_000),
        ] as [(String, Int64)]) func durationIsMilliseconds(_ text: String, _ milliseconds: Int64) throws
    {
        #expect(try ValueParser.duration(text) == milliseconds)
    }

    @Test(
        arguments: [
            "", "m", "5 m", "5M", "5min", "1.5h", "1h30", "30m1h", "1m1m", "5m ", " 5m", "+5m", "٥m", "5", "1y", "1e3", "m5", "5ms1s",
        ].filter { $0 != "5" }) func durationThatIsNone(_ text: String)
    {
        let error = #expect(throws: ValueProblem.self) { try ValueParser.duration(text) }
        #expect(error?.sentence.hasSuffix("is not a length of time; write it like 250ms, 60s, 5m, 1h30m, 2d or 1w") == true)
    }

    @Test(arguments: [
        "9223372036854775808ms", "9223372036854776", "99999999999999999999999s", "15250284453w", "15250284452w9999999999999999ms",
    ]) func durationThatIsTooLong(_ text: String) {
        let error = #expect(throws: ValueProblem.self) { try ValueParser.duration(text) }
        #expect(error?.sentence == "\"\(text)\" is too long; the longest time is 9223372036854775807ms")
    }

    @Test(arguments: ["-5m", "-", "-0"]) func durationThatIsNegative(_ text: String) {
        let error = #expect(throws: ValueProblem.self) { try ValueParser.duration(text) }
        #expect(error?.sentence == "\"\(text)\" is negative; a length of time is 0 or more")
    }

    // 2026-01-15T18:00:00Z
    private let now: Int64 = 1_768_500_000_000

    @Test(
        arguments: [
            ("2h", 1_768_492_800_000, 1_768_492_800_000),
            ("0s", 1_768_500_000_000, 1_768_500_000_000),
            ("1d12h", 1_768_370_400_000, 1_768_370_400_000),
            ("2026-01-15", 1_768_435_200_000, 1_768_521_600_000),
            ("2024-02-29", 1_709_164_800_000, 1_709_251_200_000),
            ("9999-12-31", 253_402_214_400_000, 253_402_300_800_000),
            ("2026-01-15T14:00:00Z", 1_768_485_600_000, 1_768_485_600_000),
            ("2026-01-15T14:00:00.250+02:00", 1_768_478_400_250, 1_768_478_400_250),
        ] as [(String, Int64, Int64)]) func momentForBothEdges(_ text: String, _ start: Int64, _ end: Int64) throws
    {
        #expect(try ValueParser.time(text, edge: .start, now: now) == start)
        #expect(try ValueParser.time(text, edge: .end, now: now) == end)
    }

    @Test(arguments: [
        "", "2026", "90", "soon", "2025-02-29", "2026-13-01", "2026-01-15T14:00:00", "2026-01-15T25:00:00Z", "-2h", "2026-1-5",
        "15-01-2026d",
        "12:30s",
    ]) func momentThatIsNone(_ text: String) {
        let error = #expect(throws: ValueProblem.self) { try ValueParser.time(text, edge: .start, now: now) }
        #expect(
            error?.sentence
                == "\"\(text)\" is no time that exists; write it like 2h for two hours ago, 2026-01-15 or 2026-01-15T14:00:00Z")
    }

    @Test func momentsBeforeAllTimeAreItsBeginning() throws {
        #expect(try ValueParser.time("9223372036854775807ms", edge: .start, now: -10) == .min)
        #expect(throws: ValueProblem.self) { try ValueParser.time("9223372036854775808ms", edge: .start, now: now) }
    }
}
