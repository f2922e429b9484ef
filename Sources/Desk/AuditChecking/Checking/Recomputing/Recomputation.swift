import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// Makes the conflicts of a replica's log again from the writes in it, in the order in which they arrived, and holds its lines against
/// them.
///
/// - Complexity: that of merging the writes; memory as for an audit of them.
struct Recomputation {
    /// A conflict that the latest write must bring to light, as soon as a line tells of it.
    private struct Due {
        let conflict: Conflict
        /// Its position among all that the write brings to light.
        let position: Int
    }

    /// A conflict that a line has told of.
    private struct Told {
        let conflict: Int32
        /// How many starts of the program came before.
        let starts: Int
        /// The same of the line that tells of the app's decision.
        var decided: Int?
    }

    private let history: RecordedHistory
    private let rules: MergeRules
    private let auditRules: AuditRules
    private let requiresOutsideWindow: Bool
    private let logged: LoggedWinners
    private let asksTold: Bool
    private let isOrderLost: Bool
    private let isTrusted: (RecordKey) -> Bool
    private let reason: (Conflict) -> Conflict.Reason?
    private var auditor: TraceAuditor

    private var due: [ConflictID: Due] = [:]
    private var position = -1
    private var dueDecisions: [ConflictID: (conflict: Conflict, result: FieldValue?)] = [:]
    private var active: [RecordKey: [Conflict]] = [:]
    private var known: [ConflictID: Told] = [:]
    private var arrived: [DeviceID: NumberSet] = [:]
    private var arrivedSinceStart: [DeviceID: NumberSet] = [:]
    private var deleted: Set<RecordKey> = []
    /// For each record that was not shown at some time, what had been written to it by the latest such time: a replica may have forgotten
    /// that.
    private var buried: [RecordKey: VersionVector] = [:]
    /// Conflicts of whose ancestor that is true.
    private var lackingAncestor: Set<ConflictID> = []
    /// Records in which values are left out that decide, or more is concurrent than is looked at.
    private var unjudged: Set<RecordKey> = []
    private var starts = 0
    private var isStarting = false
    private var latest: (write: TaggedWrite, location: LineLocation)?

    /// Lines that were held against the writes.
    private(set) var held = 0
    /// What is wrong, with the line or the write whose line is missing.
    private(set) var problems: [Problem] = []
    /// From which entry on the log tells of a store that was put back to an earlier state, or whose unsent writes got other names, so that
    /// what it had merged is not known.
    private(set) var rewound: Int?

    /// Something wrong.
    struct Problem {
        let kind: CheckFinding.Kind
        let location: LineLocation
        let sentence: String
        /// The conflict, where a line tells of it.
        var id: ConflictID?
        /// The record that the sentence names.
        var key: RecordKey?
    }

    /// The most conflicts that may wait in one record for it to be judged.
    private static let activeLimit = 256
    /// The most that are kept of what is wrong in one log.
    private static let limit = 1000

    /// - Parameters:
    ///   - reason: What is known of the reason of a conflict by a list of devices that nobody gave.
    ///   - isOrderLost: Whether the hub's order has changed, so that what it decided cannot be decided again.
    ///   - isTrusted: Whether nothing is known to be wrong with the writes to a record.
    init(
        history: RecordedHistory, rules: MergeRules, auditRules: AuditRules, requiresOutsideWindow: Bool, logged: LoggedWinners,
        reason: @escaping (Conflict) -> Conflict.Reason?, isOrderLost: Bool, isTrusted: @escaping (RecordKey) -> Bool
    ) {
        self.history = history
        self.rules = rules
        self.auditRules = auditRules
        self.requiresOutsideWindow = requiresOutsideWindow
        self.logged = logged
        asksTold = rules.asksTold
        self.isOrderLost = isOrderLost
        self.isTrusted = isTrusted
        self.reason = reason
        auditor = TraceAuditor(mergeRules: rules, auditRules: auditRules, isReplica: true)
    }

    // MARK: Lines in order

    /// Goes through a log.
    ///
    /// - Parameters:
    ///   - device: The device that wrote it.
    ///   - skips: Whether something else is known to be wrong with a conflict's line.
    ///   - untold: Takes the lines that were not held against the writes.
    mutating func run(
        _ log: RecordedHistory.Log, of device: DeviceID?, skips: (LineLocation) -> Bool, untold: (Int32, LineLocation) -> Void
    ) {
        for (index, entry) in log.entries.enumerated() {
            switch entry.content {
            case .start:
                starts += 1
                isStarting = true
                arrivedSinceStart.removeAll(keepingCapacity: true)
            case .other: isStarting = false
            case .write(let number):
                let write = history.writes[Int(number)]
                if arrived[write.dot.device]?.contains(write.dot.sequence) ?? false {
                    guard repeats(write, at: entry.location) else {
                        rewound = index
                        return
                    }
                } else if let device, write.dot.device.isLaterWriter(of: device) {
                    missing()
                    rewound = index
                    return
                } else {
                    isStarting = false
                    missing()
                    arrive(write, at: entry.location, followed: log.entries[(index + 1)...])
                }
                _ = arrivedSinceStart[write.dot.device, default: NumberSet()].insert(write.dot.sequence)
            case .conflict(let number):
                let conflict = history.conflicts[Int(number)]
                if skips(entry.location) || !isTrusted(conflict.key) || unjudged.contains(conflict.key) {
                    due[conflict.id] = nil
                    dueDecisions[conflict.id] = conflict.resolution == .manualResolved ? nil : dueDecisions[conflict.id]
                    if known[conflict.id] == nil { known[conflict.id] = Told(conflict: number, starts: starts) }
                    untold(number, entry.location)
                } else {
                    observe(conflict, number, at: entry.location)
                }
            }
        }
        // What the latest write brings to light may have been cut off with the end of the log.
        if case .write? = log.entries.last?.content { return }
        if case .conflict? = log.entries.last?.content { return }
        missing()
    }

    /// Takes a write that had arrived.
    ///
    /// - Returns: False where the store must have been put back: a program that starts again repeats nothing but what it had told last.
    private mutating func repeats(_ write: TaggedWrite, at location: LineLocation) -> Bool {
        if arrivedSinceStart[write.dot.device]?.contains(write.dot.sequence) ?? false {
            add(.duplicate, location, "\(DecisionCheck.name(write.dot)) is there twice, without a start of the program between")
            return true
        }
        return isStarting
    }

    private mutating func arrive(_ write: TaggedWrite, at location: LineLocation, followed: ArraySlice<RecordedHistory.Entry>) {
        _ = arrived[write.dot.device, default: NumberSet()].insert(write.dot.sequence)
        latest = (write, location)
        position = -1
        if hidesValues(write) { unjudged.insert(write.key) }
        guard isTrusted(write.key), !unjudged.contains(write.key), !logged.isCrowded(write.key) else { return }
        if asksTold { logged.expect(lines(followed), on: write) }
        let conflicts = auditor.observe(write)
        if logged.isCrowded(write.key) {
            unjudged.insert(write.key)
            return
        }
        if write.isDelete { deleted.insert(write.key) }
        if deleted.contains(write.key) { bury(write.key, conflicts) }
        if !active.isEmpty { decide(write) }
        for (position, conflict) in conflicts.enumerated() {
            if conflict.resolution == .manualPending {
                for key in Set([conflict.key, conflict.related ?? conflict.key]) {
                    active[key, default: []].append(conflict)
                    // Each write looks at all of them.
                    if active[key]?.count ?? 0 > Self.activeLimit { unjudged.insert(key) }
                }
            }
            if isOrderLost, rules.decideByArrival(conflict) { continue }
            if conflict.withinWindow || requiresOutsideWindow { due[conflict.id] = Due(conflict: conflict, position: position) }
        }
    }

    /// Notes which conflicts may lack their ancestor, since the record had been deleted in between, and whether the record is deleted now.
    private mutating func bury(_ key: RecordKey, _ conflicts: [Conflict]) {
        guard let state = auditor.state(of: key) else { return }
        if let buried = buried[key] {
            for conflict in conflicts where conflict.ancestor != nil && conflict.related == nil {
                guard let winner = history.write(conflict.winner.dot), let loser = history.write(conflict.loser.dot),
                    let ancestor = state.ancestor(of: winner, loser, in: conflict.field, rules: rules), !buried.covers(ancestor.dot)
                else {
                    lackingAncestor.insert(conflict.id)
                    continue
                }
            }
        }
        guard !state.isShown(rules: rules) else { return }
        var written = buried[key] ?? VersionVector()
        for write in state.maximalWrites(of: nil, rules: rules) {
            written.insert(write.dot)
            if let seen = write.seen { written.formUnion(seen) }
        }
        buried[key] = written
    }

    /// The conflicts told of until the next new write.
    private func lines(_ followed: ArraySlice<RecordedHistory.Entry>) -> [Conflict] {
        var lines: [Conflict] = []
        for entry in followed {
            switch entry.content {
            case .write(let number):
                let dot = history.writes[Int(number)].dot
                guard arrived[dot.device]?.contains(dot.sequence) ?? false else { return lines }
            case .conflict(let number):
                let conflict = history.conflicts[Int(number)]
                if known[conflict.id] == nil { lines.append(conflict) }
            case .start, .other: break
            }
        }
        return lines
    }

    /// Whether a write's values are left out although what is decided depends on them.
    private func hidesValues(_ write: TaggedWrite) -> Bool {
        guard let fields = write.fields else { return false }
        return fields.contains { field in
            rules.policy(for: write.key.type, field: field.name).goesByValue && Recoverability(ofValue: field.value) != .available
        }
    }

    // MARK: Conflicts

    private mutating func observe(_ conflict: Conflict, _ number: Int32, at location: LineLocation) {
        let name = "conflict \(conflict.id) over \(EventText.register(conflict.key, conflict.field))"
        if conflict.resolution == .manualResolved {
            observeDecision(conflict, at: location, name)
            return
        }
        if let due = due.removeValue(forKey: conflict.id) {
            held += 1
            known[conflict.id] = Told(conflict: number, starts: starts)
            if let problem = comparison(conflict, due.conflict).difference {
                add(.decision, location, "\(name): \(problem)", conflict)
            } else if due.position < position {
                add(.order, location, "\(name) comes after another that its write brought to light later", conflict)
            }
            position = max(position, due.position)
        } else if let logged = known[conflict.id] {
            if logged.starts == starts {
                add(.duplicate, location, "\(name) is there twice, without a start of the program between", conflict)
            } else if !conflict.isLike(history.conflicts[Int(logged.conflict)]) {
                add(.decision, location, "\(name) is repeated otherwise than it was told before", conflict)
            } else {
                held += 1
            }
            known[conflict.id] = Told(conflict: logged.conflict, starts: starts, decided: logged.decided)
        } else if conflict.withinWindow || requiresOutsideWindow || conflict.gapMilliseconds <= auditRules.windowMilliseconds {
            known[conflict.id] = Told(conflict: number, starts: starts)
            let problem = unexpected(conflict)
            add(.decision, location, "\(name): \(problem)", conflict)
        }
    }

    private func comparison(_ line: Conflict, _ made: Conflict) -> ConflictComparison {
        var comparison = ConflictComparison(line: line, made: made, certainty: .whole)
        comparison.loggedPolicy = rules.loggedPolicy(of: line)
        comparison.mayLackAncestor = lackingAncestor.contains(made.id)
        comparison.reason = reason(line)
        return comparison
    }

    private func unexpected(_ conflict: Conflict) -> String {
        let keys = conflict.related.map { min(conflict.key, $0) } ?? conflict.key
        if ConflictID(key: keys, field: conflict.field, dots: (conflict.winner.dot, conflict.loser.dot)) != conflict.id {
            return "the id is not that of the record, field and writes that the line names"
        }
        for side in [conflict.winner, conflict.loser] where !(arrived[side.dot.device]?.contains(side.dot.sequence) ?? false) {
            return "\(DecisionCheck.name(side.dot)) had not arrived"
        }
        return "its writes, merged again in the order in which they arrived, bring no such conflict to light here"
    }

    /// Names the conflicts that the latest write brought to light and no line tells of.
    private mutating func missing() {
        guard !due.isEmpty || !dueDecisions.isEmpty, let latest else { return }
        for one in due.values.ordered(by: { $0.position < $1.position }) {
            let conflict = one.conflict
            let (mine, other) = (conflict.winner.dot, conflict.loser.dot)
            add(
                .missingConflict, latest.location,
                "\(DecisionCheck.name(mine)) and \(DecisionCheck.name(other)) are in conflict over "
                    + "\(EventText.register(conflict.key, conflict.field)), and no line tells of conflict \(conflict.id)",
                about: conflict.key)
        }
        for (id, _) in dueDecisions.ordered(by: { $0.key < $1.key }) {
            let write = DecisionCheck.name(latest.write.dot)
            add(.missingConflict, latest.location, "\(write) decided conflict \(id), and no line tells of it")
        }
        due.removeAll(keepingCapacity: true)
        dueDecisions.removeAll(keepingCapacity: true)
    }

    // MARK: The app's decisions

    /// Closes the conflicts that waited for the app and that a write has decided.
    private mutating func decide(_ write: TaggedWrite) {
        guard let waiting = active[write.key] else { return }
        for conflict in waiting where !isOpen(conflict) {
            for key in Set([conflict.key, conflict.related ?? conflict.key]) {
                active[key]?.removeAll { $0.id == conflict.id }
                if active[key]?.isEmpty == true { active[key] = nil }
            }
            guard conflict.withinWindow || requiresOutsideWindow else { continue }
            let shown = auditor.state(of: conflict.key)?.shown(rules: rules)
            let result = conflict.field.map { shown?[$0] } ?? shown.map(FieldValue.object)
            dueDecisions[conflict.id] = (conflict, result)
        }
    }

    private func isOpen(_ conflict: Conflict) -> Bool {
        let keys = conflict.related.map { conflict.kind == .danglingReference ? ($0, conflict.key) : (conflict.key, $0) }
        guard let (winner, loser) = keys else {
            return auditor.state(of: conflict.key)?.areMaximal(conflict.winner.dot, conflict.loser.dot, in: conflict.field, rules: rules)
                ?? false
        }
        let winnersField = conflict.kind == .danglingReference ? nil : conflict.field
        return auditor.state(of: winner)?.winner(of: winnersField, rules: rules)?.dot == conflict.winner.dot
            && auditor.state(of: loser)?.winner(of: conflict.field, rules: rules)?.dot == conflict.loser.dot
    }

    private mutating func observeDecision(_ conflict: Conflict, at location: LineLocation, _ name: String) {
        if let (made, result) = dueDecisions.removeValue(forKey: conflict.id) {
            held += 1
            known[conflict.id]?.decided = starts
            var right = made
            right.result = result
            if let problem = comparison(conflict, made).difference {
                add(.decision, location, "\(name): \(problem)", conflict)
            } else if conflict.result != result, conflict.result.map(ConflictComparison.isKnown) ?? (conflict.winner.value != nil),
                result.map(ConflictComparison.isKnown) ?? true
            {
                add(.decision, location, "\(name): the result is not what is shown since", conflict)
            }
        } else if known[conflict.id]?.decided == starts {
            add(.duplicate, location, "\(name) is told as decided twice, without a start of the program between", conflict)
        } else if known[conflict.id]?.decided != nil {
            held += 1
            known[conflict.id]?.decided = starts
        } else {
            add(.decision, location, "\(name): no write had decided it", conflict)
        }
    }

    private mutating func add(
        _ kind: CheckFinding.Kind, _ location: LineLocation, _ sentence: @autoclosure () -> String, _ told: Conflict? = nil,
        about key: RecordKey? = nil
    ) {
        guard problems.count < Self.limit else { return }
        problems.append(Problem(kind: kind, location: location, sentence: sentence(), id: told?.id, key: told?.key ?? key))
    }
}

extension Conflict {
    /// Whether another line tells of the same conflict alike; whether it has been decided since does not matter.
    fileprivate func isLike(_ other: Conflict) -> Bool {
        kind == other.kind && severity == other.severity && basis == other.basis && winner == other.winner && loser == other.loser
            && ancestor == other.ancestor && gapMilliseconds == other.gapMilliseconds && policy == other.policy && reason == other.reason
            && result == other.result && withinWindow == other.withinWindow && resolution == other.resolution
    }
}
