import AuditAnalysis
import AuditChecking
package import SyncBytes
import SyncMerge
import SyncModel

/// One option of a verb, as a value: parsing and help are made from it.
package struct OptionDefinition: Sendable {
    /// What follows an option's name.
    package enum Argument: Hashable, Sendable {
        /// Nothing.
        case flag
        /// A value of a kind, shown in help under a name of its own such as `TIME`.
        case value(ValueKind, placeholder: String)
    }

    /// The name without its dashes.
    package let name: String
    /// The letter of the short form.
    package let shortName: Character?
    /// What follows the name.
    package let argument: Argument
    /// Whether it may be given more than once; every value counts.
    package let isRepeatable: Bool
    /// A sentence for help.
    ///
    /// What values are allowed and whether it may be repeated is added to it.
    package let help: String

    /// An option without a value.
    package static func flag(_ name: String, short: Character? = nil, help: String) -> OptionDefinition {
        OptionDefinition(name: name, shortName: short, argument: .flag, isRepeatable: false, help: help)
    }

    /// An option with a value.
    package static func value(
        _ name: String, _ placeholder: String, short: Character? = nil, _ kind: ValueKind = .text, isRepeatable: Bool = false, help: String
    ) -> OptionDefinition {
        OptionDefinition(
            name: name, shortName: short, argument: .value(kind, placeholder: placeholder), isRepeatable: isRepeatable, help: help)
    }

    /// The option that every verb has.
    package static let help = flag("help", short: "h", help: "Shows this help.")

    /// The name as it is written.
    package var spelling: String { "--" + name }
}

/// What values an option takes.
package enum ValueKind: Hashable, Sendable {
    /// Any text that is not empty.
    case text
    /// A name that logs hold.
    case name(LogWord)
    /// The path of a file.
    case path
    /// One of some words.
    case choice([String])
    /// The name of a merge policy.
    case policy
    /// A length of time.
    case duration
    /// A time; a date without a time of day is its start or its end.
    case time(DateEdge)
    /// A whole number of 1 or more.
    case positiveInteger
    /// A whole number of 0 or more.
    case wholeNumber
    /// A number from 0 to 1.
    case probability
    /// A number of bytes, as of memory.
    case size
    /// Limits of a check between commas: each a measure or a kind of finding, a comparison and a number.
    case limits
    /// A kind of finding, an equals sign and a reason.
    case ignoredFindings
    /// `TYPE.FIELD`.
    case field
    /// The field by which records are called: `TYPE=FIELD`, `TYPE.FIELD` or `FIELD`.
    case displayField
    /// How timestamps are written.
    case timestampForm
    /// What separates the values of CSV: its name, or itself.
    case separator
    /// What is set, an equals sign and what it is set to.
    case assignment(AssignmentForm)

    /// Checks a value, so that a verb starts only when all of its values can be understood.
    package func check(_ text: String) throws(ValueProblem) {
        switch self {
        case .text, .name: _ = try ValueParser.text(text)
        case .path: _ = try ValueParser.text(text)
        case .choice(let words): _ = try ValueParser.choice(text, of: words)
        case .policy: _ = try ValueParser.policy(text)
        case .duration: _ = try ValueParser.duration(text)
        case .time(let edge): _ = try ValueParser.time(text, edge: edge, now: 0)
        case .positiveInteger: _ = try ValueParser.positiveInteger(text)
        case .wholeNumber: _ = try ValueParser.wholeNumber(text)
        case .probability: _ = try ValueParser.probability(text)
        case .size: _ = try ValueParser.size(text)
        case .limits: _ = try ValueParser.limits(text)
        case .ignoredFindings: _ = try ValueParser.ignoredFindings(text)
        case .field: _ = try ValueParser.fieldOfAnyType(text)
        case .displayField: _ = try ValueParser.displayField(text)
        case .timestampForm: _ = try ValueParser.timestampForm(text)
        case .separator: if Separator(text) == nil { _ = try ValueParser.choice(text, of: words ?? []) }
        case .assignment(let form): _ = try ValueParser.assignment(text, form)
        }
    }

    /// The words of logs that a shell may offer.
    var logWords: LogWord? {
        switch self {
        case .name(let kind): kind
        case .field: .fields
        default: nil
        }
    }

    /// The words that a shell may offer: those of ``words``, and those that may stand for everything in an assignment.
    package var offeredWords: [String] {
        if case .assignment(let form) = self, form.allowsEverything {
            switch form.value {
            case .text: return []
            case .choice(let words): return words
            case .policy: return ValueKind.policy.offeredWords
            }
        }
        if self == .limits { return CheckLimit.names }
        if self == .ignoredFindings { return CheckFinding.Kind.allCases.map { $0.rawValue + "=" } }
        // Names of devices are nothing that a shell knows.
        return (words ?? []).map { $0.hasPrefix(MergeRules.Scope.devicesPrefix) ? MergeRules.Scope.devicesPrefix : $0 }
    }

    /// The allowed words, where they can be listed.
    package var words: [String]? {
        switch self {
        case .choice(let words): words
        case .policy: ValueParser.policies
        case .timestampForm: TimestampForm.words
        case .separator: Separator.allCases.map(\.name)
        default: nil
        }
    }
}
