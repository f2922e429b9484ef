import AuditLog
import AuditReport
import ConflictAudit
import SyncMerge
import SyncModel

extension AuditVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let (mergeRules, auditRules) = (try arguments.mergeRules(), try arguments.auditRules())
        let privacy = try arguments.valuePrivacy()
        let inputs = try arguments.inputs(context)
        try arguments.checkOutputs(["output", "state"], against: inputs, context)
        var auditor = TraceAuditor(mergeRules: mergeRules, auditRules: auditRules)
        var reader = AuditLogReader(isLenient: arguments.isSet("lenient"))

        var latest: Int64?
        var firstMisnamed: AuditLogReader.Place?

        func audit(into output: any ByteSink) throws {
            var lines = NumberedLines(output: output, keepsGoing: arguments.isSet("state"))
            for input in inputs {
                try reader.read(input, context) { line, place in
                    switch line.event.content {
                    case .write(let write):
                        latest = max(latest ?? .min, write.timestamp.milliseconds)
                        let conflicts = auditor.observe(write)
                        if auditor.misnamedWrites > 0, firstMisnamed == nil { firstMisnamed = place }
                        for conflict in conflicts {
                            // Dated by the data, so that the same trace always gives the same lines.
                            try lines.write(AuditEvent(at: conflict.milliseconds, .conflict(privacy.applied(to: conflict))))
                        }
                    case .clock(let measurement): auditor.observe(measurement)
                    default: break
                    }
                }
            }
            let statistics = auditor.statistics
            guard let latest else { throw nothingToAudit(inputs, reader.counts) }
            if arguments.isSet("statistics") || auditRules.outsideWindow == .count {
                try lines.write(AuditEvent(at: latest, .statistics(statistics)))
            }
        }

        do {
            try context.withOutput(path: arguments.text("output"), audit)
        } catch let error as CommandError where error == .outputClosed && arguments.isSet("state") {
            // Whoever reads the conflicts has seen enough; the state was asked for all the same.
        }
        if let path = arguments.text("state") {
            try context.withOutput(path: path) { try writeState(of: auditor, to: $0) }
        }
        note(auditor.statistics, rules: auditRules, context)
        if let firstMisnamed {
            let count = HumanNumber.count(auditor.misnamedWrites, "write")
            context.note(
                "\(count) with the device and number of another write to the same record, but other content; the first to arrive was merged "
                    + "(first at \(firstMisnamed))")
        }
        reader.counts.note(context)
    }

    /// Writes the merged records: the form that DESIGN calls the state.
    private static func writeState(of auditor: TraceAuditor, to output: any ByteSink) throws(CommandError) {
        var buffer: [UInt8] = []
        for (key, fields) in auditor.records() {
            buffer.removeAll(keepingCapacity: true)
            var object = JSONText.ObjectWriter(&buffer)
            object.field("recordType", key.type.rawValue, in: &buffer)
            object.field("recordID", key.id.rawValue, in: &buffer)
            object.field("fields", .object(fields), in: &buffer)
            object.end(in: &buffer)
            buffer.append(UInt8(ascii: "\n"))
            try output.write(buffer)
        }
    }

    private static func nothingToAudit(_ inputs: [CommandInput], _ counts: AuditLogReader.Counts) -> CommandError {
        let place = "\(inputs.first?.name ?? "standard input"):1"
        let problem =
            switch (counts.lines, counts.skipped) {
            case (0, _): "there is nothing in it; a trace holds a write on each line"
            case (_, 1...): "no line of it could be understood; the first problem: \(counts.firstProblem ?? "")"
            default:
                "it holds no line with the event \"write\", and only those can be audited; a log of conflicts is for 'syncaudit report'"
            }
        return CommandError(.badData, "\(place): \(problem)")
    }

    private static func note(_ statistics: ConflictStatistics, rules: AuditRules, _ context: CommandContext) {
        let suspected = statistics.byBasis[.window] ?? 0
        let lost = statistics.dataLost
        var sentence =
            HumanNumber.count(statistics.writesObserved, "write") + ", " + HumanNumber.count(statistics.totalConflicts, "conflict")
        if suspected > 0 {
            sentence +=
                suspected == statistics.totalConflicts
                ? ", all suspected from timestamps alone" : ", \(HumanNumber.count(suspected)) of them suspected"
        }
        sentence += lost == 0 ? "; no edit lost" : "; \(HumanNumber.count(lost, "edit")) lost"
        if rules.outsideWindow == .count, statistics.outsideWindow > 0 {
            sentence += "; \(HumanNumber.count(statistics.outsideWindow)) outside the window counted but not written"
        }
        context.note(sentence)
    }
}

/// Numbers lines and writes them.
private struct NumberedLines {
    /// Who a line says has logged it, where no device did.
    private static let source: DeviceID = "syncaudit"

    private let output: any ByteSink
    private let keepsGoing: Bool
    private var sequence: UInt64 = 0
    private var buffer: [UInt8] = []

    /// - Parameter keepsGoing: Whether a reader that has gone away is no reason to stop.
    init(output: any ByteSink, keepsGoing: Bool) {
        self.output = output
        self.keepsGoing = keepsGoing
    }

    mutating func write(_ event: AuditEvent) throws(CommandError) {
        sequence += 1
        buffer.removeAll(keepingCapacity: true)
        LineEncoder.append(AuditLine(sequence: sequence, source: Self.source, event: event), to: &buffer)
        do throws(CommandError) {
            try output.write(buffer)
        } catch {
            guard keepsGoing, error == .outputClosed else { throw error }
        }
    }
}
