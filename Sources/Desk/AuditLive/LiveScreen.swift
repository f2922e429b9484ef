package import AuditAnalysis
package import AuditLog
package import ConflictAudit
import SyncBytes
package import SyncModel

/// A live screen over logs, without a terminal: lines and keys come in, lines of the screen go out.
///
/// A value type; its owner guards it.
package struct LiveScreen {
    /// The size of a terminal.
    package struct Size: Hashable, Sendable {
        /// The columns, 1 or more.
        package let columns: Int
        /// The rows, 1 or more.
        package let rows: Int

        /// A size; what is less than 1 becomes 1.
        package init(columns: Int, rows: Int) { (self.columns, self.rows) = (max(columns, 1), max(rows, 1)) }
    }

    /// A key that was pressed.
    package enum Key: Hashable, Sendable {
        case up
        case down
        case pageUp
        case pageDown
        case home
        case end
        case enter
        case escape
        case backspace
        case character(Character)
    }

    /// What the owner of the screen has to do.
    package enum Effect: Hashable, Sendable {
        /// Nothing.
        case none
        /// End.
        case quit
        /// Write a line that gives back what a conflict discarded, and tell the screen by ``tell(_:)``.
        indirect case restore(TaggedWrite)
    }

    let title: String
    let source: String
    /// What is waited for, while nothing was logged yet.
    let awaited: String
    let isLive: Bool
    let canRestore: Bool
    private(set) var log: LiveLog
    private var frozen: LiveLog?
    private var copies = FirstCopies()
    private(set) var names: RecordNames
    package private(set) var skipped = 0
    /// What is wrong with the first line that could not be understood, and where it is.
    package private(set) var firstProblem: String?
    private(set) var filter = ""
    private(set) var isEditing = false
    /// The loss that the person has moved to; nil for the latest.
    private var selected: LiveLog.Loss?
    private(set) var opened: LiveLog.Loss?
    var firstLine = 0
    /// The time by the clock of this computer, in milliseconds since 1970; what is dated later is not believed.
    package var now = Int64.max
    private(set) var message: String?

    /// An empty screen.
    ///
    /// - Parameters:
    ///   - title: The first words of the screen.
    ///   - source: How a command line names the logs.
    ///   - isLive: Whether lines are still to come; otherwise the bar chart covers the whole time.
    ///   - awaited: What is waited for, while nothing was logged yet.
    ///   - canRestore: Whether restoring lines have somewhere to go.
    ///   - names: What people call records.
    package init(
        title: String, source: String, isLive: Bool, awaited: String = "events", canRestore: Bool, names: RecordNames = .none
    ) {
        (self.title, self.source, self.isLive, self.canRestore, self.names) = (title, source, isLive, canRestore, names)
        self.awaited = awaited.escaped(for: .terminal)
        log = LiveLog(coversAll: !isLive)
    }

    /// What is shown: all that was told, or what was told until the screen was frozen.
    var shown: LiveLog { frozen ?? log }

    /// Whether the screen is frozen.
    package var isFrozen: Bool { frozen != nil }

    /// How many events came since the screen was frozen.
    var eventsSinceFrozen: Int { frozen.map { log.events - $0.events } ?? 0 }

    // MARK: Lines

    /// Counts a line of a log, and returns the event that it tells of; nil where it tells of none.
    package mutating func observe(_ line: InputLine, _ decoder: inout LineDecoder) -> AuditEvent? {
        do throws(LineProblem) {
            guard case .line(let event) = try decoder.outcome(of: line) else { return nil }
            observe(event, bytes: line.bytes?.count ?? 0)
            return event.event
        } catch {
            skip("\(line.location): \(error.sentence.escaped(for: .terminal))")
            return nil
        }
    }

    /// Counts a line.
    ///
    /// - Parameter bytes: Its length.
    package mutating func observe(_ line: AuditLine, bytes: Int) {
        names.observe(line.event)
        if case .conflict = line.event.content, !copies.admits(line.event) { return }
        log.observe(line, bytes: bytes, now: now)
    }

    /// Counts a line that cannot be understood.
    ///
    /// - Parameter problem: Its location and what is wrong with it, in which nothing acts on a terminal.
    package mutating func skip(_ problem: @autoclosure () -> String) {
        skipped += 1
        if firstProblem == nil { firstProblem = problem() }
    }

    /// Whether no line that can be understood was counted.
    package var isEmpty: Bool { log.events == 0 }

    /// Shows a sentence until the next key.
    package mutating func tell(_ sentence: String) { message = sentence.escaped(for: .terminal) }

    // MARK: Keys

    /// The losses that pass the filter, latest first.
    var listed: [LiveLog.Loss] {
        let wanted = filter.lowercased()
        let losses = shown.losses.items
        return wanted.isEmpty ? losses : losses.filter { $0.contains(wanted, names) }
    }

    /// Which of some losses is selected.
    func selection(in losses: [LiveLog.Loss]) -> Int {
        guard let selected else { return 0 }
        // One that was forgotten, or does not pass the filter, gives way to the next older.
        return losses.firstIndex { $0 <= selected } ?? max(0, losses.count - 1)
    }

    /// Does what a key asks for.
    package mutating func press(_ key: Key) -> Effect {
        message = nil
        if isEditing { return edit(key) }
        switch key {
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .pageUp: move(by: -10)
        case .pageDown: move(by: 10)
        case .home: move(by: -LiveLog.lossLimit)
        case .end: move(by: LiveLog.lossLimit)
        case .enter:
            let losses = listed
            if opened == nil, !losses.isEmpty { opened = losses[selection(in: losses)] }
            firstLine = 0
        case .escape, .backspace:
            if opened != nil { opened = nil } else { filter = "" }
        case .character("q"):
            if opened == nil { return .quit }
            opened = nil
        case .character("k"): move(by: -1)
        case .character("j"): move(by: 1)
        case .character("f"): frozen = isFrozen ? nil : log
        case .character("/"): (opened, isEditing) = (nil, true)
        case .character("r"): return restore()
        case .character: break
        }
        return .none
    }

    private mutating func edit(_ key: Key) -> Effect {
        switch key {
        case .enter: isEditing = false
        case .escape: (isEditing, filter) = (false, "")
        case .backspace: if filter.isEmpty { isEditing = false } else { filter.removeLast() }
        case .character(let character): if filter.count < 60 { filter.append(character) }
        default: isEditing = false
        }
        return .none
    }

    private mutating func move(by lines: Int) {
        if opened != nil {
            firstLine = max(0, firstLine + lines)
            return
        }
        let losses = listed
        guard !losses.isEmpty else { return }
        let index = min(max(selection(in: losses) + lines, 0), losses.count - 1)
        selected = index == 0 ? nil : losses[index]
    }

    // MARK: One conflict

    /// What the kept lines tell of a record.
    func history(of loss: LiveLog.Loss) -> RecordHistory {
        var history = RecordHistory(of: loss.conflict)
        for write in log.writes.items where write.event.isAbout(loss.conflict.key) { history.observe(write.event) }
        for other in log.losses.items where other.conflict.key == loss.conflict.key {
            history.observe(AuditEvent(at: other.conflict.milliseconds, .conflict(other.conflict)))
        }
        return history
    }

    private mutating func restore() -> Effect {
        let losses = listed
        guard let loss = opened ?? (losses.isEmpty ? nil : losses[selection(in: losses)]) else {
            tell("nothing was lost that could be restored")
            return .none
        }
        guard canRestore else {
            tell("name a file for it: start again with --restore FILE, or run 'syncaudit restore \(loss.conflict.id) \(source)'")
            return .none
        }
        let history = history(of: loss)
        do throws(RestoreRefusal) {
            try history.checkRestorable()
        } catch {
            tell("not restored: \(error.description)")
            return .none
        }
        guard let write = history.restoringWrite(now: log.latest ?? 0) else { return .none }
        return .restore(write)
    }
}

extension LiveLog.Loss {
    fileprivate func contains(_ wanted: String, _ names: RecordNames) -> Bool {
        let (key, field) = (conflict.key, conflict.field.map { "." + $0.rawValue } ?? "")
        let parts = [
            key.type.rawValue + field, key.description, names[key] ?? "", conflict.loser.dot.device.rawValue,
            conflict.winner.dot.device.rawValue,
        ]
        return parts.contains { $0.lowercased().contains(wanted) }
    }
}

extension AuditEvent {
    fileprivate func isAbout(_ key: RecordKey) -> Bool {
        if case .write(let write) = content { write.key == key } else { false }
    }
}
