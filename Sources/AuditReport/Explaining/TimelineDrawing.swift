import ConflictAudit
import SyncModel

/// A timeline to scale: a lane for each device, a mark for each write, and what each of the two sides had seen.
struct TimelineDrawing {
    let text: String

    private static let lanes = 6
    private static let marks: [ConflictTimeline.Role: Character] = [
        .ancestor: "◆", .winner: "●", .loser: "○", .other: "·", .restoring: "▲",
    ]

    init(_ details: ConflictDetails, width: Int, style: TerminalStyle) {
        let entries = details.timeline.entries
        guard let first = entries.first?.timestamp.milliseconds, let last = entries.last?.timestamp.milliseconds else {
            text = ""
            return
        }
        // The two sides first, then the others in the order in which they appear.
        var devices: [DeviceID] = []
        for role in [ConflictTimeline.Role.loser, .winner, .ancestor, .restoring, .other] {
            for entry in entries where entry.role == role && !devices.contains(entry.dot.device) { devices.append(entry.dot.device) }
        }
        let hidden = max(0, devices.count - Self.lanes)
        devices = Array(devices.prefix(Self.lanes))
        let labels = devices.map { TerminalText.shortened(EventText.name($0.rawValue), to: 16) }
        let margin = (labels.map(TerminalText.width).max() ?? 0) + 4
        let axis = max(10, width - margin - 1)
        let span = last.distance(after: first)
        func column(_ moment: Int64) -> Int {
            span <= 0 ? 0 : min(axis - 1, Int(Double(moment.distance(after: first)) / Double(span) * Double(axis - 1) + 0.5))
        }
        var lines = [style.bold("Timeline") + style.dim(Self.legend(entries, isLoss: details.conflict.severity.isLoss))]
        for (device, label) in zip(devices, labels) {
            var lane = [Character](repeating: "─", count: axis)
            // What matters most is drawn last, over what it shares a column with.
            for role in [ConflictTimeline.Role.other, .ancestor, .restoring, .loser, .winner] {
                for entry in entries where entry.role == role && entry.dot.device == device {
                    lane[column(entry.timestamp.milliseconds)] = Self.marks[role] ?? "·"
                }
            }
            lines.append("  " + TerminalText.padded(label, to: margin - 4) + "  " + Self.painted(lane, style))
        }
        let (start, end) = (Self.time(first), Self.time(last))
        let gap = axis - start.count - end.count
        let ruler = span == 0 ? start : gap > 0 ? start + String(repeating: " ", count: gap) + end : "\(start) to \(end)"
        lines.append(String(repeating: " ", count: margin) + style.dim(ruler))
        if hidden > 0 { lines.append(style.dim("  and \(HumanNumber.count(hidden, "more device", "more devices"))")) }
        for role in [ConflictTimeline.Role.loser, .winner] {
            guard let entry = entries.first(where: { $0.role == role }) else { continue }
            let name = TerminalText.shortened(EventText.name(entry.dot.device.rawValue), to: 16)
            lines.append(
                TerminalText.truncated("  \(name)'s write \(entry.dot.sequence) \(Self.seen(entry, among: devices))", to: width))
        }
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func legend(_ entries: [ConflictTimeline.Entry], isLoss: Bool) -> String {
        let words = isLoss ? ["○ lost", "● shown"] : ["○ ● the two sides"]
        let other = [(ConflictTimeline.Role.ancestor, "◆ seen by both"), (.other, "· other"), (.restoring, "▲ restored")]
        return (words + other.filter { role, _ in entries.contains { $0.role == role } }.map(\.1)).map { "  " + $0 }.joined()
    }

    /// What a writer had seen; the devices in the picture first.
    private static func seen(_ entry: ConflictTimeline.Entry, among devices: [DeviceID]) -> String {
        guard let seen = entry.seen else { return "(what it had seen stands in no line here)" }
        if seen.isEmpty { return "had seen nothing of the record" }
        let ordered = seen.entries.filter { devices.contains($0.device) } + seen.entries.filter { !devices.contains($0.device) }
        let shown = ordered.prefix(2).map { "\(EventText.name($0.device.rawValue)) up to \($0.sequence)" }
        return "had seen " + shown.joined(separator: ", ") + (ordered.count > 2 ? " and \(HumanNumber.count(ordered.count - 2)) more" : "")
    }

    private static func painted(_ lane: [Character], _ style: TerminalStyle) -> String {
        guard style.isEnabled else { return String(lane) }
        return lane.map { mark in
            switch mark {
            case "─": style.dim("─")
            case "○": style.red("○")
            case "●", "▲": style.green(String(mark))
            default: String(mark)
            }
        }.joined()
    }

    private static func time(_ milliseconds: Int64) -> String {
        let text = RFC3339.string(milliseconds: milliseconds)
        return "\(text.prefix(10)) \(text.dropFirst(11).dropLast())"
    }
}
