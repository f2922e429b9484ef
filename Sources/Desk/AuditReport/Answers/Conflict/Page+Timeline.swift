import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

extension Page {
    private static let marks: [ConflictTimeline.Role: Character] = [
        .ancestor: "◆", .winner: "●", .loser: "○", .other: "·", .restoring: "▲",
    ]

    /// Adds a timeline to scale: a lane for each device, a mark for each write, and what each of the two sides had seen.
    mutating func drawTimeline(of details: ConflictDetails, width: Int) {
        guard let lanes = TimelineLanes(details.timeline, isOfTable: details.conflict.versions != nil) else { return }
        let labels = lanes.devices.map { TerminalText.shortened(EventText.name($0.rawValue), to: 16) }
        let margin = (labels.map(TerminalText.width).max() ?? 0) + 4
        let axis = max(10, width - margin - 1)
        line(("Timeline", .strong), (Self.legend(lanes, isLoss: details.conflict.severity.isLoss), .aside))
        for (device, label) in zip(lanes.devices, labels) {
            var lane = [Character](repeating: "─", count: axis)
            for entry in lanes.entries(of: device) {
                lane[min(axis - 1, Int(lanes.position(of: entry) * Double(axis - 1) + 0.5))] = Self.marks[entry.role] ?? "·"
            }
            line([("  " + TerminalText.padded(label, to: margin - 4) + "  ", .plain)] + lane.map { (String($0), Self.tone(of: $0)) })
        }
        let (start, end) = lanes.times(in: axis)
        let gap = axis - start.count - end.count
        if start == end || gap > 0 {
            let ruler = start == end ? start : start + String(repeating: " ", count: gap) + end
            line((String(repeating: " ", count: min(margin, max(0, width - ruler.count))), .plain), (ruler, .aside))
        } else {
            for time in [start + " to", end] { line(("  ", .plain), (time, .aside)) }
        }
        if lanes.hiddenCount > 0 {
            line("  and \(HumanNumber.count(lanes.hiddenCount, "more device", "more devices"))", .aside)
        }
        for sentence in lanes.seen { paragraph(sentence, indentation: 2) }
    }

    private static func legend(_ lanes: TimelineLanes, isLoss: Bool) -> String {
        let words = lanes.legend(isLoss: isLoss).filter { isLoss || $0.role != .loser && $0.role != .winner }.map {
            "\($0.mark) \($0.meaning)"
        }
        return ((isLoss ? [] : ["○ ● the two sides"]) + words).map { "  " + $0 }.joined()
    }

    private static func tone(of mark: Character) -> Tone {
        switch mark {
        case "─": .aside
        case "○": .bad
        case "●", "▲": .good
        default: .plain
        }
    }
}
