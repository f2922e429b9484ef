import AuditLog
import ConflictAudit
import Foundation
import SyncModel
import SyncOracle
import Testing

/// The decoder that reads write lines in one pass says exactly what the general one says, of good lines and of broken ones.
@Suite struct FastDecoderTests {
    /// As many mutations as the suite has time for; `FUZZ_MUTATIONS` asks for more.
    static let mutations = ProcessInfo.processInfo.environment["FUZZ_MUTATIONS"].flatMap(Int.init) ?? 100_000
    static let seeds: [UInt64] = [1, 2, 3, 4]

    @Test(arguments: seeds) func everyMutationGivesTheSameWriteOrTheSameError(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var fast = LineDecoder()
        var general = LineDecoder(isFast: false)
        let lines = try SampleLines.all()
        for round in 0..<Self.mutations / Self.seeds.count {
            var line = lines[random.below(lines.count)]
            for _ in 0..<random.below(4) { line.mutate(using: &random, among: lines) }
            let (mine, theirs) = (fast.verdict(line), general.verdict(line))
            guard mine != theirs else { continue }
            Issue.record("seed \(seed), round \(round): \(String(decoding: line, as: UTF8.self))\nfast: \(mine)\ngeneral: \(theirs)")
            return
        }
    }

    @Test func ordinaryLinesTakeTheFastPath() throws {
        var scanner = WriteScanner()
        for line in try SampleLines.ordinary() {
            let scanned = scanner.scan(line.span, number: { _ in 1 })
            #expect(scanned != nil, "\(String(decoding: line, as: UTF8.self))")
        }
    }

    @Test func keysMayComeInAnyOrderAndBeSpacedOut() throws {
        var scanner = WriteScanner()
        let text =
            "{ \"fields\" : {\"b\": [1, {\"$add\": [\"\u{e9}\"]}] ,\t\"a\" : \"\\n\" },\"op\":\"put\",\"seen\":{\"z\":1,\"b\":0,\"a\":2}, "
            + #""recordID":"","recordType":"T","device":"d","n":7,"ts":"2026-01-15T14:00:00.000Z","event":"write" } "#
        let scanned = scanner.scan(Array(text.utf8).span, number: { _ in nil })
        let line = try #require(scanned)
        #expect(line.write.fields == ["a": "\n", "b": [1, ["$add": ["\u{e9}"]]]])
        #expect(line.write.seen == ["a": 2, "z": 1])
        #expect(LineDecoder.general(text) == .line(AuditLine(event: AuditEvent(at: line.write.timestamp.milliseconds, .write(line.write)))))
    }

    @Test func aMapOfTextsIsEqualToAMapOfValues() throws {
        for line in try SampleLines.ordinary() {
            guard case .line(let fast)? = LineDecoder.fast(line), case .line(let general)? = LineDecoder.general(line),
                case .write(let mine) = fast.event.content, case .write(let theirs) = general.event.content
            else { continue }
            #expect(mine == theirs)
            #expect(mine.fields?.hashValue == theirs.fields?.hashValue)
            var changed = mine.fields
            changed?["added"] = 1
            var expected = theirs.fields
            expected?["added"] = 1
            #expect(changed == expected)
        }
    }
}

/// Lines to start from.
private enum SampleLines {
    /// Lines of the trace that comes with the package, and some that hold what it does not.
    static func ordinary() throws -> [[UInt8]] {
        let path = URL(filePath: #filePath).appending(path: "../../../Samples/traces/business-cards.jsonl").standardized
        let lines = try Data(contentsOf: path).split(separator: 0x0a).prefix(200).map { Array($0) }
        return lines.filter { String(decoding: $0, as: UTF8.self).contains(#""event":"write""#) } + extra.map { Array($0.utf8) }
    }

    static func all() throws -> [[UInt8]] {
        try ordinary() + other.map { Array($0.utf8) }
    }

    private static let extra = [
        #"{"v":1,"ts":"2026-02-28T23:59:59.999Z","seq":9,"source":"phone","event":"write","device":"0b5c3a52-53a1-4c0e-8b3c-000000000001","n":12,"counter":3,"received":"2026-03-01T00:00:00.000Z","hubSequence":77,"recordType":"Note","recordID":"id-of-more-than-fifteen-bytes","op":"put","fields":{"text":"é\n\u00e9\/","n":-0.5,"list":[1,[2.25,null],{"x":true,"y":{}}]},"seen":{"0b5c3a52-53a1-4c0e-8b3c-000000000001":11,"tablet":4}}"#,
        #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","n":2,"recordType":"T","recordID":"r","op":"delete","seen":{"b":1,"a":1}}"#,
        #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"ü","n":3,"recordType":"T","recordID":"r","op":"put","fields":{"b":{"$counter":4},"a":{"$add":["x"],"$remove":[]},"c":""}}"#,
    ]

    private static let other = [
        #"{"event":"write","ts":"2026-01-15T14:00:00Z","device":"a","recordType":"T","recordID":"r","op":"put","fields":{"\u0061":1e3}}"#,
        #"{"event":"write","ts":"2026-01-15t14:00:00+01:00","device":"a","n":1.0,"recordType":"T","recordID":"\ud83d\ude00","op":"put","fields":{},"seen":null,"more":1}"#,
        #"{"event":"clock","ts":"2026-01-15T14:00:00.000Z","device":"a","offsetMs":-5,"uncertaintyMs":1}"#,
        "", " \r",
    ]
}

extension [UInt8] {
    /// Changes something small, of a kind that is likely to matter.
    fileprivate mutating func mutate(using random: inout SplitMix64, among lines: [[UInt8]]) {
        let place = random.below(count + 1)
        let length = Swift.min(random.below(8), count - place)
        switch random.below(9) {
        case 0: replaceSubrange(place..<place + length, with: [])
        case 1: if place < count { self[place] = UInt8(random.below(256)) }
        case 2: if place < count { self[place] ^= 1 << UInt8(random.below(8)) }
        case 3: insert(contentsOf: Array(Self.snippets[random.below(Self.snippets.count)].utf8), at: place)
        case 4: insert(contentsOf: self[place..<place + length], at: random.below(count + 1))
        case 5: insert(contentsOf: Self.broken[random.below(Self.broken.count)], at: place)
        case 6: removeSubrange(place...)
        case 7:
            // The tail of another line, from the same character on.
            guard place < count else { return }
            let other = lines[random.below(lines.count)]
            guard let start = other.firstIndex(of: self[place]) else { return }
            replaceSubrange(place..., with: other[start...])
        default:
            // A token where a value or a key stands.
            let token = Array(Self.snippets[random.below(Self.snippets.count)].utf8)
            let stops = indices.filter { self[$0] == UInt8(ascii: ":") || self[$0] == UInt8(ascii: ",") }
            guard stops.count > 1 else { return }
            let index = random.below(stops.count - 1)
            replaceSubrange(stops[index] + 1..<stops[index + 1], with: token)
        }
    }

    private static let snippets = [
        "\"", "\\", "{", "}", "[", "]", ",", ":", " ", "\t", "\r", "null", "true", "false", "tru", "0", "-", "-0", "01", "1.5", "1e5",
        "1E400", "1.",
        "9223372036854775807", "9223372036854775808", "123456789012345678", "1234567890123456789", "18446744073709551616", "4294967295",
        "4294967296",
        "\"\"", "\"put\"", "\"delete\"", "\"write\"", "\"n\":1,", "\"device\":\"b\",", "\"event\":\"write\",", "\"x\":{\"a\":1,\"a\":2},",
        "{\"a\":1,\"b\":2}", "{\"a\":1,\"a\":2}", "{\"\\u0061\":1,\"a\":2}", "[1,2,3]", "[[[]]]", "\\n", "\\u0000", "\\ud800",
        "\\ud83d\\ude00", "\\x",
        "\u{2028}", "\u{0}", "\u{1}", "\u{7f}", "\u{e9}", "e\u{301}", "\u{1f600}", "\"2026-02-30T00:00:00.000Z\"",
        "\"2026-01-01T23:59:60.000Z\"",
        "\"2026-01-01T00:00:00.0001Z\"", String(repeating: "[", count: 253), String(repeating: "[", count: 260),
        String(repeating: "1", count: 310),
    ]

    private static let broken: [[UInt8]] = [
        [0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80], [0xe2, 0x82], [0xef, 0xbb, 0xbf],
    ]
}

/// What a decoder says of a line, in full.
private enum Verdict: Equatable {
    case outcome(LineDecoder.Outcome, written: [UInt8])
    case problem(String)
}

extension LineDecoder {
    fileprivate mutating func verdict(_ line: [UInt8]) -> Verdict {
        do throws(LineProblem) {
            let outcome = try decode(line.span)
            var written: [UInt8] = []
            // Equal values can be spelled differently: that must not happen either.
            if case .line(let line) = outcome { LineEncoder.append(line, to: &written) }
            return .outcome(outcome, written: written)
        } catch {
            return .problem(error.sentence)
        }
    }

    fileprivate static func fast(_ line: [UInt8]) -> Outcome? {
        var decoder = LineDecoder()
        return try? decoder.decode(line.span)
    }

    fileprivate static func general(_ line: [UInt8]) -> Outcome? {
        var decoder = LineDecoder(isFast: false)
        return try? decoder.decode(line.span)
    }

    fileprivate static func general(_ text: String) -> Outcome? { general(Array(text.utf8)) }
}
