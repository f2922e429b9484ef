import AuditAnalysis
import AuditLog
import SyncBytes
import SyncLines
import SyncModel
import TraceImport

extension ImportVerb {
    static func importCoreData(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        guard let path = try path(arguments, noun: "store") else {
            throw UsageError("the store is missing: write 'import coredata default.store'", verb: definition.name)
        }
        let device = DeviceID(arguments.text("device") ?? "local")
        if let problem = WriteLimits.problem(with: device) { throw UsageError("--device: \(problem)", verb: definition.name) }
        if device == CoreDataHistory.cloud {
            throw UsageError("--device: \(device.rawValue.quoted) stands for the other devices; choose another name", verb: definition.name)
        }
        var history = try CoreDataHistory(path, device: device)
        try context.withOutput(path: arguments.text("output")) { output in
            var buffer = LineBuffer()
            var lines: UInt64 = 0
            try history.forEach { event in
                lines += 1
                LineEncoder.append(event, sequence: lines, source: device, to: &buffer)
                if buffer.count < 64 << 10 { return }
                try output.write(buffer.array)
                buffer.truncate(to: 0)
            }
            try output.write(buffer.array)
        }
        tell(history, context)
    }

    private static func tell(_ history: CoreDataHistory, _ context: CommandContext) {
        let counts = history.counts
        var sentence = "\(HumanNumber.count(counts.local, "change")) made here, \(HumanNumber.count(counts.imported)) imported"
        if counts.events > 0 {
            sentence += ", \(HumanNumber.count(counts.events, "sync event"))"
            if counts.failedEvents > 0 { sentence += ", \(HumanNumber.count(counts.failedEvents)) of them failed" }
        }
        context.note(sentence)
        if counts.conflicts > 0 {
            context.note(
                "\(HumanNumber.count(counts.conflicts, "suspected conflict")): an import replaced a property whose change here no export had sent"
            )
        }
        if counts.unknown > 0 {
            context.note(
                "\(HumanNumber.count(counts.unknown, "property", "properties")) replaced by an import after a change here of which the store does "
                    + "not tell whether it had been exported")
        }
        if counts.waiting > 0 {
            context.note("\(HumanNumber.count(counts.waiting, "change")) made here not exported when the store was copied")
        }
        if counts.local + counts.imported > 0 {
            context.note("a store's history names properties and never values: nothing can be restored from these lines")
        }
        if counts.unreadable > 0 {
            context.note("\(HumanNumber.count(counts.unreadable, "row")) of the history passed over that could not be understood")
        }
        if counts.dropped > 0 {
            context.note("\(HumanNumber.count(counts.dropped, "change")) too many to look for conflicts with")
        }
        if history.lacksLog {
            context.note(
                "there is no -wal beside the store; unless the app had ended when it was copied, the latest changes are missing: copy both")
        }
    }
}
