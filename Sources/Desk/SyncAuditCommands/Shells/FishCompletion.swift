/// The completion script for fish.
enum FishCompletion {
    static func script(_ verbs: [VerbDefinition]) -> String {
        var lines = [
            "# Completion of syncaudit for fish; written by 'syncaudit completions fish'.",
            "function __syncaudit_verb",
            "    set -l words (commandline -opc)",
            "    test (count $words) -ge 2; and contains -- $words[2] $argv",
            "end",
            "function __syncaudit_first",
            "    test (count (commandline -opc)) -eq $argv[1]",
            "end",
            "function __syncaudit_log",
            "    set -l words (commandline -opc)",
            "    syncaudit completions $argv[1] -- $words[3..-1] 2>/dev/null",
            "end",
            "complete -c syncaudit -n '__syncaudit_first 1' -f -s h -l help -d 'Shows help'",
            "complete -c syncaudit -n '__syncaudit_first 1' -f -l version -d 'Shows the version'",
            "complete -c syncaudit -n '__syncaudit_first 1' -f -a help -d 'Shows the help of a verb'",
            "complete -c syncaudit -n '__syncaudit_verb help' -f -a \(quoted(verbs.map(\.name).joined(separator: " ")))",
        ]
        for verb in verbs {
            lines.append("complete -c syncaudit -n '__syncaudit_first 1' -f -a \(verb.name) -d \(quoted(verb.summary))")
            let condition = "complete -c syncaudit -n '__syncaudit_verb \(verb.name)'"
            if !verb.takesPaths { lines.append(condition + " -f") }
            let first = verb.takesConflict ? "(__syncaudit_log ids)" : verb.operandWords.joined(separator: " ")
            if !first.isEmpty {
                lines.append("complete -c syncaudit -n '__syncaudit_verb \(verb.name); and __syncaudit_first 2' -f -a \(quoted(first))")
            }
            lines += verb.options.map { condition + specification($0) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func specification(_ option: OptionDefinition) -> String {
        var text = (option.shortName.map { " -s \($0)" } ?? "") + " -l \(option.name)"
        if case .value(let kind, _) = option.argument {
            let words = kind.logWords.map { "(__syncaudit_log \($0))" } ?? kind.offeredWords.joined(separator: " ")
            text += kind == .path ? " -r -F" : " -x" + (words.isEmpty ? "" : " -a \(quoted(words))")
        }
        return text + " -d \(quoted(option.shortHelp))"
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
