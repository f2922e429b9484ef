import ConflictAudit
import SyncBytes
import SyncLines

/// The keys of an app's look at whether it shows what was merged.
enum RefreshLine {
    static func append(_ report: RefreshReport, to object: inout LineBuffer) {
        object.field(.trigger, report.trigger.rawValue)
        object.field(.decision, report.decision.rawValue)
        object.field(.shownVersion, report.shownVersion)
        object.field(.refreshVersion, report.refreshVersion)
        object.field(.reloads, report.reloads)
        object.field(.foreground, report.isInForeground)
        if report.missedPulses > 0 { object.field(.missedPulses, report.missedPulses) }
        object.field(.pulse, report.intervalMilliseconds)
    }

    static func report(_ line: LineFields) throws(LineError) -> RefreshReport {
        RefreshReport(
            trigger: try line.choice(.trigger), decision: try line.choice(.decision),
            shownVersion: Int(clamping: try line.integer(.shownVersion)), refreshVersion: Int(clamping: try line.integer(.refreshVersion)),
            reloads: Int(clamping: try line.integer(.reloads)), isInForeground: try line.bool(LineKey.foreground.text),
            missedPulses: Int(clamping: try line.optionalInteger(.missedPulses) ?? 0),
            pulseInterval: .milliseconds(try line.integer(.pulse, in: 1 ... .max)))
    }
}
