import SyncOracle
import SyncSystem
import Testing

@testable import AuditLog

@Suite struct ContentMarkTests {
    private func mark(_ text: String, maximum: Int = 1000) -> ContentMark {
        var mark = ContentMark()
        _ = mark.append(Array(text.utf8)[...], maximumLineLength: maximum)
        return mark
    }

    /// What the mark says of a file that now holds some text.
    private func verdict(_ mark: ContentMark, _ now: String) -> ContentMark.Verdict {
        let bytes = Array(now.utf8)
        let found = bytes.dropFirst(Int(mark.witnessStart)).prefix(mark.recent.count)
        return mark.verdict(fingerprint: Fingerprint(bytes.prefix(Fingerprint.length)), found: found)
    }

    @Test(
        arguments: [
            ("", "", .continues), ("", "anything\n", .continues),
            ("one\ntwo\n", "one\ntwo\n", .continues), ("one\ntwo\n", "one\ntwo\nthree\n", .continues),
            ("one\ntw", "one\ntwo\n", .continues), ("on", "one\n", .continues),
            ("one\ntwo\n", "", .isShorter), ("one\ntwo\n", "one\n", .isShorter), ("one\ntwo\n", "new\n", .isShorter),
            ("one\ntwo\n", "new\ntwo\n", .isReplaced), ("one\ntwo\n", "new\nold\nand more\n", .isReplaced),
            ("one\ntwo\n", "one\nnew\nand more\n", .isReplaced), ("on", "in", .isReplaced), ("one\n", "ones\n", .isReplaced),
        ] as [(String, String, ContentMark.Verdict)])
    func whatASecondLookMeans(read: String, now: String, verdict: ContentMark.Verdict) {
        #expect(self.verdict(mark(read), now) == verdict)
    }

    @Test func onlyTheFirstLineAndTheLastKilobyteAreCompared() {
        let middle = String(repeating: "m", count: 2000)
        let first = "first\n"
        let last = String(repeating: "l", count: 1023) + "\n"
        let mark = mark(first + middle + last)
        #expect(mark.recent.count == 1024)
        #expect(verdict(mark, first + middle.uppercased() + last) == .continues)
        #expect(verdict(mark, first.uppercased() + middle + last) == .isReplaced)
        #expect(verdict(mark, first + middle + "x" + last.dropFirst()) == .isReplaced)
    }

    /// What is left after a line that was begun has been taken back in part.
    @Test(
        arguments: [
            ("one\ntwo", "one\ntw", true, "tw"), ("one\ntwo", "one\n", true, ""), ("one\ntwo", "one", false, "two"),
            ("one\ntwo", "", false, "two"), ("one\ntwo", "one\nTw", false, "two"), ("one\n", "one", false, ""),
        ] as [(String, String, Bool, String)])
    func aBegunLineMayBeTakenBack(read: String, now: String, isCutBack: Bool, unfinished: String) {
        var mark = mark(read)
        let found = Array(now.utf8.dropFirst(Int(mark.longWitnessStart)))
        let result = mark.cutBack(found: found)
        #expect(result == isCutBack)
        #expect(mark.unfinished == Array(unfinished.utf8))
        #expect(mark.position == Int64(isCutBack ? now.utf8.count : read.utf8.count))
        if isCutBack { #expect(verdict(mark, now + "x\n") == .continues) }
    }

    @Test func aLongBegunLineMayBeTakenBack() {
        let begun = String(repeating: "x", count: 5000)
        var mark = mark("one\n" + begun, maximum: 10_000)
        let now = Array(("one\n" + begun.prefix(17)).utf8)
        let isCutBack = mark.cutBack(found: Array(now[Int(mark.longWitnessStart)...]))
        #expect(isCutBack)
        #expect(mark.position == 21)
        let pieces = mark.append(Array("yz\n".utf8)[...], maximumLineLength: 10_000)
        #expect(pieces == [.line(Array((begun.prefix(17) + "yz").utf8))])
    }

    /// However the bytes come, the lines are the same.
    @Test(arguments: 1...20) func linesDoNotDependOnThePieces(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let text = (0..<60).map { _ in String(repeating: "x", count: generator.below(40)) + "\n" }.joined() + "end"
        let bytes = Array(text.utf8)
        var expected = ContentMark()
        let whole = expected.append(bytes[...], maximumLineLength: 20)
        var mark = ContentMark()
        var pieces: [ContentMark.Piece] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + 1 + generator.below(50))
            pieces += mark.append(bytes[start..<end], maximumLineLength: 20)
            start = end
        }
        #expect(pieces == whole, "seed \(seed)")
        #expect(mark == expected, "seed \(seed)")
        let byHand = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(whole == byHand.map { $0.utf8.count > 20 ? .tooLong : .line(Array($0.utf8)) }, "seed \(seed)")
    }

    @Test func aHoleOfZerosBeforeALineIsNoPartOfIt() {
        var mark = ContentMark()
        let pieces = mark.append(([0, 0, 0] + Array("line\n".utf8))[...], maximumLineLength: 20)
        #expect(pieces == [.line(Array("line".utf8))])
    }

    @Test(
        arguments: [
            (FileSighting.nothing, nil, .isGone), (.nothing, 1, .isGone), (.file(number(1)), 1, .unchanged), (.file(number(2)), 1, .isNew),
            (.file(number(1)), nil, .isNew), (.obstacle("a directory"), 1, .isBlocked("a directory")),
        ] as [(FileSighting, UInt64?, FollowedPath.Verdict)])
    func whatStandsAtThePath(sighting: FileSighting, last: UInt64?, verdict: FollowedPath.Verdict) {
        #expect(FollowedPath.verdict(sighting, last: last.map(number)) == verdict)
    }
}

private func number(_ number: UInt64) -> FileIdentity { FileIdentity(device: 7, number: number) }
