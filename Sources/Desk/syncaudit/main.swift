import SyncAuditCommands
import SyncSystem

CommandContext.ignoreBrokenPipes()
exit(SyncAudit.run(arguments: Array(CommandLine.arguments.dropFirst()), context: .system()).rawValue)
