/// The completion script for bash, 3.2 (as on macOS) or newer.
enum BashCompletion {
    static func script(_ verbs: [VerbDefinition]) -> String {
        """
        # Completion of syncaudit for bash; written by 'syncaudit completions bash'.
        _syncaudit_log() { syncaudit completions "$1" -- "${COMP_WORDS[@]:2}" 2>/dev/null | cut -f 1; }
        _syncaudit() {
            local IFS=$'\\n' current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} words=''
            # bash takes --option=value for three words.
            if [ "$current" = = ]; then
                current=''
            elif [ "$previous" = = ]; then
                previous=${COMP_WORDS[COMP_CWORD-2]}
            fi
            COMPREPLY=()
            if [ "$COMP_CWORD" -eq 1 ]; then
                COMPREPLY=($(compgen -W \(list(verbs.map(\.name) + ["help", "--help", "--version"])) -- "$current"))
                return
            fi
            case "$verb $previous" in
        \(verbs.flatMap(values).joined(separator: "\n"))
            esac
            if [ -n "$words" ]; then
                COMPREPLY=($(compgen -W "$words" -- "$current"))
                return
            fi
            case "$verb" in
        \(verbs.map(operands).joined(separator: "\n"))
            help) words=\(list(verbs.map(\.name))) ;;
            esac
            COMPREPLY=($(compgen -W "$words" -- "$current"))
        }
        # Paths are offered wherever nothing else is.
        complete -o bashdefault -o default -F _syncaudit syncaudit

        """
    }

    /// What may follow each option that takes a value.
    private static func values(_ verb: VerbDefinition) -> [String] {
        verb.options.compactMap { option in
            guard case .value(let kind, _) = option.argument else { return nil }
            let pattern = option.spellings.map { "'\(verb.name) \($0)'" }.joined(separator: "|")
            let words = kind.offeredWords
            if !words.isEmpty { return "    \(pattern)) words=\(list(words)) ;;" }
            if kind == .path { return "    \(pattern)) return ;;" }
            // Where a value is due that no shell knows, files are not offered for it.
            let logged = kind.logWords.map { "words=$(_syncaudit_log \($0)); [ -n \"$words\" ] || return ;;" }
            return "    \(pattern)) compopt +o bashdefault +o default 2>/dev/null; " + (logged ?? "return ;;")
        }
    }

    /// What may be given where no value is due: options after a dash, else words that the verb takes.
    private static func operands(_ verb: VerbDefinition) -> String {
        let options = verb.options.flatMap(\.spellings)
        let first = verb.takesConflict ? "$(_syncaudit_log ids)" : verb.operandWords.isEmpty ? nil : list(verb.operandWords)
        let words = first.map { "\n        *) [ \"$COMP_CWORD\" -eq 2 ] && words=\($0) ;;" } ?? ""
        return """
                \(verb.name))
                    case "$current" in
                    -*) words=\(list(options)) ;;\(words)
                    esac ;;
            """
    }

    private static func list(_ words: [String]) -> String { "$'" + words.joined(separator: "\\n") + "'" }
}
