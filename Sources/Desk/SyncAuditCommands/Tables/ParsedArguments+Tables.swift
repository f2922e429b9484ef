import AuditLog
import SyncModel
import SyncSystem
import TraceImport

extension ParsedArguments {
    /// Options that speak of a history that somebody has to merge: with one of them rows are taken as writes, and decided.
    private static let optionsOfWrites = [
        "policy", "policy-for", "deletes", "rows", "state", "edited", "memory", "grouped", "in-line-order", "unique", "reference",
        "whole-records", "whole-records-of",
    ]

    /// The tables among the inputs of `audit` whose rows are read as what a server kept; nil where the inputs are traces, or rows that are
    /// to be decided as writes.
    ///
    /// - Throws: ``CommandError`` where some inputs are tables and others are not, or one is something else.
    func savedTables(_ context: CommandContext) throws -> [CommandInput]? {
        if Self.optionsOfWrites.contains(where: { isSet($0) }) { return nil }
        // Whoever reads them says what is to be said of their names.
        let inputs = try inputsOrRows(context.muted, insists: false)
        let kinds = try inputs.map { try kind(of: $0, context) }
        for (input, kind) in zip(inputs, kinds) {
            if case .foreign(let sentence) = kind { throw CommandError(.badData, "\(input.name):1: \(sentence)") }
        }
        guard let table = kinds.firstIndex(where: \.isTable) else {
            if isSet("csv") || isSet("sqlite") { return nil }
            for option in ["map", "fields", "table", "query", "keeps", "empty", "separator", "trace-out"] where isSet(option) {
                let name = inputs.first?.name ?? "the input"
                throw UsageError("--\(option) is for tables, and \(name) holds lines of a trace: leave it out", verb: verb.name)
            }
            return nil
        }
        guard let other = kinds.firstIndex(where: { !$0.isTable && $0 != .empty }) else { return inputs }
        throw CommandError(
            .badData,
            "\(inputs[table].name) is a table and \(inputs[other].name) holds lines: audit them one after the other, and name both logs to "
                + "'report'")
    }

    private func kind(of input: CommandInput, _ context: CommandContext) throws -> InputKind {
        do {
            guard readsCSV else { return try context.kind(of: input) }
            if case .file(let path) = input, !Operands.isStream(path) { return try InputKind(path: path) }
            return .separatedValues
        } catch is ReadingError {
            // The audit of lines says what is wrong, and where.
            return .trace
        }
    }

    /// The table in an input, by what the command line and nothing else says of its columns.
    func savedTable(_ input: CommandInput, _ context: CommandContext) throws -> SavedTable {
        let reading = try tableReading(context)
        do {
            if let stream = try context.streams.open(input, context) { return try SavedTable(stream, name: input.name, reading) }
            guard case .file(let path) = input else { preconditionFailure("standard input is a stream") }
            return try SavedTable(path: path, reading)
        } catch let error as TraceImportError {
            throw CommandError(error)
        }
    }

    /// Whether the verb has options that say how tables are read.
    var hasTableOptions: Bool { verb.option(named: "map") != nil }

    /// How tables are read.
    private func tableReading(_ context: CommandContext) throws(UsageError) -> TableReading {
        var reading = TableReading()
        reading.now = context.now()
        reading.tables = configuration.tables
        guard hasTableOptions else { return reading }
        reading.mapping = try rowMapping()
        if let empty = try choice("empty", as: RowReading.EmptyValue.self) { reading.empty = empty }
        reading.times = text("times").flatMap(TimestampForm.init(optionName:))
        reading.separator = separator
        (reading.table, reading.query) = (text("table"), text("query"))
        reading.isLenient = isSet("lenient")
        return reading
    }
}
