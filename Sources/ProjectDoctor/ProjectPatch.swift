import SyncModel

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
        for (path, edits) in edits.sorted(by: { $0.key < $1.key }) {
            // The header of a diff has no way to write such a name.
            guard path.unicodeScalars.allSatisfy({ $0.isVisibleOnTerminal && $0 != "\t" }), let file = try? files.read(path),
                let whole = file.bytes.span.validText, whole.unicodeScalars.allSatisfy(Self.isShown)
            else { continue }
            append(file, edits.sorted { $0.range.lowerBound < $1.range.lowerBound })
        }
    }

    private mutating func append(_ file: SourceFile, _ edits: [TextEdit]) {
        let lines = file.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var changes: [Int: [UInt8]] = [:]
        for (index, line) in lines.enumerated() {
            let inside = edits.filter { $0.range.lowerBound >= line.startIndex && $0.range.upperBound <= line.endIndex }
            if inside.isEmpty { continue }
            var changed = Array(line)
            for edit in inside.reversed() {
                changed.replaceSubrange(
                    (edit.range.lowerBound - line.startIndex)..<(edit.range.upperBound - line.startIndex), with: edit.text.utf8)
            }
            changes[index] = changed
        }
        // Nothing follows the last line break.
        let count = lines.last?.isEmpty == true ? lines.count - 1 : lines.count
        guard !changes.isEmpty else { return }
        // A tab ends a name that has spaces.
        let name = file.path.contains(" ") ? file.path + "\t" : file.path
        text += "--- \(name)\n+++ \(name)\n"
        var shift = 0
        for hunk in hunks(changes.keys.sorted(), count: count) {
            var body = ""
            var added = 0
            for index in hunk {
                let line = String(decoding: lines[index], as: UTF8.self)
                let end = index == lines.count - 1 ? "\n\\ No newline at end of file\n" : "\n"
                guard let changed = changes[index] else {
                    body += " " + line + end
                    continue
                }
                let parts = changed.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                added += parts.count - 1
                // A line that others are added to stays as it is; the last one of a file without its line break does not.
                let kept = end.count > 1 ? nil : parts.firstIndex { $0.elementsEqual(lines[index]) }
                if kept == nil { body += "-" + line + end }
                for (number, part) in parts.enumerated() {
                    body += (number == kept ? " " : "+") + String(decoding: part, as: UTF8.self)
                    body += number == parts.count - 1 ? end : "\n"
                }
            }
            text += "@@ -\(hunk.lowerBound + 1),\(hunk.count) +\(hunk.lowerBound + 1 + shift),\(hunk.count + added) @@\n" + body
            shift += added
        }
    }

    /// The ranges of lines around changes, those that touch joined.
    private func hunks(_ changed: [Int], count: Int) -> [Range<Int>] {
        changed.reduce(into: []) { hunks, line in
            let range = max(0, line - Self.context)..<min(count, line + Self.context + 1)
            if let last = hunks.last, last.upperBound >= range.lowerBound {
                hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
            } else {
                hunks.append(range)
            }
        }
    }
}
