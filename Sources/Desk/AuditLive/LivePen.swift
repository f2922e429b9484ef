import AuditAnalysis
import AuditReport

/// Cuts and styles lines of a screen.
struct LivePen {
    let columns: Int
    let style: TerminalStyle

    /// A line that leaves the last column free, where some terminals would go on to the next line.
    func line(_ text: String, _ tone: (String) -> String = { $0 }) -> String { tone(TerminalText.truncated(text, to: columns - 1)) }

    /// A heading, marked where keys act on what is below it.
    func heading(_ text: String, isMarked: Bool) -> String { isMarked ? style.reversed(text) : style.bold(text) }

    /// As many of some hints as there is room for, the first ones in any case.
    func hints(_ hints: [String]) -> String {
        var line = ""
        for hint in hints {
            let longer = line.isEmpty ? hint : "\(line)  \(hint)"
            if !line.isEmpty, TerminalText.width(longer) > columns - 1 { break }
            line = longer
        }
        return self.line(line, style.dim)
    }

    /// A line that is being typed, behind a label: where it is too long, what is around the cursor.
    func line(_ label: String, typing prompt: LivePrompt) -> String {
        let (before, under, after) = prompt.parts
        // The cursor and a little behind it.
        let all = columns - 1 - 4
        let isNarrow = all - TerminalText.width(label) < 8
        let label = isNarrow ? "" : label
        let shown = before.suffix(fitting: max(1, all - TerminalText.width(label)))
        let cursor = under.isEmpty ? style.isEnabled ? " " : "_" : under
        return line([(label, style.bold), (shown, { $0 }), (cursor, style.reversed), (after, { $0 })])
    }

    /// As many of the clauses of a sentence as there is room for behind some columns, and one in any case.
    func clauses(_ sentence: String, after used: Int) -> String {
        var clauses = sentence.split(separator: ", ")[...]
        while clauses.count > 1, TerminalText.width(clauses.joined(separator: ", ")) > columns - 1 - used { clauses.removeLast() }
        return TerminalText.truncatedAtWord(clauses.joined(separator: ", "), to: max(1, columns - 1 - used))
    }

    /// A sentence in lines that end behind words, where there is room for a word.
    func wrapped(_ sentence: String) -> [String] { TerminalText.lines(sentence, to: columns - 1, wide: .broken) }

    /// A line of parts, each in its tone.
    func line(_ parts: [(String, (String) -> String)]) -> String {
        var room = columns - 1
        return parts.map { text, tone in
            let cut = TerminalText.truncated(text, to: room)
            room -= TerminalText.width(cut)
            return tone(cut)
        }.joined()
    }

    /// A line with a text at either end.
    func ends(_ left: String, _ right: String, _ tone: (String) -> String) -> String {
        let room = columns - 1 - TerminalText.width(right) - 1
        guard room >= 10 else { return line(left, tone) }
        return tone(TerminalText.padded(TerminalText.truncated(left, to: room), to: room + 1)) + style.dim(right)
    }

    /// A text in lines as long as there is room for.
    func broken(_ text: String) -> [String] { TerminalText.broken(text, to: columns - 1) }

    private static let eighths: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// One row of upright bars, of which row 0 is the lowest; what is more than nothing shows at least a sliver.
    static func bars(_ values: [Int], most: Int, row: Int, of height: Int) -> String {
        String(
            values.map { value -> Character in
                guard value > 0, most > 0 else { return row == 0 ? "·" : " " }
                let units = max(1, Int((Double(value) / Double(most) * Double(height * 8)).rounded())) - row * 8
                return units <= 0 ? " " : eighths[min(units, 8) - 1]
            })
    }
}

extension String {
    /// The end of the string that fits into some columns, behind `…` where it is not all.
    fileprivate func suffix(fitting columns: Int) -> String {
        guard TerminalText.width(self) > columns else { return self }
        var (end, used) = (Substring(), 1)
        for index in indices.reversed() {
            used += TerminalText.width(String(self[index]))
            if used > columns { break }
            end = self[index...]
        }
        return "…" + end
    }
}
