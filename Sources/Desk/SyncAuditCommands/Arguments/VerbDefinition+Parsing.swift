import SyncBytes

extension VerbDefinition {
    /// Reads what follows the verb.
    ///
    /// Pure: looks at nothing but its argument.
    ///
    /// Options and operands may be mixed; `--` ends the options, and `-` is an operand. A value that begins with a dash is joined to its
    /// option by an equals sign, so that a forgotten value never swallows the next option.
    package func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
        var parsed = ParsedArguments(verb: self)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                parsed.operands += rest
                break
            }
            if argument.hasPrefix("--") {
                try parseLong(argument, &rest, &parsed)
            } else if argument.hasPrefix("-"), argument != "-" {
                try parseShort(argument, &rest, &parsed)
            } else {
                parsed.operands.append(argument)
            }
            if parsed.wantsHelp { break }
        }
        return parsed
    }

    private func parseLong(_ argument: String, _ rest: inout ArraySlice<String>, _ parsed: inout ParsedArguments) throws(UsageError) {
        let sign = argument.utf8.firstIndex(of: UInt8(ascii: "="))
        let name = String(argument[argument.utf8.index(argument.startIndex, offsetBy: 2)..<(sign ?? argument.endIndex)])
        let joined = sign.map { String(argument[argument.utf8.index(after: $0)...]) }
        guard let option = option(named: name) else {
            let meant = EditDistance.didYouMean(name, among: options.map(\.name), prefix: "--")
            throw UsageError("there is no option \(("--" + name).quoted) in \(self.name)\(meant)", verb: self.name)
        }
        switch (option.argument, joined) {
        case (.flag, let joined?):
            throw UsageError("\(option.spelling) takes no value, but \(joined.quoted) is given; write \(option.spelling)", verb: self.name)
        case (.flag, nil): try set(option, &parsed)
        case (.value(let kind, _), let joined?): try set(option, kind, joined, &parsed)
        case (.value(let kind, let placeholder), nil): try set(option, kind, try nextValue(of: option, placeholder, &rest), &parsed)
        }
    }

    private func parseShort(_ argument: String, _ rest: inout ArraySlice<String>, _ parsed: inout ParsedArguments) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = option(lettered: letter) else {
                throw UsageError(
                    "there is no option \("-\(letter)".quoted) in \(name); a file of that name is written ./\(argument.shortened)",
                    verb: name)
            }
            guard case .value(let kind, let placeholder) = option.argument else {
                try set(option, &parsed)
                continue
            }
            try set(option, kind, letters.isEmpty ? try nextValue(of: option, placeholder, &rest) : String(letters), &parsed)
            return
        }
    }

    private func nextValue(
        of option: OptionDefinition, _ placeholder: String, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let next = rest.first, next == "-" || !next.hasPrefix("-") else {
            let dashed = rest.isEmpty ? "" : "; a value that begins with a dash is written \(option.spelling)=VALUE"
            throw UsageError("\(option.spelling) needs a value: \(option.spelling) \(placeholder)\(dashed)", verb: name)
        }
        rest.removeFirst()
        return next
    }

    private func set(_ flag: OptionDefinition, _ parsed: inout ParsedArguments) throws(UsageError) {
        if flag.name == OptionDefinition.help.name { parsed.wantsHelp = true }
        try parsed.add("", to: flag)
    }

    private func set(_ option: OptionDefinition, _ kind: ValueKind, _ value: String, _ parsed: inout ParsedArguments) throws(UsageError) {
        do throws(ValueProblem) {
            try kind.check(value)
        } catch {
            throw UsageError("\(option.spelling): \(error.sentence)", verb: name)
        }
        try parsed.add(value, to: option)
    }
}
