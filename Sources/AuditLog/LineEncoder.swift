public import ConflictAudit
package import SyncLines
public import SyncModel

/// Writes audit lines as JSON: `v`, `ts`, `seq`, `source`, `event` first and in this order, without white space.
public enum LineEncoder {
    /// Appends a line with its line break.
    ///
    /// The text is ASCII where the data is, holds no control character and no character that acts on a terminal.
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
        var object = JSONText.ObjectWriter(&buffer)
        let gap = begin(
            &object, at: event.milliseconds, sequence: sequence, source: source, name: EventName(event.content), in: &buffer)
        append(event.content, omitsValues: omitsValues, to: &object, in: &buffer)
        end(&object, in: &buffer)
        return gap
    }

    /// Appends the line of a conflict that gets its number later, without the copy that an event makes of it.
    ///
    /// - Returns: The index in the buffer at which ``appendSequence(_:to:)`` puts the number.
    package static func appendWithGap(_ conflict: Conflict, source: DeviceID?, to buffer: inout LineBuffer) -> Int {
        var object = JSONText.ObjectWriter(&buffer)
        let gap = begin(&object, at: conflict.milliseconds, sequence: nil, source: source, name: .conflict, in: &buffer)
        ConflictLine.append(conflict, omitsValues: false, to: &object, in: &buffer)
        end(&object, in: &buffer)
        return gap
    }

    private static func begin(
        _ object: inout JSONText.ObjectWriter, at milliseconds: Int64, sequence: UInt64?, source: DeviceID?, name: EventName,
        in buffer: inout LineBuffer
    ) -> Int {
        object.field("v", AuditLine.formatVersion, in: &buffer)
        object.date("ts", milliseconds, in: &buffer)
        let gap = buffer.count
        if let sequence { appendSequence(sequence, to: &buffer) }
        if let source { object.field("source", source.rawValue, in: &buffer) }
        object.field("event", name.rawValue, in: &buffer)
        return gap
    }

    private static func end(_ object: inout JSONText.ObjectWriter, in buffer: inout LineBuffer) {
        object.end(in: &buffer)
        buffer.append(UInt8(ascii: "\n"))
    }

    /// Appends a line's number behind another key.
    package static func appendSequence(_ sequence: UInt64, to buffer: inout LineBuffer) {
        buffer.append(key: "seq", isFirst: false)
        buffer.append(decimal: sequence)
    }

    private static func append(
        _ content: AuditEvent.Content, omitsValues: Bool, to object: inout JSONText.ObjectWriter, in buffer: inout LineBuffer
    ) {
        switch content {
        case .write(let write) where omitsValues:
            WriteLine.append(write, to: &object, in: &buffer) { ValuePrivacy.appendMarks(for: $0, of: write.dot, to: &$1) }
        case .write(let write): WriteLine.append(write, to: &object, in: &buffer)
        case .merge(let merge): MergeLine.append(omitsValues ? ValuePrivacy.omitted.applied(to: merge) : merge, to: &object, in: &buffer)
        case .conflict(let conflict): ConflictLine.append(conflict, omitsValues: omitsValues, to: &object, in: &buffer)
        case .statistics(let statistics): StatisticsLine.append(statistics, to: &object, in: &buffer)
        case .sync(let activity):
            object.field("phase", activity.phase.rawValue, in: &buffer)
            object.field("state", activity.state.rawValue, in: &buffer)
            object.field("writes", activity.writes, in: &buffer)
            object.field("bytes", activity.bytes, in: &buffer)
            object.field("durationMs", activity.durationMilliseconds, in: &buffer)
            if let error = activity.error { object.field("error", error, in: &buffer) }
        case .remoteChange(let change):
            object.field("changes", change.changes, in: &buffer)
            object.field("refreshVersion", change.refreshVersion, in: &buffer)
        case .network(let status, let interface):
            object.field("status", status, in: &buffer)
            if let interface { object.field("interface", interface, in: &buffer) }
        case .account(let status): object.field("status", status, in: &buffer)
        case .clock(let measurement):
            object.field("device", measurement.device.rawValue, in: &buffer)
            object.field("offsetMs", measurement.offsetMilliseconds, in: &buffer)
            object.field("uncertaintyMs", measurement.uncertaintyMilliseconds, in: &buffer)
        case .checkpoint(let checkpoint):
            object.key("seen", in: &buffer)
            WriteLine.append(checkpoint.seen, to: &buffer)
            object.field("records", checkpoint.records, in: &buffer)
            object.field("digest", checkpoint.digest, in: &buffer)
        case .log(let note):
            switch note {
            case .opened: object.field("opened", true, in: &buffer)
            case .rotated: object.field("rotated", true, in: &buffer)
            case .dropped(let count): object.field("dropped", count, in: &buffer)
            case .truncated(let count): object.field("truncated", count, in: &buffer)
            case .recovered(let bytes): object.field("recovered", bytes, in: &buffer)
            }
        }
    }
}

/// The word that stands under `event`.
enum EventName: String, CaseIterable {
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
        }
    }
}
