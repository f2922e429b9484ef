import LineFuzzing
import Testing

/// A few fuzzed inputs; `LineFuzzHistories` has more, and `swift run -c release LineFuzzer 10000000` tries as many as one likes.
@Suite struct LineFuzzTests {
    @Test(arguments: 1...2 as ClosedRange<UInt64>) func everyWayOfReadingALineAgrees(seed: UInt64) throws {
        let directory = try TemporaryDirectory()
        _ = try FuzzRun(seed: seed, count: 200, path: directory.file("lines")).run()
    }
}
