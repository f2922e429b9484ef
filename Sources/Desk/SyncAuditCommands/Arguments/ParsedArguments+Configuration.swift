import AuditLog
import SyncBytes

extension ParsedArguments {
    /// Reads the configuration file that an option names, or that the working directory has.
    mutating func readConfiguration(_ context: CommandContext) throws {
        guard verb.option(named: OptionDefinition.config.name) != nil else { return }
        let named = text(OptionDefinition.config.name)
        guard named != "none", let path = named ?? context.configurationFile() else { return }
        configuration = try AuditConfiguration(contentsOfFile: path)
        // Where a person would have to type the input.
        let before = verb.takesConflict ? 1 : 0
        let readsRows = verb.option(named: "sqlite") != nil && isSet("sqlite")
        if context.terminals.input, operands.count == before, verb.operands.contains("FILES"), !readsRows { operands += configuration.logs }
        // Whoever did not name it should know that there is one.
        if named == nil { context.note("with the configuration \(path.quoted)") }
    }
}
