package import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Writes a page for the person whose edits sync replaced: what was there before, what is there now, and from which device, in plain words.
///
/// No identifiers, no names of policies, and nothing that only somebody who built the app can read. The page runs no script and loads
/// nothing.
package struct UserPage: Sendable {
    private let subject: PageSubject
    private let days: String
    private let evidence: AuditEvidence
    private let earlier: Earlier?

    /// What was replaced before the days that a page is about.
    package struct Earlier: Hashable, Sendable {
        /// How many changes, those included of which that is only suspected.
        package let count: Int
        /// Whether all of it is proven.
        package let isProven: Bool
        /// The first day, in milliseconds since 1970.
        package let since: Int64

        /// States what.
        package init(count: Int, isProven: Bool, since: Int64) { (self.count, self.isProven, self.since) = (count, isProven, since) }
    }

    /// The longest value that is shown whole, in characters.
    private static let longestValue = 1000
    /// How many values of a list or an object are shown.
    private static let longestList = 50

    /// A page.
    ///
    /// - Parameters:
    ///   - subject: What the page says it is about; its inputs are not named.
    ///   - days: The days that the page is about, in words that come after a verb: `on 14 March 2026`.
    ///   - evidence: How far what was read can tell that something was replaced.
    ///   - earlier: What was replaced before these days; nil where nothing was, or where nobody asked.
    package init(subject: PageSubject, days: String, evidence: AuditEvidence, earlier: Earlier? = nil) {
        (self.subject, self.days, self.evidence, self.earlier) = (subject, days, evidence, earlier)
    }

    /// The page, lines ended by line feeds.
    ///
    /// - Complexity: that of `ConflictListing/entries`.
    package func render(_ listing: ConflictListing) -> String {
        let entries = listing.entries.filter { $0.details.conflict.severity.isLoss }
            .ordered { $0.details.conflict.milliseconds > $1.details.conflict.milliseconds }
        let proven = entries.count { $0.details.conflict.isProven }
        let sentence = headline(proven, suspected: entries.count - proven, hasMore: listing.hasMore)
        return HTMLMarkup.still(title: subject.title ?? sentence, refresh: subject.refresh, ["class": "user"]) { page in
            page.element("header") { page in
                if let title = subject.title { page.element("p", ["class": "brand"], text: EventText.label(title)) }
                page.element("h1", text: sentence)
                if let hint = hint(isEmpty: entries.isEmpty, hasProven: proven > 0) { page.element("p", ["class": "soft"], text: hint) }
                if let earlier {
                    let (verb, changes) = (earlier.isProven ? "replaced" : "may have replaced", HumanNumber.count(earlier.count, "change"))
                    page.element(
                        "p", text: "On earlier days sync \(verb) \(changes); ask for a page since \(Self.date(earlier.since)) to see all.")
                }
            }
            page.element("main") { page in
                for entry in entries { page.element("section", ["class": "card"]) { change(entry.details, listing.names, &$0) } }
            }
            page.element("footer") { page in
                page.element("p", text: "Times are as the devices' clocks showed them, in universal time (UTC).")
            }
        }
    }

    /// Whether nothing more can have been replaced than what is known.
    private var isSure: Bool { evidence.isWhole || evidence.writes == 0 && !evidence.isUnaudited }

    private func headline(_ proven: Int, suspected: Int, hasMore: Bool) -> String {
        let more = hasMore ? "more than " : ""
        switch (proven, suspected) {
        case (0, 0):
            if evidence.isUnaudited { return "Whether sync replaced anything \(days) is not known" }
            return isSure ? "Sync replaced nothing \(days)" : "Sync is not known to have replaced anything \(days)"
        case (0, _): return "Sync may have replaced \(more)\(HumanNumber.count(suspected, "change")) \(days)"
        case (_, 0): return "Sync replaced \(more)\(HumanNumber.count(proven, "change")) \(days)"
        default:
            return "Sync replaced \(HumanNumber.count(proven, "change")) \(days), and may have replaced \(more)"
                + "\(HumanNumber.count(suspected)) more"
        }
    }

    private func hint(isEmpty: Bool, hasProven: Bool) -> String? {
        if isEmpty { return isSure ? "No change of yours made way for another." : nil }
        return hasProven
            ? "Two devices had changed the same thing before they heard of each other. One version could stay; here is what it replaced."
            : "Two devices changed the same thing within a short time, perhaps before they heard of each other. "
                + "One version stayed; here is what it may have replaced."
    }

    private func change(_ details: ConflictDetails, _ names: RecordNames, _ page: inout HTMLMarkup) {
        let conflict = details.conflict
        page.element("h2", text: Self.title(conflict, names[conflict.key]))
        if !conflict.isProven {
            page.element(
                "p", ["class": "soft"], text: "Perhaps replaced, perhaps edited on purpose: the second may have known of the first.")
        }
        page.element("dl", ["class": "change"]) { page in
            Self.side(conflict.isProven ? "Before" : "Perhaps before", conflict.loser, &page)
            Self.side(details.successor == nil ? "Now" : "After", conflict.winner, &page)
        }
        if details.isRestored {
            page.element("p", ["class": "good"], text: "What was there before has been put back since.")
        } else if details.successor != nil {
            page.element("p", ["class": "soft"], text: "It has been changed again since.")
        }
    }

    private static func side(_ name: String, _ side: Conflict.Side, _ page: inout HTMLMarkup) {
        page.element("div") { page in
            page.element("dt") { page in
                page.text(name)
                page.element("small", text: " \(device(side)), \(time(side.timestamp.milliseconds))")
            }
            page.element("dd") { page in
                guard side.operation != .delete else { return page.element("em", text: "deleted") }
                guard let value = side.value else { return page.element("em", text: "was not written down") }
                if case .null = value { return page.element("em", text: "empty") }
                // The style keeps line breaks.
                for (index, line) in plain(value).split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                    if index > 0 { page.verbatim("\n") }
                    page.text(String(line))
                }
            }
        }
    }

    /// What was replaced: `Phone of Anna Miller`.
    private static func title(_ conflict: Conflict, _ name: String?) -> String {
        let kind = words(conflict.key.type.rawValue)
        let record = name.map { EventText.name($0) } ?? "a \(kind)"
        guard let field = conflict.field else { return capitalized(name == nil ? record : "\(kind) \(record)") }
        return capitalized("\(words(field.rawValue)) of \(record)")
    }

    /// A name from a program as words: `fullName` becomes `full name`.
    static func words(_ name: String) -> String {
        var words = ""
        var isAfterLower = false
        for character in EventText.name(name) {
            if character == "_" || character == "." || character == "-" {
                words += " "
                isAfterLower = false
            } else {
                if isAfterLower, character.isUppercase { words += " " }
                words += character.lowercased()
                isAfterLower = character.isLowercase || character.isNumber
            }
        }
        return words.isEmpty ? "item" : words
    }

    private static func capitalized(_ words: String) -> String { words.prefix(1).uppercased() + words.dropFirst() }

    /// The device as a person knows it; a name that only a program gives is not shown.
    private static func device(_ side: Conflict.Side) -> String {
        let name = side.dot.device.rawValue
        return isIdentifier(name) ? "on a device" : "on \(EventText.name(name))"
    }

    /// Whether a name is a long run of hexadecimal digits, as of a UUID.
    static func isIdentifier(_ name: String) -> Bool {
        let digits = name.utf8.filter { $0 != UInt8(ascii: "-") }
        return digits.count >= 16 && digits.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
    }

    /// A value as people write it.
    private static func plain(_ value: FieldValue) -> String {
        func short(_ text: String) -> String {
            let lines = text.replacing("\t", with: " ").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let text = lines.map { String($0).escaped(for: .terminal) }.joined(separator: "\n")
            return text.count > longestValue ? text.prefix(longestValue) + "…" : text
        }
        return switch value {
        case .null: "empty"
        case .bool(let isTrue): isTrue ? "yes" : "no"
        case .number: JSONText.string(value)
        case .string(let text): text.isEmpty ? "empty" : short(text)
        case .array(let values):
            values.isEmpty
                ? "empty"
                : short(values.prefix(longestList).map(plain).joined(separator: ", ")) + (values.count > longestList ? "…" : "")
        case .object(let fields):
            fields.isEmpty
                ? "empty"
                : short(fields.prefix(longestList).map { "\(words($0.name.rawValue)): \(plain($0.value))" }.joined(separator: "; "))
                    + (fields.count > longestList ? "…" : "")
        }
    }

    private static func time(_ milliseconds: Int64) -> String {
        "\(date(milliseconds)), \(RFC3339.string(milliseconds: milliseconds).dropFirst(11).prefix(5))"
    }

    /// A day as people say it: `14 March 2026`.
    package static func date(_ milliseconds: Int64) -> String {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
        ]
        let parts = RFC3339.string(milliseconds: milliseconds).prefix(10).split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, months.indices.contains(parts[1] - 1) else { return "an unknown day" }
        return "\(parts[2]) \(months[parts[1] - 1]) \(parts[0])"
    }
}
