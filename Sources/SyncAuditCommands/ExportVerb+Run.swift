import AuditLog
import AuditReport
import ConflictAudit
import SyncModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ExportVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let job = ExportJob(
            format: try arguments.choice("format", as: Format.self) ?? .prometheus, filter: try arguments.reportFilter(now: context.now()),
            series: try arguments.positiveInteger("series") ?? 100, includesValues: arguments.isSet("values"),
            isLenient: arguments.isSet("lenient"), output: arguments.text("output"))
        let interval = try arguments.duration("watch")
        if interval != nil, job.output ?? "-" == "-" {
            throw UsageError("--watch needs --output: name the file to keep up to date", verb: arguments.verb.name)
        }
        let inputs = try arguments.inputs(context)
        try arguments.checkOutputs(["output"], against: inputs, context)
        guard let interval else { return try job.write(inputs, context) }
        if inputs.contains(.standardInput) {
            throw UsageError(
                "--watch reads files again and again, which standard input cannot be; name the files", verb: arguments.verb.name)
        }
        try watch(arguments, every: max(interval, 100), job, context)
    }

    /// Writes now, and again after each change, until somebody asks to stop.
    ///
    /// Only the first attempt may fail: later on a file may be missing for a moment while its log is rotated.
    private static func watch(_ arguments: ParsedArguments, every interval: Int64, _ job: ExportJob, _ context: CommandContext) throws {
        let stop = context.catchStopSignals()
        var written = try arguments.inputs(context).map(FileState.init)
        try job.write(try arguments.inputs(context), context)
        var complaint: String?
        while !StopSignals.isTold(stop, within: interval) {
            do {
                // A directory may hold new files.
                let inputs = try arguments.inputs(context)
                let now = inputs.map(FileState.init)
                if now == written { continue }
                try job.write(inputs, context)
                written = now
                complaint = nil
            } catch let error as CommandError {
                tell(error, &complaint, context)
            } catch let error as AuditLogError {
                tell(CommandError(error), &complaint, context)
            }
        }
    }

    private static func tell(_ error: CommandError, _ last: inout String?, _ context: CommandContext) {
        // Once is enough, however long it lasts.
        if let sentence = error.sentence, sentence != last { context.note(sentence) }
        last = error.sentence
    }

}

/// What tells whether a file has changed.
private struct FileState: Equatable {
    let input: CommandInput
    var size: Int64 = -1
    var seconds: Int = 0
    var nanoseconds: Int = 0
    var identity: UInt64 = 0

    init(_ input: CommandInput) {
        self.input = input
        var status = stat()
        guard case .file(let path) = input, unsafe stat(path, &status) == 0 else { return }
        size = Int64(status.st_size)
        identity = UInt64(status.st_ino)
        #if canImport(Darwin)
            (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #else
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #endif
    }
}

/// One export, as often as it is asked for.
private struct ExportJob {
    let format: ExportVerb.Format
    let filter: ReportFilter
    let series: Int
    let includesValues: Bool
    let isLenient: Bool
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
        var reader = try LogSummarizer(inputs, filter: filter, isLenient: isLenient, context)
        let summary = reader.summary
        let families = MetricFamily.all(of: summary, maximumSeries: series)
        switch format {
        case .prometheus: try sink.write(PrometheusText(.prometheus).render(families))
        case .openMetrics: try sink.write(PrometheusText(.openMetrics).render(families))
        case .csv: try sink.write(MetricTables.csv(families))
        case .json: try sink.write(MetricTables.json(families))
        case .otlpMetrics:
            let now = context.now()
            let dates = [summary.writes.firstDate, summary.all.statistics.firstConflictDate].compactMap(\.self)
            try sink.write(OpenTelemetry(version: SyncAudit.version).metrics(families, from: dates.min() ?? now, now: now))
        case .otlpLogs: break
        }
        return reader.counts
    }

    private func writeLogs(_ inputs: [CommandInput], to sink: any ByteSink, _ context: CommandContext) throws -> AuditLogReader.Counts {
        var reader = AuditLogReader(isLenient: isLenient)
        let (telemetry, now) = (OpenTelemetry(version: SyncAudit.version), context.now())
        let privacy = includesValues ? ValuePrivacy.full : .omitted
        var batch: [OpenTelemetry.LoggedConflict] = []
        for input in inputs {
            try reader.read(input, context) { line, _ in
                guard case .conflict(let conflict) = line.event.content, filter.matches(conflict) else { return }
                if let first = batch.first, batch.count == Self.batch || first.source != line.source {
                    try sink.write(telemetry.logs(batch, now: now))
                    batch = []
                }
                batch.append(OpenTelemetry.LoggedConflict(privacy.applied(to: conflict), source: line.source))
            }
        }
        if !batch.isEmpty { try sink.write(telemetry.logs(batch, now: now)) }
        return reader.counts
    }
}
