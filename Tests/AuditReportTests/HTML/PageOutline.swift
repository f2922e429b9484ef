import Foundation

/// The elements of a page in the order in which they begin and end, read by rules stricter than those of HTML.
///
/// Every quirk that a browser would forgive is a problem here, so that a page without problems means the same to every parser.
struct PageOutline {
    /// An element as it begins.
    struct Element: Hashable {
        let name: String
        var attributes: [String: String] = [:]
    }

    /// The elements, in order.
    private(set) var elements: [Element] = []
    /// The text between tags, without that of the style and the script.
    private(set) var text = ""
    private(set) var problems: [String] = []

    private static let void: Set<String> = ["meta", "input", "wbr"]

    init(_ page: String) {
        var rest = page[...]
        let start = "<!DOCTYPE html>\n"
        if rest.hasPrefix(start) { rest = rest.dropFirst(start.count) } else { problems.append("no document type") }
        var open: [String] = []
        while let tag = rest.firstIndex(of: "<") {
            note(rest[..<tag])
            guard let end = rest[tag...].firstIndex(of: ">") else {
                problems.append("an unfinished tag")
                return
            }
            let inside = rest[rest.index(after: tag)..<end]
            rest = rest[rest.index(after: end)...]
            if inside.hasPrefix("/") {
                if open.popLast() != String(inside.dropFirst()) { problems.append("</\(inside.dropFirst())> ends what is not open") }
                continue
            }
            let element = parse(inside)
            elements.append(element)
            if Self.void.contains(element.name) { continue }
            open.append(element.name)
            guard element.name == "style" || element.name == "script" else { continue }
            guard let close = rest.range(of: "</\(element.name)>") else {
                problems.append("an unfinished \(element.name)")
                return
            }
            rest = rest[close.lowerBound...]
        }
        note(rest)
        if !open.isEmpty { problems.append("\(open) not closed") }
    }

    private mutating func note(_ text: Substring) {
        self.text += text
        check(text)
    }

    /// A text may hold nothing but itself, the five references and line feeds.
    private mutating func check(_ text: Substring) {
        for part in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
            let isKnown = ["amp;", "lt;", "gt;", "quot;", "#39;"].contains { part.hasPrefix($0) }
            if !isKnown { problems.append("a reference that is none: &\(part.prefix(10))") }
        }
        for scalar in text.unicodeScalars {
            let isPlain = scalar == "\n" || scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value)
            let reorders = (0x2028...0x202e).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value) || scalar.value == 0x200f
            if !isPlain || reorders || ">\"'".unicodeScalars.contains(scalar) {
                problems.append("U+\(String(scalar.value, radix: 16)) in a text")
            }
        }
    }

    private mutating func parse(_ inside: Substring) -> Element {
        let name = inside.prefix { $0 != " " }
        var element = Element(name: String(name))
        if !name.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber) }) { problems.append("the name \(name)") }
        var rest = inside.dropFirst(name.count)
        while rest.first == " " {
            rest = rest.dropFirst()
            let key = rest.prefix { $0 != "=" && $0 != " " }
            rest = rest.dropFirst(key.count)
            var value = ""[...]
            if rest.hasPrefix("=\"") {
                value = rest.dropFirst(2).prefix { $0 != "\"" }
                rest = rest.dropFirst(value.count + 3)
            }
            check(value)
            if value.contains("<") { problems.append("a < in \(key)") }
            if element.attributes.updateValue(String(value), forKey: String(key)) != nil { problems.append("\(key) twice") }
        }
        if !rest.isEmpty { problems.append("\(rest.prefix(20)) in a tag") }
        return element
    }
}
