import AuditAnalysis
import AuditChecking
import AuditLog
import AuditReport
import SyncModel

extension VerifyVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let chosen = Set(arguments.texts("scenario"))
        let scenarios = Scenario.allCases.filter { chosen.isEmpty || chosen.contains($0.rawValue) }
        let format = try arguments.choice("format", as: AnswerFormat.self) ?? .text
        let style = context.style(color: try arguments.choice("color", as: ColorChoice.self) ?? .auto, isFile: false)
        let isFollowing = arguments.isSet("follow")
        let inputs = try arguments.inputs(context, allowsMissing: isFollowing)
        try arguments.checkOutputs([], against: inputs, context)
        var reading = Reading(judge: ScenarioJudge(limit: try arguments.duration("within") ?? 60_000))
        if isFollowing {
            let guide = Guide(scenarios: scenarios, style: style, isSilent: format != .text)
            try follow(inputs, arguments, &reading, guide, context)
        } else {
            // What cannot be understood tells nothing.
            reading.reader.counts = try context.source(inputs, isLenient: true).read(into: &reading.judge)
        }
        let counts = reading.reader.counts
        if counts.lines == 0, !isFollowing, let file = inputs.first { throw CommandError(nothingIn: file) }
        if counts.lines > 0, counts.skipped == counts.lines {
            throw CommandError(noneUnderstoodOf: inputs, firstProblem: counts.firstProblem)
        }
        let verdicts = reading.judge.verdicts(on: scenarios)
        try context.output.write(VerifyAnswer(verdicts).written(as: format, PageLayout(style: style, width: context.width)))
        try context.output.flush()
        if let first = counts.firstProblem {
            context.note(
                "\(HumanNumber.count(counts.skipped, "line")) could not be understood and told nothing, the first at \(first): try 'syncaudit check'"
            )
        }
        let failed = verdicts.count { $0.outcome == .failed }
        if failed > 0 { throw CommandError(.limitExceeded, HumanNumber.count(failed, "scenario") + " failed") }
    }

    /// Lines as they come.
    struct Reading {
        var judge: ScenarioJudge
        var reader = AuditLogReader(isLenient: true)
        private var numbers: [String: Int] = [:]

        init(judge: ScenarioJudge) {
            self.judge = judge
        }

        /// Takes a line.
        mutating func observe(_ line: InputLine) throws {
            var line = line
            numbers[line.file, default: 0] += 1
            line.location = AuditLogReader.Location(file: line.file, line: numbers[line.file, default: 1])
            try reader.read(line, into: &judge)
        }
    }

    /// Reads files from their start and on as they grow, until it is asked to stop or nobody reads on.
    private static func follow(
        _ inputs: [CommandInput], _ arguments: ParsedArguments, _ reading: inout Reading, _ guide: consuming Guide,
        _ context: CommandContext
    ) throws {
        context.expectManyFiles()
        let stop = context.catchStopSignals()
        var paths: [String] = []
        for input in inputs {
            if let path = input.followedPath { paths.append(path) } else { try input.readLines(context) { try reading.observe($0) } }
        }
        let directories = arguments.operands.filter(Operands.isDirectory).map { FollowedDirectory(path: $0) { Operands.isLog($0) } }
        var follower = LogFollower(paths: paths, directories: directories, isStopped: { StopSignals.isTold(stop, within: 0) })
        var (isStopping, isStale, pace) = (false, true, Pace())
        let clock = ContinuousClock()
        while true {
            let events = follower.step()
            try observe(events, &reading, context)
            isStale = isStale || !events.isEmpty
            let isLast = isStopping || paths.isEmpty && directories.isEmpty
            // What is there already is judged at once, and not line by line.
            if isStale, !follower.isBehind, isLast || pace.rest(at: clock.now) == .zero {
                let start = clock.now
                try guide.tell(reading.judge, context)
                pace.record(start..<clock.now)
                isStale = false
            }
            if isLast { break }
            let ready = follower.wait(
                atMost: isStale ? pace.rest(at: clock.now) : .seconds(1), readable: [stop], closed: [context.outputDescriptor])
            if ready.contains(context.outputDescriptor) { throw CommandError.outputClosed }
            // What was written before the signal came still counts.
            if ready.contains(stop) { isStopping = true }
        }
        try observe(follower.finish(), &reading, context)
    }

    private static func observe(_ events: [LogFollower.Event], _ reading: inout Reading, _ context: CommandContext) throws {
        for event in events {
            if let line = event.inputLine { try reading.observe(line) }
            if case .notice(let notice) = event { context.note(notice.description) }
        }
    }

    /// Keeps judging, which looks at all lines so far, to a tenth of the time, so that a log that grows is followed however long it is.
    struct Pace {
        private var next: ContinuousClock.Instant?

        /// How long to wait before judging again.
        func rest(at now: ContinuousClock.Instant) -> Duration { next.map { max(.zero, now.duration(to: $0)) } ?? .zero }

        /// Records when something was judged.
        mutating func record(_ times: Range<ContinuousClock.Instant>) {
            next = times.upperBound + times.lowerBound.duration(to: times.upperBound) * 9
        }
    }

    /// Tells a person what to do next, and what was seen.
    struct Guide {
        private let scenarios: [Scenario]
        private let style: TerminalStyle
        private let isSilent: Bool
        private var told: [Scenario: ScenarioVerdict] = [:]
        private var next: Scenario?

        init(scenarios: [Scenario], style: TerminalStyle, isSilent: Bool) {
            self.scenarios = scenarios
            self.style = style
            self.isSilent = isSilent
        }

        /// Says what has changed since the last time.
        mutating func tell(_ judge: ScenarioJudge, _ context: CommandContext) throws(CommandError) {
            guard !isSilent else { return }
            let verdicts = judge.verdicts(on: scenarios)
            for verdict in verdicts where verdict.outcome != .notSeen && told[verdict.scenario] != verdict {
                told[verdict.scenario] = verdict
                try context.output.write(VerifyAnswer.page(of: verdict).text(style: style, width: context.width))
            }
            let open = verdicts.first { $0.outcome == .notSeen }?.scenario
            if let open, open != next { try context.output.write("next      \(style.bold(open.rawValue)): \(open.steps)\n") }
            next = open
            try context.output.flush()
        }
    }
}
