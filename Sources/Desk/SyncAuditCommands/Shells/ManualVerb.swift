import SyncBytes

/// `syncaudit man`: the manual page.
enum ManualVerb {
    static let definition = VerbDefinition(
        name: "man",
        summary: "Writes the manual page, made from the same definitions as --help.",
        operands: "",
        options: [],
        examples: [
            .init("syncaudit man | man -l -", "Shows it."),
            .init("syncaudit man > ~/.local/share/man/man1/syncaudit.1", "Lets 'man syncaudit' find it."),
        ])

    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        if let operand = arguments.operands.first {
            throw UsageError("\(operand.quoted) is one argument too many: there is nothing to read", verb: arguments.verb.name)
        }
        try context.output.write(ManualPage.text(SyncAudit.verbs.map(\.definition)))
    }
}
