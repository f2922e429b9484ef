import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncModel

/// Looks for a line whose time is far from those of the lines before and behind it, which agree: no clock ran so.
///
/// Of lines that are dated by when they were written; those of writes and conflicts have times of their own.
struct LineTimeCheck: Sendable {
    /// How far, in milliseconds: more than clocks jump by, and than a device is left lying.
    private static let limit: Int64 = 30 * 86_400_000

    private struct Line: Sendable {
        let sequence: UInt64
        let milliseconds: Int64
        let location: LineLocation
    }

    /// The last two lines of each log.
    private var logs: [DeviceID: (one: Line?, last: Line)] = [:]

    mutating func observe(_ line: AuditLine, at location: LineLocation, _ findings: inout FindingList) {
        guard let source = line.source, let sequence = line.sequence, source != .auditOfTrace else { return }
        let next = Line(sequence: sequence, milliseconds: line.event.milliseconds, location: location)
        let known = logs.updateValue((logs[source]?.last, next), forKey: source)
        guard let known, let before = known.one, case let middle = known.last else { return }
        guard before.sequence < middle.sequence, middle.sequence < sequence else { return }
        let gap = next.milliseconds.distance(after: before.milliseconds)
        let distance = middle.milliseconds.distance(after: before.milliseconds)
        let rest = middle.milliseconds.distance(after: next.milliseconds)
        guard gap.magnitude <= UInt64(Self.limit), min(distance.magnitude, rest.magnitude) > UInt64(Self.limit) else { return }
        findings.add(
            .stamp, of: "line \(middle.sequence) of \(source.rawValue)", at: middle.location,
            "the time of this line is \(HumanNumber.duration(milliseconds: Int64(clamping: distance.magnitude))) "
                + "\(distance > 0 ? "after" : "before") those of the lines around it, which agree")
    }
}
