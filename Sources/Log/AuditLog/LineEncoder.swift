package import ConflictAudit
package import SyncBytes
import SyncLines
package import SyncModel

/// Writes audit lines as JSON: `v`, `ts`, `seq`, `source`, `event` first and in this order, without white space.
///
/// ```swift
/// var bytes: [UInt8] = []
/// LineEncoder.append(AuditLine(sequence: 1, source: "iPhone", event: event), to: &bytes)
/// ```
public enum LineEncoder {
    /// Appends a line with its line break.
    ///
    /// The line is ASCII where the data is, holds no control character and no character that acts on a terminal.
    ///
    /// - Complexity: O(*n*) in the bytes written, and two allocations, which a sequence of lines has once.
    public static func append(_ line: AuditLine, to bytes: inout [UInt8]) { append(CollectionOfOne(line), to: &bytes) }

    /// Appends lines, each with its line break.
    ///
    /// - Complexity: O(*n*) in the bytes written. Allocates only where memory has to grow, and for `statistics`, which are sorted.
    public static func append(_ lines: some Sequence<AuditLine>, to bytes: inout [UInt8]) {
        var buffer = LineBuffer()
        for line in lines { append(line.event, sequence: line.sequence, source: line.source, to: &buffer) }
        unsafe buffer.withBytes { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends a line from its parts.
    package static func append(_ event: AuditEvent, sequence: UInt64?, source: DeviceID?, to buffer: inout LineBuffer) {
        appendWithGap(event, sequence: sequence, source: source, to: &buffer)
    }

    /// Appends a line that may get its number later.
    ///
    /// - Parameter omitsValues: Whether the values are left out, as ``ValuePrivacy/omitted`` has it, without a copy of the event.
    /// - Returns: The index in the buffer at which ``appendSequence(_:to:)`` puts the number.
    @discardableResult
    static func appendWithGap(
        _ event: AuditEvent, sequence: UInt64?, source: DeviceID?, omitsValues: Bool = false, to buffer: inout LineBuffer
    ) -> Int {
        buffer.beginObject()
        let gap = begin(
            &buffer, at: event.milliseconds, sequence: sequence, source: source, name: EventName(event.content))
        append(event.content, omitsValues: omitsValues, to: &buffer)
        buffer.endObject()
        buffer.append(UInt8(ascii: "\n"))
        return gap
    }

    /// Appends the line of a conflict that gets its number later, without the copy that an event makes of it.
    ///
    /// - Returns: The index in the buffer at which ``appendSequence(_:to:)`` puts the number.
    package static func appendWithGap(_ conflict: Conflict, source: DeviceID?, to buffer: inout LineBuffer) -> Int {
        buffer.beginObject()
        let gap = begin(&buffer, at: conflict.milliseconds, sequence: nil, source: source, name: .conflict)
        ConflictLine.append(conflict, omitsValues: false, to: &buffer)
        buffer.endObject()
        buffer.append(UInt8(ascii: "\n"))
        return gap
    }

    private static func begin(
        _ object: inout LineBuffer, at milliseconds: Int64, sequence: UInt64?, source: DeviceID?, name: EventName
    ) -> Int {
        object.field(.version, AuditLine.formatVersion)
        object.date(.timestamp, milliseconds)
        let gap = object.count
        if let sequence { appendSequence(sequence, to: &object) }
        if let source { object.field(.source, source.bytes) }
        object.field(.event, name.rawValue)
        return gap
    }

    /// Appends a line's number behind another key.
    package static func appendSequence(_ sequence: UInt64, to buffer: inout LineBuffer) {
        buffer.append(key: LineKey.sequence.text, isFirst: false)
        buffer.append(decimal: sequence)
    }

    private static func append(
        _ content: AuditEvent.Content, omitsValues: Bool, to object: inout LineBuffer
    ) {
        switch content {
        case .write(let write) where omitsValues:
            WriteLine.append(write, to: &object) { ValuePrivacy.appendMarks(for: $0, of: write.dot, to: &$1) }
        case .write(let write): WriteLine.append(write, to: &object)
        case .merge(let merge): MergeLine.append(omitsValues ? ValuePrivacy.omitted.applied(to: merge) : merge, to: &object)
        case .conflict(let conflict): ConflictLine.append(conflict, omitsValues: omitsValues, to: &object)
        case .statistics(let statistics): StatisticsLine.append(statistics, to: &object)
        case .sync(let activity):
            object.field(.phase, activity.phase.rawValue)
            object.field(.state, activity.state.rawValue)
            object.field(.writes, activity.writes)
            object.field(.bytes, activity.bytes)
            object.field(.duration, activity.durationMilliseconds)
            if let error = activity.error { object.field(.error, error) }
            if let delays = activity.delays {
                object.key(.delays)
                StatisticsLine.append(delays, to: &object)
            }
            if let bytes = activity.storeBytes { object.field(.storeBytes, bytes) }
            if let device = activity.device { object.field(.device, device.bytes) }
        case .remoteChange(let change):
            object.field(.changes, change.changes)
            object.field(.refreshVersion, change.refreshVersion)
        case .refresh(let report): RefreshLine.append(report, to: &object)
        case .acknowledgement(let acknowledgement): AcknowledgementLine.append(acknowledgement, to: &object)
        case .outbox(let status): OutboxLine.append(status, to: &object)
        case .network(let status, let interface):
            object.field(.status, status)
            if let interface { object.field(.interface, interface) }
        case .account(let status): object.field(.status, status)
        case .clock(let measurement):
            object.field(.device, measurement.device.bytes)
            object.field(.offset, measurement.offsetMilliseconds)
            object.field(.uncertainty, measurement.uncertaintyMilliseconds)
        case .checkpoint(let checkpoint):
            object.key(.seen)
            WriteLine.append(checkpoint.seen, to: &object)
            object.field(.records, checkpoint.records)
            object.field(.digest, checkpoint.digest)
        case .rules(let rules): object.field("rules", rules)
        case .log(let note):
            switch note {
            case .opened: object.field("opened", true)
            case .rotated: object.field("rotated", true)
            case .dropped(let count): object.field("dropped", count)
            case .truncated(let count): object.field("truncated", count)
            case .recovered(let bytes): object.field("recovered", bytes)
            case .forgotten(let count): object.field("forgotten", count)
            case .unobserved(let gap):
                object.field("unobserved", gap.reason)
                object.field(.recordType, gap.type.bytes)
                if let field = gap.field { object.field(.field, field.bytes) }
            }
        }
    }
}

/// The value of the key `event`.
package enum EventName: String, CaseIterable {
    case write
    case conflict
    case sync
    case remoteChange = "remote_change"
    case network
    case account
    case clock
    case checkpoint
    case statistics
    case log
    case merge
    case acknowledgement
    case outbox
    case refresh
    case rules

    init(_ content: borrowing AuditEvent.Content) {
        switch content {
        case .write: self = .write
        case .conflict: self = .conflict
        case .sync: self = .sync
        case .remoteChange: self = .remoteChange
        case .network: self = .network
        case .account: self = .account
        case .clock: self = .clock
        case .checkpoint: self = .checkpoint
        case .statistics: self = .statistics
        case .log: self = .log
        case .merge: self = .merge
        case .acknowledgement: self = .acknowledgement
        case .outbox: self = .outbox
        case .refresh: self = .refresh
        case .rules: self = .rules
        }
    }
}
