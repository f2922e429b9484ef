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
    /// East Asian wide characters and emoji count two, combining marks, joiners and control characters none, characters of ambiguous width
    /// one. An approximation by blocks of Unicode: terminals differ, above all on emoji made of several characters, which count two here.
    ///
    /// - Complexity: O(*n*).
    package static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// The text, cut to a width with `…` at its end where it is longer.
    ///
    /// No character is cut in two.
    package static func truncated(_ text: String, to limit: Int) -> String {
        guard width(text) > limit else { return text }
        guard limit > 0 else { return "" }
        var result = ""
        var used = 0
        for character in text {
            let more = width(of: character)
            if used + more > limit - 1 { break }
            result.append(character)
            used += more
        }
        return result + "…"
    }

    /// A sentence, cut to a width behind a word with `…` where it is longer.
    ///
    /// A word that takes more than half of the width is cut all the same.
    package static func truncatedAtWord(_ sentence: String, to limit: Int) -> String {
        guard width(sentence) > limit else { return sentence }
        let cut = truncated(sentence, to: limit)
        guard let space = cut.lastIndex(of: " "), width(String(cut[..<space])) >= limit / 2 else { return cut }
        return String(cut[..<space].reversed().drop { " ,;:".contains($0) }.reversed()) + "…"
    }

    /// A name, cut to a width with `…` in its middle where it is longer: names of one family differ at their ends.
    ///
    /// No character is cut in two.
    package static func shortened(_ name: String, to limit: Int) -> String {
        guard width(name) > limit else { return name }
        var end: [Character] = []
        var used = 0
        for character in name.reversed() {
            let more = width(of: character)
            if used + more > limit / 2 - 1 { break }
            end.append(character)
            used += more
        }
        return truncated(name, to: max(0, limit - used)) + String(end.reversed())
    }

    /// What becomes of a word that is wider than a line.
    package enum WideWord: Sendable {
        /// It stays as it is, on a line that is too wide: an address must be left whole, to be followed.
        case whole
        /// It is cut with `…` at its end.
        case cut
        /// It goes on in the next line.
        case broken
    }

    /// The text in lines that end behind words and are no wider than a limit; none where it holds no word.
    ///
    /// - Parameter wide: What becomes of a word that is wider than that.
    package static func lines(_ text: String, to limit: Int, wide: WideWord) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            let word = wide == .cut ? truncated(String(word), to: limit) : String(word)
            if let line = lines.last, width(line) + 1 + width(word) <= limit {
                lines[lines.count - 1] = line + " " + word
            } else {
                lines += wide == .broken ? broken(word, to: limit) : [word]
            }
        }
        return lines
    }

    /// The text in lines that are as wide as a limit allows and end behind any character; none where it is empty.
    ///
    /// A character that is wider than the limit has a line of its own.
    ///
    /// - Parameter count: The most lines that are made; what does not fit into them is not looked at.
    package static func broken(_ text: String, to limit: Int, lines count: Int = .max) -> [String] {
        var (lines, line, used) = ([String](), "", 0)
        for character in text {
            let more = width(of: character)
            if used + more > limit, !line.isEmpty {
                lines.append(line)
                if lines.count == count { return lines }
                (line, used) = ("", 0)
            }
            line.append(character)
            used += more
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// The text with spaces added up to a width.
    ///
    /// A longer text stays as it is.
    package static func padded(_ text: String, to length: Int, alignment: Alignment = .left) -> String {
        let padding = String(repeating: " ", count: max(0, length - width(text)))
        return alignment == .left ? text + padding : padding + text
    }
}
