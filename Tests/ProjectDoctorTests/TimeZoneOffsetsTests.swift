import FileFormats
import Foundation
import SyncOracle
import Testing

struct TimeZoneOffsetsTests {
    private static func file(_ name: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/\(name)"))).map(Array.init)
    }

    private static let names = [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Asia/Kolkata", "Africa/Casablanca",
        "America/Nuuk",
        "Asia/Gaza", "Pacific/Apia", "America/Havana", "Europe/Dublin", "UTC",
    ]

    /// Foundation reads the same database with a reader of its own.
    @Test(arguments: names) func offsetsAreThoseOfFoundation(_ name: String) throws {
        guard let file = Self.file(name) else { return }
        let (zone, other) = (try #require(TimeZoneOffsets(name: name, file: file)), try #require(TimeZone(identifier: name)))
        var random = SplitMix64(seed: 7)
        for _ in 0..<3000 {
            let second = Int64.random(in: 0..<3_900_000_000, using: &random)
            let expected = other.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second)))
            #expect(zone.offset(at: second * 1000) == Int64(expected) * 1000, "\(second)")
        }
    }

    /// To the millisecond: the clocks were put forward at 01:00 UTC, and back.
    @Test func clocksAreChangedOnTime() throws {
        guard let zone = Self.file("Europe/Berlin").flatMap({ TimeZoneOffsets(name: "Europe/Berlin", file: $0) }) else { return }
        for (change, before, after) in [(1_774_746_000_000 as Int64, 1, 2), (1_792_890_000_000, 2, 1), (4_109_878_800_000, 1, 2)] {
            #expect(zone.offset(at: change - 1) == Int64(before) * 3_600_000)
            #expect(zone.offset(at: change) == Int64(after) * 3_600_000)
        }
    }

    @Test(arguments: names) func daysBeginAtMidnightAndFollowOnOneAnother(_ name: String) throws {
        guard let file = Self.file(name), let zone = TimeZoneOffsets(name: name, file: file) else { return }
        for day in 18_000..<22_000 {
            let start = zone.start(ofDay: day)
            // One zone has left out a whole day.
            #expect(zone.day(of: start) == day || name == "Pacific/Apia", "\(day)")
            #expect(zone.day(of: start - 1) < day || name == "America/Havana", "\(day)")
        }
    }

    @Test(arguments: [("UTC", 0), ("Z", 0), ("+02:00", 7200), ("-05:30", -19_800), ("+00:00", 0)])
    func offsetsAreZonesToo(_ text: String, _ seconds: Int) {
        #expect(TimeZoneOffsets(writtenAs: text)?.offset(at: 1_700_000_000_000) == Int64(seconds) * 1000)
    }

    @Test(arguments: ["", "2", "+2", "+02", "0200", "+0200", "+2:00", "+02:60", "+27:00", "+aa:bb", "Berlin"])
    func whatIsNoOffsetIsNone(_ text: String) { #expect(TimeZoneOffsets(writtenAs: text) == nil) }

    @Test func filesThatAreCutOrChangedDoNoHarm() throws {
        guard let file = Self.file("Europe/Berlin") else { return }
        for length in 0..<file.count { _ = TimeZoneOffsets(name: "x", file: Array(file.prefix(length)))?.offset(at: 0) }
        #expect(TimeZoneOffsets(name: "x", file: Array(file.dropLast())) == nil)
        #expect(TimeZoneOffsets(name: "x", file: Array("no zone at all, and longer than a header of a file is".utf8)) == nil)
        var random = SplitMix64(seed: 11)
        for _ in 0..<2000 {
            var changed = file
            for _ in 0..<3 { changed[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
            for time in [Int64.min, -1, 0, 2_000_000_000_000, .max] {
                if let zone = TimeZoneOffsets(name: "x", file: changed) { _ = (zone.local(time), zone.day(of: time)) }
            }
        }
    }
}
