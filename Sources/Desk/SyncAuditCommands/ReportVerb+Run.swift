import AuditAnalysis
import AuditChecking
import AuditLog
import AuditReport
import ConflictAudit
import SyncBytes
import SyncModel
import SyncSystem

extension ReportVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let command = try ReportCommand(arguments, context)
        if let interval = command.interval {
            let loop = try WatchLoop(arguments, every: interval, context)
            return try loop.run(write: { try command.write($0, context) })
        }
        let inputs = try arguments.logs(context)
        try arguments.checkOutputs(["output"], against: inputs, context)
        let summary = try command.write(inputs, context)
        try arguments.tellMissingNames(summary.all.statistics, inputs, context)
    }
}

/// One report, as often as it is asked for.
private struct ReportCommand {
    /// How often to look at the files again, in milliseconds; nil for a report that is written once.
    let interval: Int64?

    private let arguments: ParsedArguments
    private let filter: ReportFilter
    private let format: ReportVerb.Format
    private let isForUser: Bool
    /// Whether it may be longer than a screen.
    private let isPaged: Bool
    private let top: Int
    private let rows: Int?
    private let style: TerminalStyle

    init(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        self.arguments = arguments
        filter = try arguments.reportFilter(now: context.now())
        format = try arguments.choice("format", as: ReportVerb.Format.self) ?? .table
        isForUser = try arguments.choice("for", as: ReportVerb.Reader.self) == .user
        top = try arguments.positiveInteger("top") ?? 10
        rows = try arguments.wholeNumber("rows")
        isPaged = format == .table && arguments.isSet("all")
        style = try arguments.style(context, isPaged: isPaged)
        interval = try arguments.duration("watch")
        if arguments.isSet("clock-what-if"), ![.table, .html, .json].contains(format) {
            throw CommandError(.usage, "--clock-what-if is not written as \(format.rawValue): use --format table, html or json")
        }
        if format != .html {
            let subjects = [("rows", "the list of conflicts in"), ("title", "the title of"), ("for", "the reader of")]
            for (name, subject) in subjects where arguments.text(name) != nil {
                throw UsageError("--\(name) is about \(subject) --format html", verb: arguments.verb.name)
            }
        }
    }

    /// Writes the report on inputs, and returns what was counted.
    @discardableResult
    func write(_ inputs: [CommandInput], _ context: CommandContext) throws -> Summary {
        let progress = ProgressBar(inputs, context)
        defer { progress?.clear() }
        let countsCopies = arguments.isSet("all-copies")
        let job = ReportJob(
            inputs: inputs, filter: filter, countsCopies: countsCopies, isLenient: arguments.isSet("lenient"), isWatched: interval != nil,
            findsLastDay: isForUser && filter.since == nil && filter.until == nil, onRead: progress?.observer)
        var contents = ReportContents(filter: filter, countsCopies: countsCopies)
        if arguments.isSet("clock-what-if") { contents.clocks = ClockWhatIf(filter: filter) }
        if format == .html {
            contents.listing = ConflictListing(
                limit: rows ?? ReportVerb.defaultRows, filter: filter, names: try arguments.recordNames(guesses: true))
        }
        let counts: AuditLogReader.Counts
        (contents, counts) = try job.read(contents, context)
        let summary = contents.summary
        progress?.clear()
        if interval == nil { try counts.check(inputs) }
        let hasAlarms = [.table, .html, .markdown].contains(format) && !isForUser && filter.isUnrestricted && !contents.hasSummaries
        let alarms = hasAlarms ? try ReportVerb.alarms(in: inputs, lines: counts.lines, summary, context) : .none
        let names = format == .table || format == .markdown ? try arguments.recordNames(in: summary, inputs, context) : .none
        let source = arguments.inputWords
        try context.withOutput(path: arguments.text("output"), isPaged: isPaged) { sink in
            switch format {
            case .table:
                let layout = PageLayout(top: top, style: style, width: context.width, names: names, alarms: alarms)
                if arguments.isSet("all") {
                    try sink.write(ReportAnswer(summary).text(layout))
                } else {
                    let screen = ReportOverview(
                        summary, rows: try arguments.positiveInteger("top"),
                        // The shell's own line comes behind.
                        height: min(ReportOverview.usualHeight, context.reportedHeight().map { $0 - 1 } ?? .max),
                        source: source ?? "FILES", hasLines: !contents.hasSummaries)
                    try sink.write(screen.page(layout).text(layout))
                }
                if let clocks = contents.clocks { try sink.write(clocks.answer.page.text(layout)) }
            case .json: try sink.write(ReportAnswer(summary, top: top, clocks: contents.clocks?.answer).json)
            case .summary: try JSONRenderer().render(summary, sink.write)
            case .csv: try sink.write(MetricTables.csv(MetricFamily.all(of: summary, maximumSeries: .max)))
            case .markdown: try sink.write(ReportAnswer(summary).markdown(PageLayout(top: top, names: names, alarms: alarms)))
            case .html:
                let text = page(contents, summary, inputs, source: source, alarms)
                try sink.write(text)
                if isForUser, let earlier = contents.earlierLosses {
                    context.note(
                        "\(HumanNumber.count(earlier.count, "change")) of earlier days \(earlier.count == 1 ? "is" : "are") not on the page: "
                            + "--since \(RFC3339.string(milliseconds: earlier.since).prefix(10)) shows all")
                }
                if text.utf8.count > ReportVerb.largestPage {
                    let size = HumanNumber.bytes(text.utf8.count)
                    context.note(
                        "the page is \(size) large, and a browser takes long to open it; --rows with a smaller number makes it shorter")
                }
            }
        }
        counts.note(context)
        return summary
    }

    private func page(
        _ contents: ReportContents, _ summary: Summary, _ inputs: [CommandInput], source: String?, _ alarms: ReportAlarms
    ) -> String {
        let listing = contents.listing ?? ConflictListing(limit: 0)
        let subject = PageSubject(
            title: arguments.text("title"), inputs: inputs.map(\.name), refresh: interval.map { Int(clamping: max($0 / 1000, 1)) })
        guard isForUser else {
            return HTMLRenderer(top: top, source: source ?? "LOGS", subject: subject, alarms: alarms).render(
                summary, listing, clocks: contents.clocks)
        }
        return UserPage(subject: subject, days: days(contents), evidence: summary.evidence, earlier: contents.earlierLosses).render(listing)
    }

    /// The days that a page for a user is about.
    private func days(_ contents: ReportContents) -> String {
        if let day = contents.lastDay { return "on \(UserPage.date(Int64(day) * 86_400_000))" }
        let since = filter.since.map { "since \(UserPage.date($0.millisecondsSince1970))" }
        let until = filter.until.map { "until \(UserPage.date($0.millisecondsSince1970 - 1))" }
        return [since, until].compactMap(\.self).joined(separator: " and ")
    }
}

/// What a report is about, as it is read line by line.
private struct ReportContents {
    var clocks: ClockWhatIf?
    var listing: ConflictListing?
    /// The only day that conflicts may be of, where that is the day of the newest line.
    private(set) var lastDay: Int?

    /// What there was before that day, where nothing else is asked for.
    private var earlier: Summary?
    private var earlierCopies = FirstCopies()

    private var filter: ReportFilter
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

    /// Narrows everything to one day, in days since 1970-01-01.
    mutating func narrow(to day: Int) {
        lastDay = day
        filter.since = WallTime(millisecondsSince1970: Int64(day) * 86_400_000)
        filter.until = WallTime(millisecondsSince1970: Int64(day + 1) * 86_400_000)
        counted = Summary(filter: filter)
        var before = filter
        (before.since, before.until) = (nil, filter.since)
        earlier = Summary(filter: before)
        listing = listing.map { ConflictListing(limit: $0.limit, filter: filter, names: $0.names) }
        if clocks != nil { clocks = ClockWhatIf(filter: filter) }
    }

    /// The losses before the only day that conflicts may be of; nil where there were none.
    var earlierLosses: UserPage.Earlier? {
        guard let earlier else { return nil }
        let tallies = [earlier.proven, earlier.suspected]
        let count = tallies.reduce(0) { $0 + $1.total.losses }
        guard count > 0, let first = tallies.compactMap(\.statistics.firstConflictMilliseconds).min() else { return nil }
        return UserPage.Earlier(count: count, isProven: earlier.suspected.total.losses == 0, since: first)
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

    /// Counts what is read by what sums it up under a filter.
    mutating func count(_ read: (ReportFilter, _ countsCopies: Bool, _ takesSummaries: Bool) throws -> LogSummarizer) throws
        -> AuditLogReader.Counts
    {
        if let filter = earlier?.filters.first {
            // What others have summed up has no days.
            var before = try read(filter, false, false)
            earlier = before.summary
        }
        var all = try read(filter, countsCopies, true)
        summary = all.summary
        hasSummaries = all.hasReadSummaries
        if hasSummaries { listing?.observeSummary() }
        return all.counts
    }

    mutating func add(_ line: AuditLine) {
        clocks?.observe(line.event)
        listing?.observe(line)
        earlier?.observe(line.event, source: line.source, once: &earlierCopies)
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
    /// Whether the files may grow, so that a last line without a line break is not read yet.
    let isWatched: Bool
    /// Whether only the day of the newest line counts.
    let findsLastDay: Bool
    let onRead: ReadingObserver?

    /// Reads as little as will do.
    func read(_ contents: ReportContents, _ context: CommandContext) throws -> (ReportContents, AuditLogReader.Counts) {
        if contents.isOnlyCounted, !isWatched { return try inParallel(contents, context) }
        return contents.listing == nil ? try lineByLine(contents, context) : try twice(contents, context)
    }

    private func inParallel(_ contents: ReportContents, _ context: CommandContext) throws -> (ReportContents, AuditLogReader.Counts) {
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
        reader.awaitsLineBreak = isWatched
        for input in inputs {
            try reader.read(input, context, summary: { try contents.add($0, at: $1) }, { line, _ in contents.add(line) })
        }
        return (contents, reader.counts)
    }

    /// For what is told of single conflicts: which they are, is known only at the end.
    private func twice(_ start: ReportContents, _ context: CommandContext) throws -> (ReportContents, AuditLogReader.Counts) {
        var contents = start
        let inputs = try RepeatedInputs(inputs, isLenient: isLenient, awaitsLineBreak: isWatched, context)
        if findsLastDay {
            var last = Int64.min
            try inputs.read(
                where: { line, _ in
                    last = max(last, line.isConflict ? line.count : line.milliseconds)
                    return false
                }, summary: { _, _ in }, { line, _ in last = max(last, line.event.milliseconds) })
            if last > .min { contents.narrow(to: UTCDay.containing(last)) }
        }
        let counts: AuditLogReader.Counts
        if contents.clocks != nil {
            counts = try inputs.read(onRead: onRead, summary: { try contents.add($0, at: $1) }, { line, _ in contents.add(line) })
        } else {
            counts = try contents.count { filter, countsCopies, takesSummaries in
                try inputs.summarize(filter: filter, countsCopies: countsCopies, takesSummaries: takesSummaries, onRead: onRead, context)
            }
            try inputs.read(
                where: { contents.listing?.chooses($0, $1) == true }, summary: { _, _ in },
                { line, _ in
                    contents.listing?.observe(line)
                })
        }
        contents.listing?.endFirstLook()
        if let listing = contents.listing, !listing.isEmpty {
            var records = ChosenRecords(listing.records)
            try inputs.read(
                where: { records.contain($0, $1) }, summary: { _, _ in },
                { line, _ in
                    contents.listing?.observeAgain(line.event)
                })
        }
        return (contents, counts)
    }
}
