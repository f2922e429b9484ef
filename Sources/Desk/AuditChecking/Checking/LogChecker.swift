public import AuditAnalysis
public import AuditLog
public import ConflictAudit
import SyncBytes
public import SyncMerge
import SyncModel

/// Checks whether a log, or all logs of a fleet taken together, are sound.
///
/// ```swift
/// var checker = LogChecker()
/// checker.begin(file: "iPhone.jsonl")
/// for (index, line) in lines.enumerated() { checker.observe(line, at: index + 1) }
/// print(checker.finish().findings.count, "findings")
/// ```
///
/// Lines come file by file in their order. What one log says is held against what the others say, so the more of a fleet's logs
/// there are, the more is found.
///
/// Conflicts are made again from the writes, by the same merge, when all lines are there.
///
/// - Complexity: O(log *n*) a line, and at the end that of merging the writes of each log. Memory grows with the distinct writes and
///   conflicts, which are kept, and by about a hundred bytes for each line that tells of one. A value type; its owner guards it.
public struct LogChecker: Sendable {
    /// What was looked at.
    package typealias Counts = CheckCounts

    /// What was looked at so far.
    package private(set) var counts = Counts()
    /// What would change if the clocks were right.
    package private(set) var whatIf = ClockWhatIf()

    private var evidence = AuditEvidence()
    private var conflicts: Set<ConflictID> = []
    /// Those of them of which a line calls a clock suspect.
    private var suspects: Set<ConflictID> = []
    /// Writes in lines that have the number of another, and whether they carried a causal context.
    private var untoldWrites: [Dot: Bool] = [:]
    /// The conflicts that wait for a decision.
    private var waiting: Set<ConflictID> = []
    /// Hashes of the edits that were lost, each of which several conflicts may have discarded.
    private var lostEdits: Set<UInt64> = []
    /// Those of them that conflicts of the baseline have told of.
    private var knownEdits: Set<UInt64> = []
    private var findings: FindingList
    private var sequences = SequenceCheck()
    private var decisions: DecisionCheck
    /// The merges of conflict handlers, which are judged by rules that may be stated later.
    private var merges: [(merge: RecordedMerge, location: LineLocation)] = []
    private var alternations = AlternationCheck()
    private var checkpoints = CheckpointCheck()
    private var clocks = ClockCheck()
    private var sources = SourceCheck()
    private var times = LineTimeCheck()
    private var receipts = ReceiptCheck()
    private var shifts = ClockShiftCheck()
    private var stamps = StampCheck()
    private var deliveries = DeliveryCheck()
    private var sizes = SizeCheck()
    /// Writes that logs of conflicts alone say were observed.
    private var reportedWrites: [String: (count: Int, withContext: Int?)] = [:]
    private var offClocks: Set<DeviceID> = []
    /// Files with lines that are torn or cannot be understood, and sources that say that lines could not be written.
    private var damaged: Set<Int32> = []
    /// What is wrong with a file of another sort, and how many of its first lines could not be understood.
    private var foreign: (sentence: String, lines: Int)?
    private var dropping: Set<DeviceID> = []

    /// A checker.
    ///
    /// - Parameters:
    ///   - declared: The rules by which the fleet is to merge; nil to go by what every conflict's line says.
    ///   - auditRules: What the audit looked for, beside the constraints of whose breach a line tells; nil to go by what the logs say.
    public init(declared: MergeRules? = nil, auditRules: AuditRules? = nil) {
        self.init(declared: declared, auditRules: auditRules, otherwise: AuditRules(), massShare: nil)
    }

    /// A checker.
    ///
    /// - Parameters:
    ///   - otherwise: What the audit looked for where neither `auditRules` nor a log says it.
    ///   - massShare: Of which share of the records a device may delete or overwrite no more within one sync, from 0 to 1; nil
    ///     for half.
    ///   - filter: Which findings are passed over.
    ///   - limit: The most findings of each kind that are kept.
    package init(
        declared: MergeRules?, auditRules: AuditRules?, otherwise: AuditRules = AuditRules(), massShare: Double?,
        filter: FindingFilter = FindingFilter(), limit: Int = 20
    ) {
        findings = FindingList(filter, limit: limit)
        let limit = massShare.map { MassEffects.Limit(share: $0) } ?? MassEffects.Limit()
        decisions = DecisionCheck(
            declared: declared, auditRules: auditRules, otherwise: otherwise, masses: MassEffectCheck(limit: limit))
    }

    /// Which findings were passed over so far.
    package var filter: FindingFilter { findings.filter }

    /// Begins a file.
    ///
    /// - Parameter name: The file's name, which may be any text.
    public mutating func begin(file name: String) { begin(file: name, path: name) }

    /// Begins a file, or what is none and has no path.
    package mutating func begin(file name: String, path: String?) {
        tellForeign()
        findings.begin(file: name, path: path)
        counts.files += 1
    }

    /// Takes a line.
    public mutating func observe(_ line: AuditLine, at number: Int) {
        tellForeign()
        counts.lines += 1
        counts.understood += 1
        evidence.observe(line.event)
        let location = location(number)
        if let sequence = line.sequence, let source = line.source {
            switch sequences.observe(line.event, sequence, of: source, at: location, &findings) {
            case .new: break
            case .same: return
            case .other: return countOnly(line.event)
            }
        }
        if line.sequence == nil, let source = line.source { sequences.observeUnnumbered(of: source, at: location) }
        counts.health.observe(line.event, source: line.source)
        counts.newestMilliseconds = max(counts.newestMilliseconds ?? .min, line.event.milliseconds)
        switch line.event.content {
        case .write(let write): observe(write, line, location)
        case .conflict(let conflict): observe(conflict, line, location)
        case .checkpoint(let checkpoint): checkpoints.observe(checkpoint, at: location)
        case .clock(let measurement):
            clocks.observe(measurement, at: location)
            sources.observe(measurement, source: line.source, at: location)
            deliveries.observe(measurement, source: line.source, at: location)
            if measurement.offsetMilliseconds.magnitude > UInt64(ClockCheck.limit) { offClocks.insert(measurement.device) }
        case .sync(let activity):
            deliveries.observe(activity, source: line.source, at: line.event.milliseconds, location)
            decisions.masses.observe(activity, source: line.source)
            if activity.state != .failed, let error = activity.error {
                let file = findings.fileName(location.file)
                findings.add(
                    .schema, of: Self.subject(line, file), at: location,
                    "the line says of a sync that it has \(activity.state.rawValue), and why it failed: \(EventText.label(error))")
            }
        case .statistics(let statistics):
            let source = line.source?.rawValue ?? ""
            if statistics.writesObserved > reportedWrites[source]?.count ?? 0 {
                reportedWrites[source] = (statistics.writesObserved, statistics.writesWithContext)
            }
        case .log(.opened): decisions.observeStart(line, at: location)
        case .log(.dropped(let count)) where count > 0:
            if let source = line.source { dropping.insert(source) }
            let file = findings.fileName(location.file)
            findings.add(
                .missingLine, of: Self.subject(line, file), at: location,
                "the log says that \(HumanNumber.count(count, "line")) could not be written")
        case .log(.recovered(let bytes)):
            let file = findings.fileName(location.file)
            findings.add(
                .torn, of: Self.subject(line, file), at: location,
                "the log says that a torn line of \(HumanNumber.bytes(bytes)) was closed off before this one")
        case .merge(let merge):
            merges.append((merge, location))
        case .rules:
            do throws(ValueProblem) {
                try decisions.observeRules(line.event, at: location)
            } catch {
                let file = findings.fileName(location.file)
                findings.add(
                    .schema, of: "\(file): \(error.sentence)", at: location,
                    "the rules that the log states cannot be used: \(error.sentence)")
            }
        case .outbox(let status):
            guard status.isOverWarningLevel else { break }
            let waiting = "\(status.bytes.megabytes) in \(HumanNumber.count(status.writes, "write"))"
            let file = findings.fileName(location.file)
            findings.add(
                .size, of: Self.subject(line, file), at: location,
                "\(waiting) waited to be sent, and more than \(status.warningBytes.megabytes) is too much to wait: "
                    + "sync more often, or write less at once")
        case .remoteChange, .refresh, .acknowledgement, .network, .account, .log: break
        }
        switch line.event.content {
        case .write, .conflict: break
        case .log: times.observe(line, at: location, &findings)
        default:
            decisions.observeOther(line, at: location)
            times.observe(line, at: location, &findings)
        }
        whatIf.observe(line.event)
    }

    private mutating func observe(_ write: TaggedWrite, _ line: AuditLine, _ location: LineLocation) {
        let source = line.source
        decisions.observe(write, line, at: location)
        decisions.masses.observe(write, source: source)
        receipts.observe(write, at: location)
        shifts.observe(write, at: location)
        deliveries.observe(write, source: source, at: location)
        guard write.isNumbered else {
            checkSize(of: write, source, location)
            counts.writes += 1
            if write.hasCausalContext { counts.writesWithContext = counts.writesWithContext.map { $0 + 1 } }
            return
        }
        let isKnown = stamps.observe(write, source: source, at: location)
        if !isKnown { checkSize(of: write, source, location) }
        // A log may take a line twice around a crash, under another number. A trace has every write once.
        if isKnown, source == nil {
            findings.add(
                .duplicate, of: DecisionCheck.subject(write.dot), at: location, about: write.key,
                "write \(write.dot.sequence) of \(EventText.name(write.dot.device.rawValue)) is there twice")
        }
    }

    private mutating func checkSize(of write: TaggedWrite, _ source: DeviceID?, _ location: LineLocation) {
        for problem in sizes.problems(with: write, isOfTrace: source == nil) {
            let time = RFC3339.string(milliseconds: write.timestamp.milliseconds)
            findings.add(
                .size, of: "\(DecisionCheck.subject(write.key, nil)) by \(write.dot.device.rawValue) at \(time)", at: location,
                about: write.key, problem.sentence)
        }
    }

    private mutating func observe(_ conflict: Conflict, _ line: AuditLine, _ location: LineLocation) {
        let gap = conflict.winner.timestamp.milliseconds.distance(after: conflict.loser.timestamp.milliseconds)
        let isStampWrong = gap.magnitude != conflict.gapMilliseconds.magnitude && gap != .min && gap != .max
        if isStampWrong {
            let distance = HumanNumber.duration(milliseconds: Int64(clamping: gap.magnitude))
            findings.add(
                .stamp, of: DecisionCheck.subject(conflict.id), at: location, about: conflict.key,
                "the two times in conflict \(conflict.id) are \(distance) apart, and the line says "
                    + "\(HumanNumber.duration(milliseconds: conflict.gapMilliseconds)): one of them is not that of its edit")
        } else {
            let keys = conflict.keysOfSides
            stamps.observe(conflict.winner, to: keys.winner, at: location)
            stamps.observe(conflict.loser, to: keys.loser, at: location)
        }
        if let contradiction = line.contradiction {
            findings.add(.decision, of: DecisionCheck.subject(conflict.id), at: location, about: conflict.key, contradiction)
        }
        deliveries.observe(conflict, source: line.source, at: location)
        decisions.observe(conflict, line, at: location, isStampWrong: isStampWrong, &findings)
        if count(conflict) { alternations.observe(conflict, at: location, &findings) }
    }

    /// Counts what a line tells that has the number of another: two stores go by one name, so that nothing can be held against it, and it
    /// happened all the same.
    private mutating func countOnly(_ event: AuditEvent) {
        switch event.content {
        case .conflict(let conflict): _ = count(conflict)
        case .write(let write) where write.isNumbered: untoldWrites[write.dot] = write.hasCausalContext
        default: break
        }
    }

    /// Counts a conflict once; false where it was counted.
    private mutating func count(_ conflict: Conflict) -> Bool {
        guard findings.concerns(conflict) else { return conflicts.insert(conflict.id).inserted }
        // As in a summary, whichever of the copies says so.
        let isNewSuspect = conflict.clockSuspect && suspects.insert(conflict.id).inserted
        guard conflicts.insert(conflict.id).inserted else {
            if isNewSuspect {
                counts.all.clockSuspect += 1
                if findings.knows(conflict.id.rawValue) { counts.known.clockSuspect += 1 }
            }
            if conflict.resolution.isFinal, waiting.remove(conflict.id) != nil {
                counts.all.unresolved -= 1
                if findings.knows(conflict.id.rawValue) { counts.known.unresolved -= 1 }
            }
            return false
        }
        let edit = conflict.losesEdit ? EditHash.value(of: conflict) : nil
        counts.all.add(conflict, isNewLoss: edit.map { lostEdits.insert($0).inserted } ?? false)
        // An edit is known where any of its conflicts is.
        if findings.observe(conflict: conflict.id.rawValue) {
            if let edit, counts.newLosses.count < Counts.NewLoss.limit {
                counts.newLosses.append(
                    Counts.NewLoss(id: conflict.id, edit: edit, isDestructive: conflict.severity == .destructive))
            }
        } else {
            counts.known.add(conflict, isNewLoss: edit.map { knownEdits.insert($0).inserted } ?? false)
        }
        if conflict.basis.isProof { counts.hasProven = true }
        if conflict.basis == .content { counts.isOfRows = true }
        if conflict.resolution == .manualPending { waiting.insert(conflict.id) }
        return true
    }

    /// Ends the checks of times, names and deliveries of writes.
    private mutating func finishWrites() -> StampCheck.Wrong {
        let shifted = shifts.shifts().filter { !offClocks.contains($0.device) }
        let history = decisions.history
        let wrong = stamps.finish(shifted: offClocks.union(shifted.map(\.device)), history, &findings)
        // Where one log's times are off, it is that log and no clock.
        let proven = shifted.filter { !wrong.files.contains($0.location.file) }
        for shift in proven { findings.add(.clock, of: shift.device.rawValue, at: shift.location, shift.sentence) }
        receipts.finish(explained: offClocks.union(proven.map(\.device)), wrong: wrong, history, &findings)
        deliveries.tellAbsentLogs(&findings)
        counts.cutOff = deliveries.tellShortLogs(&findings)
        deliveries.finish(incomplete: sequences.incomplete, renamed: wrong.renamed, history, &findings)
        return wrong
    }

    /// Ends the check.
    ///
    /// - Returns: The findings, at most 20 of each kind, and how many there are of each.
    public mutating func finish() -> (findings: [CheckFinding], counts: [CheckFinding.Kind: Int]) {
        tellForeign()
        sequences.finish(&findings)
        for (merge, location) in merges {
            for problem in MergeResultCheck.problems(with: merge, decisions.mergeRules ?? MergeRules()) {
                findings.add(
                    .decision, of: "\(DecisionCheck.subject(merge.key, nil)): \(problem)", at: location, about: merge.key, problem)
            }
        }
        clocks.finish(&findings)
        sources.finish(&findings)
        let wrong = finishWrites()
        if !deliveries.hasHubForgotten { stamps.tellOrders(decisions.history, &findings) }
        checkpoints.finish(hasOtherReason: deliveries.hasHubForgotten && decisions.hasArrivalDecisions, &findings)
        let flaws = DecisionCheck.Flaws(
            wrong: wrong, ambiguous: stamps.named.union(wrong.renamed), files: damaged, dropping: dropping,
            isOrderLost: deliveries.hasHubForgotten, isWhole: sequences.isWhole)
        decisions.finish(flaws, &findings)
        (counts.conflictLines, counts.heldLines) = (decisions.lines, decisions.held)
        for (dot, hasContext) in untoldWrites where !stamps.knowsLine(of: dot) {
            counts.writes += 1
            if hasContext { counts.writesWithContext = counts.writesWithContext.map { $0 + 1 } }
        }
        counts.writes += stamps.writes
        counts.writesWithContext = counts.writesWithContext.map { $0 + stamps.writesWithContext }
        if let reported = reportedWrites.values.max(by: { $0.count < $1.count }), reported.count > counts.writes {
            (counts.writes, counts.writesWithContext) = reported
        }
        counts.isUnaudited = evidence.isUnaudited
        for index in counts.newLosses.indices { counts.newLosses[index].isKnownEdit = knownEdits.contains(counts.newLosses[index].edit) }
        let order = CheckFinding.Kind.allCases
        let sorted = order.flatMap { kind in findings.kept.filter { $0.kind == kind } }
        return (sorted, findings.counts)
    }

    private func location(_ line: Int) -> LineLocation {
        LineLocation(file: findings.file, line: UInt32(clamping: line))
    }

    /// What a finding about something that a log says of itself is known by.
    private static func subject(_ line: AuditLine, _ file: String) -> String {
        "\(line.source?.rawValue ?? file) at \(RFC3339.string(milliseconds: line.event.milliseconds))"
    }
}

extension CheckCounts.Conflicts {
    fileprivate mutating func add(_ conflict: Conflict, isNewLoss: Bool) {
        conflicts += 1
        if conflict.losesEdit { lossy += 1 }
        if isNewLoss { lostEdits += 1 }
        if conflict.severity == .destructive { destructive += 1 }
        if conflict.resolution == .manualPending { unresolved += 1 }
        if conflict.clockSuspect { clockSuspect += 1 }
    }
}

extension LogChecker: EventObserver {
    /// Begins an input.
    package mutating func begin(_ input: EventSource.Input) { begin(file: input.name, path: input.path) }

    /// Takes a line.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) { observe(line, at: location.line) }

    /// Takes a line that cannot be understood, or that says nothing to this version.
    ///
    /// Of a file of another sort each line is one that cannot be understood; they are told together.
    package mutating func observe(_ problem: LineProblem?, at location: AuditLogReader.Location) {
        counts.lines += 1
        guard let problem else { return }
        if case .foreign(let format) = problem.kind, format != .text {
            foreign = (problem.sentence, 1)
        } else if let (sentence, lines) = foreign {
            foreign = (sentence, lines + 1)
        } else {
            add(problem.sentence, problem.kind == .torn ? .torn : .schema, line: location.line)
        }
    }

    private mutating func tellForeign() {
        guard let (sentence, lines) = foreign else { return }
        foreign = nil
        let others = lines == 1 ? "" : "; none of the first \(HumanNumber.count(lines, "line")) was understood"
        add(sentence + others, .schema, line: 1)
    }

    private mutating func add(_ sentence: String, _ kind: CheckFinding.Kind, line: Int) {
        counts.problems += 1
        let location = location(line)
        damaged.insert(location.file)
        // Where in the file it is may change, and what is wrong with it does not.
        let (file, problem) = (findings.fileName(location.file), sentence.escaped(for: .terminal))
        findings.add(kind, of: "\(file): \(problem)", at: location, problem)
    }
}
