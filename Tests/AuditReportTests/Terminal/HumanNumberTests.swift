import Testing

@testable import AuditReport

@Suite("Numbers for people")
struct HumanNumberTests {
    @Test(
        "Thousands are separated",
        arguments: [
            (0, "0"), (999, "999"), (1000, "1,000"), (7103, "7,103"), (-1_234_567, "-1,234,567"), (.max, "9,223,372,036,854,775,807"),
            (.min, "-9,223,372,036,854,775,808"),
        ] as [(Int, String)])
    func count(value: Int, shown: String) {
        #expect(HumanNumber.count(value) == shown)
    }

    @Test("A noun agrees with its count")
    func nouns() {
        #expect(HumanNumber.count(1, "edit") == "1 edit")
        #expect(HumanNumber.count(0, "edit") == "0 edits")
        #expect(HumanNumber.count(1063, "edit") == "1,063 edits")
        #expect(HumanNumber.count(2, "policy", "policies") == "2 policies")
    }

    @Test(
        "A percentage never rounds to none or all",
        arguments: [
            (0, 7, "0 %"), (7, 7, "100 %"), (1, 8, "12.5 %"), (1, 3, "33.3 %"), (2, 3, "66.7 %"), (1, 100_000, "0.1 %"),
            (99_999, 100_000, "99.9 %"),
            (1, 2000, "0.1 %"), (49, 400, "12.3 %"), (1, 0, "–"), (0, 0, "–"), (3, 2, "100 %"), (.max, .max, "100 %"),
            (.max - 1, .max, "99.9 %"),
            (1, .max, "0.1 %"),
        ] as [(Int, Int, String)])
    func percent(part: Int, whole: Int, shown: String) {
        #expect(HumanNumber.percent(part, of: whole) == shown)
    }

    @Test(
        "A length of time has its two largest units at most",
        arguments: [
            (0, "0 ms"), (1, "1 ms"), (999, "999 ms"), (1000, "1 s"), (19_500, "19.5 s"), (19_599, "19.5 s"), (59_999, "59.9 s"),
            (60_000, "1 min"),
            (250_000, "4 min 10 s"), (3_599_999, "59 min 59 s"), (3_600_000, "1 h"), (3_659_000, "1 h"), (11_520_000, "3 h 12 min"),
            (86_399_999, "23 h 59 min"), (86_400_000, "1 d"), (1_051_200_000, "12 d 4 h"), (66_528_000_000, "2 y 40 d"),
            (-250_000, "-4 min 10 s"),
            (-5, "-5 ms"), (.max, "292,471,208 y 247 d"), (.min, "-292,471,208 y 247 d"),
        ] as [(Int64, String)])
    func duration(milliseconds: Int64, shown: String) {
        #expect(HumanNumber.duration(milliseconds: milliseconds) == shown)
    }

    @Test(
        "Bytes are in the largest binary unit",
        arguments: [
            (0, "0 B"), (512, "512 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (1_048_524, "1023.9 KiB"),
            (1_048_525, "1.0 MiB"),
            (314_572_800, "300.0 MiB"), (1_288_490_189, "1.2 GiB"), (.max, "8192.0 PiB"),
        ] as [(Int, String)])
    func bytes(value: Int, shown: String) {
        #expect(HumanNumber.bytes(value) == shown)
    }
}
