import AuditAnalysis
import SyncLines
import TraceImport

extension ImportVerb {
    static func importGit(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let path = try path(arguments, noun: "repository") ?? "."
        var trace = try GitTrace(path, filters: arguments.texts("path-filter"))
        try context.withOutput(path: arguments.text("output")) { output in
            try trace.forEach { try output.write(WriteLine.bare($0) + [UInt8(ascii: "\n")]) }
        }
        context.note(
            HumanNumber.count(trace.commits, "commit") + " by " + HumanNumber.count(trace.authors, "author") + " in "
                + HumanNumber.count(trace.laneCount, "lane") + ": " + HumanNumber.count(trace.writes, "write") + " to "
                + HumanNumber.count(trace.recordCount, "record"))
        if trace.laneCount > trace.authors {
            context.note(
                "NAME#2 is the second lane of NAME: commits on a branch beside those of the first, which had not seen each other; "
                    + "each lane counts as a device")
        }
        if trace.unreadable > 0 {
            context.note(
                "\(HumanNumber.count(trace.unreadable, "version")) of data files could not be read; their records stayed as they were before"
            )
        }
        if trace.writes == 0 { context.note("no file matches, so there is nothing to audit") }
    }
}
