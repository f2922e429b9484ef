import AuditLog
import ConflictAudit
import SyncMerge
import SyncModel
import Testing

/// What the encoder writes, the decoder reads back equal.
@Suite struct RoundTripTests {
    static let nasty = "\u{0}\u{1}\t\n\r\u{1b}[31m\"\\/\u{7f}\u{85}\u{2028}\u{202e}é e\u{301} 漢字 👩‍👩‍👧 \u{10ffff}"

    static let write = TaggedWrite(
        dot: Dot(device: "iPad", sequence: 7), timestamp: HybridTimestamp(milliseconds: 1_768_485_600_123, counter: 4),
        key: RecordKey(type: "Card", id: RecordID(nasty)),
        operation: .put(["email": "a@b.example", FieldName(nasty): .string(nasty), "gone": .null, "tags": ["x", 1, 1.5, true, ["k": []]]]),
        seen: ["iPad": 6, "iPhone": 2], receipt: TaggedWrite.Receipt(milliseconds: 1_768_485_601_000, hubSequence: 12))

    static let conflict = Conflict(
        id: ConflictID(rawValue: 0x00ab_cdef_0123_4567), kind: .updateUpdate, severity: .lossy, basis: .causal,
        key: RecordKey(type: "Card", id: "1"), field: "email", related: RecordKey(type: "Card", id: "2"),
        winner: Conflict.Side(
            dot: Dot(device: "a", sequence: 1), timestamp: HybridTimestamp(milliseconds: 5, counter: 1), operation: .put,
            value: .string(nasty)),
        loser: Conflict.Side(
            dot: Dot(device: "b", sequence: 9), timestamp: HybridTimestamp(milliseconds: -5), operation: .put, value: .null),
        ancestor: .null, result: ["merged", 3], gap: .milliseconds(10), withinWindow: true, window: .seconds(300),
        policy: "lastWriterWins", resolution: .keepLocal, reason: .newer, clockSuspect: true)

    static var namedConflict: Conflict {
        var named = conflict
        named.name = RecordName(field: FieldName(nasty), value: .string(String(repeating: nasty, count: 10)))
        return named
    }

    static var statistics: ConflictStatistics {
        var statistics = ConflictStatistics()
        statistics.record(conflict)
        var whole = conflict
        whole.severity = .destructive
        statistics.record(whole)
        statistics.recordWrites(12)
        statistics.recordReverts(3)
        return statistics
    }

    static let contents: [AuditEvent.Content] =
        [
            .write(write),
            .write(TaggedWrite(dot: write.dot, timestamp: write.timestamp, key: write.key, operation: .delete, seen: nil)),
            .write(TaggedWrite(dot: write.dot, timestamp: write.timestamp, key: write.key, operation: .put([:]), seen: [:])),
            .conflict(conflict), .conflict(namedConflict),
            .statistics(ConflictStatistics()), .statistics(statistics),
            .remoteChange(RemoteChange(changes: 3, refreshVersion: 9)),
            .acknowledgement(
                WriteAcknowledgement(
                    dot: Dot(device: "iPad", sequence: 7), key: RecordKey(type: "Card", id: RecordID(nasty)),
                    fields: ["phone", FieldName(nasty)], number: 12,
                    earliest: 12, arrived: 9, recordArrived: 10, isStillShown: true)),
            .acknowledgement(
                WriteAcknowledgement(
                    dot: Dot(device: "iPad", sequence: 7), key: RecordKey(type: "Card", id: RecordID(nasty)), fields: nil, number: 12,
                    earliest: 0, arrived: nil)),
            .outbox(OutboxStatus(writes: 0, bytes: 0)),
            .outbox(OutboxStatus(writes: 12, bytes: 4_000_000, setAside: 3, oldest: WallTime(millisecondsSince1970: 5))),
            .network(status: "connected", interface: "wifi"), .network(status: nasty, interface: nil), .account(status: "available"),
            .clock(ClockMeasurement(device: "iPad", offset: .seconds(-3600), uncertainty: .milliseconds(12))),
            .checkpoint(Checkpoint(seen: ["a": 3, "b": 1], records: 2, digest: "00ff")),
            .log(.opened), .log(.rotated), .log(.dropped(3)), .log(.truncated(0)), .log(.recovered(17)), .log(.forgotten(2)),
            .log(.unobserved(UnobservedField(type: "Card", field: "color", reason: "its values cannot be compared"))),
            .log(.unobserved(UnobservedField(type: "Card", field: nil, reason: ""))),
        ]
        + [[], [0], [127, 128, 129], [0, 21_000, 86_400_000, Int64.max]].map { lengths in
            let delays = lengths.reduce(into: GapHistogram()) { $0.record(milliseconds: $1) }
            return .sync(SyncActivity(phase: .export, state: .succeeded, writes: 1, bytes: 2, duration: .zero, delays: delays))
        }
        + [0, 4_100_000_000, Int64.max].map { bytes in
            .sync(SyncActivity(phase: .import, state: .succeeded, writes: 1, bytes: 2, duration: .zero, storeBytes: bytes))
        }
        + SyncActivity.Phase.allCases.flatMap { phase in
            SyncActivity.State.allCases.map { state in
                .sync(
                    SyncActivity(
                        phase: phase, state: state, writes: 1, bytes: 2, duration: .milliseconds(3), error: state == .failed ? nasty : nil))
            }
        }

    @Test(arguments: contents) func everyEventComesBackEqual(content: AuditEvent.Content) throws {
        let moment: Int64 = if case .write(let write) = content { write.timestamp.milliseconds } else { 1_768_485_600_999 }
        let line = AuditLine(sequence: 41, source: DeviceID(Self.nasty), event: AuditEvent(at: moment, content))
        var buffer: [UInt8] = []
        LineEncoder.append(line, to: &buffer)
        #expect(buffer.last == UInt8(ascii: "\n"))
        #expect(!buffer.dropLast().contains { $0 < 0x20 || $0 == 0x7f }, "a line holds no control character")
        var decoder = LineDecoder()
        let decoded = try decoder.decode(text: String(decoding: buffer.dropLast(), as: UTF8.self))
        #expect(decoded == .line(line))
    }

    @Test func everyWordOfAConflictComesBack() throws {
        for kind in Conflict.Kind.allCases {
            for severity in Conflict.Severity.allCases {
                for (basis, resolution, reason) in zip3(Conflict.Basis.allCases, Conflict.Resolution.allCases, Conflict.Reason.allCases) {
                    let old = Self.conflict
                    let conflict = Conflict(
                        id: old.id, kind: kind, severity: severity, basis: basis, key: old.key, field: nil, winner: old.winner,
                        loser: Conflict.Side(dot: old.loser.dot, timestamp: old.loser.timestamp, operation: .delete, value: nil),
                        gap: .milliseconds(Int64.max), withinWindow: false, window: .zero, policy: "p", resolution: resolution,
                        reason: reason,
                        clockSuspect: false)
                    let line = AuditLine(event: AuditEvent(at: 0, .conflict(conflict)))
                    var buffer: [UInt8] = []
                    LineEncoder.append(line, to: &buffer)
                    var decoder = LineDecoder()
                    let decoded = try decoder.decode(text: String(decoding: buffer, as: UTF8.self))
                    #expect(decoded == .line(line))
                }
            }
        }
    }

    @Test(arguments: [
        #""name":null,"#, #""name":"Plan","#, #""name":{},"#, #""name":{"field":"title"},"#, #""name":{"field":1,"value":"Plan"},"#,
        #""name":{"field":"title","value":5},"#, #""name":{"field":"title","value":""},"#, "",
    ]) func aNameThatIsNoneIsPassedOver(name: String) throws {
        var buffer: [UInt8] = []
        LineEncoder.append(AuditLine(event: AuditEvent(at: 0, .conflict(Self.namedConflict))), to: &buffer)
        let text = String(decoding: buffer, as: UTF8.self)
        let (start, end) = (try #require(text.firstRange(of: #""name":{"#)), try #require(text.firstRange(of: #""field":"email""#)))
        var decoder = LineDecoder()
        let decoded = try decoder.decode(text: text[..<start.lowerBound] + name + text[end.lowerBound...])
        #expect(decoded == .line(AuditLine(event: AuditEvent(at: 0, .conflict(Self.conflict)))))
    }

    @Test(arguments: ["-1", "1.5", "\"12\"", "null", "{}"]) func aSizeThatIsNoneIsPassedOver(size: String) throws {
        let text =
            #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":1,"source":"a","event":"sync","phase":"export","state":"succeeded","#
            + #""writes":1,"bytes":2,"durationMs":3,"storeBytes":"# + size + "}"
        var decoder = LineDecoder()
        guard case .line(let line) = try decoder.decode(text: text), case .sync(let activity) = line.event.content else {
            Issue.record("no step of a sync")
            return
        }
        #expect(activity.storeBytes == nil && activity.writes == 1)
    }

    @Test func keysOfALineComeInTheOrderOfTheFormat() {
        var buffer: [UInt8] = []
        LineEncoder.append(AuditLine(sequence: 1, source: "s", event: AuditEvent(at: 0, .log(.opened))), to: &buffer)
        #expect(
            String(decoding: buffer, as: UTF8.self)
                == #"{"v":1,"ts":"1970-01-01T00:00:00.000Z","seq":1,"source":"s","event":"log","opened":true}"# + "\n")
    }

    /// Every combination of the three, the shorter ones repeated.
    private func zip3<A, B, C>(_ a: [A], _ b: [B], _ c: [C]) -> [(A, B, C)] {
        (0..<max(a.count, b.count, c.count)).map { (a[$0 % a.count], b[$0 % b.count], c[$0 % c.count]) }
    }
}
