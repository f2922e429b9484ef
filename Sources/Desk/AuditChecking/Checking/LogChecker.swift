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

    private var files: [String] = []
    private var evidence = AuditEvidence()
    /// The conflicts that wait for a decision.
    private var waiting: Set<ConflictID> = []
    private var findings = FindingList()
    private var sequences = SequenceCheck()
    private var decisions: DecisionCheck
    /// The merges of conflict handlers, which are judged by rules that may be stated later.
    private var merges: [(merge: RecordedMerge, location: LineLocation)] = []
    private var alternations = AlternationCheck()
    private var checkpoints = CheckpointCheck()
    private var clocks = ClockCheck()
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
    package init(declared: MergeRules?, auditRules: AuditRules?, otherwise: AuditRules = AuditRules(), massShare: Double?) {
        let limit = massShare.map { MassEffects.Limit(share: $0) } ?? MassEffects.Limit()
        decisions = DecisionCheck(
            declared: declared, auditRules: auditRules, otherwise: otherwise, masses: MassEffectCheck(limit: limit))
    }

    /// Begins a file.
    ///
    /// - Parameter name: The file's name, which may be any text.
    public mutating func begin(file name: String) {
        files.append(name.escaped(for: .terminal))
        counts.files += 1
    }

    /// Takes a line that says nothing to this version: blank, or with an event that it does not know.
    package mutating func passOver() { counts.lines += 1 }

    /// Takes a line that cannot be understood.
    package mutating func observe(problem: String, line: Int, isTorn: Bool) {
        counts.lines += 1
        let name = name(location(line))
        damaged.insert(location(line).file)
        findings.add(isTorn ? .torn : .schema, "\(name): \(problem)")
    }

    /// Takes a line.
    public mutating func observe(_ line: AuditLine, at number: Int) {
        counts.lines += 1
        evidence.observe(line.event)
        let location = location(number)
        let names = files
        let name: (LineLocation) -> String = { Self.name($0, names) }
        if let sequence = line.sequence, let source = line.source {
            guard sequences.observe(line.event, sequence, of: source, at: location, name: name, &findings) else { return }
        }
        counts.health.observe(line.event, source: line.source)
        counts.newestMilliseconds = max(counts.newestMilliseconds ?? .min, line.event.milliseconds)
        switch line.event.content {
        case .write(let write): observe(write, line, location, name)
        case .conflict(let conflict): observe(conflict, line, location, name)
        case .checkpoint(let checkpoint): checkpoints.observe(checkpoint, at: location, name: name)
        case .clock(let measurement):
            clocks.observe(measurement, at: location)
            deliveries.observe(measurement, source: line.source, at: location)
            if measurement.offsetMilliseconds.magnitude > UInt64(ClockCheck.limit) { offClocks.insert(measurement.device) }
        case .sync(let activity):
            deliveries.observe(activity, source: line.source, at: line.event.milliseconds, location)
            decisions.masses.observe(activity, source: line.source)
        case .statistics(let statistics):
            let source = line.source?.rawValue ?? ""
            if statistics.writesObserved > reportedWrites[source]?.count ?? 0 {
                reportedWrites[source] = (statistics.writesObserved, statistics.writesWithContext)
            }
        case .log(.opened): decisions.observeStart(line, at: location)
        case .log(.dropped(let count)) where count > 0:
            if let source = line.source { dropping.insert(source) }
            findings.add(.missingLine, "\(name(location)): the log says that \(HumanNumber.count(count, "line")) could not be written")
        case .log(.recovered(let bytes)):
            findings.add(
                .torn, "\(name(location)): the log says that a torn line of \(HumanNumber.bytes(bytes)) was closed off before this one")
        case .merge(let merge):
            merges.append((merge, location))
        case .rules:
            do throws(ValueProblem) {
                try decisions.observeRules(line.event, at: location)
            } catch {
                findings.add(.schema, "\(name(location)): the rules that the log states cannot be used: \(error.sentence)")
            }
        case .outbox(let status):
            guard status.isOverWarningLevel else { break }
            let waiting = "\(status.bytes.megabytes) in \(HumanNumber.count(status.writes, "write"))"
            findings.add(
                .size,
                "\(name(location)): \(waiting) waited to be sent, and more than \(status.warningBytes.megabytes) is too much to wait: "
                    + "sync more often, or write less at once")
        case .remoteChange, .refresh, .acknowledgement, .network, .account, .log: break
        }
        switch line.event.content {
        case .write, .conflict, .log: break
        default: decisions.observeOther(line, at: location)
        }
        whatIf.observe(line.event)
    }

    private mutating func observe(_ write: TaggedWrite, _ line: AuditLine, _ location: LineLocation, _ name: (LineLocation) -> String) {
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
                .duplicate, "\(name(location)): write \(write.dot.sequence) of \(EventText.name(write.dot.device.rawValue)) is there twice")
        }
    }

    private mutating func checkSize(of write: TaggedWrite, _ source: DeviceID?, _ location: LineLocation) {
        for problem in sizes.problems(with: write, isOfTrace: source == nil) {
            let name = name(location)
            findings.add(.size, "\(name): \(problem.sentence)")
        }
    }

    private mutating func observe(_ conflict: Conflict, _ line: AuditLine, _ location: LineLocation, _ name: (LineLocation) -> String) {
        let gap = conflict.winner.timestamp.milliseconds.distance(after: conflict.loser.timestamp.milliseconds)
        let isStampWrong = gap.magnitude != conflict.gapMilliseconds.magnitude && gap != .min && gap != .max
        if isStampWrong {
            let distance = HumanNumber.duration(milliseconds: Int64(clamping: gap.magnitude))
            findings.add(
                .stamp,
                "\(name(location)): the two times in conflict \(conflict.id) are \(distance) apart, and the line says "
                    + "\(HumanNumber.duration(milliseconds: conflict.gapMilliseconds)): one of them is not that of its edit")
        } else {
            let keys = conflict.keysOfSides
            stamps.observe(conflict.winner, to: keys.winner, at: location)
            stamps.observe(conflict.loser, to: keys.loser, at: location)
        }
        guard
            decisions.observe(conflict, line, at: location, name: { name(location) }, isStampWrong: isStampWrong, &findings)
        else {
            if conflict.resolution.isFinal, waiting.remove(conflict.id) != nil { counts.unresolved -= 1 }
            return
        }
        counts.conflicts += 1
        if conflict.basis.isProof { counts.hasProven = true }
        if conflict.basis == .content { counts.isOfRows = true }
        if conflict.losesEdit { counts.lossy += 1 }
        if conflict.severity == .destructive { counts.destructive += 1 }
        if conflict.resolution == .manualPending {
            counts.unresolved += 1
            waiting.insert(conflict.id)
        }
        if conflict.clockSuspect { counts.clockSuspect += 1 }
        alternations.observe(conflict, name: { name(location) }, &findings)
    }

    /// Ends the check.
    ///
    /// - Returns: The findings, at most 20 of each kind, and how many there are of each.
    public mutating func finish() -> (findings: [CheckFinding], counts: [CheckFinding.Kind: Int]) {
        let names = files
        let name: (LineLocation) -> String = { Self.name($0, names) }
        sequences.finish(name: name, &findings)
        for (merge, location) in merges {
            for problem in MergeResultCheck.problems(with: merge, decisions.mergeRules ?? MergeRules()) {
                findings.add(.decision, at: name(location), problem, about: merge.key)
            }
        }
        clocks.finish(name: name, &findings)
        let shifted = shifts.shifts().filter { !offClocks.contains($0.device) }
        let wrong = stamps.finish(
            shifted: offClocks.union(shifted.map(\.device)), names: names, name: name, &findings)
        // Where one log's times are off, it is that log and no clock.
        let proven = shifted.filter { !wrong.files.contains($0.location.file) }
        for shift in proven { findings.add(.clock, shift.sentence(name)) }
        receipts.finish(explained: offClocks.union(proven.map(\.device)), wrong: wrong, name: name, &findings)
        deliveries.tellAbsentLogs(&findings)
        deliveries.finish(incomplete: sequences.incomplete, renamed: wrong.renamed, name: name, &findings)
        checkpoints.finish(hasOtherReason: deliveries.hasHubForgotten && decisions.hasArrivalDecisions, &findings)
        let flaws = DecisionCheck.Flaws(
            wrong: wrong, ambiguous: stamps.named.union(wrong.renamed), files: damaged, dropping: dropping,
            isOrderLost: deliveries.hasHubForgotten, isWhole: sequences.isWhole)
        decisions.finish(flaws, name: name, &findings)
        (counts.conflictLines, counts.heldLines) = (decisions.lines, decisions.held)
        counts.writes += stamps.writes
        counts.writesWithContext = counts.writesWithContext.map { $0 + stamps.writesWithContext }
        if let reported = reportedWrites.values.max(by: { $0.count < $1.count }), reported.count > counts.writes {
            (counts.writes, counts.writesWithContext) = reported
        }
        counts.isUnaudited = evidence.isUnaudited
        let order = CheckFinding.Kind.allCases
        let sorted = order.flatMap { kind in findings.kept.filter { $0.kind == kind } }
        return (sorted, findings.counts)
    }

    private func location(_ line: Int) -> LineLocation {
        LineLocation(file: Int32(clamping: files.count - 1), line: UInt32(clamping: line))
    }

    private func name(_ location: LineLocation) -> String { Self.name(location, files) }

    private static func name(_ location: LineLocation, _ files: [String]) -> String {
        let file = files.indices.contains(Int(location.file)) ? files[Int(location.file)] : "input"
        return "\(file):\(location.line)"
    }
}
