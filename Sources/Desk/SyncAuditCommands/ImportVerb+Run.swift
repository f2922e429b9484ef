import AuditAnalysis
import SyncBytes
import TraceImport

extension ImportVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        guard let word = arguments.operands.first else {
            throw UsageError("what to import is missing: write \(forms)", verb: definition.name)
        }
        guard let source = Source(rawValue: word) else {
            throw UsageError("\(word.quoted) cannot be imported; write \(forms)", verb: definition.name)
        }
        for (option, owner) in options where arguments.isSet(option) && owner != source {
            throw UsageError("--\(option) is for 'import \(owner.rawValue)'; leave it out", verb: definition.name)
        }
        switch source {
        case .git: try importGit(arguments, context)
        case .coredata: try importCoreData(arguments, context)
        case .cloudkit: try importCloudKit(arguments, context)
        }
    }

    private static let forms = "'import git PATH', 'import coredata STORE' or 'import cloudkit FILES'"

    /// The options that only one source has.
    private static let options: [(option: String, source: Source)] = [
        ("path-filter", .git), ("device", .coredata), ("keep-prefixes", .cloudkit),
    ]

    /// The only operand behind the source's word.
    ///
    /// - Parameter noun: What it names.
    static func path(_ arguments: ParsedArguments, noun: String) throws(UsageError) -> String? {
        if arguments.operands.count > 2 {
            throw UsageError("\(arguments.operands[2].quoted) is one argument too many: name one \(noun)", verb: definition.name)
        }
        let path = arguments.operands.dropFirst().first
        if path == "" { throw UsageError("the path of the \(noun) is empty", verb: definition.name) }
        return path
    }
}
