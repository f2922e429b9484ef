import CommandWorld
import LineFuzzing
import Testing

/// A share of the fuzzed inputs; `swift run -c release LineFuzzer 10000000` tries as many as one likes.
@Suite struct LineFuzzHistories {
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func everyWayOfReadingALineAgrees(seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        _ = try FuzzRun(seed: seed, count: 20_000, path: directory.file("lines")).run()
    }
}
