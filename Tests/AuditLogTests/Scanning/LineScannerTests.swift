import AuditLog
import ConflictAudit
import ConflictAuditTesting
import SyncBytes
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// What the scanner makes of a line, keys in any order, is what the decoder makes of it; and it does not leave ordinary lines to the decoder.
@Suite struct LineScannerTests {
    /// What a line says, as far as the scanner tells it.
    private struct Said: Equatable {
        var content: ScannedLine.Content
        var milliseconds: Int64
        var source: String?
        var names: [String] = []
        var id: UInt64 = 0
        var numbers: [Int64] = []
        var dot: UInt64?

        init?(_ line: ScannedLine, _ names: ScannedNames) {
            content = line.content
            milliseconds = line.milliseconds
            source = line.source < 0 ? nil : names.devices.name(Int(line.source)).text
            switch line.content {
            case .conflict:
                let field = names.fields.name(Int(line.field))
                self.names = [
                    names.devices.name(Int(line.device)).text, names.devices.name(Int(line.loser)).text,
                    names.recordTypes.name(Int(line.recordType)).text, names.records.name(Int(line.record)).text,
                    field.owner == 0 ? "" : "of " + field.text,
                ]
                // Only the kinds of lines that count use it.
                source = nil
                id = line.id
                numbers = [line.gap, Int64(line.traits.number)]
                dot = line.dot
                if line.apps >= 0 {
                    let pair = names.appPairs.name(Int(line.apps))
                    self.names += [names.apps.name(pair.owner - 1).text, pair.text]
                } else {
                    self.names += ["", ""]
                }
            case .write:
                dot = line.dot
                guard names.recordTypes.count > 0 else { break }
                self.names = [names.devices.name(Int(line.device)).text, names.recordTypes.name(Int(line.recordType)).text]
            default: return nil
            }
        }

        init?(_ line: AuditLine) {
            milliseconds = line.event.milliseconds
            source = line.source?.rawValue
            switch line.event.content {
            case .conflict(let conflict):
                content = .conflict
                milliseconds = max(conflict.winner.timestamp.milliseconds, conflict.loser.timestamp.milliseconds)
                source = nil
                names = [
                    conflict.winner.dot.device.rawValue, conflict.loser.dot.device.rawValue, conflict.key.type.rawValue,
                    conflict.key.id.rawValue, conflict.field.map { "of " + $0.rawValue } ?? "",
                    conflict.winner.app ?? "", conflict.loser.app ?? "",
                ]
                id = conflict.id.rawValue
                let traits = TraitsNumber(
                    kind: Conflict.Kind.allCases.firstIndex(of: conflict.kind) ?? -1,
                    severity: Conflict.Severity.allCases.firstIndex(of: conflict.severity) ?? -1,
                    basis: Conflict.Basis.allCases.firstIndex(of: conflict.basis) ?? -1,
                    resolution: Conflict.Resolution.allCases.firstIndex(of: conflict.resolution) ?? -1,
                    reason: Conflict.Reason.allCases.firstIndex(of: conflict.reason) ?? -1, flags: conflict.flags.bits)
                numbers = [conflict.gapMilliseconds, Int64(traits.number)]
                dot = conflict.losesEdit ? EditHash.value(of: conflict) : nil
            case .write(let write):
                content = .write
                let isNumbered = write.isNumbered && write.dot.sequence < Int64.max
                dot = isNumbered ? DotHash(write.dot.device.rawValue).value(of: write.dot.sequence) : nil
                names = [write.dot.device.rawValue, write.key.type.rawValue]
            default: return nil
            }
        }
    }

    private struct Member {
        var key: String
        var value: String
    }

    private static let text = "r,s:{t}[u]"

    private static func side(_ device: String, _ value: String) -> [Member] {
        [
            Member(key: "device", value: "\"\(device)\""), Member(key: "n", value: "12"), Member(key: "op", value: #""put""#),
            Member(key: "ts", value: #""2026-01-14T23:59:22.861Z""#), Member(key: "counter", value: "0"),
            Member(key: "value", value: value), Member(key: "app", value: #""}1.0""#),
        ]
    }

    private static func joined(_ members: [Member]) -> String {
        "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// A conflict's members, some texts full of what means something outside of texts.
    private static func conflict(policy: String = "p", value: String = #"["a",{"b":1}]"#, _ random: inout SplitMix64) -> [Member] {
        [
            Member(key: "v", value: "1"), Member(key: "ts", value: #""2026-01-15T00:00:00.148Z""#), Member(key: "seq", value: "123456789"),
            Member(key: "source", value: "\"\(text)\""), Member(key: "event", value: #""conflict""#),
            Member(key: "id", value: #""c12c36440c15e9bf""#), Member(key: "kind", value: #""update_update""#),
            Member(key: "severity", value: #""lossy""#), Member(key: "basis", value: #""causal""#),
            Member(key: "recordType", value: #""{N}""#), Member(key: "recordID", value: "\"\(text)\""),
            Member(key: "field", value: #""},""#), Member(key: "winner", value: joined(side(":,", value).shuffled(using: &random))),
            Member(key: "loser", value: joined(side("MacBook", "1919").shuffled(using: &random))), Member(key: "gapMs", value: "2367391"),
            Member(key: "withinWindow", value: "true"), Member(key: "windowMs", value: "300000"),
            Member(key: "policy", value: "\"\(policy)\""), Member(key: "resolution", value: #""keep_local""#),
            Member(key: "reason", value: #""newer""#), Member(key: "auto", value: "true"), Member(key: "clockSuspect", value: "true"),
            Member(key: "stale", value: "true"),
        ]
    }

    private static func write(field: String = "f", _ random: inout SplitMix64) -> [Member] {
        [
            Member(key: "v", value: "1"), Member(key: "ts", value: #""2026-01-15T00:00:00.148Z""#), Member(key: "seq", value: "7"),
            Member(key: "source", value: #""]""#), Member(key: "event", value: #""write""#), Member(key: "device", value: "\"\(text)\""),
            Member(key: "n", value: "5"), Member(key: "counter", value: "4294967295"), Member(key: "recordType", value: #""T""#),
            Member(key: "recordID", value: #""\#(text)""#), Member(key: "op", value: #""put""#),
            Member(key: "fields", value: "{\"x\":\"\(field)\",\"y\":[1]}"),
            Member(key: "seen", value: "{\"\(text)\":4,\"b\":9}"), Member(key: "hubSequence", value: "3"),
        ]
    }

    /// What the scanner reads of a line; nil where it leaves it to the decoder.
    private static func scanned(_ line: [UInt8], _ scanner: inout LineScanner) -> Said? {
        guard isScanned(line, &scanner) else { return nil }
        var said: Said?
        scanner.withLines { lines in
            if lines.count == 1 { said = Said(lines[0], scanner.names) }
        }
        return said
    }

    private static func isScanned(_ line: [UInt8], _ scanner: inout LineScanner) -> Bool {
        // What stands behind a line break must not matter.
        let block = LineBlock(line) { $0 % 3 == 0 ? UInt8(ascii: "\"") : UInt8(ascii: "\\") }
        var start: Int? = nil
        return scanner.scan(block, from: &start, maximumLineLength: 1 << 20) == nil && start == nil
    }

    private static func decoded(_ line: [UInt8]) -> Said? {
        var decoder = LineDecoder(isFast: false, numbersWrites: false)
        guard case .line(let line)? = try? decoder.decode(line.span) else { return nil }
        return Said(line)
    }

    /// A count of writes asks for neither, and there may be one for each line.
    @Test(arguments: [true, false]) func whoWroteWhatTakesMemoryOnlyWhereAsked(isAsked: Bool) {
        var random = SplitMix64(seed: 5)
        var scanner = LineScanner(numbersWriters: isAsked)
        let line = Array(Self.joined(Self.write(&random)).utf8)
        let expected = Self.decoded(line)
        var found = Self.scanned(line, &scanner)
        if !isAsked { found?.names = expected?.names ?? [] }
        #expect(found != nil && found == expected)
        #expect(scanner.names.recordTypes.count == (isAsked ? 1 : 0))
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func keysInAnyOrderSayTheSame(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var scanner = LineScanner()
        for _ in 0..<histories(40, of: 300) {
            for members in [Self.conflict(&random), Self.write(&random)] {
                let line = Self.joined(members.shuffled(using: &random))
                let expected = Self.decoded(Array(line.utf8))
                #expect(expected != nil && Self.scanned(Array(line.utf8), &scanner) == expected, "\(line)")
                let spaced = line.replacing("\":", with: "\": ")
                #expect(Self.scanned(Array(spaced.utf8), &scanner) == Self.decoded(Array(spaced.utf8)), "\(spaced)")
            }
        }
    }

    /// A writer cannot have seen later writes than its own, whichever of the two keys comes first.
    @Test(arguments: [(2, true), (3, true), (4, false)]) func aCursorBeyondTheHubSequenceIsLeftToTheDecoder(cursor: Int, isRead: Bool) {
        var random = SplitMix64(seed: 6)
        var scanner = LineScanner()
        let members = Self.write(&random).filter { $0.key != "seen" } + [Member(key: "cursor", value: "\(cursor)")]
        for _ in 0..<20 {
            let line = Self.joined(members.shuffled(using: &random))
            let expected = Self.decoded(Array(line.utf8))
            #expect((expected != nil) == isRead && Self.scanned(Array(line.utf8), &scanner) == expected, "\(line)")
        }
    }

    /// A conflict's line nests the value of a field deeper than the write's.
    @Test(arguments: [(252, true), (253, false), (254, false)]) func aFieldThatIsNestedTooDeepIsLeftToTheDecoder(depth: Int, isRead: Bool) {
        var random = SplitMix64(seed: 7)
        var scanner = LineScanner()
        let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        for _ in 0..<20 {
            let members = Self.write(&random).map { $0.key == "fields" ? Member(key: "fields", value: "{\"x\":\(value)}") : $0 }
            let line = Self.joined(members.shuffled(using: &random))
            let expected = Self.decoded(Array(line.utf8))
            #expect((expected != nil) == isRead && Self.scanned(Array(line.utf8), &scanner) == expected, "\(line)")
        }
    }

    /// In every place of the line and of its sides, twice under different names, in the order of our writer and in others.
    @Test(arguments: OtherMembers.keys) func keysThatMeanNothingArePassedOver(key: String) {
        var random = SplitMix64(seed: UInt64(OtherMembers.keys.firstIndex(of: key) ?? 0))
        var scanner = LineScanner()
        for value in OtherMembers.values.shuffled(using: &random).prefix(histories(1, of: 4)) {
            let side = Self.joined([Member(key: key, value: value)] + Self.side("d", "1") + [Member(key: "_", value: value)])
            for members in [
                Self.conflict(&random), Self.write(&random),
                Self.conflict(&random).map { $0.key == "winner" ? Member(key: $0.key, value: side) : $0 },
            ] {
                for order in [members, members.shuffled(using: &random)] {
                    for place in stride(from: 0, through: order.count, by: histories(3, of: 1)) {
                        var members = order
                        members.insert(Member(key: key, value: value), at: place)
                        members.insert(Member(key: "other", value: value), at: random.below(members.count + 1))
                        let line = Self.joined(members)
                        let expected = Self.decoded(Array(line.utf8))
                        #expect(expected != nil && Self.scanned(Array(line.utf8), &scanner) == expected, "\(line)")
                    }
                }
            }
        }
    }

    /// Wherever the two stand: the scanner goes back to the last member it took, and must not forget what it had passed over before that.
    @Test func aKeyThatStandsTwiceAnywhereIsLeftToTheDecoder() {
        var random = SplitMix64(seed: 8)
        var scanner = LineScanner()
        for members in [Self.conflict(&random), Self.write(&random)] {
            for first in 0...members.count {
                for second in first...members.count {
                    for key in ["x", "kind", "device", "ts", "auto"] {
                        let isKnown = members.contains { $0.key == key }
                        var members = members
                        members.insert(Member(key: key, value: "1"), at: second)
                        if !isKnown || first % 4 == 0 { members.insert(Member(key: key, value: "1"), at: first) }
                        let line = Self.joined(members)
                        #expect(!Self.isOrdinary(line, &scanner), "\(line)")
                    }
                }
            }
        }
    }

    /// More devices than hashes are kept of, each of them twice.
    @Test func writesAreKnownByTheirDots() {
        var scanner = LineScanner(numbersWriters: false)
        let start = #"{"v":1,"ts":"2026-01-15T00:00:00.148Z","event":"write","device":""#
        let end = #","recordType":"T","recordID":"1","op":"delete"}"#
        for number in 1...2 {
            for device in 0..<6_000 {
                let name = device % 3 == 0 ? "a device with a long name, \(device)" : "d\(device)"
                let line = Self.scanned(Array("\(start)\(name)\",\"n\":\(number)\(end)".utf8), &scanner)
                #expect(line?.dot == DotHash(name).value(of: UInt64(number)))
            }
        }
        #expect(Self.scanned(Array("\(start)d\"\(end)".utf8), &scanner).map { $0.dot } == .some(nil))
        #expect(scanner.names.devices.count == 0)
    }

    @Test func otherEventsMayHaveKeysThatMeanNothing() throws {
        var scanner = LineScanner(readsSync: true)
        let lines = AuditEventSamples.all.map { event in
            var bytes: [UInt8] = []
            LineEncoder.append(AuditLine(sequence: 7, source: "iPad", event: event), to: &bytes)
            return String(decoding: bytes.dropLast(), as: UTF8.self)
        }
        for line in lines where Self.isOrdinary(line, &scanner) {
            for value in OtherMembers.values {
                for changed in [line.replacing(#","event":"#, with: ",\"x\":\(value),\"event\":"), line.dropLast() + ",\"x\":\(value)}"] {
                    #expect(Self.isOrdinary(changed, &scanner), "\(changed)")
                }
            }
            for value in OtherMembers.brokenValues {
                #expect(!Self.isOrdinary(line.dropLast() + ",\"x\":\(value)}", &scanner), "\(line) \(value)")
            }
            #expect(!Self.isOrdinary(line.dropLast() + #","x":1,"x":1}"#, &scanner), "\(line)")
        }
    }

    /// A key of other events means nothing in a line, whatever its value is; a revision does.
    @Test func keysOfOtherEventsMeanNothing() {
        var scanner = LineScanner()
        let start = #"{"v":1,"ts":"2026-01-15T00:00:00.148Z","seq":7,"source":"a","event":"clock","device":"x","offsetMs":-1"#
        #expect(Self.isOrdinary(start + #","uncertaintyMs":2,"id":1,"status":null,"changes":"many","rev":2}"#, &scanner))
        #expect(!Self.isOrdinary(start + #","uncertaintyMs":2,"id":1,"id":1}"#, &scanner))
        #expect(!Self.isOrdinary(start + #","uncertaintyMs":"2"}"#, &scanner))
        var random = SplitMix64(seed: 1)
        for key in ["rev", "parents", "order"] {
            let line = Self.joined(Self.write(&random) + [Member(key: key, value: "[]")])
            #expect(!Self.isOrdinary(line, &scanner), "\(line)")
        }
    }

    private static func isOrdinary(_ line: some StringProtocol, _ scanner: inout LineScanner) -> Bool {
        isScanned(Array(line.utf8), &scanner)
    }

    /// The policy and values may hold escapes; where they stand at the end of 64 bytes too.
    @Test(arguments: [#"\""#, #"\\"#, #"\\\""#, #"","#, #"\",\""#, #"\"},\"n\":1,\""#, #"\u0022"#, "\u{e9}", "\u{1f600}"])
    func escapesInEveryPlace(token: String) {
        var random = SplitMix64(seed: 3)
        var scanner = LineScanner()
        let isSound = token != #"","#
        for count in stride(from: 0, to: 140, by: histories(9, of: 1)) {
            let text = String(repeating: "x", count: count / 2) + token + String(repeating: "y", count: count - count / 2)
            let value = "\"\(text)\""
            for members in [
                Self.conflict(policy: text, &random), Self.conflict(value: value, &random), Self.write(field: text, &random),
            ] {
                for order in [members.reversed(), members.shuffled(using: &random)] {
                    let line = Array(Self.joined(order).utf8)
                    let (found, expected) = (Self.scanned(line, &scanner), Self.decoded(line))
                    #expect((expected != nil) == isSound && found == expected, "\(String(decoding: line, as: UTF8.self))")
                }
            }
        }
    }

    @Test(arguments: [
        8_060, 8_061, 8_062, 8_063, 8_064, 8_065, 8_125, 8_126, 8_127, 8_128, 8_129, 8_189, 8_190, 8_191, 8_192, 8_193, 8_194, 8_195, 8_196,
        8_256,
        9_000,
    ])
    func longLines(length: Int) {
        var random = SplitMix64(seed: UInt64(length))
        var scanner = LineScanner()
        for text in ["x", "\\n", "\u{e9}"] {
            for _ in 0..<histories(2, of: 6) {
                var policy = ""
                let room = length - Self.joined(Self.conflict(policy: "", &random)).utf8.count
                while policy.utf8.count + text.utf8.count <= room { policy += text }
                while policy.utf8.count < room { policy += "z" }
                let long = Array(Self.joined(Self.conflict(policy: policy, &random).shuffled(using: &random)).utf8)
                #expect(long.count == length)
                for line in [long, Array(Self.joined(Self.write(&random).shuffled(using: &random)).utf8)] {
                    let expected = Self.decoded(line)
                    #expect(expected != nil && Self.scanned(line, &scanner) == expected)
                }
            }
        }
    }

    /// Beside itself or further away, shown by the quotes or not, of the line and of a side.
    @Test func aKeyThatStandsTwiceIsLeftToTheDecoder() {
        var random = SplitMix64(seed: 8)
        var scanner = LineScanner()
        for index in Self.conflict(&random).indices {
            for _ in 0..<10 {
                var members = Self.conflict(&random)
                let member = members[index]
                members.shuffle(using: &random)
                members.insert(member, at: random.below(members.count + 1))
                let line = Self.joined(members)
                #expect(Self.scanned(Array(line.utf8), &scanner) == nil, "\(line)")
            }
        }
        for index in 0..<6 {
            for _ in 0..<10 {
                var side = Self.side("d", "1")
                let member = side[index]
                side.shuffle(using: &random)
                side.insert(member, at: random.below(side.count + 1))
                let members = Self.conflict(&random).map { $0.key == "winner" ? Member(key: $0.key, value: Self.joined(side)) : $0 }
                let line = Self.joined(members.shuffled(using: &random))
                #expect(Self.scanned(Array(line.utf8), &scanner) == nil, "\(line)")
            }
        }
    }

    /// Whatever is broken, the scanner reads it only if the decoder does, and alike.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func brokenLinesAreReadAsTheDecoderReadsThem(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var scanner = LineScanner()
        let bytes = Array("\"\\{}[]:,019.-etu \t\r\u{1}".utf8) + [0x00, 0x7f, 0x80, 0xc3, 0xff]
        for _ in 0..<histories(250, of: 3_000) {
            let members = random.percent(70) ? Self.conflict(&random) : Self.write(&random)
            var line = Array(Self.joined(members.shuffled(using: &random)).utf8)
            for _ in 0...random.below(2) {
                let place = random.below(line.count)
                switch random.below(4) {
                case 0: line.remove(at: place)
                case 1: line.insert(bytes[random.below(bytes.count)], at: place)
                case 2: line.removeSubrange(place..<min(line.count, place + random.below(12)))
                default: line[place] = bytes[random.below(bytes.count)]
                }
            }
            guard let found = Self.scanned(line, &scanner) else { continue }
            #expect(found == Self.decoded(line), "\(String(decoding: line, as: UTF8.self))")
        }
    }
}
