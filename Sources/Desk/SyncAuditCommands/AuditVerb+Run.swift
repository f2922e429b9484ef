import AuditAnalysis
import AuditChecking
import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes
import SyncLines
import SyncMerge
import SyncModel
import SyncSystem
import TraceImport

extension AuditVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        if let name = arguments.text("minimal-trace") { return try runMinimalTrace(of: name, arguments, context) }
        if arguments.isSet("keep-values") {
            throw UsageError("--keep-values is about what --minimal-trace writes; give that too", verb: definition.name)
        }
        if arguments.isSet("joined") { return try runJoined(arguments, context) }
        if try arguments.savedTables(context) != nil { return try runSavedRows(arguments, context) }
        let (mergeRules, auditRules) = (try arguments.mergeRules(), try arguments.auditRules())
        let privacy = try arguments.valuePrivacy()
        try arguments.checkTraceOutput()
        let options = ["policy-for", "unique", "reference", "privacy", "whole-records-of", "bookkeeping"]
        let names = Locked(NameSearch(try arguments.names(in: options, rules: mergeRules) + arguments.namesOfRecords()))
        if arguments.isSet("edited"), !arguments.isSet("state") {
            throw UsageError("--edited adds to what --state writes; name a file for that", verb: definition.name)
        }
        let memory = try arguments.retention(auditRules, context)
        let inputs = try arguments.inputsOrRows(context)
        try arguments.checkOutputs(["output", "state", "trace-out"], against: inputs, context)
        if !arguments.readsRows { try arguments.checkTimes(inputs, context) }
        context.expectMuchMemory()
        let rules = AuditConfiguration(mergeRules, auditRules, privacy).rules(of: arguments.readsRows ? .rows : .lines)
        var job = AuditJob(
            inputs: inputs,
            endsWithStatistics: arguments.isSet("statistics") || auditRules.outsideWindow == .count
        ) { isSecond in
            TraceAudit(
                rules: rules, mergeRules: mergeRules, auditRules: auditRules, privacy: privacy, names: names,
                reading: arguments.lineReading(),
                // What the first reading did not refuse was a last line that breaks off, which is no last line any longer.
                isLenient: arguments.isSet("lenient") || isSecond, memory: memory,
                stateDetail: arguments.isSet("state") ? (arguments.isSet("edited") ? .edits : .fields) : nil,
                // Beyond a few threads there is nothing to gain: the reading itself is the work of one.
                threads: min(context.processors, 4))
        }
        // Records that come one after the other would not do so in another order.
        job.reading = arguments.lineReading()
        job.takesLinesAsTheyCome = arguments.isSet("in-line-order") || arguments.isSet("grouped")
        // Lines that scroll by are progress enough, and no bar may stand between them.
        let showsLines = job.takesLinesAsTheyCome && context.terminals.output && arguments.text("output") ?? "-" == "-"
        let progress = showsLines ? nil : ProgressBar(inputs, context)
        var laterProgress: ProgressBar?
        defer {
            progress?.clear()
            laterProgress?.clear()
        }
        job.audit.onRead = progress?.observer
        job.laterProgress = { total in
            progress?.clear()
            laterProgress?.clear()
            laterProgress = showsLines ? nil : ProgressBar(total: total, context)
            return laterProgress?.observer
        }
        job.findsMoreThanConcurrency = arguments.isSet("unique") || arguments.isSet("reference")
        if arguments.readsRows {
            job.openRows = { try arguments.rowTrace($0, rules: mergeRules, onRead: progress?.observer, context) }
        }
        let keepsGoing = arguments.isSet("state") || arguments.isSet("trace-out")
        do {
            try context.withOutput(path: arguments.text("output")) { output in
                // A rule that means no field may be a misspelt one: what it was to hide must not come out.
                let isPrivate = { !names.withLock { $0.lacks(option: "privacy") } }
                let output = isPrivate() ? output : HeldOutput(output, context, until: isPrivate)
                let lines = Lines(output: output, keepsGoing: keepsGoing)
                if let path = arguments.text("trace-out") {
                    try AtomicFile.write(to: path) { try job.run(writingTo: lines, copyingTo: $0, context) }
                } else {
                    try job.run(writingTo: lines, context)
                }
                guard isPrivate() else {
                    names.withLock(\.self).tell(context)
                    throw CommandError(.badData, "nothing was written: --privacy names a field that the trace does not hold")
                }
                try output.flush()
            }
        } catch let error as CommandError where error == .outputClosed && keepsGoing {
            // Whoever reads the conflicts has seen enough; the other files were asked for all the same.
        }
        progress?.clear()
        laterProgress?.clear()
        if let path = arguments.text("state") {
            try context.withOutput(path: path) { output in try job.audit.writeState(output.write) }
        }
        let statistics = job.audit.statistics
        let evidence = job.audit.evidence(statistics, takesLinesAsTheyCome: job.takesLinesAsTheyCome)
        note(statistics, evidence, rules: auditRules, context)
        if let sentence = RevertsAnswer.note(statistics.reverts) { context.note(sentence) }
        if auditRules.wholeRecords != .none, let count = statistics.byKind[.disjointUpdate], case .fields = mergeRules.standard {
            context.note(
                "\(HumanNumber.count(count, "conflict")) over different fields took nothing away if the server merges fields; where it keeps the "
                    + "record that came last, add '--policy record-last-arrival-wins'")
        }
        if job.isPutInOrder {
            context.note(
                "the writes were taken in causal order, which is not that of the lines: some lines come before a write that their writers had seen"
            )
        } else if let sentence = evidence.disorderSentence {
            context.note(sentence)
        }
        noteContradictions(job.firstReading, orphans: job.audit.orphans, context)
        for sentence in job.firstReading.sizeSentences { context.note(sentence) }
        names.withLock(\.self).tell(context)
        if job.audit.shortenedLines > 0 {
            let count = HumanNumber.count(job.audit.shortenedLines, "conflict")
            context.note("\(count) written without values, which are too long for a line that can be read back")
        }
        job.firstReading.counts.note(context)
        let takesLastArrival = if case .fields(.lastArrivalWins) = mergeRules.standard { true } else { false }
        for trace in job.rows { trace.counts.note(trace, takesLastArrival: takesLastArrival, context) }
        if statistics.totalConflicts > 0 { noteMore(arguments, context) }
        // The process is about to end.
        job.audit.abandon()
    }

    /// Says what of the trace cannot be true, whichever of its writes is the wrong one.
    private static func noteContradictions(_ audit: TraceAudit, orphans: Int, _ context: CommandContext) {
        if let location = audit.firstDotCollision {
            let count = HumanNumber.count(audit.dotCollisions, "write")
            context.note(
                "\(count) with the device and number of another write, but another record or other content; of two to one record the first to "
                    + "arrive was merged (first at \(location))")
        }
        if orphans > 0 {
            context.note(
                "\(HumanNumber.count(orphans, "write")) made from revisions that are not in the trace before, so nothing is known of what their "
                    + "writers had seen: give the whole history")
        }
        let (circles, first) = audit.finishCircles()
        if let circle = circles.first, let first {
            let count = HumanNumber.count(circles.count, "circle")
            context.note(
                "\(count) of writes that say to have seen each other, which cannot be true of all of them (first at \(first): \(circle.sentence))"
            )
        }
    }

    /// Says what was found, what was looked for, and how much of it could be proven.
    private static func note(
        _ statistics: ConflictStatistics, _ evidence: TraceEvidence, rules: AuditRules, _ context: CommandContext
    ) {
        var sentence = HumanNumber.count(statistics.writesObserved, "write") + ", "
        sentence += evidence.finding(statistics, suspectedWithin: rules.windowMilliseconds)
        if rules.outsideWindow == .count, statistics.outsideWindow > 0 {
            sentence += "; \(HumanNumber.count(statistics.outsideWindow)) outside the window counted but not written"
        }
        if let contexts = evidence.contextSentence(besides: statistics.totalConflicts) { sentence += ". " + contexts }
        context.note(sentence)
    }
}

/// One trace on its way through the audit.
private struct AuditJob {
    let inputs: [CommandInput]
    /// The audit whose conflicts are written.
    var audit: TraceAudit
    /// The audit of the lines as they come, where that is not the one.
    private var first: TraceAudit?
    /// Given whether the trace is read a second time.
    private let makeAudit: (Bool) -> TraceAudit
    /// Whether the writes are taken in the order of the lines whatever they name.
    var takesLinesAsTheyCome = false
    /// What is taken besides the format itself.
    var reading = LineReading()
    let endsWithStatistics: Bool
    /// Opens an input that is a table; nil where inputs are lines.
    var openRows: ((CommandInput) throws -> RowTrace)?
    /// Shows how far the audit of what did not fit into memory has come, and then the writing of what was held back for it.
    var laterProgress: ((_ total: Int64) -> ReadingObserver?)?
    /// Whether conflicts are found between records that are each written once.
    var findsMoreThanConcurrency = false
    /// The tables that were read.
    private(set) var rows: [RowTrace] = []

    init(inputs: [CommandInput], endsWithStatistics: Bool, makeAudit: @escaping (Bool) -> TraceAudit) {
        (self.inputs, audit, self.endsWithStatistics, self.makeAudit) = (inputs, makeAudit(false), endsWithStatistics, makeAudit)
    }

    /// What was read of the lines as they came.
    var firstReading: TraceAudit { first ?? audit }

    /// Whether the trace was read once more, in causal order.
    var isPutInOrder: Bool { first != nil }

    /// Reads every input and writes a line for every conflict.
    ///
    /// - Parameter trace: Takes the lines that rows become.
    mutating func run(writingTo lines: any ByteSink, copyingTo trace: (any ByteSink)? = nil, _ context: CommandContext) throws {
        // What can be read but once is kept.
        var streams: [CommandInput: KeptStream] = [:]
        if !takesLinesAsTheyCome, openRows == nil {
            for input in inputs where ![input].canBeReadAgain { streams[input] = try keep(input, context) }
        }
        let mayBeReadAgain = !takesLinesAsTheyCome && (openRows == nil || inputs.canBeReadAgain)
        let held = mayBeReadAgain && !lines.canBeTakenBack ? HeldOutput(lines, context) : nil
        let given: any ByteSink = held ?? lines
        do {
            try read(streams, writingTo: given, copyingTo: trace, context)
            try audit.finish(progress: laterProgress, given.write)
        } catch {
            // What was found before a line at fault is told all the same.
            try held?.release()
            throw error
        }
        if mayBeReadAgain, audit.isDisordered, let ordered = try orderedLines(streams, context) {
            if let held { held.discard() } else { try lines.takeBack() }
            audit.forgetRecords()
            first = audit
            audit = makeAudit(true)
            try audit.audit(lines: ordered, name: inputs.first?.name ?? "", lines.write)
            try audit.finish(progress: laterProgress, lines.write)
        } else {
            try held?.release()
        }
        let statistics = audit.statistics
        guard statistics.writesObserved > 0 else { throw nothingToAudit() }
        if endsWithStatistics { try lines.write(audit.line(statistics)) }
    }

    /// The lines of all inputs in causal order; nil where that is their own.
    private func orderedLines(_ streams: [CommandInput: KeptStream], _ context: CommandContext) throws -> LineProducer? {
        let spool = try LineSpool(reading, context)
        for input in inputs {
            var lines = try lineReader(of: input, streams)
            try spool.append(&lines)
        }
        return try spool.ordered()
    }

    /// A copy of a stream, which can be read but once; nil for a file.
    private func keep(_ input: CommandInput, _ context: CommandContext) throws -> KeptStream? {
        guard let stream = try context.streams.open(input, context) else { return nil }
        return try KeptStream(
            stream, input, for: "a trace that comes from a stream has to be kept, since it may have to be read twice",
            remedy: "let --in-line-order take the writes as they come", context)
    }

    /// Reads an input once more.
    private func lineReader(of input: CommandInput, _ streams: [CommandInput: KeptStream]) throws -> LineReader {
        if let openRows {
            let trace = try openRows(input)
            return LineReader(trace.append, maximumLength: 16 << 20)
        }
        var lines: LineReader
        if let stream = streams[input] {
            lines = LineReader(stream.lines(), maximumLength: 16 << 20)
        } else {
            guard case .file(let path) = input else { preconditionFailure("standard input has been kept") }
            lines = try LineReader(path: path, maximumLength: 16 << 20)
        }
        lines.readsAppleLog = true
        return lines
    }

    private mutating func read(
        _ streams: [CommandInput: KeptStream], writingTo lines: any ByteSink, copyingTo trace: (any ByteSink)?, _ context: CommandContext
    ) throws {
        let copy = trace.map(TraceCopy.init)
        for input in inputs {
            if let openRows {
                let trace = try openRows(input)
                // One table in several files has the same columns.
                if trace.columns != rows.last?.columns {
                    context.note("\(input.name): \(trace.columns)")
                    if let rejection = trace.rejection { context.note(rejection) }
                }
                try checkRecords(trace, context)
                rows.append(trace)
                if let copy {
                    try audit.audit(
                        lines: { bytes throws(ReadingError) in try copy.append(trace, to: &bytes) }, name: trace.name, lines.write)
                } else {
                    try audit.audit(lines: trace.append, name: trace.name, lines.write)
                }
                continue
            }
            switch (input, streams[input]) {
            case (_, let stream?): try audit.audit(lines: stream.lines(onRead: audit.onRead), name: input.name, lines.write)
            case (.standardInput, _): try audit.audit(descriptor: context.standardInput, name: input.name, lines.write)
            case (.file(let path), _): try audit.audit(path: path, lines.write)
            }
        }
    }

    /// Makes sure that a table may have conflicts in it, as far as it is the only one.
    private func checkRecords(_ trace: RowTrace, _ context: CommandContext) throws {
        guard inputs.count == 1, let doubt = trace.recordDoubt else { return }
        guard trace.isDoubtWhole, !findsMoreThanConcurrency else { return context.note(doubt) }
        throw CommandError(.badData, "\(trace.name.escaped(for: .terminal)): \(doubt)")
    }

    private func nothingToAudit() -> CommandError {
        let counts = firstReading.counts
        if let trace = rows.first {
            let problem =
                trace.counts.firstProblem.map { "no row of it could be understood; the first problem: \($0)" } ?? "there are no rows in it"
            return CommandError(.badData, "\(inputs.first?.name ?? trace.name): \(problem)")
        }
        let location = "\(inputs.first?.name ?? "standard input"):1"
        let problem =
            switch (counts.lines, counts.skipped) {
            case (0, _): "there is nothing in it; a trace holds a write on each line"
            case (_, 1...): "no line of it could be understood; the first problem: \(counts.firstProblem ?? "")"
            default:
                "it holds no line with the event \"write\", and only those can be audited; a log of conflicts is for 'syncaudit report'"
            }
        return CommandError(.badData, "\(location): \(problem)")
    }
}

/// Writes lines, also where nobody reads them any longer.
private final class Lines: ByteSink {
    private let output: any ByteSink
    /// Whether a reader that has gone away is no reason to stop.
    private let keepsGoing: Bool

    init(output: any ByteSink, keepsGoing: Bool) {
        (self.output, self.keepsGoing) = (output, keepsGoing)
    }

    func write(_ bytes: [UInt8]) throws(CommandError) {
        do throws(CommandError) {
            try output.write(bytes)
        } catch {
            guard keepsGoing, error == .outputClosed else { throw error }
        }
    }

    func flush() throws(CommandError) { try output.flush() }

    var canBeTakenBack: Bool { output.canBeTakenBack }
    func takeBack() throws(CommandError) { try output.takeBack() }
}
