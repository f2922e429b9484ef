import AuditLog
import ConflictAudit
import ConflictAuditTesting
import SyncBytes
import SyncModel
import SyncOracle

/// Makes lines that a reader may meet: real ones of every event, changed here and there, and bytes that never were a line.
package struct FuzzedInput {
    /// Lines of every event, as our writer writes them and as others may, and lines inside the lines of other loggers.
    package static let lines: [[UInt8]] = {
        var lines: [[UInt8]] = []
        for (number, event) in AuditEventSamples.all.enumerated() {
            var bytes: [UInt8] = []
            LineEncoder.append(AuditLine(sequence: UInt64(number + 1), source: "iPad", event: event), to: &bytes)
            lines.append(bytes.dropLast())
        }
        let gap = UnobservedField(type: "Card", field: "color", reason: "its values cannot be compared")
        for note in [LogNote.opened, .rotated, .dropped(2), .truncated(3), .recovered(4), .forgotten(5), .unobserved(gap)] {
            var bytes: [UInt8] = []
            LineEncoder.append(AuditLine(sequence: 1, source: "a", event: AuditEvent(at: 1_768_485_600_000, .log(note))), to: &bytes)
            lines.append(bytes.dropLast())
        }
        lines += others.map { Array($0.utf8) }
        for key in ["eventMessage", "MESSAGE", "log"] {
            for line in [lines[0], lines[2], lines[4]] {
                var bytes = Array(#"{"\#(key)":"#.utf8)
                JSONText.append(String(decoding: line, as: UTF8.self), to: &bytes)
                lines.append(bytes + Array(#","other":1}"#.utf8))
            }
        }
        lines.append(Array(#"{"MESSAGE":[\#(lines[5].map(String.init).joined(separator: ","))]}"#.utf8))
        return lines
    }()

    private static let others = [
        #"{"eventMessage":"CoreData+CloudKit: -[NSCloudKitMirroringDelegate _finishedRequest:withResult:](1): Finished request: <NSCloudKitMirroringExportRequest: 0x2> E with result: <NSCloudKitMirroringResult: 0x3> success: 0 madeChanges: 0 error: no","subsystem":"com.apple.coredata","category":"CloudKit","timestamp":"2026-01-15 14:00:01.000000+0000"}"#,
        #"{"v":1,"ts":"2026-02-28T23:59:59.999Z","seq":9,"source":"phone","event":"write","device":"0b5c3a52-53a1-4c0e-8b3c-000000000001","n":12,"counter":3,"received":"2026-03-01T00:00:00.000Z","hubSequence":77,"recordType":"Note","recordID":"id-of-more-than-fifteen-bytes","op":"put","fields":{"text":"é\n\u00e9\/","n":-0.5,"list":[1,[2.25,null],{"x":true,"y":{}}]},"seen":{"0b5c3a52-53a1-4c0e-8b3c-000000000001":11,"tablet":4}}"#,
        #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","n":2,"recordType":"T","recordID":"r","op":"delete","seen":{"b":1,"a":1}}"#,
        #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","device":"a","n":2,"hubSequence":7,"recordType":"T","recordID":"r","op":"delete","cursor":9}"#,
        #"{"event":"write","ts":"2026-01-15t14:00:00+01:00","device":"a","n":1.0,"recordType":"T","recordID":"\ud83d\ude00","op":"put","fields":{},"seen":null,"more":1}"#,
        #"{"v":1,"ts":"2026-01-15T14:05:00.000Z","seq":4,"source":"phone","event":"conflict","id":"c12c36440c15e9bf","kind":"update_update","severity":"lossy","basis":"causal","recordType":"Note","recordID":"9b62d4904e52c2d5","field":"pinned","winner":{"device":"iPhone","n":1,"ts":"2026-01-14T23:59:22.861Z","counter":0,"op":"put","value":["letters","Monday"]},"loser":{"device":"MacBook","n":1,"ts":"2026-01-14T23:19:55.470Z","counter":0,"op":"put","value":1919},"gapMs":2367391,"withinWindow":false,"windowMs":300000,"policy":"lastWriterWins","resolution":"keep_local","reason":"newer","auto":true,"clockSuspect":false}"#,
        #"{"v":1,"ts":"2026-01-15T14:05:00.000Z","seq":5,"source":"phone","event":"conflict","id":"08728800bdf6d3ab","kind":"delete_update","severity":"destructive","basis":"window","recordType":"Bookmark","recordID":"0d","field":"title","winner":{"device":"iPad","n":1,"ts":"2026-01-14T23:59:33.414Z","counter":0,"op":"delete"},"loser":{"device":"Watch","n":1,"ts":"2026-01-14T23:59:10.986Z","counter":2,"op":"put","value":"budget \"x\"\u0001"},"gapMs":22428,"withinWindow":true,"windowMs":300000,"policy":"lastWriterWins","resolution":"apply_remote","reason":"delete_wins","auto":true,"clockSuspect":true,"stale":true}"#,
        #"{"loser":{"op":"put","value":{"a":{"b":[]}},"device":"w","n":3,"counter":0,"ts":"2026-01-14T23:59:10.986Z"},"clockSuspect":false,"stale":false,"reason":"tie_break","related":{"recordID":"x","recordType":"T"},"auto":true,"resolution":"merged","policy":"set","windowMs":1,"withinWindow":true,"gapMs":0,"winner":{"device":"v","n":9,"ts":"2026-01-14T23:59:10.986Z","counter":0,"op":"put","value":null},"result":[],"ancestor":{"value":null},"recordID":"","recordType":"T","basis":"ancestor","severity":"merged","kind":"unique_key","id":"00000000000000FF","event":"conflict","source":"p","seq":1,"ts":"2026-01-15T14:05:00.000Z","v":1}"#,
        "", " \r", "{}", #"{"event":"telepathy"}"#, #"{"summary":1}"#,
    ]

    private var random: SplitMix64

    /// The inputs of a seed.
    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// The next line; it may hold anything, line breaks too.
    package mutating func next() -> [UInt8] {
        switch random.below(100) {
        case 0: return (0..<random.below(60)).map { _ in UInt8(random.below(256)) }
        case 1: return nested()
        case 2: return tokens()
        default:
            var line = Self.lines[random.below(Self.lines.count)]
            for _ in 0..<random.below(4) { line.mutate(using: &random, among: Self.lines) }
            return line
        }
    }

    /// Arrays and objects in each other, around the depth that is read.
    private mutating func nested() -> [UInt8] {
        let depth = [1, 5, 200, 255, 256, 257, 400, 20_000][random.below(8)]
        let isArray = random.percent(50)
        let (opening, closing) = isArray ? ("[", "]") : (#"{"a":"#, "}")
        let closed = random.percent(80) ? depth : random.below(depth + 1)
        let value = String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: closed)
        return Array((random.percent(50) ? value : #"{"event":"network","ts":"2026-01-15T14:00:00Z","status":"x","more":\#(value)}"#).utf8)
    }

    /// Words of JSON in any order.
    private mutating func tokens() -> [UInt8] {
        let words = [
            "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"a\":1", "null", "true", "-1", "1e9", " ", "\\", "\\u00", "\u{2028}", "\0",
        ]
        return Array((0..<random.below(24)).map { _ in words[random.below(words.count)] }.joined().utf8)
    }
}
