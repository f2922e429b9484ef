import AuditAnalysis
import SyncBytes

extension Page {
    /// The page as HTML that needs nothing else and runs nothing, lines ended by line feeds.
    ///
    /// It is laid out as for a terminal of 100 columns at least, since much of it is drawn in columns.
    func html(_ layout: PageLayout) -> String {
        let width = max(layout.width, 100)
        return HTMLMarkup.still(title: title) { page in
            page.element("main") { page in
                page.element("pre") { $0.append(styled: text(style: TerminalStyle(isEnabled: true), width: width)) }
            }
            page.element("footer") { $0.element("p", text: "Written by syncaudit. Times are UTC, by the clocks of the devices.") }
        }
    }

    /// The first words of the page.
    private var title: String {
        for block in blocks {
            if case .paragraph(let words, _, _, _) = block { return words }
        }
        return "syncaudit"
    }
}

extension HTMLMarkup {
    /// The classes of what a terminal shows in a style, by the style's number.
    private static let classes: [String: String] = ["2": "soft", "31": "lost", "32": "good", "33": "maybe", "36": "link"]

    /// Appends a text for a terminal, its styles as elements.
    ///
    /// No other escape is in it, since whatever comes from data is escaped.
    fileprivate mutating func append(styled text: String) {
        var rest = text.unicodeScalars[...]
        var open: [String] = []
        while let escape = rest.firstIndex(of: "\u{1b}") {
            let words = String(rest[..<escape])
            if !words.isEmpty { append(words, in: open[...]) }
            let end = rest[escape...].firstIndex(of: "m") ?? rest.endIndex
            let number = String(rest[escape..<end].dropFirst(2))
            if number == "0" { open = [] } else { open.append(number) }
            rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
        }
        append(String(rest), in: [])
    }

    private mutating func append(_ words: String, in styles: ArraySlice<String>) {
        guard let number = styles.first else {
            for (index, line) in words.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { verbatim("\n") }
                text(String(line))
            }
            return
        }
        if let name = Self.classes[number] {
            element("span", ["class": name]) { $0.append(words, in: styles.dropFirst()) }
        } else {
            element("strong") { $0.append(words, in: styles.dropFirst()) }
        }
    }
}
