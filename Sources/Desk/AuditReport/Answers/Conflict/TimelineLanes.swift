import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// A timeline as it is drawn, on whatever: a lane for each device, the position of each write on it, and what the two sides had seen.
struct TimelineLanes {
    /// The devices shown: the two sides first, then the others in the order in which they appear.
    let devices: [DeviceID]
    /// The devices that there is no room for.
    let hiddenCount: Int
    /// The earliest and the latest time, in milliseconds since 1970.
    let span: ClosedRange<Int64>
    /// What the writers of the losing and the winning side had seen, as sentences.
    let seen: [String]

    private let entries: [ConflictTimeline.Entry]

    /// The most lanes.
    private static let limit = 6

    /// The lanes of a timeline; nil where nothing is known of the writes.
    ///
    /// - Parameter isOfTable: Whether the writes are rows of a table, of which no other line tells more.
    init?(_ timeline: ConflictTimeline, isOfTable: Bool = false) {
        entries = timeline.entries
        guard let first = entries.first?.timestamp.milliseconds, let last = entries.last?.timestamp.milliseconds else { return nil }
        span = min(first, last)...max(first, last)
        var devices: [DeviceID] = []
        for role in [ConflictTimeline.Role.loser, .winner, .ancestor, .restoring, .other] {
            for entry in entries where entry.role == role && !devices.contains(entry.dot.device) { devices.append(entry.dot.device) }
        }
        hiddenCount = max(0, devices.count - Self.limit)
        let shown = Array(devices.prefix(Self.limit))
        self.devices = shown
        let sides = [ConflictTimeline.Role.loser, .winner].compactMap { role in timeline.entries.first { $0.role == role } }
        let known = sides.filter { $0.seen != nil }.map { Self.sentence($0, among: shown) }
        let unknown = isOfTable ? [] : sides.filter { $0.seen == nil }.map(Self.write)
        seen =
            known
            + (unknown.isEmpty
                ? []
                : [
                    "What \(unknown.joined(separator: " and ")) had seen, only the line of a write tells: name the trace or the device's log too"
                ])
    }

    /// The writes of a device, those that matter most last: they are drawn over what they share a position with.
    func entries(of device: DeviceID) -> [ConflictTimeline.Entry] {
        let order: [ConflictTimeline.Role] = [.other, .ancestor, .restoring, .loser, .winner]
        return order.flatMap { role in entries.filter { $0.role == role && $0.dot.device == device } }
    }

    /// The position of a time, from 0 for the earliest to 1 for the latest.
    func position(of entry: ConflictTimeline.Entry) -> Double {
        let length = span.upperBound.distance(after: span.lowerBound)
        return length <= 0 ? 0 : Double(entry.timestamp.milliseconds.distance(after: span.lowerBound)) / Double(length)
    }

    /// What the marks mean, of those that occur.
    func legend(isLoss: Bool) -> [(mark: Character, role: ConflictTimeline.Role, meaning: String)] {
        let all: [(Character, ConflictTimeline.Role, String)] = [
            ("○", .loser, isLoss ? "lost" : "one side"), ("●", .winner, isLoss ? "shown" : "the other side"),
            ("◆", .ancestor, "seen by both"),
            ("·", .other, "other"), ("▲", .restoring, "restored"),
        ]
        return all.filter { mark in entries.contains { $0.role == mark.1 } }
    }

    /// A time to the millisecond.
    static func time(_ milliseconds: Int64) -> String {
        let text = RFC3339.string(milliseconds: milliseconds)
        return "\(text.prefix(10)) \(text.dropFirst(11).dropLast())"
    }

    /// The earliest and the latest time as they are written under the picture.
    ///
    /// - Parameter columns: The room for both; where there is little, they are only as exact as tells them apart.
    func times(in columns: Int) -> (start: String, end: String) {
        let texts = [span.lowerBound, span.upperBound].map(Self.time)
        // Milliseconds, seconds, minutes, days.
        let pairs = [23, 19, 16, 10].map { (String(texts[0].prefix($0)), String(texts[1].prefix($0))) }
            .filter { $0.0 != $0.1 || texts[0] == texts[1] }
        return pairs.first { $0.0.count + $0.1.count < columns } ?? pairs.last ?? (texts[0], texts[1])
    }

    private static func write(_ entry: ConflictTimeline.Entry) -> String {
        "\(TerminalText.shortened(EventText.name(entry.dot.device.rawValue), to: 16))'s write \(entry.dot.sequence)"
    }

    /// What a writer had seen; the devices in the picture first.
    private static func sentence(_ entry: ConflictTimeline.Entry, among devices: [DeviceID]) -> String {
        let (write, seen) = (write(entry), entry.seen ?? VersionVector())
        if seen.isEmpty { return "\(write) had seen nothing of the record" }
        let ordered = seen.entries.filter { devices.contains($0.device) } + seen.entries.filter { !devices.contains($0.device) }
        let shown = ordered.prefix(2).map { "\(EventText.name($0.device.rawValue)) up to \($0.sequence)" }
        return "\(write) had seen " + shown.joined(separator: ", ")
            + (ordered.count > 2 ? " and \(HumanNumber.count(ordered.count - 2)) more" : "")
    }
}
