import SyncModel

/// The arguments of one verb, taken apart but not yet understood.
package struct ParsedArguments: Hashable, Sendable {
    /// One option as it was given.
    package struct Occurrence: Hashable, Sendable {
        /// The option's name, without its dashes.
        package let name: String
        /// Its value, one of those with commas between them where it takes a list; nil for a flag.
        package let value: String?
    }

    /// The verb.
    package let verb: VerbDefinition
    /// The options, in the order in which they were given.
    package internal(set) var occurrences: [Occurrence] = []
    /// The arguments that are no options, in order. `-` is among them.
    package internal(set) var operands: [String] = []
    /// Whether help was asked for. What comes after the request was not looked at.
    package internal(set) var wantsHelp = false

    init(verb: VerbDefinition) {
        self.verb = verb
    }

    /// Whether an option was given.
    ///
    /// - Precondition: The verb defines the option.
    package func isSet(_ name: String) -> Bool {
        requireDefined(name)
        return occurrences.contains { $0.name == name }
    }

    /// The value of an option that is given once, nil where it was not.
    ///
    /// - Precondition: The verb defines the option.
    package func text(_ name: String) -> String? {
        requireDefined(name)
        return occurrences.first { $0.name == name }?.value
    }

    /// The values of an option, in order.
    ///
    /// - Precondition: The verb defines the option.
    package func texts(_ name: String) -> [String] {
        requireDefined(name)
        return occurrences.compactMap { $0.name == name ? $0.value : nil }
    }

    /// The value of an option, understood by a parser; nil where the option was not given.
    ///
    /// - Precondition: The verb defines the option.
    package func value<Value>(_ name: String, _ parse: (String) throws(ValueError) -> Value) throws(UsageError) -> Value? {
        guard let text = text(name) else { return nil }
        return try understood(text, of: name, parse)
    }

    /// The values of an option, understood by a parser, in order.
    ///
    /// - Precondition: The verb defines the option.
    package func values<Value>(_ name: String, _ parse: (String) throws(ValueError) -> Value) throws(UsageError) -> [Value] {
        var result: [Value] = []
        for text in texts(name) { result.append(try understood(text, of: name, parse)) }
        return result
    }

    /// The value of an option whose allowed values are the raw values of a type; nil where the option was not given.
    ///
    /// - Precondition: The verb defines the option, and every value that it allows is one of the type.
    package func choice<Choice: RawRepresentable<String>>(_ name: String, as type: Choice.Type = Choice.self) -> Choice? {
        choices(name, as: type).first
    }

    /// The values of an option whose allowed values are the raw values of a type.
    ///
    /// - Precondition: The verb defines the option, and every value that it allows is one of the type.
    package func choices<Choice: RawRepresentable<String>>(_ name: String, as type: Choice.Type = Choice.self) -> [Choice] {
        texts(name).map { text in
            guard let choice = Choice(rawValue: text) else { preconditionFailure("--\(name) allows \(text), which is no \(type)") }
            return choice
        }
    }

    private func understood<Value>(
        _ text: String, of name: String, _ parse: (String) throws(ValueError) -> Value
    ) throws(UsageError) -> Value {
        do throws(ValueError) {
            return try parse(text)
        } catch {
            throw UsageError("--\(name): \(error.sentence)", verb: verb.name)
        }
    }

    private func requireDefined(_ name: String) {
        precondition(verb.allOptions.contains { $0.name == name }, "\(verb.name) has no option --\(name)")
    }
}
