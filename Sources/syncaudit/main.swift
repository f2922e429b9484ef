import SyncAuditCommands

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

CommandContext.ignoreBrokenPipes()
exit(SyncAudit.run(arguments: Array(CommandLine.arguments.dropFirst()), context: .system()).rawValue)
