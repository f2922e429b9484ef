import SyncModel

/// What a whole command line asks for.
package enum Invocation: Hashable, Sendable {
    /// There is nothing on it.
    case nothing
    /// Which version this is.
    case version
    /// What the command can do.
    case help
    /// What a verb can do.
    case verbHelp(VerbDefinition)
    /// A verb's work.
    case run(ParsedArguments)
}

extension CommandDefinition {
    /// Understands a command line.
    ///
    /// - Parameter arguments: What comes after the name of the executable.
    package func invocation(_ arguments: [String]) throws(UsageError) -> Invocation {
        guard let first = arguments.first else { return .nothing }
        switch first {
        case "--version": return .version
        case "--help", "-h": return .help
        case "help":
            guard arguments.count > 1 else { return .help }
            guard arguments.count == 2 else { throw UsageError("help takes one verb, not \(arguments.count - 1)") }
            return .verbHelp(try verb(named: arguments[1]))
        default:
            if first.utf8.starts(with: "-".utf8) {
                throw UsageError("\(first.quoted) comes before the verb; write \(name) VERB first and options after it")
            }
            let parsed = try verb(named: first).parse(Array(arguments.dropFirst()))
            return parsed.wantsHelp ? .verbHelp(parsed.verb) : .run(parsed)
        }
    }

    private func verb(named word: String) throws(UsageError) -> VerbDefinition {
        if let verb = verbs.first(where: { $0.name.hasSameBytes(as: word) }) { return verb }
        let names = verbs.map(\.name)
        let remedy = Spelling.suggestion(for: word, among: names + ["help"]).map { "did you mean \($0)?" }
        throw UsageError("unknown verb \(word.quoted); " + (remedy ?? "it is one of \((names + ["help"]).joined(separator: ", "))"))
    }
}
