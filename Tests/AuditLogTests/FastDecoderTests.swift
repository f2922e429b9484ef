import AuditLog
import ConflictAudit
import Foundation
import SyncBytes
import SyncModel
import SyncOracle
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

    /// Many more names than a scanner keeps, with one, two and three fields to a write, the first of which may be known.
    @Test func namesThatNeverComeAgainTakeTheFastPath() {
        var scanner = WriteScanner()
        for index in 0..<histories(4_200, of: 6_000) {
            let fields = (0...(index % 3)).map { #""\#($0 == 0 && index % 2 == 0 ? "title" : "field\($0)-\(index)")":\#($0)"# }
            let line =
                #"{"event":"write","ts":"2026-01-14T23:59:22.861Z","device":"a device \#(index)","n":1,"recordType":"of a type \#(index)""#
                + #","recordID":"\#(index)","op":"put","fields":{\#(fields.joined(separator: ","))}}"#
            let write = scanner.scan(Array(line.utf8).span, number: { _ in nil })?.write
            if write != nil, !index.isMultiple(of: histories(5, of: 1)) { continue }
            guard let write, case .line(let expected)? = LineDecoder.general(line) else {
                Issue.record("left to the decoder: \(line)")
                return
            }
            #expect(expected.event.content == .write(write))
        }
    }

    /// In every place, in the order of our writer and turned round, beside another one.
    @Test(arguments: OtherMembers.keys) func keysThatMeanNothingTakeTheFastPath(key: String) {
        let members = [
            #""event":"write""#, #""ts":"2026-01-15T14:00:00.000Z""#, #""device":"d""#, #""n":7"#, #""counter":0"#, #""recordType":"T""#,
            #""recordID":"r""#, #""op":"put""#, #""fields":{"a":1}"#, #""seen":{"b":2}"#, #""app":"1""#,
        ]
        var scanner = WriteScanner()
        let first = (OtherMembers.keys.firstIndex(of: key) ?? 0) % histories(6, of: 1)
        for value in stride(from: first, to: OtherMembers.values.count, by: histories(6, of: 1)).map({ OtherMembers.values[$0] }) {
            for order in [members, members.reversed()] {
                for place in 0...order.count {
                    var line = order
                    line.insert("\"\(key)\":\(value)", at: place)
                    line.insert(" \"other\" : \(value) ", at: (place * 7) % (line.count + 1))
                    let text = "{\(line.joined(separator: ","))}"
                    let scanned = scanner.scan(Array(text.utf8).span, number: { _ in nil })
                    guard let scanned, case .line(let expected)? = LineDecoder.general(text) else {
                        Issue.record("left to the decoder: \(text)")
                        return
                    }
                    #expect(expected.event.content == .write(scanned.write), "\(text)")
                }
            }
        }
    }

    @Test func whatIsBrokenBehindAKeyThatMeansNothingIsRefused() {
        let start = #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","n":1,"recordType":"T","recordID":"r","op":"delete""#
        let broken = [
            #""x":1,"x":1"#, #""x":1,"y":2,"x":{}"#, #""\u0078":1,"x":1"#, #""x":1,"\u0078":1"#, #""x":1,"n":1"#, #""x":1,"\u006e":1"#,
            #""x""#, #""x":1,"#, #""x" 1"#, #"x:1"#, #","x":1"#,
        ]
        var (fast, general) = (LineDecoder(), LineDecoder(isFast: false))
        for members in OtherMembers.brokenValues.map({ "\"x\":\($0)" }) + broken {
            for text in ["\(start),\(members)}", "{\(members),\(start.dropFirst())}"] {
                let line = Array(text.utf8)
                #expect((try? fast.decode(line.span)) == nil && (try? general.decode(line.span)) == nil, "\(text)")
            }
        }
        for bytes: [UInt8] in [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]] {
            for (key, value) in [(bytes, Array("a".utf8)), (Array("a".utf8), bytes)] {
                let line = Array(start.utf8) + Array(#",""#.utf8) + key + Array(#"":""#.utf8) + value + Array(#""}"#.utf8)
                #expect((try? fast.decode(line.span)) == nil && (try? general.decode(line.span)) == nil, "\(bytes)")
            }
        }
    }

    /// Their names say what the writer had seen, or what comes before the timestamps.
    @Test(arguments: [#""rev":"1""#, #""rev":"2","parents":["1"]"#, #""parents":5"#, #""order":[1,"a"]"#, #""order":1"#, #""rev":1"#])
    func revisionsAndOrdersAreLeftToTheDecoder(members: String) {
        let line = Array(
            #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","n":1,"recordType":"T","recordID":"r","op":"delete",\#(members)}"#
                .utf8)
        var scanner = WriteScanner()
        let scanned = scanner.scan(line.span, number: { _ in nil })
        #expect(scanned == nil)
        #expect(LineDecoder.fast(line) == LineDecoder.general(line))
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

    /// What the scanner remembers of one line must not show in what it makes of the next, so one decoder reads them all.
    @Test func momentsAreReadAlikeWhateverCameBefore() {
        let times = [
            "00:00:00.000", "23:59:59.999", "12:34:56.789", "24:00:00.000", "12:60:00.000", "12:00:60.000", "1:00:00.0000", "12:00:00,000",
        ]
        let days = [
            "2026-01-15", "2026-01-31", "2026-02-28", "2026-02-29", "2024-02-29", "2026-04-31", "2026-12-31", "2026-13-01", "2026-00-10",
            "2026-01-00", "2026-01-32", "0000-03-01", "1969-12-31", "9999-12-28", "2026/01/15", "202a-01-15", "2026-01-1:",
        ]
        let texts =
            days.flatMap { day in times.map { "\(day)T\($0)Z" } } + ["2026-01-15T00:00:00.000z", "2026-01-15 00:00:00.000Z", "2026-01-15"]
        var (fast, general) = (LineDecoder(), LineDecoder(isFast: false))
        for text in texts + texts.reversed() {
            for received in [text, "2026-01-15T14:00:00.000Z"] {
                let line = Array(
                    #"{"event":"write","ts":"\#(text)","received":"\#(received)","device":"a","n":1,"recordType":"T","recordID":"r","op":"delete"}"#
                        .utf8)
                #expect((try? fast.decode(line.span)) == (try? general.decode(line.span)), "\(text)")
            }
        }
    }

    @Test func identitiesOfEveryLengthAreReadAlike() {
        var (fast, general) = (LineDecoder(), LineDecoder(isFast: false))
        for letter in ["a", "\u{e9}", "\u{7f}", "\u{1f600}"] {
            for count in 0..<20 {
                for text in [String(repeating: letter, count: count), String(repeating: "x", count: count) + letter] {
                    let line = Array(
                        #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"d\#(text)","n":1,"recordType":"T","recordID":"\#(text)","op":"delete"}"#
                            .utf8)
                    let read = try? fast.decode(line.span)
                    #expect(read != nil && read == (try? general.decode(line.span)), "\(text)")
                    guard case .line(let written)? = read, case .write(let write) = written.event.content else { continue }
                    #expect(write.key.id.rawValue == text && write.key.id.rawValue.utf8.count == text.utf8.count)
                    #expect(write.key.id.rawValue.hashValue == text.hashValue)
                }
            }
        }
    }

    @Test(arguments: [
        #","#, #",,"op":"put""#, #","op""#, #",}"#, #" , "op":"delete""#, #","op":"delete","op":"delete""#, #","op":"delete","#, "",
    ])
    func whatStandsBehindTheLastKeyIsNotPassedOver(end: String) {
        let start = #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","n":1,"recordType":"T","recordID":"r""#
        var (fast, general) = (LineDecoder(), LineDecoder(isFast: false))
        for text in [
            start + #","op":"delete"}"#, start + end + "}", start + #","op":"delete""# + end + "}", start + #","op":"delete"}"# + end,
        ] {
            let line = Array(text.utf8)
            #expect((try? fast.decode(line.span)) == (try? general.decode(line.span)), "\(text)")
        }
    }

    /// Though it says nothing by them.
    @Test func aDeleteDoesNotNameAFieldTwiceEither() {
        let start = #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","n":1,"recordType":"T","recordID":"r","op":"#
        let fields = [#"{"e":1}"#, #"{"e":1,"e":2}"#, #"{"e":1,"f":2,"e":1}"#, "{}"]
        var (fast, general) = (LineDecoder(), LineDecoder(isFast: false))
        for operation in ["delete", "put", "delete"] {
            for fields in fields {
                let line = Array("\(start)\"\(operation)\",\"fields\":\(fields)}".utf8)
                let read = try? fast.decode(line.span)
                #expect(read == (try? general.decode(line.span)), "\(operation) \(fields)")
                #expect((read == nil) == (fields.matches(of: /"e"/).count == 2), "\(operation) \(fields)")
            }
        }
    }

    /// A value that is compared or written without being parsed is the value that it would be parsed to.
    @Test func valuesAreComparedAndWrittenAsIfParsed() throws {
        let texts = [
            "null", "true", "false", "0", "1", "1.0", "10e-1", "-1", #""""#, #""a""#, #""\u0061""#, #""b""#, #""a b""#, #""[1]""#, #""{}""#,
            #""\n""#, #""\/""#, #""/""#, "\"\u{e9}\"", #""\u00e9""#, "\"\u{7f}\"", "\"\u{2028}\"", "[]", "[ ]", #"["a"]"#, #"[ "a"]"#,
            #"["a","b"]"#, #"["a", "b"]"#, #"["a",["b",null]]"#, "[1]", "[1.0]", "{}", "{ }", #"{"a":1}"#, #"{"b":2,"a":1}"#,
            #"{"a":1,"b":2}"#, #"["\"",","]"#,
        ]
        var scanner = WriteScanner()
        let fields = try texts.map { text in
            let line =
                #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","n":1,"recordType":"T","recordID":"r","op":"put","fields":{"x":"#
                + text + "}}"
            let scanned = scanner.scan(Array(line.utf8).span, number: { _ in nil })
            // What the scanner does not take on, the parser reads.
            if let fields = scanned?.write.fields { return fields }
            return FieldMap(sortedNames: ["x"], values: [try JSONParser.parse(Array(text.utf8).span)])
        }
        for (index, map) in fields.enumerated() {
            let (value, written) = (try JSONParser.parse(Array(texts[index].utf8).span), try #require(map.written("x")))
            #expect(written.value == value)
            var (direct, parsed): ([UInt8], [UInt8]) = ([], [])
            JSONText.append(map, to: &direct)
            JSONText.append(["x": value] as FieldMap, to: &parsed)
            #expect(direct == parsed, "\(texts[index])")
            for (other, text) in zip(fields, texts) {
                let isSame = try JSONParser.parse(Array(text.utf8).span) == value
                #expect((other.written("x") == written) == isSame, "\(texts[index]) \(text)")
            }
            #expect(map.written("y") == nil)
        }
    }

    @Test func aMapOfTextsIsEqualToAMapOfValues() throws {
        for line in try SampleLines.ordinary() {
            guard case .line(let fast)? = LineDecoder.fast(line), case .line(let general)? = LineDecoder.general(line),
                case .write(let mine) = fast.event.content, case .write(let theirs) = general.event.content
            else { continue }
            #expect(mine == theirs)
            #expect(mine.fields?.hashValue == theirs.fields?.hashValue)
            var (texts, values): ([UInt8], [UInt8]) = ([], [])
            JSONText.append(mine.fields ?? [:], to: &texts)
            JSONText.append(theirs.fields ?? [:], to: &values)
            #expect(texts == values)
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
        let lines = try Data(contentsOf: URL(filePath: sample("traces/business-cards.jsonl"))).split(separator: 0x0a).prefix(200).map {
            Array($0)
        }
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
