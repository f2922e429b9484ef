import AuditLog
import AuditReport
import ConflictAudit
import SyncMerge
import SyncModel

extension AuditVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let (mergeRules, auditRules) = (try arguments.mergeRules(), try arguments.auditRules())
        let privacy = try arguments.valuePrivacy()
        let names = Locked(NameSearch(try arguments.names(in: ["policy-for", "unique", "reference", "privacy"], rules: mergeRules)))
        let inputs = try arguments.inputs(context)
        try arguments.checkOutputs(["output", "state"], against: inputs, context)
        context.expectMuchMemory()
        var job = AuditJob(
            inputs: inputs,
            audit: TraceAudit(
                mergeRules: mergeRules, auditRules: auditRules, privacy: privacy, names: names, isLenient: arguments.isSet("lenient"),
                // Beyond a few threads there is nothing to gain: the reading itself is the work of one.
                threads: min(context.processors, 4)),
            endsWithStatistics: arguments.isSet("statistics") || auditRules.outsideWindow == .count)
        // Lines that scroll by are progress enough, and no bar may stand between them.
        let showsLines = context.terminals.output && arguments.text("output") ?? "-" == "-"
        let progress = showsLines ? nil : ProgressBar(inputs, context)
        defer { progress?.clear() }
        job.audit.onRead = progress?.observer
        do {
            try context.withOutput(path: arguments.text("output")) { output in
                // A rule that means no field may be a misspelt one: what it was to hide must not come out.
                let isPrivate = { !names.withLock { $0.lacks(option: "privacy") } }
                let output = isPrivate() ? output : try HeldOutput(output, context, until: isPrivate)
                try job.run(writingTo: Lines(output: output, keepsGoing: arguments.isSet("state")), context)
                guard isPrivate() else {
                    names.withLock(\.self).tell(context)
                    throw CommandError(.badData, "nothing was written: --privacy names a field that the trace does not hold")
                }
                try output.flush()
            }
        } catch let error as CommandError where error == .outputClosed && arguments.isSet("state") {
            // Whoever reads the conflicts has seen enough; the state was asked for all the same.
        }
        progress?.clear()
        if let path = arguments.text("state") {
            try context.withOutput(path: path) { try writeState(of: job.audit, to: $0) }
        }
        note(job.audit.statistics, rules: auditRules, context)
        noteContradictions(job.audit, context)
        names.withLock(\.self).tell(context)
        if job.audit.shortenedLines > 0 {
            let count = HumanNumber.count(job.audit.shortenedLines, "conflict")
            context.note("\(count) written without values, which are too long for a line that can be read back")
        }
        job.audit.counts.note(context)
        // The process is about to end.
        job.audit.abandon()
    }

    /// Writes the merged records: the form that DESIGN calls the state.
    private static func writeState(of audit: TraceAudit, to output: any ByteSink) throws(CommandError) {
        var buffer = LineBuffer()
        for (key, fields) in audit.records() {
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

    /// Says what of the trace cannot be true, whichever of its writes is the wrong one.
    private static func noteContradictions(_ audit: TraceAudit, _ context: CommandContext) {
        if let place = audit.firstMisnamed {
            let count = HumanNumber.count(audit.misnamedWrites, "write")
            context.note(
                "\(count) with the device and number of another write, but another record or other content; of two to one record the first to "
                    + "arrive was merged (first at \(place))")
        }
        let (circles, first) = audit.finishCircles()
        if let circle = circles.first, let first {
            let count = HumanNumber.count(circles.count, "circle")
            context.note(
                "\(count) of writes that say to have seen each other, which cannot be true of all of them (first at \(first): \(circle.sentence))"
            )
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

/// One trace on its way through the audit.
private struct AuditJob {
    let inputs: [CommandInput]
    var audit: TraceAudit
    let endsWithStatistics: Bool

    /// Reads every input and writes a line for every conflict.
    mutating func run(writingTo lines: Lines, _ context: CommandContext) throws {
        for input in inputs {
            switch input {
            case .standardInput: try audit.audit(descriptor: context.standardInput, name: input.name, lines.write)
            case .file(let path): try audit.audit(path: path, lines.write)
            }
        }
        let statistics = audit.statistics
        guard statistics.writesObserved > 0 else { throw nothingToAudit() }
        if endsWithStatistics { try lines.write(audit.line(statistics)) }
    }

    private func nothingToAudit() -> CommandError {
        let counts = audit.counts
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

/// Writes lines, also where nobody reads them any longer.
private struct Lines {
    let output: any ByteSink
    /// Whether a reader that has gone away is no reason to stop.
    let keepsGoing: Bool

    func write(_ bytes: [UInt8]) throws(CommandError) {
        do throws(CommandError) {
            try output.write(bytes)
        } catch {
            guard keepsGoing, error == .outputClosed else { throw error }
        }
    }
}
