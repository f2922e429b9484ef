import SyncModel

extension VerbDefinition {
    /// Takes a verb's arguments apart: options in any place, `--name value`, `--name=value`, `-n value`, `-nvalue`, flags run together as in
    /// `-ab`; `--` ends the options, `-` is an operand.
    ///
    /// Reading stops at `--help` or `-h`.
    package func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
        var parser = ArgumentParser(verb: self, arguments: arguments)
        return try parser.parse()
    }
}

private struct ArgumentParser {
    private let verb: VerbDefinition
    private var rest: ArraySlice<String>
    private var parsed: ParsedArguments

    init(verb: VerbDefinition, arguments: [String]) {
        self.verb = verb
        rest = arguments[...]
        parsed = ParsedArguments(verb: verb)
    }

    mutating func parse() throws(UsageError) -> ParsedArguments {
        while !parsed.wantsHelp, let argument = rest.popFirst() {
            if argument == "--" {
                parsed.operands += rest
                break
            } else if argument.utf8.starts(with: "--".utf8) {
                try parseLong(argument)
            } else if argument.utf8.starts(with: "-".utf8), argument.utf8.count > 1 {
                try parseShort(argument)
            } else {
                parsed.operands.append(argument)
            }
        }
        return parsed
    }

    private mutating func parseLong(_ argument: String) throws(UsageError) {
        // Split by bytes: a combining mark after the sign would hide it from a comparison of characters.
        let sign = argument.utf8.firstIndex(of: UInt8(ascii: "="))
        let name = String(argument[..<(sign ?? argument.endIndex)].dropFirst(2))
        let attached = sign.map { String(argument[argument.utf8.index(after: $0)...]) }
        guard let option = verb.allOptions.first(where: { $0.name.hasSameBytes(as: name) }) else {
            let suggestion = Spelling.suggestion(for: name, among: verb.allOptions.map(\.name))
            throw usageError("unknown option --\(name.shortened)" + (suggestion.map { "; did you mean --\($0)?" } ?? ""))
        }
        try take(option, attached: attached)
    }

    private mutating func parseShort(_ argument: String) throws(UsageError) {
        var letters = argument.dropFirst()
        while !parsed.wantsHelp, let letter = letters.popFirst() {
            guard let option = verb.allOptions.first(where: { $0.short == letter }) else {
                throw usageError("unknown option -\(letter)" + (longOptionMeant(by: argument).map { "; did you mean \($0)?" } ?? ""))
            }
            if option.form == .flag {
                if letters.first == "=" { throw takesNoValue(option, String(letters.dropFirst())) }
                try take(option, attached: nil)
            } else {
                let attached = letters.first == "=" ? letters.dropFirst() : letters
                try take(option, attached: letters.isEmpty ? nil : String(attached))
                return
            }
        }
    }

    /// `-window` is a long option with a dash missing.
    private func longOptionMeant(by argument: String) -> String? {
        let name = String(argument.dropFirst().prefix { $0 != "=" })
        return verb.allOptions.first { $0.name == name }?.spelling
    }

    private mutating func take(_ option: OptionDefinition, attached: String?) throws(UsageError) {
        if option.form == .flag {
            if let attached { throw takesNoValue(option, attached) }
            if option == .help { parsed.wantsHelp = true }
            parsed.occurrences.append(.init(name: option.name, value: nil))
            return
        }
        if option.form == .single, parsed.isSet(option.name) {
            throw usageError("\(option.spelling) is given more than once; give it once")
        }
        let value = try value(of: option, attached: attached)
        for element in option.form == .list ? Self.elements(of: value) : [value] {
            if element.isEmpty { throw usageError("\(option.spelling) has an empty value in \(value.quoted)") }
            if !option.allowed.isEmpty, !option.allowed.contains(element) {
                throw usageError("\(option.spelling) cannot be \(element.quoted); it is one of \(option.allowed.joined(separator: ", "))")
            }
            parsed.occurrences.append(.init(name: option.name, value: element))
        }
    }

    private mutating func value(of option: OptionDefinition, attached: String?) throws(UsageError) -> String {
        let value = attached ?? (rest.first.map(isOption) == false ? rest.popFirst() : nil)
        guard let value, !value.isEmpty else { throw usageError("\(option.spelling) needs a value: \(option.usage)") }
        return value
    }

    /// Whether an argument is more likely the next option than the value of the last. `-5` and `-` are values.
    private func isOption(_ argument: String) -> Bool {
        if argument.utf8.starts(with: "--".utf8) { return true }
        guard argument.utf8.starts(with: "-".utf8), argument.count == 2 else { return false }
        return verb.allOptions.contains { $0.short == argument.last }
    }

    private func takesNoValue(_ option: OptionDefinition, _ value: String) -> UsageError {
        usageError("\(option.spelling) takes no value, but has \(value.quoted); write \(option.spelling) alone")
    }

    private func usageError(_ sentence: String) -> UsageError {
        UsageError(sentence, verb: verb.name)
    }

    /// The texts between commas; a backslash before a comma makes it part of a text.
    private static func elements(of list: String) -> [String] {
        var elements = [""]
        var isEscaped = false
        for scalar in list.unicodeScalars {
            let last = elements.count - 1
            if isEscaped {
                if scalar != "," { elements[last].unicodeScalars.append("\\") }
                elements[last].unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "," {
                elements.append("")
            } else {
                elements[last].unicodeScalars.append(scalar)
            }
        }
        if isEscaped { elements[elements.count - 1].unicodeScalars.append("\\") }
        return elements
    }
}
