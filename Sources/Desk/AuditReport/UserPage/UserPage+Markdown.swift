package import AuditAnalysis
import SyncBytes

extension UserPage {
    /// The page as GitHub Flavored Markdown, lines ended by line feeds.
    ///
    /// - Complexity: that of ``content(_:)``.
    package func markdown(_ listing: ConflictListing) -> String {
        let content = content(listing)
        let heading = [subject.title.map { EventText.label($0) }, content.headline].compactMap(\.self)
        var text = heading.enumerated().map { $0 == 0 ? "# \($1.escaped(for: .markdown))\n" : "\n\($1.escaped(for: .markdown))\n" }.joined()
        for paragraph in [content.hint, content.earlier].compactMap(\.self) { text += "\n\(paragraph.escaped(for: .markdown))\n" }
        for change in content.changes {
            text += "\n## \(change.title.escaped(for: .markdown))\n"
            if let doubt = change.doubt { text += "\n\(doubt.escaped(for: .markdown))\n" }
            text += "\n" + change.sides.map { Self.item($0) }.joined()
            if let remark = change.remark { text += "\n\(remark.escaped(for: .markdown))\n" }
        }
        for footer in content.footers { text += "\n*\(footer.escaped(for: .markdown))*\n" }
        return text
    }

    private static func item(_ side: Side) -> String {
        let stamp = side.stamp.map { " " + "(\($0))".escaped(for: .markdown) } ?? ""
        let value =
            switch side.value {
            case .word(let word): "*\(word.escaped(for: .markdown))*"
            // A backslash ends a line; at the end of all it would be one that is shown.
            case .lines(let lines):
                lines.reversed().drop { $0.allSatisfy { $0 == " " } }.reversed().map { $0.escaped(for: .markdown) }
                    .joined(separator: "\\\n  ")
            }
        return "- **\(side.label.escaped(for: .markdown))**\(stamp): \(value)\n"
    }
}
