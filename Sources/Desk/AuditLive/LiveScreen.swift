package import AuditAnalysis
package import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
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
        case left
        case right
        case pageUp
        case pageDown
        case home
        case end
        case tab
        case backTab
        case enter
        case escape
        case backspace
        case delete
        /// Control and U, which empties a line.
        case clear
        case character(Character)
    }

    /// What the owner of the screen has to do.
    package enum Effect: Hashable, Sendable {
        /// Nothing.
        case none
        /// End.
        case quit
        /// Give a string to whatever pastes.
        case copy(String)
        /// Find out which time a text means, and answer by ``jump(to:)`` or ``tell(_:)``.
        case jump(String)
        /// Append the line of a restoration to its file, and answer by ``wrote(_:)`` or ``tell(_:)``.
        indirect case write(LiveRestoration)
        /// Take the line of a restoration out of its file again, and answer by ``tell(_:)``.
        indirect case takeBack(LiveRestoration)
    }

    /// What is chosen on the screen, and what `u` goes back to.
    struct View {
        var focus = LivePanel.losses
        var filters: [LiveFilter] = []
        var sorts: [LivePanel: LiveSort] = [:]
        /// The loss that the person has moved to; nil for the first.
        var selected: LiveLog.Loss?
        /// The rows of other panels that the person has moved to.
        var rows: [LivePanel: LiveName] = [:]
    }

    /// What `u` undoes.
    enum Step {
        case view(View, String)
        case restoration(LiveRestoration)
    }

    /// A page that fills the screen.
    struct Page {
        enum Content {
            case help
            case devices
            case conflict(LiveLog.Loss)
            case line(LiveLog.Loss)
            case story(RecordKey, RecordStory.Answer)
            case restoration(TaggedWrite, LiveLog.Loss)
        }

        let content: Content
        var firstLine = 0
    }

    /// How many steps `u` can undo.
    static let undoLimit = 100

    let title: String
    let source: String
    /// What is waited for, while nothing was logged yet.
    let awaited: String
    let isLive: Bool
    /// The file that is offered for restorations.
    var restorePath: String
    private(set) var log: LiveLog
    var frozen: LiveLog?
    private var copies = FirstCopies()
    private(set) var names: RecordNames
    private(set) var stated = StatedRules()
    private var reader = AuditLogReader(isLenient: true)
    var view = View()
    var steps: [Step] = []
    /// The pages above each other; keys act on the last.
    var pages: [Page] = []
    var prompt: LivePrompt?
    /// While the next key says which part of a loss is filtered by: whether losses with it are left out.
    var isFilteringOut: Bool?
    /// The rows that panels had when they were drawn last, and pages.
    var heights: [LivePanel: Int] = [:]
    var pageHeight = 10
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
    ///   - restorePath: The file that is offered for restorations.
    ///   - record: The only record whose losses are listed at first; nil for all.
    ///   - names: What people call records.
    package init(
        title: String, source: String, isLive: Bool, awaited: String = "events", restorePath: String = "restored.jsonl",
        only record: RecordKey? = nil, names: RecordNames = .none
    ) {
        (self.title, self.source, self.isLive, self.restorePath, self.names) = (title, source, isLive, restorePath, names)
        self.awaited = awaited.escaped(for: .terminal)
        log = LiveLog(coversAll: !isLive)
        if let record { view.filters = [LiveFilter(.record(record), isOut: false)] }
    }

    /// What is shown: all that was told, or what was told until the screen was frozen.
    var shown: LiveLog { frozen ?? log }

    /// Whether the screen is frozen.
    package var isFrozen: Bool { frozen != nil }

    /// How many events came since the screen was frozen.
    var eventsSinceFrozen: Int { frozen.map { log.events - $0.events } ?? 0 }

    // MARK: Lines

    /// How many lines could not be understood.
    package var skipped: Int { reader.counts.skipped }
    /// What is wrong with the first line that could not be understood, and where it is; nothing in it acts on a terminal.
    package var firstProblem: String? { reader.counts.firstProblem?.escaped(for: .terminal) }

    /// Counts a line of a log, and lets an observer learn from it.
    package mutating func observe(_ line: InputLine, _ observer: inout some EventObserver) {
        // Nothing is refused.
        guard case .line(let event)? = try? reader.outcome(of: line) else { return }
        observe(event, bytes: line.bytes?.count ?? 0, from: line)
        observer.observe(event, at: line.location)
    }

    /// Counts a line.
    ///
    /// - Parameters:
    ///   - bytes: Its length.
    ///   - input: The line as it was read.
    package mutating func observe(_ line: AuditLine, bytes: Int, from input: InputLine? = nil) {
        names.observe(line.event)
        stated.observe(line, at: input?.location ?? Self.nowhere)
        var line = line
        if case .conflict = line.event.content {
            guard let event = copies.admitted(line.event) else { return }
            line.event = event
        }
        log.observe(line, bytes: bytes, from: input, now: now)
    }

    /// The location of what no file holds.
    static let nowhere = InputLine(file: "", bytes: nil).location

    /// Whether no line that can be understood was counted.
    package var isEmpty: Bool { log.events == 0 }

    /// Shows a sentence until the next key.
    package mutating func tell(_ sentence: String?) { message = sentence?.escaped(for: .terminal) }

    // MARK: Panels

    /// How a panel is sorted.
    func sort(of panel: LivePanel) -> LiveSort { view.sorts[panel] ?? LiveSort(order: panel.orders[0]) }

    /// The filters, with the one that is being typed.
    var filters: [LiveFilter] {
        guard let prompt, prompt.purpose == .find else { return view.filters }
        return view.filters.filter { $0.typed == nil } + [LiveFilter(letters: prompt.text)].compactMap(\.self)
    }

    /// The losses that pass the filters, the latest first unless they are sorted otherwise.
    var listed: [LiveLog.Loss] {
        let filters = filters
        let losses = shown.losses.items
        let admitted = filters.isEmpty ? losses : losses.filter { loss in filters.allSatisfy { $0.admits(loss, names) } }
        let sort = sort(of: .losses)
        return sort == LiveSort(order: .time) ? admitted : sort.sorted(admitted, by: LiveLog.Loss.precedes)
    }

    /// Which of some losses is selected.
    func selection(in losses: [LiveLog.Loss]) -> Int {
        guard let selected = view.selected else { return 0 }
        // One that was forgotten, or does not pass the filter, gives way to the next.
        let sort = sort(of: .losses)
        let precedes = LiveLog.Loss.precedes(in: sort.order)
        return losses.firstIndex { sort.isReversed ? !precedes(selected, $0) : !precedes($0, selected) } ?? max(0, losses.count - 1)
    }

    /// The names and counts of a panel.
    func tally(_ panel: LivePanel) -> LiveTally {
        switch panel {
        case .types: shown.types
        case .fields: shown.fields
        default: shown.losers
        }
    }

    /// The devices in the order of their panel.
    func devices(_ health: DeviceHealthList) -> [DeviceHealthList.Entry] {
        sort(of: .devices).sorted(health.entries) { order in
            switch order {
            case .name: { $0.name < $1.name }
            case .success: { $0.part.lastSuccess ?? .min < $1.part.lastSuccess ?? .min }
            case .waiting: { $0.part.waiting?.status.writes ?? 0 > $1.part.waiting?.status.writes ?? 0 }
            default: { _, _ in false }
            }
        }
    }

    /// The names of the rows of a panel, but for that of losses.
    func rowNames(of panel: LivePanel) -> [LiveName] {
        panel == .devices ? devices(shown.health).map(\.rowName) : tally(panel).rows(sort(of: panel)).map(\.name)
    }

    /// Which of the rows of a panel is selected.
    func selection(in names: [LiveName], of panel: LivePanel) -> Int { view.rows[panel].flatMap(names.firstIndex) ?? 0 }

    // MARK: One record

    /// The rules by which replicas merge, as far as the lines tell: stated ones, else those that a conflict names.
    func rules(of conflict: Conflict?) -> MergeRules {
        stated.mergeRules ?? conflict.flatMap { MergeRules(recordedIn: $0) } ?? MergeRules()
    }

    /// What the kept lines tell of a record.
    func history(of loss: LiveLog.Loss) -> RecordHistory {
        var history = RecordHistory(of: loss.conflict, rules: stated.mergeRules)
        for line in log.writes.items where line.event.record == loss.conflict.key { history.observe(line.event) }
        for other in log.losses.items where other.conflict.key == loss.conflict.key {
            history.observe(AuditEvent(at: other.conflict.milliseconds, .conflict(other.conflict)))
        }
        return history
    }

    /// What the kept lines tell of a record, from its first write on.
    func story(of key: RecordKey) -> RecordStory.Answer {
        let losses = log.losses.items.filter { $0.conflict.key == key }
        let lines = losses.reversed().map { loss in
            AuditLine(sequence: nil, source: loss.source, event: AuditEvent(at: loss.conflict.milliseconds, .conflict(loss.conflict)))
        }
        var ledger = RecordLosses(of: key)
        for line in lines { ledger.observe(line, at: Self.nowhere) }
        for line in log.writes.items { ledger.observe(AuditLine(source: line.source, event: line.event), at: Self.nowhere) }
        var story = RecordStory(of: key, rules: rules(of: losses.first?.conflict), losses: ledger)
        for line in log.writes.items {
            // A log of which everything is kept begins where it begins, whatever its first write is.
            let first = log.writes.hasForgotten ? line.sequence : line.source.flatMap { log.firstLines[$0] }
            story.observe(AuditLine(sequence: first, source: line.source, event: line.event), at: Self.nowhere)
        }
        for line in lines { story.observe(line, at: Self.nowhere) }
        return story.answer
    }
}

/// A line that gives a lost value back, and the file that it is appended to.
package struct LiveRestoration: Hashable, Sendable {
    /// The write.
    package let write: TaggedWrite
    /// The file's path, as it was typed.
    package let path: String
}

extension DeviceHealthList.Entry {
    /// The device as a row of its panel.
    var rowName: LiveName { LiveName(nil, device?.rawValue ?? "") }
}

extension AuditEvent {
    /// The record that it writes.
    var record: RecordKey? {
        if case .write(let write) = content { write.key } else { nil }
    }
}
