/// Something that a project must, or should, get right for its data to sync.
package struct Rule: Sendable {
    package enum Severity: String, Comparable, CaseIterable, Sendable {
        /// The framework refuses it, or data is surely lost.
        case error
        case warning
        /// Something to know: edits that sync will overwrite, a gauge that is missing.
        case advice

        package static func < (left: Severity, right: Severity) -> Bool { left.order < right.order }
        private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// Such as `schema.optional`.
    package let id: String
    package let severity: Severity
    /// What is demanded, as a short sentence without its full stop.
    package let title: String
    /// What happens where it is broken, as sentences.
    package let consequence: String
    /// The beginning of what the framework prints then, so that a search for it leads here.
    package let frameworkText: String?
    /// Where the rule comes from: a public page, or a thread as `owner/repository#number`; nil where nothing public says it.
    package let source: String?
    let check: @Sendable (Evidence) -> [Finding]

    init(
        _ id: String, _ severity: Severity, _ title: String, consequence: String, prints frameworkText: String? = nil,
        source: String? = nil, check: @escaping @Sendable (Evidence) -> [Finding]
    ) {
        self.id = id
        self.severity = severity
        self.title = title
        self.consequence = consequence
        self.frameworkText = frameworkText
        self.source = source
        self.check = check
    }

    /// Every rule, in the order in which findings of one severity are shown.
    package static let all: [Rule] =
        schema + localSchema + evolution + production + unchecked + records + deployment + setup + stores + reporting + ownCode
        + losses + ownLosses + together + measuredLosses + size
}

/// One cause for which a rule is broken, however many targets or configurations share it.
package struct Finding: Sendable {
    /// The rule's identifier.
    package internal(set) var rule = ""
    package internal(set) var severity = Rule.Severity.advice
    /// Where the cause is.
    package let location: SourceLocation
    /// What is wrong there, as a sentence without its full stop.
    package let message: String
    /// What to do, as a sentence without its full stop.
    package let fix: String
    /// The change that mends it, where text alone can.
    package internal(set) var edits: [TextEdit]
    /// Changes that need another package, made where a rule is asked for by its name.
    let additions: [TextEdit]
    /// What tells it from another of its rule.
    var key: Key { Key(location: location, message: message) }

    struct Key: Hashable {
        let location: SourceLocation
        let message: String
    }

    /// What it is at most, where it is less than its rule: it may break nothing that users get, as what debug builds alone have.
    let limit: Rule.Severity

    init(
        _ location: SourceLocation, _ message: String, fix: String, edits: [TextEdit] = [], additions: [TextEdit] = [],
        atMost limit: Rule.Severity = .error
    ) {
        self.limit = limit
        self.location = location
        self.message = message
        self.fix = fix
        self.edits = edits
        self.additions = additions
    }
}
