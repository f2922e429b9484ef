import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes
import SyncLines
import SyncModel

extension LiveScreen {
    /// The lines of a page, as many as it has.
    func lines(of content: Page.Content, _ pen: LivePen) -> [String] {
        switch content {
        case .help: help(pen)
        case .devices: devices(pen)
        case .conflict(let loss): conflict(loss, pen)
        case .line(let loss): line(loss, pen)
        case .story(let key, let story): self.story(key, story, pen)
        case .restoration(let write, let loss): restoration(write, loss, pen)
        }
    }

    private func help(_ pen: LivePen) -> [String] {
        let width = LiveHelp.sections.flatMap(\.keys).map { TerminalText.width($0.key) }.max() ?? 0
        // Where there is no room for words beside keys they are below.
        let margin = pen.columns >= 50 ? width + 4 : 4
        let sections = LiveHelp.sections.flatMap { title, keys in
            [pen.line(title, pen.style.bold)]
                + keys.flatMap { key, words in
                    let lines = TerminalText.lines(words, to: pen.columns - 1 - margin, wide: .broken)
                    if margin == 4 { return [pen.line("  " + key, pen.style.cyan)] + lines.map { pen.line("    " + $0) } }
                    return lines.enumerated().map { index, line in
                        pen.line([(TerminalText.padded(index == 0 ? "  " + key : "", to: margin), pen.style.cyan), (line, { $0 })])
                    }
                } + [""]
        }
        let limit = HumanNumber.count(LiveLog.lossLimit)
        return sections + pen.wrapped("Counts and bars are of all lines that were read; of losses the last \(limit) are kept.")
    }

    /// All devices, each with its whole sentence.
    private func devices(_ pen: LivePen) -> [String] {
        let health = shown.health
        let title = "Devices by need: " + (health.isEmpty ? "no event tells of their sync" : DeviceHealthList.words(health.counts))
        let rest = health.others == nil ? [] : [pen.line("Others are not told apart", pen.style.dim)]
        return pen.wrapped(title).map(pen.style.bold)
            + devices(health).flatMap { entry in
                let sentence = "\(entry.name) (\(entry.labels)): \(entry.reason)"
                return TerminalText.lines(sentence, to: pen.columns - 3, wide: .broken).enumerated().map { index, line in
                    let line = pen.line((index == 0 ? "" : "  ") + line)
                    return entry.needsAttention ? pen.style.red(line) : line
                }
            } + rest
    }

    private func conflict(_ loss: LiveLog.Loss, _ pen: LivePen) -> [String] {
        let details = ConflictDetails(LoggedConflict(loss.conflict, from: loss.source), history: history(of: loss))
        return lines(of: ConflictAnswer(details, source: source), pen)
            + (log.writes.hasForgotten ? forgotten("syncaudit show \(loss.conflict.id) \(source)", pen) : [])
    }

    private func story(_ key: RecordKey, _ story: RecordStory.Answer, _ pen: LivePen) -> [String] {
        let command = "syncaudit story \(key.description.shellOperand) \(source)"
        let isCut = log.writes.hasForgotten || log.losses.count < log.lossCount
        let note = isCut ? forgotten(command, pen) : pen.broken("With conflicts that lost nothing: \(command)").map(pen.style.dim)
        return note + lines(of: StoryAnswer(story, source: source), pen)
    }

    private func lines(of answer: some Answer, _ pen: LivePen) -> [String] {
        func lines(_ style: TerminalStyle) -> [Substring] {
            let text = answer.text(PageLayout(style: style, width: pen.columns - 1, names: names))
            return text.split(separator: "\n", omittingEmptySubsequences: false)
        }
        return zip(lines(TerminalStyle(isEnabled: false)), lines(pen.style)).flatMap { plain, styled in
            // A command that is there to be copied may be longer than the screen is wide.
            TerminalText.width(String(plain)) < pen.columns ? [String(styled)] : pen.broken(String(plain))
        }
    }

    private func forgotten(_ command: String, _ pen: LivePen) -> [String] {
        pen.broken("The first lines were forgotten; to read all: \(command)").map(pen.style.yellow)
    }

    /// How many bytes of a line are shown.
    private static let lineLimit = 32_768

    private func line(_ loss: LiveLog.Loss, _ pen: LivePen) -> [String] {
        guard let input = loss.input, let bytes = input.bytes else { return ["The line is not at hand"] }
        let rest = bytes.count - Self.lineLimit
        return pen.wrapped("\(input.location), \(HumanNumber.count(bytes.count, "byte"))").map(pen.style.bold)
            + pen.broken(String(decoding: bytes.prefix(Self.lineLimit), as: UTF8.self).escaped(for: .terminal))
            + (rest > 0 ? [pen.line("\(HumanNumber.count(rest, "more byte")) not shown", pen.style.yellow)] : [])
    }

    private func restoration(_ write: TaggedWrite, _ loss: LiveLog.Loss, _ pen: LivePen) -> [String] {
        let conflict = loss.conflict
        let count = history(of: loss).siblings.count
        func value(_ side: Conflict.Side) -> [String] {
            let by = " by \(EventText.name(side.dot.device.rawValue)), \(RFC3339.string(milliseconds: side.timestamp.milliseconds))"
            let shown = side.value.flatMap { $0 == .null ? nil : JSONText.string($0) } ?? "no value"
            let value = side.operation == .delete ? "deleted" : shown
            let cut = String(value.unicodeScalars.prefix(4_000)) + (value.unicodeScalars.count > 4_000 ? "…" : "")
            return pen.broken("  " + cut.escaped(for: .terminal) + by)
        }
        let line = String(decoding: WriteLine.bare(write).prefix(Self.lineLimit), as: UTF8.self).escaped(for: .terminal)
        let others = HumanNumber.count(count, "other field", "other fields")
        let more = "The same write discarded \(others), each a loss of its own in the list."
        return pen.wrapped("Give back \(EventText.register(conflict.key, conflict.field, names))? Conflict \(conflict.id)")
            .map(pen.style.bold)
            + [pen.line("Shown now, as far as these lines tell:")] + value(conflict.winner)
            + [pen.line("Shown again then:")] + value(conflict.loser).map(pen.style.green) + (count > 0 ? pen.wrapped(more) : [])
            + [""] + pen.wrapped("This line would be appended, for your backend or your trace to take; nothing else is changed:")
            + pen.broken(line).map(pen.style.cyan)
    }
}
