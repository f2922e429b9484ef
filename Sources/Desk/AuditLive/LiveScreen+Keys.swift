import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

extension LiveScreen {
    /// Does what a key asks for.
    package mutating func press(_ key: Key) -> Effect {
        tell(nil)
        if prompt != nil { return type(key) }
        if let isOut = isFilteringOut {
            isFilteringOut = nil
            filterByPart(key, isOut: isOut)
            return .none
        }
        switch key {
        case .up, .character("k"): move(by: -1)
        case .down, .character("j"): move(by: 1)
        case .pageUp: move(by: -pageRows)
        case .pageDown, .character(" "): move(by: pageRows)
        case .home, .character("g"): move(by: -Self.allRows)
        case .end, .character("G"): move(by: Self.allRows)
        case .enter: if pages.isEmpty { enter() }
        case .escape, .backspace: if pages.popLast() == nil { removeLastFilter() }
        case .character("q"): if pages.popLast() == nil { return .quit }
        case .character("?"): toggle(.help) { if case .help = $0 { true } else { false } }
        case .character("h"): toggle(.devices) { if case .devices = $0 { true } else { false } }
        case .character("f"): frozen = isFrozen ? nil : log
        case .character("/"):
            pages = []
            prompt = LivePrompt(.find, view.filters.lazy.compactMap(\.typed).first ?? "")
        case .character("t"):
            pages = []
            prompt = LivePrompt(.time)
        case .character("y"): return copy()
        case .character("l"), .character("o"): open { .line($0) }
        case .character("v"): openStory()
        case .character("r"): propose()
        case .character("u"): return undo()
        default: if pages.isEmpty { pressOnPanel(key) }
        }
        return .none
    }

    /// Does what a key asks for that acts on a panel alone.
    private mutating func pressOnPanel(_ key: Key) {
        switch key {
        case .tab: view.focus = view.focus.advanced(by: 1)
        case .backTab: view.focus = view.focus.advanced(by: -1)
        case .character("s"):
            let orders = view.focus.orders
            let next = (orders.firstIndex(of: sort(of: view.focus).order) ?? 0) + 1
            sort(LiveSort(order: orders[next % orders.count]))
        case .character("S"): sort(LiveSort(order: sort(of: view.focus).order, isReversed: !sort(of: view.focus).isReversed))
        case .character("+"), .character("="): filter(isOut: false)
        case .character("-"): filter(isOut: true)
        default: break
        }
    }

    private mutating func sort(_ sort: LiveSort) {
        remember("the sorting")
        view.sorts[view.focus] = sort
        // To the first row, of which another order makes another one.
        if view.focus == .losses { view.selected = nil } else { view.rows[view.focus] = nil }
    }

    // MARK: Moving

    /// More rows than anything has.
    private static let allRows = Int(Int32.max)

    private var pageRows: Int { max(1, (pages.isEmpty ? heights[view.focus] ?? 10 : pageHeight) - 1) }

    private mutating func move(by rows: Int) {
        if let page = pages.last {
            pages[pages.count - 1].firstLine = max(0, page.firstLine + rows)
        } else if view.focus == .losses {
            let losses = listed
            guard !losses.isEmpty else { return }
            let index = min(max(selection(in: losses) + rows, 0), losses.count - 1)
            view.selected = index == 0 ? nil : losses[index]
        } else {
            let names = rowNames(of: view.focus)
            guard !names.isEmpty else { return }
            view.rows[view.focus] = names[min(max(selection(in: names, of: view.focus) + rows, 0), names.count - 1)]
        }
    }

    /// Selects the first of the losses, the latest first, that was no later than a time.
    ///
    /// - Parameter time: The time in milliseconds since 1970.
    package mutating func jump(to time: Int64) {
        prompt = nil
        remember("the jump")
        view.focus = .losses
        view.sorts[.losses] = nil
        let losses = listed
        let index = losses.firstIndex { $0.time <= time }
        view.selected = index.map { losses[$0] } ?? losses.last
        if index == nil {
            let earliest = losses.last.map { ", the earliest is of \(RFC3339.string(milliseconds: $0.time))" } ?? ""
            tell("no listed loss is as old as \(RFC3339.string(milliseconds: time))" + earliest)
        } else if index == 0 {
            view.selected = nil
        }
    }

    // MARK: Pages

    /// The loss that keys are about: the one of the page, or the selected one.
    var meant: LiveLog.Loss? {
        switch pages.last?.content {
        case .conflict(let loss), .line(let loss), .restoration(_, let loss): return loss
        case .story(let key, _): return shown.losses.items.first { $0.conflict.key == key }
        case .help, .devices, nil: break
        }
        let losses = listed
        return losses.isEmpty ? nil : losses[selection(in: losses)]
    }

    private mutating func enter() {
        switch view.focus {
        case .losses: open { .conflict($0) }
        case .devices:
            pages.append(Page(content: .devices, firstLine: selection(in: rowNames(of: .devices), of: .devices) + 1))
        case .types, .fields, .losers:
            filter(isOut: false)
            view.focus = .losses
        }
    }

    /// Opens a page about the loss that is meant.
    private mutating func open(_ content: (LiveLog.Loss) -> Page.Content) {
        guard let loss = meant else { return tell("no loss is listed") }
        let content = content(loss)
        if case .line? = pages.last?.content, case .line = content { return }
        pages.append(Page(content: content))
    }

    /// Opens a page, or closes it where it is open.
    private mutating func toggle(_ content: Page.Content, _ isIt: (Page.Content) -> Bool) {
        if let index = pages.firstIndex(where: { isIt($0.content) }) {
            pages.removeSubrange(index...)
        } else {
            pages.append(Page(content: content))
        }
    }

    private mutating func openStory() {
        if case .story? = pages.last?.content { return }
        guard let loss = meant else { return tell("no loss is listed") }
        openStory(of: loss.conflict.key)
    }

    private mutating func openStory(of key: RecordKey) { pages.append(Page(content: .story(key, story(of: key)))) }

    private mutating func copy() -> Effect {
        if case .story(let key, _)? = pages.last?.content {
            tell("\(key) names the record; it is copied where the terminal lets programs copy")
            return .copy(key.description)
        }
        guard let conflict = meant?.conflict else {
            tell("no loss is listed")
            return .none
        }
        tell("\(conflict.id) is the conflict's id; it is copied where the terminal lets programs copy")
        return .copy(conflict.id.description)
    }

    // MARK: Filters

    /// Filters by what the row under the cursor is about.
    private mutating func filter(isOut: Bool) {
        if view.focus == .losses {
            if meant == nil { tell("no loss is listed") } else { isFilteringOut = isOut }
            return
        }
        let names = rowNames(of: view.focus)
        guard !names.isEmpty else { return tell("the panel has no row to filter by") }
        let name = names[selection(in: names, of: view.focus)]
        switch view.focus {
        case .types: add(.type(RecordType(name.second)), isOut)
        case .fields:
            add(.field(RecordType(name.first ?? ""), name.second == LiveLog.wholeRecord ? nil : FieldName(name.second)), isOut)
        case .losers: add(.loser(DeviceID(name.second)), isOut)
        case .devices, .losses: add(.device(DeviceID(name.second)), isOut)
        }
    }

    /// What the parts of a loss are that it can be filtered by, and the key of each.
    static func parts(of loss: LiveLog.Loss) -> [(key: Character, subject: LiveFilter.Subject)] {
        let conflict = loss.conflict
        return [
            ("r", .record(conflict.key)), ("t", .type(conflict.key.type)), ("f", .field(conflict.key.type, conflict.field)),
            ("d", .loser(conflict.loser.dot.device)), ("w", .device(conflict.winner.dot.device)),
        ]
    }

    private mutating func filterByPart(_ key: Key, isOut: Bool) {
        guard let loss = meant, let part = Self.parts(of: loss).first(where: { .character($0.key) == key }) else { return }
        add(part.subject, isOut)
    }

    private mutating func add(_ subject: LiveFilter.Subject, _ isOut: Bool) {
        let filter = LiveFilter(subject, isOut: isOut)
        if view.filters.contains(where: { $0.words == filter.words }) { return tell("filtered by that already") }
        remember("the filter " + filter.words)
        view.filters.append(filter)
    }

    private mutating func removeLastFilter() {
        guard let last = view.filters.last else { return }
        remember("the removal of " + last.words)
        view.filters.removeLast()
    }

    // MARK: Typing

    private mutating func type(_ key: Key) -> Effect {
        guard var line = prompt else { return .none }
        switch key {
        case .enter: return commit(line)
        case .escape:
            prompt = nil
            // The proposal goes with the question where to write it.
            if line.purpose == .file { pages.removeLast() }
        case .up where line.purpose == .file: move(by: -1)
        case .down where line.purpose == .file: move(by: 1)
        case .pageUp where line.purpose == .file: move(by: -pageRows)
        case .pageDown where line.purpose == .file: move(by: pageRows)
        default:
            line.press(key)
            prompt = line
        }
        return .none
    }

    private mutating func commit(_ line: LivePrompt) -> Effect {
        switch line.purpose {
        case .find: find(line.text)
        case .time:
            if !line.text.isEmpty { return .jump(line.text) }
            prompt = nil
        case .file:
            guard case .restoration(let write, _)? = pages.last?.content else { break }
            if !line.text.isEmpty { return .write(LiveRestoration(write: write, path: line.text)) }
            tell("a file must be named; Esc leaves without writing")
        }
        return .none
    }

    private mutating func find(_ text: String) {
        let found = listed
        prompt = nil
        // What nobody lost is still a record that lines may tell of.
        if !text.isEmpty, found.isEmpty, let key = record(called: text) {
            openStory(of: key)
            return tell("no loss that is listed is of it; what follows is the record's story")
        }
        let filter = LiveFilter(letters: text)
        guard filter?.typed != view.filters.lazy.compactMap(\.typed).first else { return }
        remember("the filter " + (filter?.words ?? "without letters"))
        view.filters.removeAll { $0.typed != nil }
        view.filters += [filter].compactMap(\.self)
        view.focus = .losses
    }

    /// The record among kept writes whose name is a text, or else has it in it.
    private func record(called text: String) -> RecordKey? {
        let wanted = text.lowercased()
        var found: RecordKey?
        for line in log.writes.items.reversed() {
            guard let key = line.event.record, key != found else { continue }
            let words = [key.description, names[key] ?? ""]
            if words.contains(text) { return key }
            if found == nil, words.contains(where: { $0.lowercased().contains(wanted) }) { found = key }
        }
        return found
    }

    // MARK: Restoring

    private mutating func propose() {
        guard let loss = meant else { return tell("nothing was lost that could be restored") }
        let history = history(of: loss)
        do throws(RestoreRefusal) {
            try history.checkRestorable()
        } catch {
            let command = error.canBeForced ? ": syncaudit restore --force \(loss.conflict.id) \(source)" : ""
            return tell("not restored: \(error.description)\(command)")
        }
        guard let write = history.restoringWrite(now: log.latest ?? 0) else { return }
        pages.append(Page(content: .restoration(write, loss)))
        prompt = LivePrompt(.file, restorePath)
    }

    /// Learns that the line of a restoration was written.
    package mutating func wrote(_ restoration: LiveRestoration) {
        prompt = nil
        if case .restoration? = pages.last?.content { pages.removeLast() }
        restorePath = restoration.path
        remember(.restoration(restoration))
        let name = EventText.register(restoration.write.key, nil, names)
        tell("written to \(restoration.path): a line that restores \(name) wherever it is taken; u takes it out again")
    }

    // MARK: Undoing

    private mutating func remember(_ words: String) { remember(.view(view, words)) }

    private mutating func remember(_ step: Step) {
        steps.append(step)
        if steps.count > Self.undoLimit { steps.removeFirst() }
    }

    private mutating func undo() -> Effect {
        switch steps.popLast() {
        case nil: tell("there is nothing to undo")
        case .restoration(let restoration): return .takeBack(restoration)
        case .view(let before, let words):
            view = before
            pages = []
            tell("undone: \(words)")
        }
        return .none
    }
}
