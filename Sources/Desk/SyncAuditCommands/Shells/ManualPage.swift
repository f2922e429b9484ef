import AuditAnalysis
import SyncBytes

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
        let operands =
            (verb.options.count > 1 ? ["[\\fIoptions\\fR]"] : []) + (verb.operands.isEmpty ? [] : [verb.operands.escaped(for: .manualPage)])
        return ([".B syncaudit \(verb.name.escaped(for: .manualPage))"] + (operands.isEmpty ? [] : [operands.joined(separator: " ")]))
            .joined(
                separator: "\n")
    }

    private static func section(_ verb: VerbDefinition) -> String {
        var lines = [".SS \(verb.name.escaped(for: .manualPage))", paragraph(verb.summary)]
        for text in verb.discussion { lines += [".PP", paragraph(text)] }
        for option in verb.options { lines += [".TP", label(option), paragraph(HelpText.explanation(option))] }
        if !verb.examples.isEmpty { lines += [".PP", "Examples:"] }
        for example in verb.examples {
            lines += [".PP", ".RS", ".nf", line(example.line.escaped(for: .manualPage)), ".fi", ".RE", paragraph(example.explanation)]
        }
        return lines.joined(separator: "\n")
    }

    private static func label(_ option: OptionDefinition) -> String {
        let names = option.spellings.map { "\\fB\($0.escaped(for: .manualPage))\\fR" }.joined(separator: ", ")
        guard case .value(_, let placeholder) = option.argument else { return names }
        return names + " \\fI\(placeholder.escaped(for: .manualPage))\\fR"
    }

    /// A text as lines of its own.
    private static func paragraph(_ text: String) -> String {
        // Narrow enough for what escaping adds.
        let lines = TerminalText.lines(text, to: HelpText.width - 20, wide: .whole)
        return lines.map { line($0.escaped(for: .manualPage)) }.joined(separator: "\n")
    }

    /// A line that does not begin like a request.
    private static func line(_ text: String) -> String { text.hasPrefix(".") ? "\\&" + text : text }
}

extension Escaping {
    /// Writes every character that a formatter of manual pages acts on by its name.
    ///
    /// Source: groff_char(7).
    fileprivate static let manualPage = Escaping(replacing: { scalar in
        switch scalar {
        case "\\": return "\\e"
        case "-": return "\\-"
        case "'": return "\\(aq"
        case "\"": return "\\(dq"
        case "`": return "\\(ga"
        case "^": return "\\(ha"
        case "~": return "\\(ti"
        case _ where scalar.isASCII: return nil
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\[u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + "]"
        }
    })
}
