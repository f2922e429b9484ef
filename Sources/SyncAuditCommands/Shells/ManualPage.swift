/// Writes the manual page in the language of `man(7)`.
enum ManualPage {
    static func text(_ verbs: [VerbDefinition]) -> String {
        """
        .TH SYNCAUDIT 1 \(SyncAudit.versionDate) "syncaudit \(SyncAudit.version)" "User Commands"
        .SH NAME
        syncaudit \\- find the edits that synchronization loses
        .SH SYNOPSIS
        \(verbs.map(synopsis).joined(separator: "\n.br\n"))
        .SH DESCRIPTION
        \(paragraph(HelpText.purpose))
        .PP
        \(paragraph(HelpText.files))
        .PP
        Output is data; what there is to say about it goes to standard error.
        .SH VERBS
        \(verbs.map(section).joined(separator: "\n"))
        .SH EXIT STATUS
        \(paragraph(HelpText.exitStatus))
        .SH ENVIRONMENT
        .TP
        .B NO_COLOR
        No colours, unless they are demanded, where it is set and not empty.
        .TP
        .B COLUMNS
        How wide tables are.
        .TP
        .B TERM
        No colours where it is dumb.

        """
    }

    private static func synopsis(_ verb: VerbDefinition) -> String {
        let operands = (verb.options.count > 1 ? ["[\\fIoptions\\fR]"] : []) + (verb.operands.isEmpty ? [] : [escaped(verb.operands)])
        return ([".B syncaudit \(escaped(verb.name))"] + (operands.isEmpty ? [] : [operands.joined(separator: " ")])).joined(
            separator: "\n")
    }

    private static func section(_ verb: VerbDefinition) -> String {
        var lines = [".SS \(escaped(verb.name))", paragraph(verb.summary)]
        for text in verb.discussion { lines += [".PP", paragraph(text)] }
        for option in verb.options { lines += [".TP", label(option), paragraph(HelpText.explanation(option))] }
        if !verb.examples.isEmpty { lines += [".PP", "Examples:"] }
        for example in verb.examples {
            lines += [".PP", ".RS", ".nf", line(escaped(example.line)), ".fi", ".RE", paragraph(example.explanation)]
        }
        return lines.joined(separator: "\n")
    }

    private static func label(_ option: OptionDefinition) -> String {
        let names = option.spellings.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
        guard case .value(_, let placeholder) = option.argument else { return names }
        return names + " \\fI\(escaped(placeholder))\\fR"
    }

    /// A text as lines of its own.
    private static func paragraph(_ text: String) -> String {
        // Narrow enough for what escaping adds.
        let margin = 20
        let lines = HelpText.wrapped(text, indent: margin).split(separator: "\n")
        return lines.map { line(escaped(String($0.dropFirst(margin)))) }.joined(separator: "\n")
    }

    /// A line that does not begin like a request.
    private static func line(_ text: String) -> String { text.hasPrefix(".") ? "\\&" + text : text }

    /// A text in which nothing is special.
    ///
    /// Source: groff_char(7).
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "\"": result += "\\(dq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + "]"
            }
        }
    }
}
