import SyncBytes
import Testing

/// RFC 3339 dates.
@Suite struct RFC3339Tests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("1969-12-31T23:59:59.999Z", -1),
            ("2026-01-15T14:00:00.000Z", 1_768_485_600_000),
            ("2026-01-15t14:00:00z", 1_768_485_600_000),
            ("2026-01-15 14:00:00Z", 1_768_485_600_000),
            ("2026-01-15T14:00:00.5Z", 1_768_485_600_500),
            ("2026-01-15T14:00:00.1239999999999999999999Z", 1_768_485_600_123),
            ("2026-01-15T15:30:00+01:30", 1_768_485_600_000),
            ("2026-01-15T13:59:00-00:01", 1_768_485_600_000),
            ("2026-01-16T13:59:00+23:59", 1_768_485_600_000),
            ("1970-01-01T00:00:00-00:00", 0),
            ("2000-02-29T00:00:00Z", 951_782_400_000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000),
            ("1900-02-28T00:00:00Z", -2_203_977_600_000),
            ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
            ("0000-02-29T00:00:00Z", -62_162_121_600_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
            ("2016-12-31T23:59:60Z", 1_483_228_799_999),
            ("2016-12-31T23:59:60.5Z", 1_483_228_799_999),
        ] as [(String, Int64)])
    func everyFormThatTheFormatAllowsIsParsed(text: String, milliseconds: Int64) {
        #expect(RFC3339.milliseconds(text) == milliseconds)
    }

    @Test(
        arguments: [
            "", "2026", "2026-01-15", "2026-01-15T14:00Z", "2026-01-15T14:00:00", "2026-01-15T14:00:00.Z", "2026-1-15T14:00:00Z",
            "2026-01-15T14:00:00Zx", " 2026-01-15T14:00:00Z", "2026-01-15T14:00:00Z ", "2026-00-15T14:00:00Z", "2026-13-15T14:00:00Z",
            "2026-01-00T14:00:00Z", "2026-01-32T14:00:00Z", "2026-04-31T14:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
            "2100-02-29T00:00:00Z", "2026-01-15T24:00:00Z", "2026-01-15T14:60:00Z", "2026-01-15T14:00:61Z", "2026-01-15T14:00:00+24:00",
            "2026-01-15T14:00:00+01:60", "2026-01-15T14:00:00+0100", "2026-01-15T14:00:00+01", "-026-01-15T14:00:00Z",
            "+2026-01-15T14:00:00Z", "2026-01-15T14:00:00,5Z", "٢٠٢٦-01-15T14:00:00Z", "2026-01-15T14:00:00.\u{0}Z",
            "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "10000-01-01T00:00:00Z",
        ])
    func otherFormsAndDatesThatDoNotExistAreRefused(text: String) {
        #expect(RFC3339.milliseconds(text) == nil)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (1_709_164_800_007, "2024-02-29T00:00:00.007Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (.min, "0000-01-01T00:00:00.000Z"), (.max, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func datesAreWrittenInUTCWithMilliseconds(milliseconds: Int64, text: String) {
        #expect(RFC3339.string(milliseconds: milliseconds) == text)
    }

    @Test func theDaysOfFourHundredYearsAreCountedOneByOne() {
        var day = RFC3339.day(year: 1800, month: 1, dayOfMonth: 1)
        for year in 1800..<2200 {
            let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
            for (index, length) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                for dayOfMonth in 1...length {
                    guard RFC3339.day(year: year, month: index + 1, dayOfMonth: dayOfMonth) == day,
                        RFC3339.civil(day: day) == (year, index + 1, dayOfMonth)
                    else {
                        Issue.record("\(year)-\(index + 1)-\(dayOfMonth) is not day \(day)")
                        return
                    }
                    day += 1
                }
            }
        }
        #expect(RFC3339.day(year: 1970, month: 1, dayOfMonth: 1) == 0)
    }

    @Test func writtenDatesAreParsedBackAcrossTheWholeRange() {
        for moment in stride(from: RFC3339.range.lowerBound, through: RFC3339.range.upperBound, by: 98_765_432_101) {
            #expect(RFC3339.milliseconds(RFC3339.string(milliseconds: moment)) == moment)
        }
    }
}
