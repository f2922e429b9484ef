/// Why a command line cannot be understood.
package struct UsageError: Error, Hashable {
    /// A sentence without its full stop that names the value and the remedy.
    package let sentence: String
    /// The verb whose help is worth reading, or nil for the help of the command.
    package let verb: String?

    /// States why.
    package init(_ sentence: String, verb: String?) {
        self.sentence = sentence
        self.verb = verb
    }

    /// What to do next.
    package var hint: String {
        "Try 'syncaudit \(verb.map { $0 + " " } ?? "")--help'."
    }
}
