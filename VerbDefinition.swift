/// What a verb is called, what it does and what it takes. Its arguments are parsed and its help is written by this table.
package struct VerbDefinition: Hashable, Sendable {
    /// A command line worth copying.
    package struct Example: Hashable, Sendable {
        /// The whole line.
        package let line: String
        /// What it is good for.
        package let purpose: String

        /// A command line and what it is good for.
        package init(_ line: String, _ purpose: String) {
            self.line = line
            self.purpose = purpose
        }
    }

    /// The word after the command's name.
    package let name: String
    /// One line for the list of verbs, without its full stop.
    package let summary: String
    /// What help says about the verb; an empty line parts paragraphs.
    package let discussion: String
    /// How operands are written in the usage line, empty where there are none.
    package let operands: String
    /// The options, in the order in which help lists them, `--help` not among them.
    package let options: [OptionDefinition]
    /// Command lines worth copying.
    package let examples: [Example]

    /// Describes a verb.
    package init(
        name: String, summary: String, discussion: String, operands: String, options: [OptionDefinition], examples: [Example]
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.operands = operands
        self.options = options
        self.examples = examples
    }

    /// The options, `--help` among them.
    package var allOptions: [OptionDefinition] { options + [.help] }
}

/// The command as a whole.
package struct CommandDefinition: Hashable, Sendable {
    /// The name of the executable.
    package let name: String
    /// What it is good for.
    package let summary: String
    /// Its verbs, in the order in which help lists them.
    package let verbs: [VerbDefinition]

    /// Describes a command.
    package init(name: String, summary: String, verbs: [VerbDefinition]) {
        self.name = name
        self.summary = summary
        self.verbs = verbs
    }
}
