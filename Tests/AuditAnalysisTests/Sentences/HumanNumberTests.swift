import AuditAnalysis
import Testing

@Suite struct HumanNumberTests {
    @Test(
        arguments: [
            (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (7103, "7,103"), (1_234_567, "1,234,567"), (-1000, "-1,000"), (-100, "-100"),
            (.min, "-9,223,372,036,854,775,808"),
        ] as [(Int, String)]) func countsHaveCommas(_ number: Int, _ text: String)
    {
        #expect(HumanNumber.count(number) == text)
    }

    @Test func nounsAgree() {
        #expect(HumanNumber.count(1, "edit") == "1 edit")
        #expect(HumanNumber.count(0, "edit") == "0 edits")
        #expect(HumanNumber.count(2000, "entry", "entries") == "2,000 entries")
    }

    @Test(arguments: [
        (0, 0, "–"), (0, 8, "0 %"), (1, 8, "12.5 %"), (8, 8, "100 %"), (9, 8, "100 %"), (-1, 8, "0 %"), (1, 1_000_000, "0.1 %"),
        (999_999, 1_000_000, "99.9 %"),
    ]) func percentagesNeverRoundToNothingOrAll(_ part: Int, _ whole: Int, _ text: String) {
        #expect(HumanNumber.percent(part, of: whole) == text)
    }

    @Test(
        arguments: [
            (0, "0 ms"), (350, "350 ms"), (999, "999 ms"), (1000, "1 s"), (19_500, "19.5 s"), (59_999, "59.9 s"), (60_000, "1 min"),
            (250_000, "4 min 10 s"), (11_520_000, "3 h 12 min"), (3_600_000, "1 h"), (1_051_200_000, "12 d 4 h"),
            (66_528_000_000, "2 y 40 d"),
            (3_605_000, "1 h"), (-60_000, "-1 min"),
        ] as [(Int64, String)]) func durationsHaveTwoUnits(_ milliseconds: Int64, _ text: String)
    {
        #expect(HumanNumber.duration(milliseconds: milliseconds) == text)
    }

    @Test func theLongestDurationsDoNotTrap() {
        #expect(HumanNumber.duration(milliseconds: .min) == "-" + HumanNumber.duration(milliseconds: .max))
    }

    @Test(arguments: [
        (0, "0 B"), (512, "512 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (314_677_658, "300.1 MiB"),
        (1 << 30, "1.0 GiB"),
        (1 << 50, "1.0 PiB"),
    ]) func bytesHaveTheLargestUnit(_ number: Int, _ text: String) {
        #expect(HumanNumber.bytes(number) == text)
    }
}
