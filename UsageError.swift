/// Why a command line cannot be understood.
package struct UsageError: Error, Hashable, Sendable {
    /// A sentence that names the value and the remedy, without its full stop.
    package let sentence: String
    /// The verb whose help explains more, nil where the verb itself is in question.
    package let verb: String?

    /// States what is wrong with a command line.
    package init(_ sentence: String, verb: String? = nil) {
        self.sentence = sentence
        self.verb = verb
    }
}

/// Why a text is not the value that an option takes.
package struct ValueError: Error, Hashable, Sendable {
    /// A sentence that names the value and the remedy, without its full stop. The option's name comes before it.
    package let sentence: String

    /// States what is wrong with a value.
    package init(_ sentence: String) {
        self.sentence = sentence
    }
}
