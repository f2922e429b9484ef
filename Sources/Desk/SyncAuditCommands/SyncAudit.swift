import AuditLog
import SyncBytes
import TraceImport

/// The command.
package enum SyncAudit {
    /// The version of the command and of the package.
    package static let version = "0.1.0"

    /// The day of that version, for the manual.
    static let versionDate = "2026-11-21"

    /// A verb: what it takes and what it does.
    struct Verb: Sendable {
        let definition: VerbDefinition
        let run: @Sendable (ParsedArguments, CommandContext) throws -> Void
    }

    /// Every verb, in the order of help.
    static let verbs = [
        Verb(definition: AuditVerb.definition, run: AuditVerb.run),
        Verb(definition: ReportVerb.definition, run: ReportVerb.run),
        Verb(definition: TailVerb.definition, run: TailVerb.run),
        Verb(definition: TopVerb.definition, run: TopVerb.run),
        Verb(definition: BrowseVerb.definition, run: BrowseVerb.run),
        Verb(definition: ShowVerb.definition, run: ShowVerb.run),
        Verb(definition: StoryVerb.definition, run: StoryVerb.run),
        Verb(definition: LostVerb.definition, run: LostVerb.run),
        Verb(definition: RestoreVerb.definition, run: RestoreVerb.run),
        Verb(definition: CheckVerb.definition, run: CheckVerb.run),
        Verb(definition: VerifyVerb.definition, run: VerifyVerb.run),
        Verb(definition: DoctorVerb.definition, run: DoctorVerb.run),
        Verb(definition: ReplayVerb.definition, run: ReplayVerb.run),
        Verb(definition: InitVerb.definition, run: InitVerb.run),
        Verb(definition: ExportVerb.definition, run: ExportVerb.run),
        Verb(definition: ImportVerb.definition, run: ImportVerb.run),
        Verb(definition: SimulateVerb.definition, run: SimulateVerb.run),
        Verb(definition: CompletionsVerb.definition, run: CompletionsVerb.run),
        Verb(definition: ManualVerb.definition, run: ManualVerb.run),
    ]

    /// Does what a command line asks for.
    ///
    /// - Parameters:
    ///   - arguments: The arguments, without the name of the program.
    ///   - context: The world.
    /// - Returns: How it ended; whatever there is to say about it has been said.
    package static func run(arguments: [String], context: CommandContext) -> ExitCode {
        do {
            try dispatch(arguments, context)
            try context.output.flush()
            return .success
        } catch {
            // What was written before the failure is good, and a reader may be waiting for it. If that fails too, the first failure is
            // told; but where the reader has gone, nobody asks any more.
            do {
                try context.output.flush()
            } catch {
                if error == .outputClosed { return .success }
            }
            return report(error, context)
        }
    }

    private static func dispatch(_ arguments: [String], _ context: CommandContext) throws {
        guard let first = arguments.first else {
            for line in HelpText.short(verbs.map(\.definition)).split(separator: "\n") { context.errorText(line + "\n") }
            throw UsageError("a verb is missing", verb: nil)
        }
        switch first {
        case "--help", "-h": try context.output.write(HelpText.command(verbs.map(\.definition)))
        case "--version": try context.output.write("syncaudit \(version)\n")
        case "help":
            let topic = arguments.dropFirst().first ?? "help"
            if ["help", "--help", "-h"].contains(topic) { return try dispatch(["--help"], context) }
            try context.output.write(HelpText.verb(try verb(named: topic).definition))
        default:
            let verb = try verb(named: first)
            var parsed = try verb.definition.parse(Array(arguments.dropFirst()))
            if parsed.wantsHelp {
                try context.output.write(HelpText.verb(verb.definition))
            } else {
                do {
                    try parsed.readConfiguration(context)
                    try verb.run(parsed, context)
                } catch let error as AuditLogError {
                    throw CommandError(error, of: verb.definition)
                }
            }
        }
    }

    private static func verb(named name: String) throws(UsageError) -> Verb {
        if let verb = verbs.first(where: { $0.definition.name == name }) { return verb }
        if name.hasPrefix("-"), name != "-" {
            let meant = EditDistance.didYouMean(name, among: ["--help", "--version"])
            let remedy = meant.isEmpty ? " before the verb; the verb comes first" : meant
            throw UsageError("there is no option \(name.quoted)\(remedy)", verb: nil)
        }
        let names = verbs.map(\.definition.name)
        throw UsageError("there is no verb \(name.quoted)\(EditDistance.didYouMean(name, among: names + ["help"]))", verb: nil)
    }

    private static func report(_ error: any Error, _ context: CommandContext) -> ExitCode {
        switch error {
        case let error as UsageError:
            context.note(error.sentence)
            context.errorText(error.hint.escaped(for: .terminal) + "\n")
            return .usage
        case let error as CommandError:
            if let sentence = error.sentence { context.note(sentence) }
            return error.exitCode
        case let error as TraceImportError: return report(CommandError(error), context)
        default:
            context.note("\(error)")
            return .inputOutput
        }
    }
}
