import AuditAnalysis
import AuditLog
import AuditReport
import SyncLines
import SyncModel
import TraceImport

extension ImportVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        guard let source = arguments.operands.first else {
            throw UsageError("what to import is missing: write 'import git PATH'", verb: arguments.verb.name)
        }
        guard source == "git" else {
            throw UsageError("\(source.quoted) cannot be imported; write 'import git PATH'", verb: arguments.verb.name)
        }
        if arguments.operands.count > 2 {
            throw UsageError("\(arguments.operands[2].quoted) is one argument too many: name one repository", verb: arguments.verb.name)
        }
        let path = arguments.operands.dropFirst().first ?? "."
        if path.isEmpty { throw UsageError("the path of the repository is empty", verb: arguments.verb.name) }
        var trace = try GitTrace(path, filters: arguments.texts("path-filter"))
        try context.withOutput(path: arguments.text("output")) { output in
            try trace.forEach { try output.write(WriteLine.bare($0) + [UInt8(ascii: "\n")]) }
        }
        context.note(
            HumanNumber.count(trace.commits, "commit") + " by " + HumanNumber.count(trace.authors, "author") + " in "
                + HumanNumber.count(trace.laneCount, "lane") + ": " + HumanNumber.count(trace.writes, "write") + " to "
                + HumanNumber.count(trace.recordCount, "record"))
        if trace.unreadable > 0 {
            context.note(
                "\(HumanNumber.count(trace.unreadable, "version")) of data files could not be read; their records stayed as they were before"
            )
        }
        if trace.writes == 0 { context.note("no file matches, so there is nothing to audit") }
    }
}
