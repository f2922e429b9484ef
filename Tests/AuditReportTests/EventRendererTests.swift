import AuditAnalysis
import AuditLog
import AuditReport
import AuditSamples
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel
import Testing

@Suite struct EventRendererTests {
    private static let date: Int64 = 1_768_485_600_123  // 2026-01-15T14:00:00.123Z

    private func text(_ content: AuditEvent.Content, source: DeviceID? = "phone", isStyled: Bool = false) -> String {
        EventRenderer(style: TerminalStyle(isEnabled: isStyled))
            .render(AuditLine(sequence: 1, source: source, event: AuditEvent(at: Self.date, content)))
    }

    /// A conflict of every sort and an event of every sort.
    private static var contents: [AuditEvent.Content] {
        func conflict(_ conflict: Conflict, lost value: FieldValue?, _ operation: Conflict.Side.Operation = .put) -> AuditEvent.Content {
            var conflict = conflict
            conflict.loser = Conflict.Side(
                dot: conflict.loser.dot, timestamp: conflict.loser.timestamp, operation: operation, value: value)
            return .conflict(conflict)
        }
        let card = RecordKey(type: "Card", id: "42")
        func make(
            _ field: FieldName?, _ kind: Conflict.Kind, _ severity: Conflict.Severity, _ basis: Conflict.Basis,
            _ resolution: Conflict.Resolution, _ reason: Conflict.Reason, _ clockSuspect: Bool = false
        ) -> Conflict {
            AuditSamples.conflict(
                card, field: field, winner: "iPad", loser: "iPhone", kind: kind, severity: severity, basis: basis, resolution: resolution,
                reason: reason, clockSuspect: clockSuspect)
        }
        var statistics = ConflictStatistics()
        statistics.recordWrites(1234)
        let nothing = statistics
        statistics.record(make("phone", .updateUpdate, .lossy, .causal, .applyRemote, .newer))
        let long = String(repeating: "long ", count: 100)
        return [
            conflict(make("phone", .updateUpdate, .lossy, .causal, .applyRemote, .newer), lost: "+1-555"),
            conflict(
                make(nil, .deleteUpdate, .destructive, .causal, .keepLocal, .deleteWins, true),
                lost: ["phone": "+1-555", "name": .string(long)]),
            conflict(make("tags", .updateUpdate, .lossy, .window, .manualPending, .tieBreak), lost: nil),
            conflict(make("x", .updateUpdate, .lossy, .window, .manualResolved, .custom, true), lost: .null),
            conflict(
                make(nil, .deleteUpdate, .lossy, .causal, .restored, .editWins), lost: nil, .delete),
            conflict(make(nil, .deleteDelete, .benign, .causal, .keepLocal, .newer), lost: nil, .delete),
            conflict(make(nil, .disjointUpdate, .merged, .ancestor, .merged, .policy), lost: 1),
            conflict(make("n", .insertInsert, .divergent, .causal, .keepLocal, .newer), lost: 1),
            .write(write(card, device: "iPad")),
            .write(
                TaggedWrite(
                    dot: Dot(device: "iPad", sequence: 7), timestamp: HybridTimestamp(milliseconds: 1), key: card, operation: .delete,
                    seen: nil)),
            .write(
                TaggedWrite(
                    dot: Dot(device: "iPad", sequence: 7), timestamp: HybridTimestamp(milliseconds: 1), key: card, operation: .put([:]),
                    seen: nil)),
            .sync(SyncActivity(phase: .export, state: .started, writes: 0, bytes: 0, duration: .zero)),
            .sync(SyncActivity(phase: .import, state: .succeeded, writes: 12, bytes: 3456, duration: .milliseconds(1200))),
            .sync(
                SyncActivity(phase: .setup, state: .failed, writes: 0, bytes: 0, duration: .milliseconds(9), error: "the server is\nasleep")
            ),
            .remoteChange(RemoteChange(changes: 1, refreshVersion: 9)),
            .outbox(OutboxStatus(writes: 1, bytes: 120, oldest: WallTime(millisecondsSince1970: Self.date - 60_000))),
            .outbox(OutboxStatus(writes: 1200, bytes: 3_400_000, setAside: 2)),
            .network(status: "connected", interface: "wifi"), .network(status: "offline", interface: nil), .account(status: "available"),
            .clock(ClockMeasurement(device: "iPad", offset: .milliseconds(1500), uncertainty: .milliseconds(20))),
            .clock(ClockMeasurement(device: "iPad", offset: .seconds(-90), uncertainty: .zero)),
            .clock(ClockMeasurement(device: "iPad", offset: .zero, uncertainty: .milliseconds(3))),
            .checkpoint(Checkpoint(seen: ["iPad": 7, "iPhone": 3], records: 120, digest: "00ff")),
            .statistics(nothing), .statistics(statistics),
            .log(.opened), .log(.rotated), .log(.dropped(3)), .log(.truncated(1)), .log(.recovered(17)), .log(.forgotten(2)),
            .log(.unobserved(UnobservedField(type: "Card", field: "color", reason: "its values cannot be compared"))),
            .log(.unobserved(UnobservedField(type: "Card", field: nil, reason: "\u{1b}[1m keep 'id' after deletion"))),
        ]
    }

    @Test func golden() throws {
        try Golden.expect(Self.contents.map { text($0) }.joined(), is: "events.txt")
    }

    @Test func goldenInColour() throws {
        try Golden.expect(Self.contents.map { text($0, source: nil, isStyled: true) }.joined(), is: "events-styled.txt")
    }

    /// Whatever the log holds, there is one line, not much longer than a screen is wide, and nothing in it that a terminal acts on.
    @Test(arguments: [
        "\u{1b}]0;owned\u{7}\u{202e}\r\n\u{9b}31m\u{2028}\0", String(repeating: "x", count: 1_000_000),
        "a" + String(repeating: "\u{301}", count: 100_000), String(repeating: "漢", count: 1000), String(repeating: "\u{1b}", count: 1000),
        String(repeating: "👩‍👩‍👧", count: 1000), "",
    ]) func hostileTextDoesNothing(evil: String) {
        let key = RecordKey(type: RecordType(evil), id: RecordID(evil))
        let device = DeviceID(evil)
        var conflict = conflict(key, field: FieldName(evil), winner: DeviceID(evil + "1"), loser: device)
        conflict.loser.value = [.string(evil), [FieldName(evil): .string(evil)]]
        let contents: [AuditEvent.Content] = [
            .conflict(conflict),
            .write(
                TaggedWrite(
                    dot: Dot(device: device, sequence: 1), timestamp: HybridTimestamp(milliseconds: 1), key: key,
                    operation: .put([FieldName(evil): .string(evil), "x": 1]), seen: nil)),
            .sync(SyncActivity(phase: .setup, state: .failed, writes: 0, bytes: 0, duration: .milliseconds(9), error: evil)),
            .network(status: evil, interface: evil), .account(status: evil),
            .clock(ClockMeasurement(device: device, offset: .milliseconds(Int64.min), uncertainty: .milliseconds(Int64.max))),
            .checkpoint(Checkpoint(seen: [device: .max], records: .max, digest: evil)),
        ]
        for content in contents {
            let line = text(content, source: device)
            #expect(line.hasSuffix("\n"))
            let isHarmless = line.dropLast().unicodeScalars.allSatisfy(\.isHarmlessOnTerminal)
            #expect(isHarmless)
            // The errors of all records that an export was refused are told whole where no screen cuts them.
            let isError = if case .sync = content { true } else { false }
            #expect(TerminalText.width(line) < (isError ? 20_000 : 500))
            #expect(line.unicodeScalars.count < (isError ? 70_000 : 2500))
        }
    }
}
