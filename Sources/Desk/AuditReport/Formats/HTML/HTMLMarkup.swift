import AuditAnalysis
import SyncBytes

/// HTML as it is written, element by element.
///
/// Names of elements and attributes are part of the program; whatever comes as a value is text and becomes nothing else: markup is escaped,
/// and what a reader's display would act on (control characters, marks that reorder text) is written out as on a terminal.
struct HTMLMarkup {
    /// An attribute and its value.
    typealias Attributes = KeyValuePairs<StaticString, String>

    private(set) var html = ""

    /// A page that runs nothing and loads nothing, and may do no more than look as it looks.
    static func still(
        title: String, language: String = "en", isRightToLeft: Bool = false, refresh: Int? = nil, _ attributes: Attributes = [:],
        _ body: (inout HTMLMarkup) -> Void
    ) -> String {
        let policy = "default-src 'none'; style-src 'sha256-\(PageStyle.hash)'; base-uri 'none'; form-action 'none'"
        var page = HTMLMarkup()
        page.verbatim("<!DOCTYPE html>\n")
        page.open("html", isRightToLeft ? ["lang": language, "dir": "rtl"] : ["lang": language])
        page.verbatim("\n")
        page.element("head") { page in
            HTMLRenderer.preamble(&page, policy: policy, refresh: refresh, runsScript: false)
            page.element("title", text: title)
            page.element("style", verbatim: PageStyle.text)
        }
        page.element("body", attributes, body)
        page.verbatim("</html>\n")
        return page.html
    }

    /// An element with what is in it.
    mutating func element(_ name: StaticString, _ attributes: Attributes = [:], _ body: (inout HTMLMarkup) -> Void) {
        open(name, attributes)
        body(&self)
        html += "</\(name)>"
        if Self.lines.contains(name.description) { html += "\n" }
    }

    /// An element with text in it.
    mutating func element(_ name: StaticString, _ attributes: Attributes = [:], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// An element that has no end, such as `meta`.
    mutating func void(_ name: StaticString, _ attributes: Attributes) {
        open(name, attributes)
        if Self.lines.contains(name.description) { html += "\n" }
    }

    /// An element without attributes, with a part of the program in it, unescaped.
    mutating func element(_ name: StaticString, verbatim code: StaticString) {
        open(name, [:])
        html += "\(code)</\(name)>\n"
    }

    /// A part of the program, unescaped.
    mutating func verbatim(_ code: StaticString) { html += code.description }

    /// Text.
    mutating func text(_ text: String) { html += text.escaped(for: .html) }

    private mutating func open(_ name: StaticString, _ attributes: Attributes) {
        html += "<\(name)"
        for (name, value) in attributes { html += value.isEmpty ? " \(name)" : " \(name)=\"\(value.escaped(for: .html))\"" }
        html += ">"
    }

    /// Elements that end a line of the source, so that it can be read and compared.
    private static let lines: Set<String> = [
        "body", "caption", "dd", "details", "div", "dl", "footer", "g", "h1", "h2", "h3", "h4", "head", "header", "li", "main", "meta",
        "nav", "p", "pre",
        "section", "summary", "svg", "table", "tbody", "thead", "title", "tr", "ul",
    ]
}

extension HTMLMarkup {
    /// A share from 0 to 1 as a percentage to two decimals, as attributes of SVG take it.
    static func percent(_ share: Double) -> String {
        let hundredths = Int(min(max(share, 0), 1) * 10_000 + 0.5)
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        return rest == 0 ? "\(whole)%" : "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
    }
}

extension Escaping {
    /// Writes out what HTML or a reader's display acts on, between tags and in quoted attributes alike.
    static let html = Escaping(after: .terminal) { scalar in
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        case "\"": "&quot;"
        case "'": "&#39;"
        default: nil
        }
    }
}

extension Tone {
    /// The class of a text in the tone.
    var className: String {
        switch meaning {
        case .plain, .name: "plain"
        case .aside: "soft"
        case .good: "good"
        case .warning: "maybe"
        case .bad: "lost"
        }
    }
}
