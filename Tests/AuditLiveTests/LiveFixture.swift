import AuditAnalysis
import AuditLog
import AuditReport
import AuditSamples
import ConflictAudit
import SyncModel

@testable import AuditLive

/// Screens without a terminal, and what goes into them.
enum LiveFixture {
    static let plain = TerminalStyle(isEnabled: false)

    static func screen() -> LiveScreen {
        var screen = LiveScreen(title: "syncaudit top logs/", source: "logs/", isLive: true)
        for conflict in Summary.sampleConflicts { observe(conflict, &screen) }
        return screen
    }

    static func observe(_ conflict: Conflict, _ screen: inout LiveScreen) {
        let event = AuditEvent(at: conflict.milliseconds, .conflict(conflict))
        screen.observe(AuditLine(sequence: nil, source: "phone", event: event), bytes: 400)
    }

    /// Reads lines as they are in a file.
    static func read(_ lines: [AuditLine], file: String = "logs/a.jsonl", into screen: inout LiveScreen) {
        var names = NameSearch([])
        for (index, line) in lines.enumerated() {
            var bytes: [UInt8] = []
            LineEncoder.append(line, to: &bytes)
            screen.observe(InputLine(file: file, number: index + 1, bytes: bytes.dropLast(), isFirst: index == 0), &names)
        }
    }

    static func text(_ screen: LiveScreen, _ columns: Int = 80, _ rows: Int = 24) -> String {
        var screen = screen
        return screen.render(LiveScreen.Size(columns: columns, rows: rows), plain).joined(separator: "\n")
    }

    static func conflict(_ number: UInt64, at milliseconds: Int64? = nil) -> Conflict {
        let model = Summary.sampleConflicts[1]
        func side(_ side: Conflict.Side, _ delay: Int64) -> Conflict.Side {
            Conflict.Side(
                dot: Dot(device: side.dot.device, sequence: number + 1),
                timestamp: milliseconds.map { HybridTimestamp(milliseconds: $0 - delay) } ?? side.timestamp, operation: side.operation,
                value: side.value)
        }
        let (winner, loser) = (side(model.winner, 0), side(model.loser, 1))
        return Conflict(
            id: ConflictID(rawValue: number), kind: model.kind, severity: model.severity, basis: model.basis, key: model.key,
            field: model.field, winner: winner, loser: loser, gap: model.gap, withinWindow: true, window: model.window,
            policy: model.policy, resolution: model.resolution, reason: model.reason, clockSuspect: false)
    }
}

extension LiveScreen {
    /// The first line of the page that is seen.
    var firstLine: Int { pages.last?.firstLine ?? 0 }

    /// The loss whose page is open.
    var opened: LiveLog.Loss? {
        if case .conflict(let loss)? = pages.last?.content { loss } else { nil }
    }

    /// Presses the keys of some characters; a line break is Enter.
    @discardableResult mutating func type(_ keys: String) -> Effect {
        keys.reduce(.none) { press($1 == "\n" ? .enter : .character($1)) }
    }
}
