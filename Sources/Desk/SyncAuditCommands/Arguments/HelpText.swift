import AuditAnalysis
import AuditReport

/// Writes help from definitions.
package enum HelpText {
    /// The columns that help is wrapped at.
    package static let width = 80
    /// Where the explanations begin at the latest; a longer name is on a line of its own.
    private static let widestMargin = 30

    /// What the command is for.
    static let purpose =
        "Finds the edits that synchronization loses: audits traces of writes for conflicts and sums up the logs of what was found."
    /// What may be named as a file.
    static let files =
        "A file may be a pattern such as 'logs/*.jsonl' or a directory, which stands for its *.jsonl files; - is standard input."
    /// How the command may end.
    static let exitStatus =
        "0 done, 1 a limit was exceeded, 2 wrong usage, 65 bad input data, 66 no such input, 74 reading or writing failed."

    /// The help of a verb.
    package static func verb(_ verb: VerbDefinition) -> String {
        var text = usage(verb) + "\n\n" + wrapped(verb.summary)
        for paragraph in verb.discussion { text += "\n" + wrapped(paragraph) }
        text += "\nOptions:\n" + listed(verb.options.map { (label($0), explanation($0)) })
        return text + examples(verb.examples)
    }

    /// The help of the command.
    package static func command(_ verbs: [VerbDefinition]) -> String {
        """
        Usage: syncaudit VERB [OPTIONS] [FILES…|-]

        \(wrapped(purpose))
        Verbs:
        \(listed(verbs.map { ($0.name, $0.summary) }))
        Options:
        \(listed([("-h, --help", "Shows this help, or with a verb the verb's."), ("    --version", "Shows the version.")]))
        \(wrapped(files))
        \(wrapped("Exit status: " + exitStatus))
        'syncaudit VERB --help' shows a verb's options and examples.

        """
    }

    /// What is shown when nothing is asked for.
    package static func short(_ verbs: [VerbDefinition]) -> String {
        """
        Usage: syncaudit VERB [OPTIONS] [FILES…|-]
        Verbs: \(verbs.map(\.name).joined(separator: ", ")), help
        """
    }

    private static func usage(_ verb: VerbDefinition) -> String {
        "Usage: syncaudit \(verb.name) [OPTIONS]\(verb.operands.isEmpty ? "" : " " + verb.operands)"
    }

    private static func label(_ option: OptionDefinition) -> String {
        let names = (option.shortName.map { "-\($0), " } ?? "    ") + option.spelling
        guard case .value(_, let placeholder) = option.argument else { return names }
        return names + " " + placeholder
    }

    /// What an option does, what values are allowed and whether it may be repeated.
    static func explanation(_ option: OptionDefinition) -> String {
        var text = option.help
        if case .value(let kind, _) = option.argument, let words = kind.words { text += " One of \(words.joined(separator: ", "))." }
        if option.isRepeatable { text += " May be repeated." }
        return text
    }

    private static func examples(_ examples: [VerbDefinition.Example]) -> String {
        examples.isEmpty ? "" : "\nExamples:\n" + examples.map { "  \($0.line)\n" + wrapped($0.explanation, indent: 6) }.joined()
    }

    /// Labels with their explanations beside them, all explanations beginning in one column.
    private static func listed(_ rows: [(label: String, explanation: String)]) -> String {
        let labels = rows.map { "  " + $0.label + "  " }
        let margin = labels.map(TerminalText.width).filter { $0 <= widestMargin }.max() ?? widestMargin
        var text = ""
        for (label, row) in zip(labels, rows) {
            let explanation = wrapped(row.explanation, indent: margin)
            if TerminalText.width(label) <= margin {
                text += TerminalText.padded(label, to: margin) + explanation.dropFirst(margin)
            } else {
                text += label.dropLast(2) + "\n" + explanation
            }
        }
        return text
    }

    /// A paragraph broken between words, each line with a margin and a line break.
    ///
    /// A word longer than a line stays whole.
    package static func wrapped(_ text: String, indent: Int = 0) -> String {
        let lines = TerminalText.lines(text, to: width - indent, wide: .whole)
        let margin = String(repeating: " ", count: indent)
        return (lines.isEmpty ? [""] : lines).map { margin + $0 + "\n" }.joined()
    }
}
