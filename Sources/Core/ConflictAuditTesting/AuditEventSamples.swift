public import ConflictAudit
import SyncMerge
import SyncModel

/// Events to try things with: at least one of each sort, with texts that are easily mangled.
///
/// ```swift
/// for event in AuditEventSamples.all { log.record(event) }
/// ```
public enum AuditEventSamples {
    /// Every sample.
    public static let all: [AuditEvent] =
        [
            write(.put(["email": .string(awkward), "gone": .null, "tags": ["x", 1, 1.5, true, ["k": []]]])), write(.delete),
            write(.put(["email": "a"]), carried: ["gone": .null, "name": .string(awkward)]), conflict,
        ]
        + [
            .sync(SyncActivity(phase: .export, state: .failed, writes: 1, bytes: 2, duration: .milliseconds(3), error: awkward)),
            .sync(
                SyncActivity(
                    phase: .import, state: .succeeded, writes: 3, bytes: 4, duration: .milliseconds(5), delays: delays, storeBytes: 12_345,
                    device: DeviceID(awkward))),
            .remoteChange(RemoteChange(changes: 3, refreshVersion: 9)), .network(status: awkward, interface: "wifi"),
            .outbox(
                OutboxStatus(
                    writes: 1200, bytes: 3_400_000, setAside: 2, warningBytes: 3_000_000,
                    oldest: WallTime(millisecondsSince1970: 1_768_480_000_000))),
            .refresh(
                RefreshReport(
                    trigger: .pulse, decision: .deferred, shownVersion: 8, refreshVersion: 9, reloads: 4, isInForeground: true,
                    missedPulses: 2, pulseInterval: .seconds(10))),
            .account(status: "available"),
            .clock(ClockMeasurement(device: "iPad", offset: .seconds(-3600), uncertainty: .milliseconds(12))),
            .checkpoint(Checkpoint(seen: ["a": 3, "b": 1], records: 2, digest: "00ff")), .statistics(ConflictStatistics()), .merge(merge),
            .rules(["form": "lines", "window": "5m", "types": [FieldName(awkward): ["policy": "set"]]]),
            .acknowledgement(
                WriteAcknowledgement(
                    dot: Dot(device: "iPad", sequence: 7), key: RecordKey(type: "Card", id: RecordID(awkward)),
                    fields: [FieldName(awkward)], number: 12, earliest: 10, arrived: 9, recordArrived: 11, isStillShown: true)),
        ].map { AuditEvent(at: 1_768_485_600_999, $0) }

    private static let awkward = "\u{0}\u{1}\t\n\r\u{1b}[31m\"\\/\u{7f}\u{85}\u{2028}\u{202e}é e\u{301} 漢字 👩‍👩‍👧 \u{10ffff}"

    private static var delays: GapHistogram {
        var delays = GapHistogram()
        for length in [Duration.zero, .milliseconds(127), .seconds(21), .seconds(86_400 * 30)] { delays.record(length) }
        return delays
    }

    private static func write(_ operation: TaggedWrite.Operation, carried: FieldMap = FieldMap()) -> AuditEvent {
        let write = TaggedWrite(
            dot: Dot(device: "iPad", sequence: 7), timestamp: HybridTimestamp(milliseconds: 1_768_485_600_123, counter: 4),
            key: RecordKey(type: "Card", id: RecordID(awkward)), operation: operation, seen: ["iPad": 6, "iPhone": 2],
            receipt: TaggedWrite.Receipt(milliseconds: 1_768_485_601_000, hubSequence: 12), carried: carried)
        return AuditEvent(at: write.timestamp.milliseconds, .write(write))
    }

    private static let merge = RecordedMerge(
        key: RecordKey(type: "Card", id: RecordID(awkward)), at: WallTime(millisecondsSince1970: 1_768_485_600_999), by: "iPad",
        ancestor: RecordedMerge.Version(fields: ["email": .string(awkward), "gone": 1]),
        client: RecordedMerge.Version(
            fields: ["email": "a", "gone": .null], at: WallTime(millisecondsSince1970: 1_768_485_600_000), device: "iPad"),
        server: RecordedMerge.Version(fields: nil, at: WallTime(millisecondsSince1970: 1_768_485_600_500), device: "iPhone"),
        result: RecordedMerge.Version(fields: ["email": "a"]))

    private static let conflict: AuditEvent = {
        var conflict = Conflict(
            id: ConflictID(rawValue: 0x00ab_cdef_0123_4567), kind: .updateUpdate, severity: .lossy, basis: .causal,
            key: RecordKey(type: "Card", id: "1"), field: "email",
            winner: Conflict.Side(
                dot: Dot(device: "a", sequence: 1), timestamp: HybridTimestamp(milliseconds: 5, counter: 1), operation: .put,
                value: .string(awkward)),
            loser: Conflict.Side(
                dot: Dot(device: "b", sequence: 9), timestamp: HybridTimestamp(milliseconds: 15), operation: .put, value: .null,
                app: "2.1 (\(awkward))"),
            ancestor: .null, gap: .milliseconds(10), withinWindow: true, window: .seconds(300), policy: "lastWriterWins",
            resolution: .keepLocal, reason: .newer, clockSuspect: true, isStale: true, isRepeated: true,
            isBookkeeping: true)
        conflict.name = RecordName(field: "name", value: .string(awkward))
        conflict.versions = SavedVersions(
            save: "12", lost: awkward, base: "7", shown: "11", rows: SavedVersions.Rows(save: 4711, lost: 4650))
        return AuditEvent(at: 1_768_485_600_999, .conflict(conflict))
    }()
}
