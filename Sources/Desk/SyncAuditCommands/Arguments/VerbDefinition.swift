/// One verb of the command, as a value: parsing and help are made from it.
package struct VerbDefinition: Sendable {
    /// A command line that shows a use, and what it does.
    package struct Example: Sendable {
        /// The line as it is typed.
        package let line: String
        /// What it does, as a sentence.
        package let explanation: String

        /// An example.
        package init(_ line: String, _ explanation: String) {
            self.line = line
            self.explanation = explanation
        }
    }

    /// The word that selects it.
    package let name: String
    /// What it does, as one sentence.
    package let summary: String
    /// More about it, a paragraph each.
    package let discussion: [String]
    /// How its operands are shown in the usage line.
    package let operands: String
    /// The words that its first operand may be, where they can be listed.
    package let operandWords: [String]
    /// Its options in the order of help, `--help` last.
    package let options: [OptionDefinition]
    /// Uses to learn from.
    package let examples: [Example]

    /// Describes a verb.
    ///
    /// `--help` is added to its options.
    package init(
        name: String, summary: String, discussion: [String] = [], operands: String, operandWords: [String] = [],
        options: [OptionDefinition],
        examples: [Example]
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.operands = operands
        self.operandWords = operandWords
        self.options = options + [.help]
        self.examples = examples
        let names = self.options.map(\.name)
        let letters = self.options.compactMap(\.shortName)
        precondition(Set(names).count == names.count && Set(letters).count == letters.count, "every option of a verb has names of its own")
    }

    /// Whether operands are paths, apart from ``operandWords``.
    package var takesPaths: Bool { operands.contains("FILE") || operands.contains("PATH") }

    /// Whether its first operand is the id of a conflict.
    package var takesConflict: Bool { operands.hasPrefix("ID") }

    /// The option of a name without dashes.
    package func option(named name: String) -> OptionDefinition? {
        options.first { $0.name == name }
    }

    /// The option of a letter.
    package func option(lettered letter: Character) -> OptionDefinition? {
        options.first { $0.shortName == letter }
    }
}
