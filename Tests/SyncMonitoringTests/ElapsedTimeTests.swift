import SyncModel
import SyncMonitoring
import Testing

@Suite struct ElapsedTimeTests {
    private static let minute: Int64 = 60_000
    private static let hour: Int64 = 60 * minute
    private static let day: Int64 = 24 * hour

    private static let texts: [(milliseconds: Int64, text: String)] = [
        (0, "less than a minute ago"),
        (minute - 1, "less than a minute ago"),
        (minute, "1 minute ago"),
        (2 * minute - 1, "1 minute ago"),
        (2 * minute, "2 minutes ago"),
        (hour - 1, "59 minutes ago"),
        (hour, "1 hour ago"),
        (2 * hour, "2 hours ago"),
        (day - 1, "23 hours ago"),
        (day, "1 day ago"),
        (2 * day, "2 days ago"),
        (400 * day, "400 days ago"),
        (-1, "less than a minute ago"),
        (-day, "less than a minute ago"),
    ]

    @Test(arguments: texts)
    func timeIsSaidInWholeUnits(milliseconds: Int64, text: String) {
        let start = WallTime(millisecondsSince1970: 1_768_482_000_000)
        #expect(ElapsedTime(from: start, to: start + .milliseconds(milliseconds)).ago == text)
    }

    @Test func momentsFarApartDoNotOverflow() {
        let (first, last) = (WallTime(millisecondsSince1970: .min), WallTime(millisecondsSince1970: .max))
        #expect(ElapsedTime(from: first, to: last).ago == "\(Int64.max / Self.day) days ago")
        #expect(ElapsedTime(from: last, to: first).ago == "less than a minute ago")
    }
}
