import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// A timeline to scale in text: a lane for each device, a mark for each write, and what each of the two sides had seen.
struct TimelineDrawing {
    let text: String

    private static let marks: [ConflictTimeline.Role: Character] = [
        .ancestor: "◆", .winner: "●", .loser: "○", .other: "·", .restoring: "▲",
    ]

    init(_ details: ConflictDetails, width: Int, style: TerminalStyle) {
        guard let lanes = TimelineLanes(details.timeline, isOfTable: details.conflict.versions != nil) else {
            text = ""
            return
        }
        let labels = lanes.devices.map { TerminalText.shortened(EventText.name($0.rawValue), to: 16) }
        let margin = (labels.map(TerminalText.width).max() ?? 0) + 4
        let axis = max(10, width - margin - 1)
        var lines = [style.bold("Timeline") + style.dim(Self.legend(lanes, isLoss: details.conflict.severity.isLoss))]
        for (device, label) in zip(lanes.devices, labels) {
            var lane = [Character](repeating: "─", count: axis)
            for entry in lanes.entries(of: device) {
                lane[min(axis - 1, Int(lanes.position(of: entry) * Double(axis - 1) + 0.5))] = Self.marks[entry.role] ?? "·"
            }
            lines.append("  " + TerminalText.padded(label, to: margin - 4) + "  " + Self.painted(lane, style))
        }
        let (start, end) = lanes.times(in: axis)
        let gap = axis - start.count - end.count
        if start == end || gap > 0 {
            let ruler = start == end ? start : start + String(repeating: " ", count: gap) + end
            lines.append(String(repeating: " ", count: min(margin, max(0, width - ruler.count))) + style.dim(ruler))
        } else {
            lines += [start + " to", end].map { "  " + style.dim($0) }
        }
        if lanes.hiddenCount > 0 {
            lines.append(style.dim("  and \(HumanNumber.count(lanes.hiddenCount, "more device", "more devices"))"))
        }
        var seen = ReportPage(width: width, style: style)
        for sentence in lanes.seen { seen.paragraph(sentence, indentation: 2) { $0 } }
        text = lines.joined(separator: "\n") + "\n" + seen.text
    }

    private static func legend(_ lanes: TimelineLanes, isLoss: Bool) -> String {
        let words = lanes.legend(isLoss: isLoss).filter { isLoss || $0.role != .loser && $0.role != .winner }.map {
            "\($0.mark) \($0.meaning)"
        }
        return ((isLoss ? [] : ["○ ● the two sides"]) + words).map { "  " + $0 }.joined()
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
}
