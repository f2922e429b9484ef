import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// Makes every conflict again from the writes that the logs tell of, and compares what different logs say of one.
///
/// A replica's log that is whole is merged again in the order in which its writes arrived, and each line must be what comes of it. Where
/// writes are missing, a conflict is made again from its two writes alone, and where not even those are told of, held against itself.
///
/// - Complexity: that of merging the writes of each log; memory grows with the distinct writes and conflicts, see ``RecordedHistory``.
struct DecisionCheck: Sendable {
    /// What is known to be wrong otherwise.
    struct Flaws {
        var wrong: StampCheck.Wrong
        /// Writes of which two contents are told under one name.
        var ambiguous: Set<Dot>
        /// Files with lines that are torn or cannot be understood.
        var files: Set<Int32>
        /// Logs that say of themselves that lines could not be written.
        var dropping: Set<DeviceID>
        /// Whether the hub's order has changed, since the hub was put back or replaced: what it decided then cannot be decided again.
        var isOrderLost: Bool
        /// Whether all lines of a log are there.
        var isWhole: (SequenceCheck.Writer) -> Bool
    }

    private let declared: MergeRules?
    private let auditRules: AuditRules?
    private let otherwise: AuditRules
    private(set) var history = RecordedHistory()
    /// Which writes go together.
    var masses: MassEffectCheck
    /// The rules that replicas' lines name, and those that the lines of each file of another kind name.
    private var fleetRules = RecordedRules()
    private var fileRules: [Int32: RecordedRules] = [:]
    /// What the logs of audits state, as long as all of them state the same.
    private var stated = StatedRules()
    /// Lines with which something is known to be wrong, so that they need no further finding.
    private var flawed: Set<LineLocation> = []
    private var explained: Set<ConflictID> = []

    /// Whether a line tells of a conflict that the hub's order decided.
    private(set) var hasArrivalDecisions = false

    /// The lines that tell of a conflict, and how many of them could be held against their writes.
    private(set) var lines = 0
    private(set) var held = 0

    init(declared: MergeRules?, auditRules: AuditRules?, otherwise: AuditRules, masses: MassEffectCheck) {
        self.declared = declared
        self.otherwise = otherwise
        self.masses = masses
        self.auditRules = auditRules
    }

    // MARK: Lines

    mutating func observe(_ write: TaggedWrite, _ line: AuditLine, at location: LineLocation) { history.observe(write, line, at: location) }

    mutating func observeStart(_ line: AuditLine, at location: LineLocation) { history.observeStart(line, at: location) }

    mutating func observeOther(_ line: AuditLine, at location: LineLocation) { history.observeOther(line, at: location) }

    /// - Throws: `ValueProblem` where rules that a log states mean nothing.
    mutating func observeRules(_ event: AuditEvent, at location: LineLocation) throws(ValueProblem) {
        guard case .rules(let value) = event.content else { return }
        try fileRules[location.file, default: RecordedRules()].stated.record(value)
        try stated.record(value)
    }

    /// The rules that somebody says hold, or that all logs of audits state alike.
    var mergeRules: MergeRules? { declared ?? stated.configuration?.mergeRules }

    /// - Parameter isStampWrong: Whether the line contradicts itself on its times, so that deciding it again says nothing.
    mutating func observe(
        _ conflict: Conflict, _ line: AuditLine, at location: LineLocation, isStampWrong: Bool, _ findings: inout FindingList
    ) {
        lines += 1
        // What a server's rows show was read and not decided: there is nothing to decide again.
        guard conflict.versions == nil else { return }
        if conflict.isDecidedByArrival { hasArrivalDecisions = true }
        history.observe(conflict, line, at: location)
        if line.source != nil, line.source != .auditOfTrace {
            fleetRules.observe(conflict, at: location)
        } else {
            fileRules[location.file, default: RecordedRules()].observe(conflict, at: location)
        }
        var isFlawed = isStampWrong
        if !isStampWrong, let declared, let problem = undeclared(conflict, declared) {
            let register = EventText.register(conflict.key, conflict.field)
            findings.add(
                .decision, of: Self.subject(conflict.id), at: location, about: conflict.key,
                "conflict \(conflict.id) over \(register): \(problem)")
            isFlawed = true
        }
        if isFlawed {
            flawed.insert(location)
            explained.insert(conflict.id)
        }
    }

    private func undeclared(_ conflict: Conflict, _ declared: MergeRules) -> String? {
        if conflict.kind == .uniqueKey || conflict.kind == .danglingReference { return nil }
        let name = declared.policyName(for: conflict.key.type, field: conflict.field)
        let isMixed = conflict.winner.operation != conflict.loser.operation
        if conflict.policy == name || isMixed && conflict.policy == declared.deletes.name { return nil }
        return "it was decided by \(EventText.name(conflict.policy)), and \(isMixed ? declared.deletes.name : name) is declared"
    }

    /// What a finding about a write is known by.
    static func subject(_ dot: Dot) -> String { "write \(dot.sequence) of \(dot.device.rawValue)" }

    /// What a finding about a conflict is known by.
    static func subject(_ id: ConflictID) -> String { "conflict \(id)" }

    /// What a finding about a record or a field of it is known by.
    static func subject(_ key: RecordKey, _ field: FieldName?) -> String {
        "\(key.type.rawValue)/\(key.id.rawValue)" + (field.map { ".\($0.rawValue)" } ?? "")
    }

    static func name(_ dot: Dot) -> String { "write \(dot.sequence) of \(EventText.name(dot.device.rawValue))" }

    // MARK: At the end

    mutating func finish(_ flaws: Flaws, _ findings: inout FindingList) {
        history.sort()
        if flaws.isOrderLost { passOverArrivalDecisions() }
        let untrusted = Set(flaws.wrong.single.union(flaws.ambiguous).flatMap { history.contents(of: $0).map(\.key) })
        var problems: [Recomputation.Problem] = []
        // Of a log that tells of no write and no conflict there is nothing to decide again.
        let judged = history.logs.filter { $0.value.isReplicas && ($0.value.conflicts > 0 || !$0.value.numbers.isEmpty) }
        for (logName, log) in judged.ordered(by: { $0.key < $1.key }) {
            // Where the times of a whole file are off, nothing that follows from them says more.
            if log.entries.contains(where: { flaws.wrong.files.contains($0.location.file) }) { continue }
            if rules(of: logName.file).stated.configuration?.form == .saved { continue }
            problems += otherWindows(log)
            if logName.source == .auditOfTrace {
                problems += checkTrace(log, logName, flaws, untrusted)
            } else {
                problems += checkReplica(log, logName, flaws, untrusted)
            }
        }
        for problem in problems {
            if let id = problem.id { explained.insert(id) }
            findings.add(
                problem.kind, of: problem.id.map(Self.subject) ?? problem.sentence, at: problem.location, about: problem.key,
                problem.sentence)
        }
        compare(flaws, untrusted, &findings)
        for rules in [fleetRules] + fileRules.ordered(by: { $0.key < $1.key }).map(\.value) {
            for contradiction in rules.contradictions(declared: declared, name: findings.name) {
                findings.add(.decision, of: contradiction.subject, at: contradiction.location, contradiction.statement)
            }
        }
        SeenCheck(history).finish(&findings)
        masses.finish(history, &findings)
    }

    private mutating func passOverArrivalDecisions() {
        for (name, log) in history.logs {
            let rules = mergeRules(of: rules(of: name.file))
            for entry in log.entries {
                guard case .conflict(let number) = entry.content, case let conflict = history.conflicts[Int(number)],
                    rules.decideByArrival(conflict)
                else { continue }
                flawed.insert(entry.location)
                explained.insert(conflict.id)
            }
        }
    }

    /// The lines that tell of another window than most of those between two starts of their program.
    private func otherWindows(_ log: RecordedHistory.Log) -> [Recomputation.Problem] {
        var problems: [Recomputation.Problem] = []
        var run: [(conflict: Conflict, location: LineLocation)] = []
        func endRun() {
            let counts = run.reduce(into: [:]) { $0[$1.conflict.windowMilliseconds, default: 0] += 1 }
            if counts.count > 1, let (usual, count) = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), count * 2 > run.count {
                for (conflict, location) in run where conflict.windowMilliseconds != usual {
                    let sentence =
                        "conflict \(conflict.id) over \(EventText.register(conflict.key, conflict.field)): the window is told as "
                        + "\(conflict.windowMilliseconds) ms, and is \(usual) ms in the lines around it"
                    problems.append(
                        Recomputation.Problem(
                            kind: .decision, location: location, sentence: sentence, id: conflict.id, key: conflict.key))
                }
            }
            run = []
        }
        for entry in log.entries {
            switch entry.content {
            case .conflict(let number): run.append((history.conflicts[Int(number)], entry.location))
            case .start: endRun()
            default: break
            }
        }
        endRun()
        return problems
    }

    private func rules(of file: Int32?) -> RecordedRules { file.map { fileRules[$0] ?? RecordedRules() } ?? fleetRules }

    private func pairCheck(_ recorded: RecordedRules) -> PairCheck {
        let logged = loggedWinners(recorded)
        return PairCheck(rules: mergeRules(of: recorded, logged), logged: logged, history: history, reason: recorded.reasons)
    }

    private func loggedWinners(_ recorded: RecordedRules) -> LoggedWinners {
        LoggedWinners(intervals: lookedFor(recorded).intervals)
    }

    /// What was looked for.
    private func lookedFor(_ recorded: RecordedRules) -> AuditRules {
        auditRules ?? recorded.stated.configuration?.auditRules ?? otherwise
    }

    private func mergeRules(of recorded: RecordedRules, _ logged: LoggedWinners? = nil) -> MergeRules {
        recorded.mergeRules(declared: declared, intervals: lookedFor(recorded).intervals, logged: logged ?? loggedWinners(recorded))
    }

    /// Holds a line against its two writes.
    private mutating func check(
        _ conflict: Conflict, at location: LineLocation, _ pairs: PairCheck, _ untrusted: Set<RecordKey>,
        into problems: inout [Recomputation.Problem]
    ) {
        guard !flawed.contains(location) else { return }
        let isTrusted = !untrusted.contains(conflict.key) && !(conflict.related.map(untrusted.contains) ?? false)
        let outcome = pairs.check(conflict, trustsWrites: isTrusted)
        if outcome.hasWrites { held += 1 }
        if let problem = outcome.problem {
            let sentence = "conflict \(conflict.id) over \(EventText.register(conflict.key, conflict.field)): \(problem)"
            problems.append(
                Recomputation.Problem(kind: .decision, location: location, sentence: sentence, id: conflict.id, key: conflict.key))
        }
    }

    private mutating func checkReplica(
        _ log: RecordedHistory.Log, _ name: RecordedHistory.LogName, _ flaws: Flaws, _ untrusted: Set<RecordKey>
    ) -> [Recomputation.Problem] {
        let recorded = rules(of: name.file)
        let pairs = pairCheck(recorded)
        var problems: [Recomputation.Problem] = []
        var rest = log.entries[...]
        if isWhole(log, name, flaws) {
            let logged = loggedWinners(recorded)
            var again = Recomputation(
                history: history, rules: mergeRules(of: recorded, logged),
                auditRules: recorded.auditRules(lookedFor(recorded)), requiresOutsideWindow: recorded.logsOutsideWindow, logged: logged,
                reason: recorded.reasons, isOrderLost: flaws.isOrderLost, isTrusted: { !untrusted.contains($0) })
            var untold: [(Int32, LineLocation)] = []
            again.run(log, of: name.source, skips: { flawed.contains($0) }, untold: { untold.append(($0, $1)) })
            held += again.held
            problems = again.problems
            for (number, location) in untold { check(history.conflicts[Int(number)], at: location, pairs, untrusted, into: &problems) }
            rest = again.rewound.map { log.entries[$0...] } ?? []
        }
        for entry in rest {
            guard case .conflict(let number) = entry.content else { continue }
            check(history.conflicts[Int(number)], at: entry.location, pairs, untrusted, into: &problems)
        }
        return problems
    }

    /// Whether a log tells of all writes that its replica had, from the first on.
    private func isWhole(_ log: RecordedHistory.Log, _ name: RecordedHistory.LogName, _ flaws: Flaws) -> Bool {
        guard let source = name.source, !flaws.dropping.contains(source),
            flaws.isWhole(SequenceCheck.Writer(source: source, file: name.file)),
            log.numbers.values.allSatisfy({ $0.runs.count == 1 && $0.minimum == 1 }), reportsWrites(log)
        else { return false }
        return flaws.files.isEmpty || !log.entries.contains { flaws.files.contains($0.location.file) }
    }

    /// Whether a log tells of writes as well as of conflicts: of most of those that its conflicts name.
    private func reportsWrites(_ log: RecordedHistory.Log) -> Bool {
        var logged = 0
        for entry in log.entries {
            guard case .conflict(let number) = entry.content else { continue }
            let conflict = history.conflicts[Int(number)]
            let isTold = [conflict.winner.dot, conflict.loser.dot].allSatisfy { log.numbers[$0.device]?.contains($0.sequence) ?? false }
            logged += isTold ? 1 : -1
        }
        return logged > 0 || log.conflicts == 0
    }

    private mutating func checkTrace(
        _ log: RecordedHistory.Log, _ name: RecordedHistory.LogName, _ flaws: Flaws, _ untrusted: Set<RecordKey>
    ) -> [Recomputation.Problem] {
        let recorded = rules(of: name.file)
        let isWhole = name.source.map { flaws.isWhole(SequenceCheck.Writer(source: $0, file: name.file)) } ?? false
        let replicas = Set(history.logs.values.filter(\.isReplicas).map(\.number))
        // What was audited: a trace, or, where there are logs of devices beside it, perhaps these.
        var candidates = [history.arrivals.filter { !replicas.contains($0.log) }.map(\.write)]
        if candidates[0].count < history.arrivals.count { candidates.append(history.arrivals.map(\.write)) }
        var best: (again: TraceRecomputation, untold: [(Int32, LineLocation)])?
        func attempt(_ writes: [Int32], isInCausalOrder: Bool) -> TraceRecomputation {
            let logged = loggedWinners(recorded)
            let rules = mergeRules(of: recorded, logged)
            var again = TraceRecomputation(
                history: history, rules: rules, logged: logged, log: log, privacy: recorded.stated.configuration?.privacy ?? .full,
                reason: recorded.reasons)
            var untold: [(Int32, LineLocation)] = []
            again.run(
                writes, isInCausalOrder: isInCausalOrder, auditRules: recorded.auditRules(lookedFor(recorded)),
                requiresOutsideWindow: recorded.logsOutsideWindow, isWhole: isWhole,
                skips: { conflict, location in
                    location.map(flawed.contains) ?? false || untrusted.contains(conflict.key) || hidesValues(conflict, rules)
                        || flaws.isOrderLost && rules.decideByArrival(conflict)
                },
                untold: { untold.append(($0, $1)) })
            if best.map({ again.fits(betterThan: $0.again) }) ?? true { best = (again, untold) }
            return again
        }
        for writes in candidates where !writes.isEmpty {
            if !attempt(writes, isInCausalOrder: false).problems.isEmpty { _ = attempt(writes, isInCausalOrder: true) }
        }
        let pairs = pairCheck(recorded)
        var problems: [Recomputation.Problem] = []
        if let best, best.again.fitting > 0, best.again.fitting * 2 >= log.conflicts - best.untold.count {
            held += best.again.held
            problems = best.again.problems
            for (number, location) in best.untold { check(history.conflicts[Int(number)], at: location, pairs, untrusted, into: &problems) }
            return problems
        }
        for entry in log.entries {
            guard case .conflict(let number) = entry.content else { continue }
            check(history.conflicts[Int(number)], at: entry.location, pairs, untrusted, into: &problems)
        }
        return problems
    }

    /// Whether a conflict was decided by values that the trace leaves out.
    private func hidesValues(_ conflict: Conflict, _ rules: MergeRules) -> Bool {
        guard rules.policy(for: conflict.key.type, field: conflict.field).goesByValue else { return false }
        return [conflict.winner, conflict.loser].contains { side in
            guard let write = history.write(side.dot), let field = conflict.field, let value = write.value(of: field) else { return false }
            return Recoverability(ofValue: value) != .available
        }
    }

    // MARK: Devices against each other

    private mutating func compare(
        _ flaws: Flaws, _ untrusted: Set<RecordKey>, _ findings: inout FindingList
    ) {
        let name = findings.name
        var rulesOfFiles: [Int32?: MergeRules] = [:]
        for variants in history.variants {
            guard let first = variants.first else { continue }
            let (one, location) = (history.conflicts[first], history.firstLocations[first])
            guard !explained.contains(one.id), !flaws.wrong.files.contains(location.file) else { continue }
            for index in variants.dropFirst() {
                let (other, otherLocation) = (history.conflicts[index], history.firstLocations[index])
                let areOfFleet = !history.areFromTraces[first] && !history.areFromTraces[index]
                if flaws.wrong.files.contains(otherLocation.file) { continue }
                // A trace may have been audited by other rules than the devices'.
                if !areOfFleet, other.policy != one.policy { continue }
                let file = history.areFromTraces[index] ? otherLocation.file : nil
                let rules = rulesOfFiles[file] ?? mergeRules(of: rules(of: file))
                rulesOfFiles[file] = rules
                guard let difference = difference(other, one, rules, name(location)) else { continue }
                findings.add(.divergence, of: Self.subject(one.id), at: otherLocation, about: one.key, difference)
                break
            }
        }
    }

    /// Whether two values of one write cannot both be what it wrote; of a whole record a line may tell the fields alone that were still
    /// shown of it.
    private static func contradicts(_ value: FieldValue, _ other: FieldValue, isRecord: Bool) -> Bool {
        guard isRecord, let mine = value.object, let theirs = other.object else { return value != other }
        return mine.contains { field in theirs[field.name].map { $0 != field.value } ?? false }
    }

    /// How two lines of one conflict differ in what must be equal on every device: all but the side that was there first and what depends
    /// on other writes, the ancestor and the result.
    private func difference(_ one: Conflict, _ other: Conflict, _ rules: MergeRules, _ there: String) -> String? {
        func differs(_ what: String, _ mine: String, _ theirs: String) -> String {
            "the \(what) of conflict \(one.id) is \(EventText.name(mine)), and by \(there) it is \(EventText.name(theirs))"
        }
        let policy = rules.policy(for: one.key.type, field: one.field)
        let isCustom = policy.isToldOrCustom && MergeRules.Scope.policyName(one.policy) != MergePolicy.preferDevices([]).name
        // What an app's own rule chooses between two writes may depend on the others, and so may a later write's victory over a delete.
        let dependsOnOthers = isCustom || rules.deletes == .lastWriterWins && !policy.goesByTime
        if one.winner.dot != other.winner.dot {
            return dependsOnOthers
                ? nil
                : "the winner of conflict \(one.id) is \(Self.name(one.winner.dot)), and by \(there) it is \(Self.name(other.winner.dot))"
        }
        if one.key != other.key || one.field != other.field || one.related != other.related {
            return differs("record", EventText.register(one.key, one.field), EventText.register(other.key, other.field))
        }
        if one.loser.dot != other.loser.dot { return differs("loser", Self.name(one.loser.dot), Self.name(other.loser.dot)) }
        if one.kind != other.kind { return differs("kind", one.kind.rawValue, other.kind.rawValue) }
        if one.basis != other.basis { return differs("basis", one.basis.rawValue, other.basis.rawValue) }
        if one.policy != other.policy { return differs("policy", one.policy, other.policy) }
        for (mine, theirs, role) in [(one.winner, other.winner, "winner"), (one.loser, other.loser, "loser")] {
            if mine.operation != theirs.operation {
                return differs("\(role)'s operation", mine.operation.rawValue, theirs.operation.rawValue)
            }
            if let value = mine.value, let otherValue = theirs.value, Self.contradicts(value, otherValue, isRecord: one.field == nil),
                ConflictComparison.isKnown(value), ConflictComparison.isKnown(otherValue)
            {
                return differs("\(role)'s value", EventText.value(value), EventText.value(otherValue))
            }
        }
        if dependsOnOthers { return nil }
        if one.reason != other.reason { return differs("reason", one.reason.rawValue, other.reason.rawValue) }
        // Of plain numbers set at once one may be counted from or not.
        if one.severity != other.severity, !ConflictComparison.setsCounterTwice(one), !ConflictComparison.mayDifferByAncestor(one, other) {
            return differs("severity", one.severity.rawValue, other.severity.rawValue)
        }
        return nil
    }
}

extension Conflict {
    /// Whether the line says that the hub's order decided who won.
    fileprivate var isDecidedByArrival: Bool { MergeRules.Scope.policyName(policy) == MergePolicy.lastArrivalWins.name }
}

extension MergeRules {
    /// Whether a conflict depends on the hub's order: by that it was decided, or one of several puts was the one that a delete was held
    /// against.
    func decideByArrival(_ conflict: Conflict) -> Bool {
        if case .lastArrivalWins = policy(for: conflict.key.type, field: conflict.field) { true } else { conflict.isDecidedByArrival }
    }
}
