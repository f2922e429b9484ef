import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel
import Testing

/// Lines that no friend would send: each gives a sentence, none a crash.
@Suite struct HostileLineTests {
    private func problem(_ text: String) -> String? { problem(Array(text.utf8)) }

    private func problem(_ bytes: [UInt8]) -> String? {
        var decoder = LineDecoder()
        do throws(LineProblem) {
            _ = try decoder.decode(bytes.span)
            return nil
        } catch {
            return error.sentence
        }
    }

    static let good =
        #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","n":1,"recordType":"T","recordID":"r","op":"put","fields":{"x":1},"seen":{}}"#

    @Test func theGoodLineIsGood() {
        #expect(problem(Self.good) == nil)
    }

    /// Found by fuzzing: the number after the highest one could be written down, but not be read back.
    @Test(arguments: [true, false]) func afterTheHighestNumberComesNone(isFast: Bool) throws {
        var decoder = LineDecoder(isFast: isFast)
        _ = try decoder.decode(text: Self.good.replacing(#""n":1"#, with: #""n":9223372036854775806"#))
        let unnumbered = Self.good.replacing(#""n":1,"#, with: "")
        guard case .line(let line) = try decoder.decode(text: unnumbered), case .write(let last) = line.event.content else {
            Issue.record("a number is left")
            return
        }
        #expect(last.dot.sequence == 9_223_372_036_854_775_807)
        let problem = #expect(throws: LineProblem.self) { try decoder.decode(text: unnumbered) }
        #expect(problem?.sentence == #"the key "n" is missing, and a write of "a" before has the highest number there is"#)
    }

    @Test func everyPrefixOfALineIsCutOff() {
        for length in 1..<Self.good.utf8.count {
            #expect(problem(Array(Self.good.utf8.prefix(length)))?.contains("cut off") == true, "prefix of \(length) bytes")
        }
    }

    private static func sync(_ delays: String) -> String {
        #"{"event":"sync","ts":"2026-01-15T14:00:00.000Z","phase":"export","state":"succeeded","writes":1,"bytes":2,"durationMs":3,"delays":"#
            + delays + "}"
    }

    @Test func delaysOfASyncAreTakenOrLeftOut() {
        #expect(problem(Self.sync(#"{"minMs":5,"maxMs":5,"buckets":[[5,1]]}"#)) == nil)
        #expect(problem(Self.sync("null")) == nil)
    }

    static let hostile: [(line: String, expected: String)] = [
        (sync("[]"), #""delays" must be an object"#),
        (sync("{}"), #""delays.buckets" is missing"#),
        (sync(#"{"buckets":[[5]]}"#), "must be a list of pairs of whole numbers"),
        (sync(#"{"minMs":5,"maxMs":5,"buckets":[[6,1]]}"#), "contradict each other"),
        (sync(#"{"minMs":5,"maxMs":5,"buckets":[[5,1],[5,1]]}"#), "contradict each other"),
        (sync(#"{"minMs":5,"maxMs":5,"buckets":[[9223372036854775807,1]]}"#), "contradict each other"),
        (sync(#"{"minMs":-5,"maxMs":5,"buckets":[[5,-1]]}"#), "out of range"),
        ("hello", "this is not JSON"),
        ("[1]", "must be a JSON object"),
        ("null", "must be a JSON object"),
        (good.replacing(#""n":1"#, with: #""n":1,"carried":["a"]"#), #""carried" must be an object"#),
        (good.replacing(#""n":1"#, with: #""n":1,"carried":{"b":2,"x":1}"#), #"both "fields" and "carried" name "x""#),
        (good.replacing(#""op":"put""#, with: #""op":"delete","carried":{"b":2}"#), "only a put carries fields"),
        (good + " x", "after the end"),
        (good.replacing(#""n":1"#, with: #""n":0"#), #""n" is 0, out of range"#),
        (good.replacing(#""n":1"#, with: #""n":-1"#), "out of range"),
        (good.replacing(#""n":1"#, with: #""n":1.5"#), "out of range"),
        (good.replacing(#""n":1"#, with: #""n":9223372036854775808"#), "out of range"),
        (good.replacing(#""n":1"#, with: #""n":1e400"#), "the number 1e400 is out of range"),
        (good.replacing(#""n":1"#, with: #""n":"1""#), "must be a whole number, not the text"),
        (good.replacing(#""n":1"#, with: #""n":01"#), "zero that does not belong"),
        (good.replacing("2026-01-15", with: "2026-02-30"), "not a date that exists"),
        (good.replacing("2026-01-15T14:00:00.000Z", with: "yesterday"), "not a date that exists"),
        (good.replacing(#""device":"a","#, with: ""), #"the key "device" is missing"#),
        (good.replacing(#""device":"a""#, with: #""device":"""#), "is empty"),
        (good.replacing(#""device":"a""#, with: #""device":7"#), #""device" must be a text, not 7"#),
        (good.replacing(#""fields":{"x":1},"#, with: ""), #"the key "fields" is missing"#),
        (good.replacing(#"{"x":1}"#, with: "[]"), "must be an object, not an array"),
        (good.replacing(#"{"x":1}"#, with: #"{"x":1,"x":2}"#), #"the key "x" stands twice"#),
        (good.replacing(#""seen":{}"#, with: #""seen":{"b":-1}"#), #""seen.b" is -1, out of range"#),
        (good.replacing(#""seen":{}"#, with: #""seen":{"a":2}"#), "cannot have seen a later one"),
        (good.replacing(#""op":"put""#, with: #""op":"upsert""#), "put or delete is expected"),
        (good.replacing(#""event":"write""#, with: #""v":2,"event":"write""#), "version 1"),
        (good.replacing("\"r\"", with: #""\ud800""#), "surrogate"),
        (good.replacing("\"r\"", with: #""\udc00\ud800""#), "surrogate"),
        (good.replacing("\"r\"", with: #""\x""#), "backslash"),
        (good.replacing("\"r\"", with: "\"\u{0}\""), "NUL byte"),
        (good.replacing("\"r\"", with: "\"\n\""), "control character"),
        ("\u{0}", "NUL byte"),
        (String(repeating: "[", count: 100_000), "nested more than"),
        (String(repeating: #"{"a":"#, count: 100_000), "nested more than"),
    ]

    @Test(arguments: hostile) func hostileLinesGiveASentence(line: String, expected: String) {
        #expect(problem(line)?.contains(expected) == true, "\(problem(line) ?? "no problem found")")
    }

    @Test func invalidUTF8IsNamedWithItsPlace() {
        var bytes = Array(Self.good.utf8)
        let index = Self.good.utf8.count - 40
        bytes[index] = 0xff
        #expect(problem(bytes) != nil)
        let text: [UInt8] = Array(#"{"event":""#.utf8) + [0xc3, 0x28] + Array(#""}"#.utf8)
        #expect(problem(text)?.contains("not valid UTF-8 (byte 11 of the line)") == true, "\(problem(text) ?? "")")
    }

    @Test func unknownEventsAndKeysAreNoProblem() throws {
        var decoder = LineDecoder()
        #expect(try decoder.decode(text: #"{"event":"telepathy","ts":3}"#) == .unknownEvent("telepathy"))
        #expect(problem(Self.good.replacing(#""n":1"#, with: #""extra":[null],"n":1"#)) == nil)
        #expect(try decoder.decode(text: " \t\r") == .blank)
    }

    @Test func sentencesHoldNothingThatATerminalActsOn() {
        let line = Self.good.replacing(#""op":"put""#, with: #""op":"\u001b[31m\u202e""#)
        #expect(problem(line)?.unicodeScalars.allSatisfy { $0.isHarmlessOnTerminal } == true)
    }

    @Test func writesWithoutNumbersAreNumberedByDevice() throws {
        var decoder = LineDecoder()
        var numbers: [UInt64] = []
        for (device, n) in [("a", ""), ("b", ""), ("a", #""n":5,"#), ("a", "")] {
            let text =
                #"{"event":"write","ts":"2026-01-15T14:00:00Z","device":"\#(device)",\#(n)"recordType":"T","recordID":"r","op":"delete"}"#
            guard case .line(let line) = try decoder.decode(text: text), case .write(let write) = line.event.content else { continue }
            numbers.append(write.dot.sequence)
        }
        #expect(numbers == [1, 1, 5, 6])
    }
}

extension String {
    fileprivate func replacing(_ part: String, with other: String) -> String {
        var result = ""
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            result += rest[..<range.lowerBound] + other
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}

extension LineDecoder {
    mutating func decode(text: String) throws -> Outcome {
        try decode(Array(text.utf8).span)
    }
}
