import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import SyncModel
import SyncSystem

extension ReportVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let filter = try arguments.reportFilter(now: context.now())
        let format = try arguments.choice("format", as: Format.self) ?? .table
        let top = try arguments.positiveInteger("top") ?? 10
        let style = try arguments.style(context)
        let output = arguments.text("output")
        let rows = try arguments.wholeNumber("rows")
        if arguments.isSet("clock-what-if"), ![.table, .html, .json].contains(format) {
            throw CommandError(.usage, "--clock-what-if is not written as \(format.rawValue): use --format table, html or json")
        }
        if rows != nil, format != .html {
            throw UsageError("--rows is about the list of conflicts in --format html", verb: arguments.verb.name)
        }
        let inputs = try arguments.inputs(context)
        try arguments.checkOutputs(["output"], against: inputs, context)

        let progress = ProgressBar(inputs, context)
        defer { progress?.clear() }
        let countsCopies = arguments.isSet("all-copies")
        let job = ReportJob(
            inputs: inputs, filter: filter, countsCopies: countsCopies, isLenient: arguments.isSet("lenient"), onRead: progress?.observer)
        var contents = ReportContents(filter: filter, countsCopies: countsCopies)
        if arguments.isSet("clock-what-if") { contents.clocks = ClockWhatIf(filter: filter) }
        if format == .html { contents.listing = ConflictListing(limit: rows ?? defaultRows, filter: filter) }
        let counts: AuditLogReader.Counts
        (contents, counts) = try job.read(contents, context)
        let summary = contents.summary
        progress?.clear()
        if counts.lines == 0, let file = inputs.first, !inputs.contains(.standardInput) {
            throw CommandError(.badData, "\(file.name):1: there is nothing in it; a log holds an event on each line")
        }
        let source = inputs.contains(.standardInput) ? nil : arguments.operands.map(\.shellWord).joined(separator: " ")
        try context.withOutput(path: output) { sink in
            switch format {
            case .table:
                let names = try arguments.recordNames(in: summary, inputs)
                let layout = TableLayout(top: top, style: style, width: context.width, names: names)
                if arguments.isSet("all") {
                    try sink.write(TableRenderer(layout).render(summary))
                } else {
                    let screen = OverviewRenderer(
                        layout, rows: try arguments.positiveInteger("top"), source: source ?? "FILES", hasLines: !contents.hasSummaries)
                    try sink.write(screen.render(summary))
                }
                if let clocks = contents.clocks { try sink.write(CheckRenderer.section(clocks.answer, style: style, width: context.width)) }
            case .json: try sink.write(ReportDocument(summary, top: top).render(clocks: contents.clocks?.answer))
            case .summary: try JSONRenderer().render(summary, sink.write)
            case .csv: try sink.write(MetricTables.csv(MetricFamily.all(of: summary, maximumSeries: .max)))
            case .markdown: try sink.write(MarkdownRenderer(top: top).render(summary))
            case .html:
                let page = HTMLRenderer(top: top, source: source ?? "LOGS")
                let text = page.render(summary, contents.listing ?? ConflictListing(limit: 0), clocks: contents.clocks)
                try sink.write(text)
                if text.utf8.count > largestPage {
                    let size = HumanNumber.bytes(text.utf8.count)
                    context.note(
                        "the page is \(size) large, and a browser takes long to open it; --rows with a smaller number makes it shorter")
                }
            }
        }
        try arguments.tellMissingNames(summary.all.statistics, inputs, context)
        counts.note(context)
    }
}

/// What a report is about, as it is read line by line.
private struct ReportContents {
    var clocks: ClockWhatIf?
    var listing: ConflictListing?

    private let filter: ReportFilter
    private var countsCopies: Bool
    private var copies = FirstCopies()
    private var counted: Summary
    /// What others have summed up; kept apart, since it is not filtered any more.
    private var parts = Summary()
    /// Whether any of it was summed up by others, so that there are no lines of it.
    var hasSummaries = false

    init(filter: ReportFilter, countsCopies: Bool) {
        self.filter = filter
        self.countsCopies = countsCopies
        counted = Summary(filter: filter)
    }

    /// Whether counting alone, in whichever order, will do.
    var isOnlyCounted: Bool { clocks == nil && listing == nil }

    /// Everything counted; what was counted elsewhere may be set.
    var summary: Summary {
        get {
            var all = counted
            if !countsCopies { all.add(copies.tallies) }
            all.merge(parts)
            return all
        }
        set { (counted, parts, countsCopies) = (newValue, Summary(), true) }
    }

    mutating func add(_ line: AuditLine) {
        clocks?.observe(line.event)
        listing?.observe(line)
        if countsCopies {
            counted.observe(line.event, source: line.source)
        } else {
            counted.observe(line.event, source: line.source, once: &copies)
        }
    }

    mutating func add(_ summary: FieldMap, at location: AuditLogReader.Location) throws(CommandError) {
        hasSummaries = true
        listing?.observeSummary()
        do throws(AuditAnalysisError) {
            try parts.merge(json: summary, filter: filter)
        } catch {
            throw CommandError(.badData, "\(location): \(error.description)")
        }
    }
}

/// What a report is made from.
private struct ReportJob {
    let inputs: [CommandInput]
    let filter: ReportFilter
    let countsCopies: Bool
    let isLenient: Bool
    let onRead: ReadingObserver?

    /// Reads as little as will do.
    func read(_ contents: ReportContents, _ context: CommandContext) throws -> (ReportContents, AuditLogReader.Counts) {
        if contents.isOnlyCounted { return try inParallel(contents, context) }
        return contents.listing == nil ? try lineByLine(contents, context) : try twice(contents, context)
    }

    private func inParallel(_ contents: ReportContents, _ context: CommandContext) throws -> (ReportContents, AuditLogReader.Counts) {
        context.expectMuchMemory()
        var reader = try LogSummarizer(
            inputs, filter: filter, countsCopies: countsCopies, isLenient: isLenient, onRead: onRead, context)
        var contents = contents
        contents.summary = reader.summary
        contents.hasSummaries = reader.hasReadSummaries
        return (contents, reader.counts)
    }

    /// For what depends on the order of lines, or needs more of them than counts.
    private func lineByLine(_ start: ReportContents, _ context: CommandContext) throws -> (ReportContents, AuditLogReader.Counts) {
        var contents = start
        var reader = AuditLogReader(isLenient: isLenient)
        reader.onRead = onRead
        for input in inputs {
            try reader.read(input, context, summary: { try contents.add($0, at: $1) }, { line, _ in contents.add(line) })
        }
        return (contents, reader.counts)
    }

    /// For what is told of single conflicts: which they are, is known only at the end.
    private func twice(_ start: ReportContents, _ context: CommandContext) throws -> (ReportContents, AuditLogReader.Counts) {
        var contents = start
        let inputs = try RepeatedInputs(inputs, isLenient: isLenient, context)
        let counts = try inputs.read(onRead: onRead, summary: { try contents.add($0, at: $1) }, { line, _ in contents.add(line) })
        contents.listing?.endFirstLook()
        if contents.listing?.isEmpty == false {
            try inputs.read(summary: { _, _ in }, { line, _ in contents.listing?.observeAgain(line.event) })
        }
        return (contents, counts)
    }
}
