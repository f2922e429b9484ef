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

    // Select Graphic Rendition, ECMA-48 section 8.3.117.
    private func styled(_ text: String, _ code: Int) -> String {
        isEnabled && !text.isEmpty ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }
}
