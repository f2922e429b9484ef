import AuditAnalysis
import AuditChecking
import AuditLog
import AuditReport
import ConflictAudit
import FileFormats
import SyncMerge
import SyncModel
import SyncSystem

extension ReportVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let command = try ReportCommand(arguments, context)
        if let interval = command.interval {
            let loop = try WatchLoop(arguments, every: interval, context)
            return try loop.run(write: { try command.write($0, context) })
        }
        var tables: [TableAudit] = []
        let inputs = try arguments.logs(context) { tables.append($0) }
        try arguments.checkOutputs(["output"], against: inputs, context)
        let summary = try command.write(inputs, context, tables)
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
    /// What a page for a user is to be; nil for every other report.
    private let user: UserPageOptions?
    private var isForUser: Bool { user != nil }
    /// Whether it may be longer than a screen.
    private let isPaged: Bool
    private let top: Int
    private let rows: Int?
    private let style: TerminalStyle

    init(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        self.arguments = arguments
        var filter = try arguments.reportFilter(now: context.now())
        format = try arguments.choice("format", as: ReportVerb.Format.self) ?? .table
        user = try UserPageOptions(arguments, format, context)
        user?.apply(to: &filter, arguments)
        self.filter = filter
        top = try arguments.positiveInteger("top") ?? 10
        rows = try arguments.wholeNumber("rows")
        if user != nil, rows == 0 {
            throw UsageError("--rows 0 leaves a page for a user without its changes: give 1 or more", verb: arguments.verb.name)
        }
        isPaged = format == .table && arguments.isSet("all")
        style = try arguments.style(context, isPaged: isPaged)
        interval = try arguments.duration("watch")
        if arguments.isSet("clock-what-if"), ![.table, .html, .json].contains(format) {
            throw CommandError(.usage, "--clock-what-if is not written as \(format.rawValue): use --format table, html or json")
        }
        if format != .html, user == nil {
            let subjects = [("rows", "the list of conflicts in"), ("title", "the title of")]
            for (name, subject) in subjects where arguments.text(name) != nil {
                throw UsageError("--\(name) is about \(subject) --format html", verb: arguments.verb.name)
            }
        }
    }

    /// Writes the report on inputs, and returns what was counted.
    ///
    /// - Parameter tables: The audits of those that are tables.
    @discardableResult
    func write(_ inputs: [CommandInput], _ context: CommandContext, _ tables: [TableAudit] = []) throws -> Summary {
        let progress = ProgressBar(inputs, context)
        defer { progress?.clear() }
        let countsCopies = arguments.isSet("all-copies")
        let job = ReportJob(
            inputs: inputs, filter: filter, countsCopies: countsCopies, isLenient: arguments.isSet("lenient"), isWatched: interval != nil,
            userPage: user, onRead: progress?.observer)
        var contents = ReportContents(filter: filter, countsCopies: countsCopies)
        if arguments.isSet("clock-what-if") { contents.clocks = ClockWhatIf(filter: filter) }
        if format == .html || isForUser {
            contents.listing = ConflictListing(
                limit: rows ?? ReportVerb.defaultRows, filter: filter, names: try arguments.recordNames(guesses: true))
        }
        let counts: AuditLogReader.Counts
        (contents, counts) = try job.read(contents, context)
        let summary = contents.summary
        progress?.clear()
        if interval == nil { try counts.check(inputs) }
        let looksAgain = [.table, .html, .markdown].contains(format) && !isForUser && !contents.hasSummaries
        let alarms = looksAgain ? try ReportVerb.alarms(in: inputs, lines: counts.lines, summary, filter: filter, context) : .none
        let names = format == .table || format == .markdown && !isForUser ? try arguments.recordNames(in: summary, inputs, context) : .none
        let source = arguments.inputWords
        let userPage = try user.map { try self.userPage(contents, summary, inputs, tables, $0, context) }
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
            case .markdown where isForUser: try sink.write(userPage?.markdown(contents.shownListing) ?? "")
            case .markdown: try sink.write(ReportAnswer(summary).markdown(PageLayout(top: top, names: names, alarms: alarms)))
            case .html:
                let text =
                    userPage?.html(contents.shownListing) ?? page(contents, summary, inputs, source: source, alarms)
                try sink.write(text)
                if text.utf8.count > ReportVerb.largestPage {
                    let size = HumanNumber.bytes(text.utf8.count)
                    context.note(
                        "the page is \(size) large, and a browser takes long to open it; --rows with a smaller number makes it shorter")
                }
            }
        }
        if isForUser, let earlier = contents.earlierLosses {
            context.note(
                "\(HumanNumber.count(earlier.count, "change")) of earlier days \(earlier.count == 1 ? "is" : "are") not on the page: "
                    + "--since \(UTCDay.text(of: user?.zone.day(of: earlier.since) ?? 0)) shows all")
        }
        counts.note(context)
        return summary
    }

    private func page(
        _ contents: ReportContents, _ summary: Summary, _ inputs: [CommandInput], source: String?, _ alarms: ReportAlarms
    ) -> String {
        HTMLRenderer(top: top, source: source ?? "LOGS", subject: subject(inputs), alarms: alarms).render(
            summary, contents.shownListing, clocks: contents.clocks)
    }

    private func subject(_ inputs: [CommandInput]) -> PageSubject {
        PageSubject(
            title: arguments.text("title"), inputs: inputs.map(\.name), refresh: interval.map { Int(clamping: max($0 / 1000, 1)) })
    }

    private func userPage(
        _ contents: ReportContents, _ summary: Summary, _ inputs: [CommandInput], _ tables: [TableAudit], _ options: UserPageOptions,
        _ context: CommandContext
    ) throws -> UserPage {
        if contents.hasSummaries {
            throw CommandError(.usage, "a summary holds no values, so that no page for a user can be made of one: name the logs instead")
        }
        try options.check(contents.survey, contents.shownListing, arguments, context)
        let days =
            contents.lastDay.map { UserPage.Days.on($0) }
            ?? .between(filter.since?.millisecondsSince1970, filter.until?.millisecondsSince1970)
        var page = UserPage(language: options.language, days: days, evidence: summary.evidence, rules: contents.rules)
        (page.subject, page.zone, page.persons) = (subject(inputs), options.zone, options.persons)
        (page.earlier, page.latest) = (contents.earlierLosses, contents.survey.latest)
        page.savedState = { key in
            // Of a history in several files the one that goes on longest.
            tables.lazy.compactMap { $0.state(of: key) }.max { ($0.row.milliseconds ?? .min) < ($1.row.milliseconds ?? .min) }
        }
        return page
    }
}

/// What a report is about, as it is read line by line.
private struct ReportContents {
    var clocks: ClockWhatIf?
    var listing: ConflictListing?
    /// The only day that conflicts may be of, where that is the day of the newest line.
    private(set) var lastDay: Int?
    /// What was looked for first, where the page is for a user, and the rules by which its records were merged.
    var survey = PageSurvey()
    var rules = MergeRules()

    /// What there was on that day and before, where nothing else is asked for: an edit may have been lost on several days.
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

    /// Narrows everything to one day of a zone, in days since 1970-01-01.
    mutating func narrow(to day: Int, _ zone: TimeZoneOffsets) {
        lastDay = day
        filter.since = WallTime(millisecondsSince1970: zone.start(ofDay: day))
        filter.until = WallTime(millisecondsSince1970: zone.start(ofDay: day + 1))
        counted = Summary(filter: filter)
        var before = filter
        before.since = nil
        earlier = Summary(filter: before)
        listing = listing.map { ConflictListing(limit: $0.limit, filter: filter, names: $0.names) }
        if clocks != nil { clocks = ClockWhatIf(filter: filter) }
    }

    /// The losses before the only day that conflicts may be of; nil where there were none.
    var earlierLosses: UserPage.Earlier? {
        guard let earlier else { return nil }
        let tallies = [earlier.proven, earlier.suspected]
        let count = [summary.proven, summary.suspected].reduce(tallies.reduce(0) { $0 + $1.total.losses }) { $0 - $1.total.losses }
        guard count > 0, let first = tallies.compactMap(\.statistics.firstConflictMilliseconds).min() else { return nil }
        return UserPage.Earlier(count: count, isProven: earlier.suspected.total.losses == 0, since: first)
    }

    /// The list of conflicts; without any where none was asked for.
    var shownListing: ConflictListing { listing ?? ConflictListing(limit: 0) }

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

    mutating func add(_ line: AuditLine, at location: AuditLogReader.Location) {
        clocks?.observe(line, at: location)
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
    /// What a page for a user is to be; nil for every other report.
    let userPage: UserPageOptions?
    let onRead: ReadingObserver?

    /// Reads as little as will do.
    func read(_ contents: ReportContents, _ context: CommandContext) throws -> (ReportContents, AuditLogReader.Counts) {
        if contents.isOnlyCounted, !isWatched { return try inParallel(contents, context) }
        return contents.listing == nil ? try lineByLine(contents, context) : try twice(contents, context)
    }

    private func inParallel(_ contents: ReportContents, _ context: CommandContext) throws -> (ReportContents, AuditLogReader.Counts) {
        var reader = try source(isRepeated: false, context).summarize(filter: filter, countsCopies: countsCopies, context)
        var contents = contents
        contents.summary = reader.summary
        contents.hasSummaries = reader.hasReadSummaries
        return (contents, reader.counts)
    }

    /// For what depends on the order of lines, or needs more of them than counts.
    private func lineByLine(_ start: ReportContents, _ context: CommandContext) throws -> (ReportContents, AuditLogReader.Counts) {
        var contents = start
        let counts = try source(isRepeated: false, context).read(
            summary: { try contents.add($0, at: $1) }, { line, location in contents.add(line, at: location) })
        return (contents, counts)
    }

    private func source(isRepeated: Bool, _ context: CommandContext) throws -> EventSource {
        var source = try context.source(inputs, isLenient: isLenient, isRepeated: isRepeated)
        (source.awaitsLineBreak, source.onRead) = (isWatched, onRead)
        return source
    }

    /// For what is told of single conflicts: which they are, is known only at the end.
    private func twice(_ start: ReportContents, _ context: CommandContext) throws -> (ReportContents, AuditLogReader.Counts) {
        var contents = start
        let first = try source(isRepeated: true, context)
        // What cannot be understood is told once.
        var again = first
        (again.onRead, again.isLenient) = (nil, true)
        if let userPage {
            var rules = NamedRules()
            try again.read(into: &contents.survey, &rules)
            contents.rules = rules.mergeRules
            if filter.since == nil, filter.until == nil, let time = contents.survey.latest {
                contents.narrow(to: userPage.zone.day(of: time), userPage.zone)
            }
        }
        let counts: AuditLogReader.Counts
        if contents.clocks != nil {
            counts = try first.read(summary: { try contents.add($0, at: $1) }, { line, location in contents.add(line, at: location) })
        } else {
            counts = try contents.count { filter, countsCopies, takesSummaries in
                try first.summarize(filter: filter, countsCopies: countsCopies, takesSummaries: takesSummaries, context)
            }
        }
        if var listing = contents.listing {
            try again.read(into: &listing)
            contents.listing = listing
        }
        return (contents, counts)
    }
}
