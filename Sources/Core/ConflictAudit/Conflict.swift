public import SyncMerge
public import SyncModel

/// One register, one winner, one loser, the evidence, and what became of the losing value.
///
/// ```swift
/// for conflict in auditor.observe(write) where conflict.severity.isLoss {
///     print(conflict.key, conflict.field ?? "", "lost:", conflict.loser.value ?? "")
/// }
/// ```
public struct Conflict: Hashable, Sendable {
    /// The kind of a conflict, by its two writes.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Two puts to the same field.
        case updateUpdate = "update_update"
        /// The same, when both writers had seen nothing of the record: one identity created twice.
        case insertInsert = "insert_insert"
        /// A delete and a put; one conflict for each field concerned.
        case deleteUpdate = "delete_update"
        /// Two deletes of one record.
        case deleteDelete = "delete_delete"
        /// Two puts to different fields of one record.
        case disjointUpdate = "disjoint_update"
        /// Two records with one value of a field that is declared unique.
        case uniqueKey = "unique_key"
        /// A put that refers to a record which was deleted concurrently.
        case danglingReference = "dangling_reference"
    }

    /// The evidence that neither writer had seen the other's write, best first.
    public enum Basis: String, Hashable, Sendable, CaseIterable, Comparable {
        /// Proven by what both writes say of what their writers had seen.
        case causal
        /// Proven by a common ancestor that a server reported.
        case ancestor
        /// Suspected: each was made before the hub had received the other.
        ///
        /// That is as good as proof where the hub is the only way between the devices and their clocks differ from its own by less than the
        /// tolerance.
        case arrival
        /// Suspected: a row that was saved whole repeats what an older version showed, and not what was current.
        case content
        /// Suspected from timestamps alone.
        case window

        /// Whether neither clocks nor the ways between devices were taken on trust.
        package var isProof: Bool { self <= .ancestor }

        /// Whether the left is better known.
        public static func < (left: Basis, right: Basis) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .causal: 0
            case .ancestor: 1
            case .arrival: 2
            case .content: 3
            case .window: 4
            }
        }
    }

    /// The cost of a conflict, mildest first.
    public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
        /// Both sides wanted the same, or the loser only repeated what both had seen.
        case benign
        /// Both sides were kept.
        case merged
        /// A value was discarded.
        case lossy
        /// A delete discarded edits.
        case destructive
        /// Replicas disagree afterwards.
        case divergent

        /// Whether the left is milder.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        /// Whether something that a person entered is no longer shown.
        public var isLoss: Bool { self >= .lossy }

        private var rank: Int {
            switch self {
            case .benign: 0
            case .merged: 1
            case .lossy: 2
            case .destructive: 3
            case .divergent: 4
            }
        }
    }

    /// The resolution of a conflict.
    public enum Resolution: String, Hashable, Sendable, CaseIterable {
        /// The write that was there first stayed.
        case keepLocal = "keep_local"
        /// The arriving write took over.
        case applyRemote = "apply_remote"
        /// Both sides went into the result.
        case merged
        /// Waits for the app to decide.
        case manualPending = "manual_pending"
        /// The app decided.
        case manualResolved = "manual_resolved"
        /// The losing value was written again later.
        case restored

        /// Whether no person had to decide.
        public var isAutomatic: Bool {
            switch self {
            case .keepLocal, .applyRemote, .merged: true
            case .manualPending, .manualResolved, .restored: false
            }
        }
    }

    /// Why the winner won.
    public typealias Reason = MergeDecision.Reason

    /// One of the two writes.
    public struct Side: Hashable, Sendable {
        /// The operation of the write.
        public enum Operation: String, Hashable, Sendable, CaseIterable {
            /// It set fields.
            case put
            /// It removed the record.
            case delete
        }

        /// The write's name.
        public let dot: Dot
        /// The device's clock when it was made.
        public let timestamp: HybridTimestamp
        /// The operation of the write.
        public let operation: Operation
        /// The value written: the field's, or an object of all fields written where the register is the whole record.
        ///
        /// Nil for a delete and where the log's privacy rules left it out.
        public var value: FieldValue? {
            get { written?.value }
            set { written = newValue.map(WrittenValue.init) }
        }

        /// The value as the write holds it.
        package private(set) var written: WrittenValue?
        /// The version of the app that made the write, where it says so.
        public let app: String?

        /// Describes one of the two writes.
        public init(dot: Dot, timestamp: HybridTimestamp, operation: Operation, value: FieldValue?, app: String? = nil) {
            self.init(dot: dot, timestamp: timestamp, operation: operation, written: value.map(WrittenValue.init), app: app)
        }

        init(dot: Dot, timestamp: HybridTimestamp, operation: Operation, written: WrittenValue?, app: String?) {
            self.dot = dot
            self.timestamp = timestamp
            self.operation = operation
            self.written = written
            self.app = app
        }
    }

    /// The identifier, equal on every device that saw this conflict.
    public let id: ConflictID
    /// The kind of a conflict, by its two writes.
    public let kind: Kind
    /// The cost of the conflict.
    public var severity: Severity
    /// The evidence of the conflict.
    public let basis: Basis
    /// The record.
    public let key: RecordKey
    /// The field, nil where the register is the whole record.
    public let field: FieldName?
    /// The other record of a `unique_key` or `dangling_reference` conflict.
    public let related: RecordKey?
    /// The write that is shown.
    public var winner: Side
    /// The write that is not.
    public var loser: Side
    /// The value that both sides had seen, where it is known.
    public var ancestor: FieldValue? {
        get { writtenAncestor?.value }
        set { writtenAncestor = newValue.map(WrittenValue.init) }
    }

    /// The same as the write holds it that both sides had seen.
    package private(set) var writtenAncestor: WrittenValue?
    /// The merged value, where both sides went into it.
    public var result: FieldValue?
    /// The time between the two timestamps, in whole milliseconds, 0 or more.
    public var gap: Duration { .milliseconds(gapMilliseconds) }
    /// The window, in whole milliseconds.
    public var window: Duration { .milliseconds(windowMilliseconds) }

    package let gapMilliseconds: Int64
    package let windowMilliseconds: Int64
    /// The name of the policy that decided.
    public let policy: String
    /// The resolution of the conflict.
    public internal(set) var resolution: Resolution
    /// Why the winner won.
    public let reason: Reason
    /// What else is so of it.
    package var flags: Flags
    /// What few conflicts have; at most one element, so that the others pay for a pointer.
    private var additions: [Additions] = []

    private struct Additions: Hashable, Sendable {
        var versions: SavedVersions?
        var name: RecordName?
    }

    /// The versions between which the edit was lost, where a table of saved rows tells.
    public var versions: SavedVersions? {
        get { additions.first?.versions }
        set { change { $0.versions = newValue } }
    }

    /// What people called the record when the conflict was found, see ``AuditRules/displayFields``; nil where that is not known.
    ///
    /// It is a value of the record, and left out of a log as the values of its field are.
    public var name: RecordName? {
        get { additions.first?.name }
        set { change { $0.name = newValue } }
    }

    private mutating func change(_ body: (inout Additions) -> Void) {
        var changed = additions.first ?? Additions()
        body(&changed)
        additions = changed == Additions() ? [] : [changed]
    }

    /// Whether the gap is no longer than the window.
    public var withinWindow: Bool { flags[.withinWindow] }
    /// Whether the winner may owe its victory to a wrong clock.
    public var clockSuspect: Bool { flags[.clockSuspect] }
    /// Whether the winning put only repeated what both had seen, and the loser's was an edit: a save of a whole form put the old value
    /// back.
    public var isStale: Bool { flags[.stale] }
    /// Whether the winning put removed the field that the loser's edited, so that nothing is shown there.
    public var isCleared: Bool { flags[.cleared] }
    /// Whether every edit that was lost had been lost in an earlier conflict over the register: the loser only saved them again.
    public var isRepeated: Bool { flags[.repeated] }

    /// Whether what differs is nothing that anybody edits: a time that every save sets, a version that it counts up.
    public var isBookkeeping: Bool { flags[.bookkeeping] }

    /// The time at which the conflict arose: the later of its two timestamps.
    public var time: WallTime { WallTime(millisecondsSince1970: milliseconds) }

    package var milliseconds: Int64 { max(winner.timestamp.milliseconds, loser.timestamp.milliseconds) }

    /// Whether no person had to decide.
    public var isAutomatic: Bool { resolution.isAutomatic }

    /// Whether the conflict is proven, not merely suspected.
    public var isProven: Bool { basis.isProof }

    /// Describes a conflict.
    public init(
        id: ConflictID, kind: Kind, severity: Severity, basis: Basis, key: RecordKey, field: FieldName?, related: RecordKey? = nil,
        winner: Side, loser: Side, ancestor: FieldValue? = nil, result: FieldValue? = nil, gap: Duration, withinWindow: Bool,
        window: Duration, policy: String, resolution: Resolution, reason: Reason, clockSuspect: Bool, isStale: Bool = false,
        isCleared: Bool = false, isRepeated: Bool = false, isBookkeeping: Bool = false
    ) {
        var flags = Flags()
        flags[.withinWindow] = withinWindow
        flags[.clockSuspect] = clockSuspect
        flags[.stale] = isStale
        flags[.cleared] = isCleared
        flags[.repeated] = isRepeated
        flags[.bookkeeping] = isBookkeeping
        self.init(
            id: id, kind: kind, severity: severity, basis: basis, key: key, field: field, related: related, winner: winner, loser: loser,
            writtenAncestor: ancestor.map(WrittenValue.init), result: result, gapMilliseconds: gap.wholeMilliseconds,
            windowMilliseconds: window.wholeMilliseconds, policy: policy, resolution: resolution, reason: reason, flags: flags)
    }

    package init(
        id: ConflictID, kind: Kind, severity: Severity, basis: Basis, key: RecordKey, field: FieldName?, related: RecordKey?,
        winner: Side, loser: Side, writtenAncestor: WrittenValue?, result: FieldValue?, gapMilliseconds: Int64,
        windowMilliseconds: Int64, policy: String, resolution: Resolution, reason: Reason, flags: Flags
    ) {
        self.id = id
        self.kind = kind
        self.severity = severity
        self.basis = basis
        self.key = key
        self.field = field
        self.related = related
        self.winner = winner
        self.loser = loser
        self.writtenAncestor = writtenAncestor
        self.result = result
        self.gapMilliseconds = gapMilliseconds
        self.windowMilliseconds = windowMilliseconds
        self.policy = policy
        self.resolution = resolution
        self.reason = reason
        self.flags = flags
    }
}

extension Conflict {
    /// Why a conflict is benign.
    package enum Harmlessness: Sendable {
        /// Both wanted the same.
        case equal
        /// The loser only repeated what both had seen.
        case repeated
        /// What differs is nothing that anybody edits.
        case bookkeeping
        /// Equal or repeated: values that would tell were left out.
        case either
    }

    /// Why it is benign; nil where it is not.
    package var harmlessness: Harmlessness? {
        guard severity == .benign else { return nil }
        if isBookkeeping { return .bookkeeping }
        if loser.operation == .delete { return .equal }
        if winner.operation == .delete { return .repeated }
        guard let lost = loser.value, let kept = winner.value else { return .either }
        if lost == kept { return .equal }
        guard field == nil, let lost = lost.object, let kept = kept.object else { return .repeated }
        return lost.allSatisfy { kept[$0.name] == $0.value } ? .equal : .repeated
    }

    /// The same with its values alone, so that keeping it does not keep all that the writes hold.
    var withoutWrites: Conflict {
        var conflict = self
        conflict.winner.value = winner.value
        conflict.loser.value = loser.value
        conflict.ancestor = ancestor
        return conflict
    }
}
