import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// Makes the conflicts that `syncaudit audit` found in a trace again, and holds its lines against them.
///
/// Its output does not say which writes it was given; whoever asks tries, and sees how many lines fit.
///
/// - Complexity: that of merging the writes; memory as for an audit of them, and for the lines.
struct TraceRecomputation {
    /// The lines that name a conflict which the writes make.
    private(set) var fitting = 0
    private(set) var problems: [Recomputation.Problem] = []
    private(set) var held = 0

    /// Whether more lines fit than in another attempt, or as many with less that is wrong.
    func fits(betterThan other: TraceRecomputation) -> Bool {
        (fitting, other.problems.count) > (other.fitting, problems.count)
    }

    private struct Line {
        let conflict: Int32
        let position: Int
        let location: LineLocation
        var isMet = false
    }

    private let history: RecordedHistory
    private let rules: MergeRules
    private let logged: LoggedWinners
    private let privacy: ValuePrivacy
    private let reason: (Conflict) -> Conflict.Reason?
    private var lines: [ConflictID: Line] = [:]
    private var linesByDot: [Dot: [Int32]] = [:]
    private var missing: [(after: Int, location: LineLocation?, conflict: Conflict)] = []
    private var last = -1
    private var lastLocation: LineLocation?

    private static let limit = 1000

    init(
        history: RecordedHistory, rules: MergeRules, logged: LoggedWinners, log: RecordedHistory.Log, privacy: ValuePrivacy,
        reason: @escaping (Conflict) -> Conflict.Reason?
    ) {
        (self.reason, self.privacy) = (reason, privacy)
        self.history = history
        self.rules = rules
        self.logged = logged
        let asksTold = rules.asksTold
        for (position, entry) in log.entries.enumerated() {
            guard case .conflict(let number) = entry.content else { continue }
            let conflict = history.conflicts[Int(number)]
            if lines[conflict.id] != nil {
                add(.duplicate, entry.location, "\(Self.name(conflict)) is there twice", conflict)
            } else {
                lines[conflict.id] = Line(conflict: number, position: position, location: entry.location)
                if asksTold { for dot in [conflict.winner.dot, conflict.loser.dot] { linesByDot[dot, default: []].append(number) } }
            }
        }
    }

    /// Goes through the writes.
    ///
    /// - Parameters:
    ///   - isInCausalOrder: Whether the writes are taken in causal order, as an audit takes those of a trace that is in another.
    ///   - isWhole: Whether no line of the log is known to be missing, so that what is not told was not found.
    ///   - skips: Whether something else is known to be wrong with a line or a record.
    mutating func run(
        _ writes: [Int32], isInCausalOrder: Bool, auditRules: AuditRules, requiresOutsideWindow: Bool, isWhole: Bool,
        skips: (Conflict, LineLocation?) -> Bool, untold: (Int32, LineLocation) -> Void
    ) {
        let hashKey = HashKey()
        var auditor = TraceAuditor(mergeRules: rules, auditRules: auditRules, hashKey: hashKey)
        var arrived: Set<Dot> = []
        var circles = SeenCircles()
        for number in isInCausalOrder ? ordered(writes) : writes {
            let write = history.writes[Int(number)]
            let isOpen = write.isNumbered && circles.observe(write, at: 0).isOpen
            if logged.isCrowded(write.key) { continue }
            if !linesByDot.isEmpty {
                let possible = (linesByDot[write.dot] ?? []).map { history.conflicts[Int($0)] }.filter { line in
                    arrived.contains(line.winner.dot == write.dot ? line.loser.dot : line.winner.dot)
                }
                logged.expect(possible, on: write)
                arrived.insert(write.dot)
            }
            for conflict in auditor.observe(write, hash: write.recordHash(hashKey), isOpen: isOpen)
            where conflict.withinWindow || requiresOutsideWindow {
                observe(conflict, skips)
            }
        }
        // Behind the last line that fits, the trace may have grown since.
        for one in missing where isWhole && one.after < last {
            guard let location = one.location ?? lastLocation else { continue }
            let register = EventText.register(one.conflict.key, one.conflict.field)
            add(
                .missingConflict, location, "after this line, none tells of conflict \(one.conflict.id) over \(register)",
                about: one.conflict.key)
        }
        for line in lines.values.filter({ !$0.isMet }).ordered(by: { $0.position < $1.position }) {
            let conflict = history.conflicts[Int(line.conflict)]
            if skips(conflict, line.location) || logged.isCrowded(conflict.key) {
                untold(line.conflict, line.location)
            } else {
                add(
                    .decision, line.location,
                    "\(Self.name(conflict)): its writes, merged again in the order of the trace, bring no such conflict to light",
                    conflict)
            }
        }
    }

    private func ordered(_ writes: [Int32]) -> [Int32] {
        var order = CausalOrder()
        for number in writes { order.append(history.writes[Int(number)]) }
        return order.lines().map { writes[$0] }
    }

    private mutating func observe(_ made: Conflict, _ skips: (Conflict, LineLocation?) -> Bool) {
        guard var line = lines[made.id], !line.isMet else {
            if lines[made.id] == nil, missing.count < Self.limit, !skips(made, nil) { missing.append((last, lastLocation, made)) }
            return
        }
        let logged = history.conflicts[Int(line.conflict)]
        if skips(logged, line.location) { return }
        line.isMet = true
        lines[made.id] = line
        fitting += 1
        held += 1
        var comparison = ConflictComparison(line: logged, made: made, certainty: .whole)
        comparison.loggedPolicy = rules.loggedPolicy(of: logged)
        comparison.reason = reason(logged)
        comparison.privacy = privacy
        if let problem = comparison.difference {
            add(.decision, line.location, "\(Self.name(logged)): \(problem)", logged)
        } else if line.position < last {
            add(.order, line.location, "\(Self.name(logged)) comes after another that the trace brings to light later", logged)
        }
        if line.position > last { (last, lastLocation) = (line.position, line.location) }
    }

    private static func name(_ conflict: Conflict) -> String {
        "conflict \(conflict.id) over \(EventText.register(conflict.key, conflict.field))"
    }

    private mutating func add(
        _ kind: CheckFinding.Kind, _ location: LineLocation, _ sentence: @autoclosure () -> String, _ told: Conflict? = nil,
        about key: RecordKey? = nil
    ) {
        guard problems.count < Self.limit else { return }
        problems.append(Recomputation.Problem(kind: kind, location: location, sentence: sentence(), id: told?.id, key: told?.key ?? key))
    }
}
