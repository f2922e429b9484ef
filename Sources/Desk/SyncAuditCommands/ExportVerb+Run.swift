import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncModel

extension ExportVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let interval = try arguments.duration("watch")
        let job = ExportJob(
            format: try arguments.choice("format", as: Format.self) ?? .prometheus, filter: try arguments.reportFilter(now: context.now()),
            series: try arguments.positiveInteger("series") ?? 100, includesValues: arguments.isSet("values"),
            countsCopies: arguments.isSet("all-copies"), isLenient: arguments.isSet("lenient"), isWatched: interval != nil,
            output: arguments.text("output"))
        guard let interval else {
            let inputs = try arguments.logs(context)
            try arguments.checkOutputs(["output"], against: inputs, context)
            try job.write(inputs, context)
            return try arguments.tellMissingNames(nil, inputs, context)
        }
        let loop = try WatchLoop(arguments, every: interval, context)
        var exporter = try WatchingExporter(job)
        try loop.run(isHolding: { exporter.isHolding }, write: { try exporter.write($0, context) })
    }
}

/// One export after another, in which no total falls and no series that comes later begins with more than 0, whoever stops and starts it in
/// between.
private struct WatchingExporter {
    private let job: ExportJob
    private let file: CounterFile?
    private var files: WatchedFiles
    private var history: CounterHistory?

    init(_ job: ExportJob) throws {
        self.job = job
        files = WatchedFiles(filter: job.filter, countsCopies: job.countsCopies, isLenient: job.isLenient)
        // Logs are written whole each time, and nothing is counted.
        guard job.format != .otlpLogs, let output = job.output, let file = try CounterFile(besides: output) else {
            file = nil
            return
        }
        self.file = file
        guard let state = try file.load() else { return }
        guard state.filter == CounterState.names(job.filter), (state.copies == nil) == job.countsCopies else {
            throw file.countsOtherwise()
        }
        files = WatchedFiles(filter: job.filter, isLenient: job.isLenient, sum: state.sum, copies: state.copies, logs: state.logs)
        history = CounterHistory(start: state.start, written: file.written(state))
    }

    /// Whether the next export says more, though no file changes.
    var isHolding: Bool { history?.isHolding ?? false }

    mutating func write(_ inputs: [CommandInput], _ context: CommandContext) throws {
        guard job.format != .otlpLogs else { return try job.write(inputs, context) }
        try files.update(inputs, context)
        let (everything, now) = (files.everything, context.now())
        var history = history ?? CounterHistory(start: everything.firstDate ?? now)
        let all = MetricFamily.all(of: everything, maximumSeries: job.series, after: history)
        let families = history.update(all.filter { $0.kind == .counter }, now: now) + all.filter { $0.kind == .gauge }
        let output = CollectedOutput()
        try job.write(families, from: everything.firstDate ?? now, to: output, context)
        try file?.save(CounterState(files, job.filter, history, output: output.bytes))
        try context.withOutput(path: job.output) { try $0.write(output.bytes) }
        // Only what was written is known to whoever reads it.
        self.history = history
        files.counts.note(context)
    }
}

extension Summary {
    /// When the first of what it counts was written or came to be a conflict.
    fileprivate var firstDate: Int64? { [writes.firstMilliseconds, all.statistics.firstConflictMilliseconds].compactMap(\.self).min() }
}

/// One export, as often as it is asked for.
private struct ExportJob {
    let format: ExportVerb.Format
    let filter: ReportFilter
    let series: Int
    let includesValues: Bool
    let countsCopies: Bool
    let isLenient: Bool
    /// Whether the files may grow, so that a last line without a line break is not read yet.
    let isWatched: Bool
    let output: String?

    /// So many records make up a request at most.
    private static let batch = 100

    func write(_ inputs: [CommandInput], _ context: CommandContext) throws {
        let counts = try context.withOutput(path: output) { sink in
            format == .otlpLogs ? try writeLogs(inputs, to: sink, context) : try writeMetrics(inputs, to: sink, context)
        }
        counts.note(context)
    }

    private func writeMetrics(_ inputs: [CommandInput], to sink: any ByteSink, _ context: CommandContext) throws -> AuditLogReader.Counts {
        var reader = try context.source(inputs, isLenient: isLenient).summarize(filter: filter, countsCopies: countsCopies, context)
        let summary = reader.summary
        // Zeros of a file that holds nothing would pass for those of a fleet that lost nothing.
        if !isWatched { try reader.counts.check(inputs) }
        var families = MetricFamily.all(of: summary, maximumSeries: series)
        if let start = summary.firstDate {
            var history = CounterHistory(start: start)
            families = history.update(families, now: start)
        }
        try write(families, from: summary.firstDate ?? context.now(), to: sink, context)
        return reader.counts
    }

    /// - Parameter start: Since when counters count that do not say it.
    func write(_ families: [MetricFamily], from start: Int64, to sink: any ByteSink, _ context: CommandContext) throws {
        switch format {
        case .prometheus: try sink.write(PrometheusText(.prometheus).render(families))
        case .openMetrics: try sink.write(PrometheusText(.openMetrics).render(families))
        case .csv: try sink.write(MetricTables.csv(families))
        case .json: try sink.write(MetricTables.json(families))
        case .otlpMetrics:
            try sink.write(OpenTelemetry(version: SyncAudit.version).metrics(families, from: start, now: context.now()))
        case .otlpLogs: break
        }
    }

    private func writeLogs(_ inputs: [CommandInput], to sink: any ByteSink, _ context: CommandContext) throws -> AuditLogReader.Counts {
        var source = try context.source(inputs, isLenient: isLenient)
        source.awaitsLineBreak = isWatched
        let (telemetry, now) = (OpenTelemetry(version: SyncAudit.version), context.now())
        let privacy = includesValues ? ValuePrivacy.full : .omitted
        var batch: [OpenTelemetry.LoggedConflict] = []
        var copies = countsCopies ? nil : FirstCopies()
        let counts = try source.read(
            where: { line, _ in line.isConflict },
            { line, _ in
                guard case .conflict(let logged) = line.event.content, filter.matches(logged),
                    let event = copies == nil ? line.event : copies?.admitted(line.event), case .conflict(let conflict) = event.content
                else { return }
                if let first = batch.first, batch.count == Self.batch || first.source != line.source {
                    try sink.write(telemetry.logs(batch, now: now))
                    batch = []
                }
                batch.append(OpenTelemetry.LoggedConflict(privacy.applied(to: conflict), source: line.source))
            })
        if !isWatched { try counts.check(inputs) }
        if !batch.isEmpty { try sink.write(telemetry.logs(batch, now: now)) }
        return counts
    }
}
