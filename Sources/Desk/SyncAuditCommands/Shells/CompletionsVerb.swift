import SyncBytes

/// `syncaudit completions`: what a shell needs to complete command lines.
enum CompletionsVerb {
    /// The shells for which there is a script.
    enum Shell: String, Hashable, Sendable, CaseIterable {
        case bash
        case zsh
        case fish
    }

    static let definition = VerbDefinition(
        name: "completions",
        summary: "Writes the script by which a shell completes the command's verbs, options and values.",
        discussion: [
            "bash needs its package bash-completion only for the second of the examples.",
            """
            The script asks 'syncaudit completions ids -- WORDS', or fields, types or devices, for the words of logs: of the files that the command \
            line names, else of the logs of the configuration, else of the newest .jsonl file of the working directory. Their last lines are read.
            """,
        ],
        operands: "bash|zsh|fish",
        operandWords: Shell.allCases.map(\.rawValue),
        options: [],
        examples: [
            .init("source <(syncaudit completions bash)", "For this bash, or in ~/.bashrc for every one."),
            .init(
                "syncaudit completions bash > /etc/bash_completion.d/syncaudit",
                "For every bash on the machine."),
            .init("syncaudit completions zsh > \"${fpath[1]}/_syncaudit\"", "For every zsh that runs compinit."),
            .init("syncaudit completions fish > ~/.config/fish/completions/syncaudit.fish", "For every fish."),
        ])

    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        if let kind = arguments.operands.first.flatMap(LogWord.init) {
            var words = LogWords(kind)
            for path in LogWords.logs(among: Array(arguments.operands.dropFirst()), context) { words.read(path: path) }
            return try context.output.write(words.lines.map { $0 + "\n" }.joined())
        }
        guard let name = arguments.operands.first, let shell = Shell(rawValue: name), arguments.operands.count == 1 else {
            let given =
                arguments.operands.isEmpty ? "the shell is missing" : "\(arguments.operands.joined(separator: " ").quoted) is not one shell"
            throw UsageError("\(given); name one of \(Shell.allCases.map(\.rawValue).joined(separator: ", "))", verb: arguments.verb.name)
        }
        let verbs = SyncAudit.verbs.map(\.definition)
        let script =
            switch shell {
            case .bash: BashCompletion.script(verbs)
            case .zsh: ZshCompletion.script(verbs)
            case .fish: FishCompletion.script(verbs)
            }
        try context.output.write(script)
    }
}

extension OptionDefinition {
    /// Its explanation for a list of completions: the first sentence, without what holds unless it is given.
    var shortHelp: String {
        let sentence = help.prefix { $0 != "." && $0 != ":" && $0 != ";" }
        return String(sentence)
    }

    /// The names as they are typed, the short one first.
    var spellings: [String] { (shortName.map { ["-\($0)"] } ?? []) + [spelling] }
}
