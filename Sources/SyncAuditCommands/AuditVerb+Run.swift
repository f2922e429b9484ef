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
        var job = AuditJob(
            inputs: inputs, auditor: TraceAuditor(mergeRules: mergeRules, auditRules: auditRules),
            reader: AuditLogReader(isLenient: arguments.isSet("lenient")), privacy: privacy,
            endsWithStatistics: arguments.isSet("statistics") || auditRules.outsideWindow == .count)
        do {
            try context.withOutput(path: arguments.text("output")) { output in
                try job.run(writingTo: NumberedLines(output: output, keepsGoing: arguments.isSet("state")), context)
            }
        } catch let error as CommandError where error == .outputClosed && arguments.isSet("state") {
            // Whoever reads the conflicts has seen enough; the state was asked for all the same.
        }
        if let path = arguments.text("state") {
            try context.withOutput(path: path) { try writeState(of: job.auditor, to: $0) }
        }
        note(job.auditor.statistics, rules: auditRules, context)
        if let place = job.firstMisnamed {
            let count = HumanNumber.count(job.auditor.misnamedWrites, "write")
            context.note(
                "\(count) with the device and number of another write to the same record, but other content; the first to arrive was merged "
                    + "(first at \(place))")
        }
        job.reader.counts.note(context)
    }

    /// Writes the merged records: the form that DESIGN calls the state.
    private static func writeState(of auditor: TraceAuditor, to output: any ByteSink) throws(CommandError) {
        var buffer = LineBuffer()
        for (key, fields) in auditor.records() {
            buffer.truncate(to: 0)
            var object = JSONText.ObjectWriter(&buffer)
            object.field("recordType", key.type.rawValue, in: &buffer)
            object.field("recordID", key.id.rawValue, in: &buffer)
            object.field("fields", .object(fields), in: &buffer)
            object.end(in: &buffer)
            buffer.append(UInt8(ascii: "\n"))
            try output.write(buffer.array)
        }
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

/// One trace on its way through the auditor.
private struct AuditJob {
    let inputs: [CommandInput]
    var auditor: TraceAuditor
    var reader: AuditLogReader
    let privacy: ValuePrivacy
    let endsWithStatistics: Bool
    /// The latest timestamp of a write.
    private var latest = Int64.min
    /// Where the first write stands that carries the name of another.
    private(set) var firstMisnamed: AuditLogReader.Place?

    init(inputs: [CommandInput], auditor: TraceAuditor, reader: AuditLogReader, privacy: ValuePrivacy, endsWithStatistics: Bool) {
        self.inputs = inputs
        self.auditor = auditor
        self.reader = reader
        self.privacy = privacy
        self.endsWithStatistics = endsWithStatistics
    }

    /// Reads every input and writes a line for every conflict.
    mutating func run(writingTo output: NumberedLines, _ context: CommandContext) throws {
        var output = output
        for input in inputs {
            try reader.read(input, context) { line, place in
                switch line.event.content {
                case .write(let write):
                    latest = max(latest, write.timestamp.milliseconds)
                    let conflicts = auditor.observe(write)
                    if firstMisnamed == nil, auditor.misnamedWrites > 0 { firstMisnamed = place }
                    for conflict in conflicts {
                        // Dated by the data, so that the same trace always gives the same lines.
                        try output.write(AuditEvent(at: conflict.milliseconds, .conflict(privacy.applied(to: conflict))))
                    }
                case .clock(let measurement): auditor.observe(measurement)
                default: break
                }
            }
        }
        let statistics = auditor.statistics
        guard statistics.writesObserved > 0 else { throw nothingToAudit() }
        if endsWithStatistics { try output.write(AuditEvent(at: latest, .statistics(statistics))) }
    }

    private func nothingToAudit() -> CommandError {
        let counts = reader.counts
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
