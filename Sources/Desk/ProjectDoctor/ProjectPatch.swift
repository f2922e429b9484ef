import SyncBytes

/// The changes that mend what text alone can mend, as a unified diff.
package struct ProjectPatch: Sendable {
    /// The diff, with paths from the project's folder; empty where nothing can be mended so.
    package private(set) var text = ""

    /// Whether a diff may show a character on a terminal.
    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isVisibleOnTerminal || scalar == "\n" || scalar == "\r" || scalar == "\t"
    }

    /// The lines around a change that a diff shows.
    private static let context = 3

    /// Makes the diff of all findings' changes.
    package init(_ diagnosis: Diagnosis, _ files: ProjectFiles) {
        let edits = Dictionary(grouping: diagnosis.findings.flatMap(\.edits).unique()) { $0.path }
        for (path, edits) in edits.ordered(by: { $0.key < $1.key }) {
            // The header of a diff has no way to write such a name.
            guard path.unicodeScalars.allSatisfy({ $0.isVisibleOnTerminal && $0 != "\t" }) else { continue }
            guard files.contains(path) else {
                if let text = edits.first?.text, edits.count == 1, text.unicodeScalars.allSatisfy(Self.isShown) { append(new: text, path) }
                continue
            }
            guard let file = try? files.read(path),
                let whole = file.bytes.span.validText, whole.unicodeScalars.allSatisfy(Self.isShown)
            else { continue }
            append(file, edits.ordered { $0.range.lowerBound < $1.range.lowerBound })
        }
    }

    /// A tab ends a name that has spaces.
    private static func header(_ path: String) -> String { path.contains(" ") ? path + "\t" : path }

    /// Adds a file that is not there yet.
    private mutating func append(new content: String, _ path: String) {
        let hasEnd = content.utf8.last == UInt8(ascii: "\n")
        let lines = content.utf8.dropLast(hasEnd ? 1 : 0).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        text += "--- /dev/null\n+++ \(Self.header(path))\n@@ -0,0 +1,\(lines.count) @@\n"
        text += lines.map { "+" + String(decoding: $0, as: UTF8.self) + "\n" }.joined() + (hasEnd ? "" : "\\ No newline at end of file\n")
    }

    private mutating func append(_ file: SourceFile, _ edits: [TextEdit]) {
        let lines = file.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var changes: [Int: Change] = [:]
        var left = edits[...]
        for (index, line) in lines.enumerated() {
            let begun = left.prefix { $0.range.lowerBound <= line.endIndex }
            left = left.dropFirst(begun.count)
            let inside = begun.filter { $0.range.upperBound <= line.endIndex }
            if inside.isEmpty { continue }
            var changed = Array(line)
            for edit in inside.reversed() {
                changed.replaceSubrange(
                    (edit.range.lowerBound - line.startIndex)..<(edit.range.upperBound - line.startIndex), with: edit.text.utf8)
            }
            let parts = changed.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
            // The last line of a file without its line break cannot stay.
            changes[index] = Change(parts: parts, kept: index == lines.count - 1 ? nil : parts.firstIndex { $0.elementsEqual(line) })
        }
        // Nothing follows the last line break.
        let count = lines.last?.isEmpty == true ? lines.count - 1 : lines.count
        guard !changes.isEmpty else { return }
        let name = Self.header(file.path)
        text += "--- \(name)\n+++ \(name)\n"
        var shift = 0
        for hunk in hunks(changes, count: count) {
            var body = ""
            var added = 0
            for index in hunk {
                let line = String(decoding: lines[index], as: UTF8.self)
                let end = index == lines.count - 1 ? "\n\\ No newline at end of file\n" : "\n"
                guard let change = changes[index] else {
                    body += " " + line + end
                    continue
                }
                added += change.parts.count - 1
                if change.kept == nil { body += "-" + line + end }
                for (number, part) in change.parts.enumerated() {
                    body += (number == change.kept ? " " : "+") + String(decoding: part, as: UTF8.self)
                    body += number == change.parts.count - 1 ? end : "\n"
                }
            }
            text += "@@ -\(hunk.lowerBound + 1),\(hunk.count) +\(hunk.lowerBound + 1 + shift),\(hunk.count + added) @@\n" + body
            shift += added
        }
    }

    /// What becomes of a line.
    private struct Change {
        let parts: [[UInt8]]
        /// Which of the parts is the line as it was.
        let kept: Int?
    }

    /// The ranges of lines around changes, those that touch joined; as many before as after, or `patch` takes them for an end of the file.
    private func hunks(_ changes: [Int: Change], count: Int) -> [Range<Int>] {
        changes.ordered { $0.key < $1.key }.reduce(into: []) { hunks, change in
            let (line, kept) = (change.key, change.value.kept)
            let isAfter = kept == 0
            let isBefore = kept == change.value.parts.count - 1
            let range = max(0, line - Self.context + (isAfter ? 1 : 0))..<min(count, line + Self.context + (isBefore ? 0 : 1))
            if let last = hunks.last, last.upperBound >= range.lowerBound {
                hunks[hunks.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                hunks.append(range)
            }
        }
    }
}
