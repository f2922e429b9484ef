import AuditReport

/// Help, made from the definitions.
package enum HelpText {
    /// What the command can do.
    ///
    /// - Parameter width: The columns to stay within.
    package static func text(for command: CommandDefinition, width: Int = 80) -> String {
        let options = [("-h, --help", "Shows this help."), ("    --version", "Shows the version.")]
        return """
            \(usage(of: command))

            \(wrapped(command.summary, width: width))

            Verbs:
            \(aligned(command.verbs.map { ($0.name, $0.summary + ".") } + [("help VERB", "Shows what a verb can do.")], width: width))
            Options:
            \(aligned(options, width: width))
            Exit codes:
            \(aligned(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }, width: width))
            """
    }

    /// What a verb can do.
    ///
    /// - Parameter width: The columns to stay within.
    package static func text(for verb: VerbDefinition, of command: String, width: Int = 80) -> String {
        var result = usage(of: verb, command: command) + "\n\n"
        for paragraph in verb.discussion.split(separator: "\n\n") { result += wrapped(String(paragraph), width: width) + "\n\n" }
        result += "Options:\n" + aligned(verb.allOptions.map { (label($0), sentence($0)) }, width: width)
        if !verb.examples.isEmpty {
            result += "\nExamples:\n" + verb.examples.map { "  # \($0.purpose)\n  \($0.line)\n" }.joined(separator: "\n")
        }
        return result
    }

    /// The usage line of the command.
    package static func usage(of command: CommandDefinition) -> String {
        "Usage: \(command.name) VERB [options] [FILES… | -]"
    }

    /// The usage line of a verb.
    package static func usage(of verb: VerbDefinition, command: String) -> String {
        "Usage: \(command) \(verb.name) [options]" + (verb.operands.isEmpty ? "" : " \(verb.operands)")
    }

    private static func label(_ option: OptionDefinition) -> String {
        (option.short.map { "-\($0), " } ?? "    ") + option.usage
    }

    private static func sentence(_ option: OptionDefinition) -> String {
        var parts = [option.help]
        if !option.allowed.isEmpty, !option.placeholder.contains("|") {
            parts.append("One of \(option.allowed.joined(separator: ", ")).")
        }
        switch option.form {
        case .flag, .single: break
        case .repeated: parts.append("May be repeated.")
        case .list: parts.append("May be repeated, or list several with commas.")
        }
        if let defaultText = option.defaultText { parts.append("Default: \(defaultText).") }
        return parts.joined(separator: " ")
    }

    private static let indentation = 2
    private static let gap = 2
    private static let widestLabel = 26

    /// Labels in one column, sentences in the next. A label too wide for its column has a line to itself.
    private static func aligned(_ rows: [(label: String, sentence: String)], width: Int) -> String {
        let column = rows.map { TerminalText.width($0.label) }.filter { $0 <= widestLabel }.max() ?? widestLabel
        let hanging = String(repeating: " ", count: indentation + column + gap)
        var result = ""
        for row in rows {
            let lines = wrapped(row.sentence, width: max(20, width - hanging.count)).split(separator: "\n")
            result += String(repeating: " ", count: indentation)
            var isOnLabelLine = TerminalText.width(row.label) <= column
            result += isOnLabelLine ? TerminalText.padded(row.label, to: column + gap) : row.label + "\n"
            for line in lines {
                result += (isOnLabelLine ? "" : hanging) + line + "\n"
                isOnLabelLine = false
            }
        }
        return result
    }

    /// The text with its line breaks where they keep it within a width. A word that is wider has a line to itself.
    private static func wrapped(_ text: String, width: Int) -> String {
        var lines: [String] = []
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if let last = lines.last, TerminalText.width(last) + 1 + TerminalText.width(String(word)) <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }
}
