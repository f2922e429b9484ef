import AuditAnalysis

extension Page {
    /// The page for a terminal, lines ended by line feeds.
    package func text(style: TerminalStyle, width: Int) -> String {
        blocks.reduce(into: "") { text, block in
            switch block {
            case .paragraph(let words, let indentation, let tone, let wide):
                let margin = String(repeating: " ", count: indentation)
                for line in TerminalText.lines(words, to: width - indentation, wide: wide) {
                    text += margin + style.toned(line, tone) + "\n"
                }
            case .line(let spans): text += style.text(of: spans) + "\n"
            case .item(let mark, let words):
                let margin = mark.reduce(0) { $0 + TerminalText.width($1.text) }
                let lines = TerminalText.lines(words, to: width - margin, wide: .cut)
                text += style.text(of: mark) + lines.joined(separator: "\n" + String(repeating: " ", count: margin)) + "\n"
            case .table(let table): text += style.headed(table.render(maximumWidth: width))
            }
        }
    }

    /// The page for a terminal, as wide as a layout says.
    package func text(_ layout: PageLayout) -> String { text(style: layout.style, width: layout.width) }

    /// How many lines of a terminal the page takes.
    func lineCount(width: Int) -> Int {
        text(style: TerminalStyle(isEnabled: false), width: width).utf8.count { $0 == UInt8(ascii: "\n") }
    }
}

extension TerminalStyle {
    /// The text in the style of its tone.
    func toned(_ text: String, _ tone: Tone) -> String {
        let colored =
            switch tone.meaning {
            case .plain: text
            case .aside: dim(text)
            case .good: green(text)
            case .warning: yellow(text)
            case .bad: red(text)
            case .name: cyan(text)
            }
        return tone.isStrong ? bold(colored) : colored
    }

    fileprivate func text(of spans: [Page.Span]) -> String { spans.map { toned($0.text, $0.tone) }.joined() }
}
