package import AuditAnalysis
package import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// Writes an event as one line that a person can read: when, what, and what it meant.
///
/// Whatever the log holds, the line holds nothing that a terminal acts on. It is not much longer than a screen is wide, but for the errors
/// of a failed sync where lines are not cut.
package struct EventRenderer: Sendable {
    private let style: TerminalStyle
    /// What people call records.
    package var names = RecordNames.none
    /// The columns beyond which a line is cut; nil to keep lines whole.
    package var width: Int?

    /// A renderer with or without colours.
    package init(style: TerminalStyle = TerminalStyle(isEnabled: false)) {
        self.style = style
    }

    /// The line, with its line break.
    ///
    /// - Parameter writtenTime: The time as another log has it, where that cannot be told as one of UTC; empty where it has none.
    package func render(_ line: AuditLine, writtenTime: String? = nil) -> String { rendered(line, writtenTime: writtenTime).text(logs: 1) }

    /// The line, before it is known how many logs tell of the event.
    package func rendered(_ line: AuditLine, writtenTime: String? = nil) -> RenderedLine {
        let time = style.dim(writtenTime.map(column) ?? time(line))
        switch line.event.content {
        case .conflict(let conflict):
            return RenderedLine(before: "\(time)  \(sentence(conflict))", after: "): \(outcome(conflict))", width: width)
        case let content:
            let (word, sentence, tone) = describe(content)
            let source = line.source.map { EventText.name($0.rawValue) + ": " } ?? ""
            let whole = "\(time)  \(style.toned(TerminalText.padded(word, to: Self.wordWidth), tone))  \(source)\(sentence)"
            return RenderedLine(before: whole, after: "", width: width)
        }
    }

    private func time(_ line: AuditLine) -> String {
        let whole = RFC3339.string(milliseconds: line.event.milliseconds)
        // Where there is little room, what happened is worth more than the year and the milliseconds.
        return isNarrow ? String(whole.dropFirst(5).prefix(14)).replacing("T", with: " ") : whole
    }

    /// The time of another log in the column of times.
    private func column(_ time: String) -> String {
        TerminalText.padded(time.isEmpty ? "-" : String(time.escaped(for: .terminal).prefix(24)), to: isNarrow ? 14 : 24)
    }

    private var isNarrow: Bool { width.map { $0 < Self.wideColumns } ?? false }

    /// The columns from which times are whole.
    private static let wideColumns = 100

    private static let wordWidth = Conflict.Severity.allCases.map(\.rawValue.utf8.count).max() ?? 0
    private static let kindWidth = Conflict.Kind.allCases.map(\.rawValue.utf8.count).max() ?? 0

    // MARK: Conflicts

    /// What the line of a conflict says up to the last remark in brackets.
    private func sentence(_ conflict: Conflict) -> String {
        let severity = TerminalText.padded(conflict.severity.rawValue, to: Self.wordWidth)
        let tone: Tone = conflict.severity.isLoss ? .bad : conflict.severity == .merged ? .good : .aside
        let kind = TerminalText.padded(conflict.kind.rawValue, to: Self.kindWidth)
        let winner = EventText.name(conflict.winner.dot.device.rawValue)
        let loser = EventText.name(conflict.loser.dot.device.rawValue)
        var remarks = [conflict.reason.rawValue]
        if !conflict.isProven { remarks.append("suspected") }
        remarks += conflict.flags.all.compactMap(\.remark)
        var register = EventText.register(conflict.key, conflict.field, names)
        if let related = conflict.related { register += " and " + EventText.register(related, nil, names) }
        let id = style.dim(String(conflict.id.description.prefix(8)))
        return
            "\(style.toned(severity, tone))  \(id)  \(kind)  \(style.cyan(register))  \(winner) over \(loser) (\(remarks.joined(separator: ", "))"
    }

    private func outcome(_ conflict: Conflict) -> String {
        let loss =
            switch conflict.severity {
            case .benign:
                conflict.harmlessness == .repeated || conflict.isBookkeeping
                    ? "nothing lost, nothing edited" : "nothing lost, both the same"
            case .merged: "nothing lost, both kept"
            case .lossy, .destructive: "lost \(lost(conflict.loser))"
            case .divergent: "replicas disagree, one of them lost \(lost(conflict.loser))"
            }
        return switch conflict.resolution {
        case .keepLocal, .applyRemote, .merged: loss
        case .manualPending: "\(loss); waits to be decided"
        case .manualResolved: "\(loss); decided by hand"
        case .restored: "\(loss); restored"
        }
    }

    private func lost(_ side: Conflict.Side) -> String {
        switch (side.operation, side.value) {
        case (_, .null): "a removal"
        case (_, let value?): EventText.value(value)
        case (.delete, nil): "a delete"
        case (.put, nil): "a value that the log leaves out"
        }
    }

    // MARK: Other events

    private func describe(_ content: AuditEvent.Content) -> (word: String, sentence: String, tone: Tone) {
        switch content {
        // Rendered by ``sentence(_:)``, in columns of its own.
        case .conflict(let conflict): return ("conflict", outcome(conflict), .aside)
        case .write(let write): return ("write", sentence(write), .aside)
        case .merge(let merge): return ("merge", sentence(merge), .aside)
        case .sync(let activity): return ("sync", sentence(activity), activity.state == .failed ? .bad : .aside)
        case .remoteChange(let change):
            return ("remote", "\(HumanNumber.count(change.changes, "change")) merged (refresh \(change.refreshVersion))", .aside)
        case .acknowledgement(let acknowledgement): return ("taken", sentence(acknowledgement), .aside)
        case .outbox(let status): return ("outbox", sentence(status), status.isOverWarningLevel || status.setAside > 0 ? .bad : .aside)
        case .refresh(let report): return ("refresh", report.description, report.missedPulses > 0 ? .bad : .aside)
        case .network(let status, let interface):
            return ("network", EventText.name(status) + (interface.map { " over " + EventText.name($0) } ?? ""), .aside)
        case .account(let status): return ("account", EventText.name(status), .aside)
        case .clock(let measurement): return ("clock", sentence(measurement), .aside)
        case .checkpoint(let checkpoint):
            let seen = checkpoint.seen.entries.map { "\($0.device.rawValue) \($0.sequence)" }.joined(separator: ", ")
            let records = HumanNumber.count(checkpoint.records, "record")
            return ("checkpoint", "\(records), digest \(EventText.name(checkpoint.digest)), seen \(EventText.name(seen))", .aside)
        case .statistics(let statistics):
            let lost = statistics.dataLost
            let sentence =
                "\(HumanNumber.count(statistics.totalConflicts, "conflict")) in \(HumanNumber.count(statistics.writesObserved, "write")), "
                + (lost == 0 ? "no edit known to be lost" : "\(HumanNumber.count(lost, "edit")) lost")
            return ("statistics", sentence, lost == 0 ? .aside : .bad)
        case .rules(let rules): return ("rules", rules.object.map(EventText.fields) ?? EventText.value(rules), .aside)
        case .log(let note): return describe(note)
        }
    }

    private func sentence(_ acknowledgement: WriteAcknowledgement) -> String {
        let (record, dot) = (style.cyan(EventText.register(acknowledgement.key, nil, names)), acknowledgement.dot)
        let verb = acknowledgement.isStillShown ? "is still shown by" : "is"
        return
            "\(record)  write \(dot.sequence) of \(EventText.name(dot.device.rawValue)) \(verb) the server's number \(acknowledgement.number)"
    }

    private func sentence(_ write: TaggedWrite) -> String {
        let record = style.cyan(EventText.register(write.key, nil, names))
        let device = EventText.name(write.dot.device.rawValue)
        guard let fields = write.fields else { return "\(record)  deleted by \(device)" }
        return "\(record)  put by \(device): \(EventText.fields(fields))"
    }

    private func sentence(_ merge: RecordedMerge) -> String {
        let ancestor = merge.ancestor == nil ? "without" : "with"
        let record = style.cyan(EventText.register(merge.key, nil, names))
        return "\(record)  merged by \(EventText.name(merge.device.rawValue)), \(ancestor) an ancestor"
    }

    private func sentence(_ activity: SyncActivity) -> String {
        let store = activity.device.map { EventText.name($0.rawValue) + ": " } ?? ""
        let action = "\(store)\(activity.phase.rawValue) \(activity.state.rawValue)"
        if activity.state == .started { return action }
        // A screen has room for one sentence, a file for the errors of all records that an export was refused.
        let error = activity.error.map { ": " + (width == nil ? EventText.sentences($0) : EventText.sentence($0)) } ?? ""
        // Other engines do not say.
        if activity.durationMilliseconds == 0, activity.writes == 0, activity.bytes == 0 { return action + error }
        let time = HumanNumber.duration(milliseconds: activity.durationMilliseconds)
        return "\(action) after \(time), \(HumanNumber.count(activity.writes, "write")), \(HumanNumber.bytes(activity.bytes))\(error)"
    }

    private func sentence(_ status: OutboxStatus) -> String {
        let waiting =
            "\(HumanNumber.count(status.writes, "write")), \(HumanNumber.bytes(status.bytes)), \(status.writes == 1 ? "waits" : "wait") to be sent"
        let since = status.oldest.map { ", the oldest since \(RFC3339.string(milliseconds: $0.millisecondsSince1970))" } ?? ""
        let level = status.isOverWarningLevel ? "; more than \(HumanNumber.bytes(status.warningBytes)) is too much" : ""
        let setAside = status.setAside > 0 ? "; \(HumanNumber.count(status.setAside)) set aside" : ""
        return waiting + since + level + setAside
    }

    private func sentence(_ measurement: ClockMeasurement) -> String {
        let device = EventText.name(measurement.device.rawValue)
        let uncertainty = "(± \(HumanNumber.duration(milliseconds: measurement.uncertaintyMilliseconds)))"
        let offset = measurement.offsetMilliseconds
        if offset == 0 { return "\(device) agrees with the hub \(uncertainty)" }
        let distance = HumanNumber.duration(milliseconds: offset == .min ? .max : abs(offset))
        return "\(device) is \(distance) \(offset > 0 ? "ahead of" : "behind") the hub \(uncertainty)"
    }

    private func describe(_ note: LogNote) -> (String, String, Tone) {
        switch note {
        case .opened: ("log", "opened", .aside)
        case .rotated: ("log", "rotated", .aside)
        case .dropped(let count): ("log", "\(HumanNumber.count(count, "line")) dropped", .bad)
        case .truncated(let count): ("log", "\(HumanNumber.count(count, "value")) cut to the length allowed", .aside)
        case .recovered(let count): ("log", "a torn last line of \(HumanNumber.bytes(count)) closed off", .bad)
        case .forgotten(let count):
            ("log", "\(HumanNumber.count(count, "lost edit")) taken off the app's list, full or old; the conflicts stay in the log", .aside)
        case .unobserved(let gap):
            (
                "log",
                (gap.field.map { EventText.name($0.rawValue) + " of " } ?? "deletes of ") + EventText.name(gap.type.rawValue)
                    + " cannot be observed: " + EventText.sentence(gap.reason), .aside
            )
        }
    }
}

/// An event as a line, which is written once it is known how many logs tell of it.
package struct RenderedLine: Sendable {
    fileprivate let before: String
    fileprivate let after: String
    /// The columns beyond which it is cut; nil to keep it whole.
    fileprivate let width: Int?

    /// The line, with its line break.
    package func text(logs: Int) -> String {
        let whole = before + (logs > 1 ? ", in \(HumanNumber.count(logs, "log"))" : "") + after
        return (width.map { TerminalStyle.truncated(whole, to: $0) } ?? whole) + "\n"
    }
}
