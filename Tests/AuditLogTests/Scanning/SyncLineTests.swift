import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel
import SyncOracle
import Testing

/// What the scanner makes of a line about sync itself is what the decoder makes of it, but for `seq`, `interface` and whose it is.
@Suite struct SyncLineTests {
    private typealias Members = [(key: String, value: String)]

    private static let events: [Members] = [
        [
            ("phase", #""import""#), ("state", #""failed""#), ("writes", "12"), ("bytes", "4096"), ("durationMs", "85"),
            ("error", "\"CKErrorDomain 4 \u{2014} no network\""),
            ("delays", #"{"minMs":40,"maxMs":21300,"buckets":[[40,2],[595,1]]}"#), ("storeBytes", "123456789012"),
            ("device", #""phone.2""#),
            ("event", #""sync""#),
        ],
        [("phase", #""setup""#), ("state", #""started""#), ("writes", "0"), ("bytes", "0"), ("durationMs", "0"), ("event", #""sync""#)],
        [
            ("phase", #""export""#), ("state", #""succeeded""#), ("writes", "1"), ("bytes", "2"), ("durationMs", "3"),
            ("delays", #"{"buckets":[]}"#), ("event", #""sync""#),
        ],
        [("status", "\"\(String(repeating: "long ", count: 80))\""), ("interface", #""wi\u0066i""#), ("event", #""network""#)],
        [("status", #""available""#), ("event", #""account""#)],
        [
            ("writes", "12"), ("bytes", "999999999999999999"), ("warningBytes", "3000000"), ("setAside", "2"),
            ("oldest", #""2026-01-15T00:00:00+01:00""#), ("event", #""outbox""#),
        ],
        [("writes", "0"), ("bytes", "0"), ("warningBytes", "1"), ("event", #""outbox""#)],
        [
            ("trigger", #""pulse""#), ("decision", #""deferred""#), ("shownVersion", "3"), ("refreshVersion", "4"), ("reloads", "2"),
            ("foreground", "true"), ("missedPulses", "7"), ("pulseMs", "10000"), ("event", #""refresh""#),
        ],
        [
            ("trigger", #""background""#), ("decision", #""nothing""#), ("shownVersion", "0"), ("refreshVersion", "0"), ("reloads", "0"),
            ("foreground", "false"), ("pulseMs", "1"), ("event", #""refresh""#),
        ],
        [
            ("device", #""phone""#), ("n", "5"), ("recordType", #""Card""#), ("recordID", #""r-1""#), ("fields", #"["phone","no\nte"]"#),
            ("hubSequence", "12"), ("earliest", "12"), ("arrived", "9"), ("recordArrived", "10"), ("stillShown", "true"),
            ("event", #""acknowledgement""#),
        ],
        [
            ("device", #""phone""#), ("n", "5"), ("recordType", #""Card""#), ("recordID", #""r-1""#), ("hubSequence", "12"),
            ("earliest", "0"), ("event", #""acknowledgement""#),
        ],
    ]

    private static let start: Members = [
        ("v", "1"), ("ts", #""2026-01-15T00:00:00.148Z""#), ("seq", "7"), ("source", #""a device with a long name""#),
    ]

    private static func joined(_ members: Members) -> String {
        "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// What a scanner reads of a line.
    private enum Read: Equatable {
        /// Nothing: the decoder has to read it.
        case nothing
        /// An event of which nothing is kept.
        case counted
        case line(AuditLine)
    }

    private static func scanned(_ line: [UInt8], _ scanner: inout LineScanner) -> Read {
        let block = LineBlock(line) { $0 % 3 == 0 ? UInt8(ascii: "\"") : UInt8(ascii: "\\") }
        var start: Int?
        guard scanner.scan(block, from: &start, maximumLineLength: 1 << 20) == nil, start == nil, scanner.lineCount == 1 else {
            return .nothing
        }
        guard let line = scanner.syncLines.first else { return .counted }
        let device = line.device < 0 ? nil : DeviceID(scanner.names.devices.name(Int(line.device)).text)
        return .line(AuditLine(source: device, event: line.event))
    }

    /// What the decoder makes of it; nil where it refuses the line.
    private static func decoded(_ line: [UInt8]) -> Read? {
        var decoder = LineDecoder(isFast: false, numbersWrites: false)
        guard case .line(let line)? = try? decoder.decode(line.span) else { return nil }
        let (time, source) = (line.event.milliseconds, line.source)
        switch line.event.content {
        case .account, .outbox, .refresh: return .line(AuditLine(source: source, event: line.event))
        case .sync(let activity):
            let unnamed = SyncActivity(
                phase: activity.phase, state: activity.state, writes: activity.writes, bytes: activity.bytes, duration: activity.duration,
                error: activity.error, delays: activity.delays, storeBytes: activity.storeBytes)
            return .line(AuditLine(source: activity.device ?? source, event: AuditEvent(at: time, .sync(unnamed))))
        case .network(let status, _):
            return .line(AuditLine(source: source, event: AuditEvent(at: time, .network(status: status, interface: nil))))
        default: return .counted
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func keysInAnyOrderSayTheSame(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var scanner = LineScanner(readsSync: true)
        for _ in 0..<histories(10, of: 60) {
            for event in Self.events {
                // As our writer has it: the event comes behind the source.
                let usual = Self.start + [event[event.count - 1]] + event.dropLast()
                for members in [usual, (Self.start + event).shuffled(using: &random)] {
                    for other in [[], [(key: "extra", value: #"{"a":[1,2,{"b":null}],"c":"x\\y"}"#)]] {
                        var members = members
                        members.insert(contentsOf: other, at: random.below(members.count + 1))
                        let line = Self.joined(members)
                        for line in [line, line.replacing("\":", with: "\": ").replacing(",\"", with: ", \"")] {
                            let expected = Self.decoded(Array(line.utf8))
                            #expect(expected != nil && Self.scanned(Array(line.utf8), &scanner) == expected, "\(line)")
                        }
                    }
                }
            }
        }
    }

    /// Whatever is broken, missing or there twice, the scanner reads the line only if the decoder does, and alike.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func brokenLinesAreReadAsTheDecoderReadsThem(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var scanner = LineScanner(readsSync: true)
        let values = ["null", "-1", "1.0", "1e3", "0", "01", #""""#, #""x""#, #"["a",1]"#, "{}", "[]", "true", #""2026-01-15T00:00:00Z""#]
        var read = 0
        for _ in 0..<histories(400, of: 6_000) {
            let event = Self.events[random.below(Self.events.count)]
            var members = Self.start + [event[event.count - 1]] + event.dropLast()
            let index = random.below(members.count)
            switch random.below(4) {
            case 0: members[index].value = values[random.below(values.count)]
            case 1: members.remove(at: index)
            case 2: members.insert(members[random.below(members.count)], at: index)
            default: members.insert(Self.events[random.below(Self.events.count)][0], at: index)
            }
            if random.percent(50) { members.shuffle(using: &random) }
            var line = Array(Self.joined(members).utf8)
            if random.percent(50) {
                let position = random.below(line.count)
                line[position] = Array("\"\\{}[]:,01.-e \u{1}".utf8)[random.below(14)]
            }
            let found = Self.scanned(line, &scanner)
            guard found != .nothing else { continue }
            read += 1
            #expect(found == Self.decoded(line), "\(String(decoding: line, as: UTF8.self))")
        }
        #expect(read > 0)
    }

    @Test(arguments: [
        #""earliest":13"#, #""fields":{}"#, #""fields":["a",1]"#, #""n":0"#, #""device":"""#, #""stillShown":null"#,
    ]) func acknowledgementsOutOfTheOrdinaryAreLeftToTheDecoder(member: String) {
        var scanner = LineScanner(readsSync: true)
        let key = member.prefix { $0 != ":" }
        let members = #""device":"d","n":5,"recordType":"T","recordID":"r","fields":["a"],"hubSequence":12,"earliest":12,"stillShown":true"#
        let pairs = members.split(separator: ",").map { $0.hasPrefix(key) ? member : String($0) }
        let start = #"{"ts":"2026-01-15T00:00:00.148Z","event":"acknowledgement","#
        #expect(Self.scanned(Array((start + members + "}").utf8), &scanner) == .counted)
        #expect(Self.scanned(Array((start + pairs.joined(separator: ",") + "}").utf8), &scanner) == .nothing)
    }

    @Test func withoutBeingAskedTheScannerLeavesThemToTheDecoder() {
        var scanner = LineScanner()
        for event in Self.events { #expect(Self.scanned(Array(Self.joined(Self.start + event).utf8), &scanner) == .nothing) }
    }
}
