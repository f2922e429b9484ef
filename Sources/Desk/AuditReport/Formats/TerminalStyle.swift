import AuditAnalysis

/// Colours and weights for a terminal; does nothing where it is off.
///
/// Text comes in escaped.
package struct TerminalStyle: Sendable {
    /// Whether styles are applied.
    package let isEnabled: Bool

    /// A style that is on or off.
    package init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    /// The text in bold.
    package func bold(_ text: String) -> String { styled(text, 1) }
    /// The text held back.
    package func dim(_ text: String) -> String { styled(text, 2) }
    /// The text in the colours of the background, and the background in those of text.
    package func reversed(_ text: String) -> String { styled(text, 7) }
    /// The text in red: something was lost.
    package func red(_ text: String) -> String { styled(text, 31) }
    /// The text in green: nothing was lost.
    package func green(_ text: String) -> String { styled(text, 32) }
    /// The text in yellow: look at this.
    package func yellow(_ text: String) -> String { styled(text, 33) }
    /// The text in cyan: a name.
    package func cyan(_ text: String) -> String { styled(text, 36) }

    /// The table with its first line in bold.
    func headed(_ table: String) -> String {
        let end = table.firstIndex(of: "\n") ?? table.endIndex
        return bold(String(table[..<end])) + table[end...]
    }

    /// Styled text, cut to some columns with `…` at its end where it is longer; what is styled stays so.
    static func truncated(_ styled: String, to columns: Int) -> String {
        // Escapes are found by scalars: a mark at the beginning of data would make one character of it and the end of an escape.
        var parts: [(text: String, isEscape: Bool)] = []
        var rest = styled.unicodeScalars[...]
        while let start = rest.firstIndex(of: "\u{1b}") {
            let end = rest[start...].firstIndex(of: "m").map(rest.index(after:)) ?? rest.endIndex
            parts += [(String(rest[..<start]), false), (String(rest[start..<end]), true)]
            rest = rest[end...]
        }
        parts.append((String(rest), false))
        let width = parts.reduce(0) { $0 + ($1.isEscape ? 0 : TerminalText.width($1.text)) }
        guard width > columns else { return styled }
        var result = ""
        var room = max(0, columns - 1)
        for (text, isEscape) in parts {
            if isEscape {
                result += text
            } else if room > 0 || result.isEmpty {
                let needed = TerminalText.width(text)
                // One column more, since the mark of a cut comes behind everything.
                let cut = needed > room ? String(TerminalText.truncated(text, to: room + 1).dropLast()) : text
                result += cut
                room = needed > room ? 0 : room - needed
            }
        }
        return result + "…"
    }

    // Select Graphic Rendition, ECMA-48 section 8.3.117.
    private func styled(_ text: String, _ code: Int) -> String {
        isEnabled && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
