import AuditReport
import SyncModel

extension ReplayVerb {
    /// Options that say how writes are decided, which saved rows are not.
    private static let optionsOfWrites = [
        "policy", "deletes", "recorded", "recorded-for", "recorded-deletes", "type-column", "id-column", "whole-records",
        "whole-records-of",
    ]

    /// Says of tables of saved rows what would have kept the edits that they lost.
    static func runSavedRows(_ inputs: [CommandInput], _ arguments: ParsedArguments, _ context: CommandContext) throws {
        if let option = optionsOfWrites.first(where: { arguments.isSet($0) }) {
            throw UsageError(
                "--\(option) is about writes that are merged, and \(inputs[0].name) is a table in which stands what was kept: leave it out, or make "
                    + "writes of its rows by 'syncaudit audit --rows snapshots --trace-out writes.jsonl'", verb: definition.name)
        }
        let format = try arguments.choice("format", as: Format.self) ?? .table
        let style = try arguments.style(context, isPaged: format == .table)
        let top = try arguments.positiveInteger("top") ?? 10
        try arguments.checkOutputs(["output"], against: inputs, context)
        let (audit, result) = try TableAudit.ended(inputs, arguments, context)
        for sentence in audit.columnSentences { context.note(sentence) }
        let answer = SavedReplayAnswer(result)
        try context.withOutput(path: arguments.text("output"), isPaged: format == .table) { sink in
            switch format {
            case .table: try sink.write(answer.text(PageLayout(top: top, style: style, width: context.width)))
            case .json: try sink.write(answer.json)
            }
        }
    }
}
