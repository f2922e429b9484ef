package import AuditAnalysis

extension UserPage {
    /// The page as HTML, lines ended by line feeds.
    ///
    /// - Complexity: that of ``content(_:)``.
    package func html(_ listing: ConflictListing) -> String {
        let content = content(listing)
        return HTMLMarkup.still(
            title: subject.title ?? content.headline, language: language.tag, isRightToLeft: language.isRightToLeft,
            refresh: subject.refresh, ["class": "user"]
        ) { page in
            page.element("header") { page in
                if let title = subject.title { page.element("p", ["class": "brand"], text: EventText.label(title)) }
                page.element("h1", text: content.headline)
                if let hint = content.hint { page.element("p", ["class": "soft"], text: hint) }
                if let earlier = content.earlier { page.element("p", text: earlier) }
            }
            page.element("main") { page in
                for change in content.changes { page.element("section", ["class": "card"]) { Self.write(change, &$0) } }
            }
            page.element("footer") { page in
                for footer in content.footers { page.element("p", text: footer) }
            }
        }
    }

    private static func write(_ change: Change, _ page: inout HTMLMarkup) {
        page.element("h2", text: change.title)
        if let doubt = change.doubt { page.element("p", ["class": "soft"], text: doubt) }
        page.element("dl", ["class": "change"]) { page in
            for side in change.sides { page.element("div") { write(side, &$0) } }
        }
        if let remark = change.remark { page.element("p", ["class": change.isRestored ? "good" : "soft"], text: remark) }
    }

    private static func write(_ side: Side, _ page: inout HTMLMarkup) {
        page.element("dt") { page in
            page.text(side.label)
            if let stamp = side.stamp { page.element("small", text: " \(stamp)") }
        }
        page.element("dd") { page in
            switch side.value {
            case .word(let word): page.element("em", text: word)
            case .lines(let lines):
                // A value may be in another script than the page. The style keeps line breaks.
                page.element("bdi") { page in
                    for (index, line) in lines.enumerated() {
                        if index > 0 { page.verbatim("\n") }
                        page.text(line)
                    }
                }
            }
        }
    }
}
