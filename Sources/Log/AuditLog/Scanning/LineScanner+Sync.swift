package import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

/// A line about sync itself, of which a report needs the event.
package struct SyncLine: Sendable {
    /// The number of the device whose sync or clock it is about: of a store with a name of its own that name's; -1 where the line names
    /// none.
    package let device: Int32
    /// What the decoder would make of the line, but for the name of a store or of the device of a clock, and the interface of a network.
    package let event: AuditEvent
}

extension LineScanner {
    /// Keeps the event of the line at hand.
    @inline(__always) mutating func appendSyncLine(_ content: AuditEvent.Content) {
        let event = ScannedLine.Content(rawValue: UInt8(truncatingIfNeeded: line.event))
        let isOfStore = (event == .sync || event == .clock) && line.known.contains(.device)
        let device = isOfStore ? device(line.device) : line.known.contains(.source) ? device(line.source) : -1
        syncLines.append(SyncLine(device: device, event: AuditEvent(at: line.milliseconds, content)))
    }

    /// A status or an error, of which there are few unless somebody means harm.
    mutating func word(_ text: LineCursor.Text) -> String {
        text.count <= Self.keptWordLength ? words.value(of: text) { text, _ in text.string } : text.string
    }

    /// A string that has more bytes than this is not kept for the lines that follow.
    private static var keptWordLength: Int { 256 }

    private func number(_ key: LineKey) -> Int { Int(clamping: numbers[key]) }

    /// A step of a sync.
    var activity: SyncActivity {
        mutating get {
            SyncActivity(
                phase: SyncActivity.Phase.allCases[number(.phase)], state: SyncActivity.State.allCases[number(.state)],
                writes: number(.writes), bytes: number(.bytes), durationMilliseconds: numbers[.duration],
                error: line.known.contains(.error) ? word(line.error) : nil,
                delays: line.known.contains(.delays) ? delays : nil,
                storeBytes: line.known.contains(.storeBytes) ? numbers[.storeBytes] : nil, device: nil)
        }
    }

    /// How far off a clock is; whose it is, the line says beside it.
    var measurement: ClockMeasurement {
        ClockMeasurement(device: "-", offset: .milliseconds(numbers[.offset]), uncertainty: .milliseconds(numbers[.uncertainty]))
    }

    var outbox: OutboxStatus {
        OutboxStatus(
            writes: number(.writes), bytes: number(.bytes), setAside: line.known.contains(.setAside) ? number(.setAside) : 0,
            warningBytes: number(.warningBytes),
            oldest: line.known.contains(.oldest) ? WallTime(millisecondsSince1970: numbers[.oldest]) : nil)
    }

    var refresh: RefreshReport {
        RefreshReport(
            trigger: RefreshReport.Trigger.allCases[number(.trigger)], decision: RefreshDecision.allCases[number(.decision)],
            shownVersion: number(.shownVersion), refreshVersion: number(.refreshVersion), reloads: number(.reloads),
            isInForeground: numbers[.foreground] == 1, missedPulses: line.known.contains(.missedPulses) ? number(.missedPulses) : 0,
            pulseInterval: .milliseconds(numbers[.pulse]))
    }

    /// Passes over a list of names.
    @inline(never) mutating func afterNames(_ start: LineCursor) -> LineCursor? {
        var cursor = start
        return consumeList(&cursor) { _, cursor in cursor.consume(UInt8(ascii: "\"")) && cursor.text() != nil } ? cursor : nil
    }

    /// Reads how old the writes were that a sync moved.
    @inline(never) mutating func afterDelays(_ start: LineCursor) -> LineCursor? {
        var cursor = start
        guard let gaps = gaps(&cursor) else { return nil }
        delays = gaps
        return cursor
    }
}

extension Memory<Int64> {
    subscript(key: LineKey) -> Int64 {
        @inline(__always) get { self[key.index] }
        @inline(__always) set { self[key.index] = newValue }
    }
}
