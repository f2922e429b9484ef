import AuditLog
import Testing

@Suite struct EnvelopeTests {
    static let line = #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":7,"source":"a","event":"account","status":"é \"x\""}"#

    private static var quoted: String { line.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") }
    private static var listed: String { "[" + line.utf8.map { "\($0)" }.joined(separator: ", ") + ", 10]" }

    @Test(arguments: [
        #"{"timestamp":"2026-01-15 14:00:00.000000+0000","eventMessage":"\#(quoted)","eventType":"logEvent"}"#,
        #"{"__CURSOR":"s=1","PRIORITY":"6","MESSAGE":"\#(quoted)"}"#, #"{"MESSAGE":\#(listed),"PRIORITY":"6"}"#,
        #"{"log":"\#(quoted)\n","stream":"stdout","time":"2026-01-15T14:00:00.000000000Z"}"#,
    ]) func wrappedLinesAreUnwrapped(_ envelope: String) throws {
        var decoder = LineDecoder()
        let bare = try decoder.decode(Array(Self.line.utf8).span)
        #expect(decoder.unwrapped == nil)
        let carried = try decoder.decode(Array(envelope.utf8).span)
        #expect(carried == bare)
        #expect(decoder.unwrapped == Array(Self.line.utf8))
    }

    @Test(arguments: [
        #"{"MESSAGE":"Started the session of root."}"#, #"{"log":"\n"}"#, #"{"eventMessage":"{\"k\":1}"}"#, #"{"MESSAGE":null}"#,
        #"{"MESSAGE":[]}"#, #"{"log":"{\"MESSAGE\":\"{}\"}"}"#,
    ]) func whatOthersSayIsNoEventOfOurs(_ envelope: String) throws {
        var decoder = LineDecoder()
        let outcome = try decoder.decode(Array(envelope.utf8).span)
        #expect(outcome == .unknownEvent(""))
        #expect(decoder.unwrapped == nil)
    }

    @Test(arguments: [
        (#"{"log":"{\"event\":\"account\",\"ts\""}"#, "cut off"), (#"{"MESSAGE":"{\"event\":\"account\"}"}"#, "\"status\""),
        (#"{"MESSAGE":[300]}"#, "\"event\""), (#"{"log":true}"#, "\"event\""), (#"{"other":"\#(quoted)"}"#, "\"event\""),
    ]) func tornLinesInEnvelopesAreBad(_ envelope: String, _ word: String) {
        var decoder = LineDecoder()
        let problem = #expect(throws: LineProblem.self) { try decoder.decode(Array(envelope.utf8).span) }
        #expect(problem?.sentence.contains(word) == true)
    }

    @Test func ourOwnLogLinesAreNoEnvelopes() throws {
        var decoder = LineDecoder()
        let outcome = try decoder.decode(Array(#"{"event":"log","ts":"2026-01-15T14:00:00Z","opened":true,"log":"{}"}"#.utf8).span)
        #expect(decoder.unwrapped == nil)
        guard case .line = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }
}
