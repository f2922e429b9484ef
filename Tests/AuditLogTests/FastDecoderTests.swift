import AuditLog
import ConflictAudit
import Foundation
import SyncModel
import Testing

/// The decoder that reads write lines in one pass says exactly what the general one says; of broken lines too, for which see `LineFuzzTests`.
@Suite struct FastDecoderTests {
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

    private static let extra = [
        #"{"v":1,"ts":"2026-02-28T23:59:59.999Z","seq":9,"source":"phone","event":"write","device":"0b5c3a52-53a1-4c0e-8b3c-000000000001","n":12,"counter":3,"received":"2026-03-01T00:00:00.000Z","hubSequence":77,"recordType":"Note","recordID":"id-of-more-than-fifteen-bytes","op":"put","fields":{"text":"é\n\u00e9\/","n":-0.5,"list":[1,[2.25,null],{"x":true,"y":{}}]},"seen":{"0b5c3a52-53a1-4c0e-8b3c-000000000001":11,"tablet":4}}"#,
        #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","n":2,"recordType":"T","recordID":"r","op":"delete","seen":{"b":1,"a":1}}"#,
        #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"ü","n":3,"recordType":"T","recordID":"r","op":"put","fields":{"b":{"$counter":4},"a":{"$add":["x"],"$remove":[]},"c":""}}"#,
    ]
}

extension LineDecoder {
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
