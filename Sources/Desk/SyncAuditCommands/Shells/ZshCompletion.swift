import SyncBytes

/// The completion script for zsh.
enum ZshCompletion {
    static func script(_ verbs: [VerbDefinition]) -> String {
        """
        #compdef syncaudit
        # Completion of syncaudit for zsh; written by 'syncaudit completions zsh'.
        _syncaudit_log() {
            local -a found
            found=(${(f)"$(syncaudit completions $1 -- ${(Q)words[2,-1]} 2>/dev/null)"})
            compadd -V log -d found -- ${found%%$'\\t'*}
        }
        _syncaudit() {
            local curcontext="$curcontext" state line
            typeset -A opt_args
            _arguments -C '(- : *)'{-h,--help}'[Shows help]' '(- : *)--version[Shows the version]' '1:verb:->verb' '*::argument:->arguments'
            case $state in
            verb)
                local -a verbs
                verbs=(
        \(verbs.map { "            " + quoted("\($0.name.escaped(for: .zshSpecification)):\($0.summary.escaped(for: .zshSpecification))") }.joined(separator: "\n"))
                    'help:Shows the help of a verb'
                )
                _describe verb verbs ;;
            arguments)
                case $line[1] in
        \(verbs.map(arguments).joined(separator: "\n"))
                help) _arguments \(quoted("1:verb:(\(verbs.map(\.name).joined(separator: " ")))")) ;;
                esac ;;
            esac
        }
        if [ "$funcstack[1]" = _syncaudit ]; then _syncaudit "$@"; else compdef _syncaudit syncaudit; fi

        """
    }

    private static func arguments(_ verb: VerbDefinition) -> String {
        var specifications = verb.options.map(specification)
        if verb.takesConflict { specifications.append("'1:conflict: _syncaudit_log ids'") }
        if !verb.operandWords.isEmpty {
            specifications.append(
                quoted("1:\(verb.operands.escaped(for: .zshSpecification)):(\(verb.operandWords.joined(separator: " ")))"))
        }
        if verb.takesPaths { specifications.append("'*:file:_files'") }
        return "        \(verb.name)) _arguments -s -S \\\n            " + specifications.joined(separator: " \\\n            ") + " ;;"
    }

    private static func specification(_ option: OptionDefinition) -> String {
        var value = ""
        var (longEnd, shortEnd) = ("", "")
        if case .value(let kind, let placeholder) = option.argument {
            // Long: joined by an equals sign or the next word; short: joined directly or the next word.
            (longEnd, shortEnd) = ("=", "+")
            let words = kind.offeredWords.map { $0.replacing(":", with: "\\:") }
            let action = kind.logWords.map { " _syncaudit_log \($0)" } ?? (kind == .path ? "_files" : " ")
            value = ":\(placeholder.escaped(for: .zshSpecification)):" + (words.isEmpty ? action : "(\(words.joined(separator: " ")))")
        }
        let help = quoted("[\(option.shortHelp.escaped(for: .zshSpecification))]\(value)")
        let long = option.spelling + longEnd
        guard let letter = option.shortName else { return quoted(option.isRepeatable ? "*" : "") + long + help }
        let others = option.isRepeatable ? "'*'" : "'(-\(letter) \(option.spelling))'"
        return "\(others){-\(letter)\(shortEnd),\(long)}\(help)"
    }

    private static func quoted(_ text: String) -> String { text.isEmpty ? "" : "'" + text.replacing("'", with: "'\\''") + "'" }
}

extension String {
    /// The text with every occurrence of a part replaced.
    func replacing(_ part: Character, with other: String) -> String {
        reduce(into: "") { result, character in if character == part { result += other } else { result.append(character) } }
    }
}

extension Escaping {
    /// Writes a backslash before what ends a part of a specification.
    fileprivate static let zshSpecification = Escaping(replacing: { "\\:[]".unicodeScalars.contains($0) ? "\\\($0)" : nil })
}
