import SyncModel

/// Measures and prepares text for a terminal.
package enum TerminalText {
    /// Which side padding goes to.
    package enum Alignment: Sendable {
        /// Text on the left, padding on the right.
        case left
        /// Text on the right, padding on the left.
        case right
    }

    /// The columns that a text takes on a terminal.
    ///
    /// East Asian wide characters and emoji count two, combining marks and joiners none. An approximation by blocks of Unicode: terminals differ.
    package static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        // A cluster is drawn as one character: as wide as its widest scalar.
        return text.reduce(0) { $0 + ($1.unicodeScalars.map(width).max() ?? 0) }
    }

    /// The text with every character that a terminal acts on written out as `\u{…}`.
    package static func escaped(_ text: String) -> String {
        guard !text.unicodeScalars.allSatisfy(\.isHarmlessOnTerminal) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.isHarmlessOnTerminal {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
        return result
    }

    /// The text, cut to a width with `…` at its end where it is longer.
    package static func truncated(_ text: String, to limit: Int) -> String {
        guard width(text) > limit else { return text }
        guard limit > 0 else { return "" }
        var result = ""
        var used = 0
        for character in text {
            let more = width(String(character))
            if used + more > limit - 1 { break }
            result.append(character)
            used += more
        }
        return result + "…"
    }

    /// The text with spaces added up to a width. A longer text stays as it is.
    package static func padded(_ text: String, to length: Int, alignment: Alignment = .left) -> String {
        let padding = String(repeating: " ", count: max(0, length - width(text)))
        return alignment == .left ? text + padding : padding + text
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60,
            0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f680...0x1f6ff, 0x1f900...0x1f9ff, 0x20000...0x3fffd:
            return 2
        default: return 1
        }
    }
}
