package import AuditLog
package import ConflictAudit
import SyncBytes
package import SyncModel

/// The options and operands of one verb, checked against its definition.
package struct ParsedArguments: Sendable {
    /// The verb.
    package let verb: VerbDefinition
    /// What is no option, in order.
    package internal(set) var operands: [String] = []
    /// Whether help is asked for; nothing that follows the question has been looked at.
    package internal(set) var wantsHelp = false
    /// What the configuration file says, where the verb reads one.
    package internal(set) var configuration = AuditConfiguration()
    /// The values of each option by its name, in order; flags have one empty value.
    private var values: [String: [String]] = [:]

    init(verb: VerbDefinition) {
        self.verb = verb
    }

    mutating func add(_ value: String, to option: OptionDefinition) throws(UsageError) {
        if !option.isRepeatable, values[option.name] != nil {
            // A flag given twice means the same; of two values one would be lost.
            if option.argument == .flag { return }
            throw UsageError("\(option.spelling) is given more than once; give it one value", verb: verb.name)
        }
        values[option.name, default: []].append(value)
    }

    /// Whether an option was given.
    package func isSet(_ name: String) -> Bool { !texts(name).isEmpty }

    /// The value of an option as it was given.
    package func text(_ name: String) -> String? { texts(name).first }

    /// All values of an option as they were given.
    package func texts(_ name: String) -> [String] {
        _ = definition(name)
        return values[name] ?? []
    }

    /// The length of time that an option gives, in milliseconds.
    package func duration(_ name: String) throws(UsageError) -> Int64? {
        try parsed(name, ValueParser.duration).first
    }

    /// The time that an option gives, in milliseconds since 1970.
    package func time(_ name: String, now: Int64) throws(UsageError) -> Int64? {
        guard case .value(.time(let edge), _) = definition(name).argument else { preconditionFailure("--\(name) takes no time") }
        return try parsed(name) { text throws(ValueProblem) in try ValueParser.time(text, edge: edge, now: now) }.first
    }

    /// The number of bytes that an option gives.
    package func size(_ name: String) throws(UsageError) -> Int? { try parsed(name, ValueParser.size).first }

    /// The whole number that an option gives.
    package func positiveInteger(_ name: String) throws(UsageError) -> Int? {
        try parsed(name, ValueParser.positiveInteger).first
    }

    /// The whole number, which may be 0, that an option gives.
    package func wholeNumber(_ name: String) throws(UsageError) -> Int? {
        try parsed(name, ValueParser.wholeNumber).first
    }

    /// The probability that an option gives.
    package func probability(_ name: String) throws(UsageError) -> Double? {
        try parsed(name, ValueParser.probability).first
    }

    /// The fields that an option names, of any type or each by every way to split its name.
    package func fields(_ name: String) throws(UsageError) -> [(any: FieldName, fields: [ConflictStatistics.FieldKey])] {
        try parsed(name, ValueParser.fieldOfAnyType)
    }

    /// The assignments that an option makes.
    package func assignments(_ name: String) throws(UsageError) -> [Assignment] {
        guard case .value(.assignment(let form), _) = definition(name).argument else { preconditionFailure("--\(name) assigns nothing") }
        return try parsed(name) { text throws(ValueProblem) in try ValueParser.assignment(text, form) }
    }

    /// The words that an option gives, of those that a type lists.
    package func choices<Choice: RawRepresentable>(_ name: String, as type: Choice.Type = Choice.self) throws(UsageError) -> [Choice]
    where Choice.RawValue == String {
        try parsed(name) { text throws(ValueProblem) in
            guard let choice = Choice(rawValue: text) else { throw ValueProblem("\(text.quoted) is not known") }
            return choice
        }
    }

    /// The word that an option gives, of those that a type lists.
    package func choice<Choice: RawRepresentable>(_ name: String, as type: Choice.Type = Choice.self) throws(UsageError) -> Choice?
    where Choice.RawValue == String {
        try choices(name, as: type).first
    }

    /// All values of an option, read by a function whose complaint comes after the option's name.
    func parsed<Value>(_ name: String, _ parse: (String) throws(ValueProblem) -> Value) throws(UsageError) -> [Value] {
        var result: [Value] = []
        for text in texts(name) {
            do throws(ValueProblem) {
                result.append(try parse(text))
            } catch {
                throw UsageError("--\(name): \(error.sentence)", verb: verb.name)
            }
        }
        return result
    }

    func definition(_ name: String) -> OptionDefinition {
        guard let option = verb.option(named: name) else { preconditionFailure("\(verb.name) has no option --\(name)") }
        return option
    }
}
