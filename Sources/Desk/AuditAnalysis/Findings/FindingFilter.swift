package import ConflictAudit
package import SyncModel

/// Which findings are passed over: those that are not of the records asked for, those that somebody ignores for a reason, and those that an
/// earlier check found.
///
/// - Complexity: O(1) for a finding. Memory grows with the findings that are recorded, where they are. A value type; its owner guards it.
package struct FindingFilter: Sendable {
    /// Findings that are ignored, and why.
    package struct Ignore: Hashable, Sendable {
        /// Their kind.
        package let kind: CheckFinding.Kind
        /// What they are about; nil for all of the kind.
        package let subject: String?
        /// Why they may be ignored.
        package let reason: String
        /// The last day on which they are; nil for ever.
        package let until: String?
        /// Whether that day is over, so that they are not ignored any more.
        package let isExpired: Bool

        /// Findings to be ignored.
        package init(_ kind: CheckFinding.Kind, subject: String? = nil, reason: String, until: String? = nil, isExpired: Bool = false) {
            (self.kind, self.reason, self.until, self.isExpired) = (kind, reason, until, isExpired)
            self.subject = subject.map { CheckFinding.Identity(kind, $0).subject }
        }
    }

    /// What an earlier check found.
    package struct Baseline: Sendable {
        /// How many findings there were of each identity.
        package var findings: [CheckFinding.Identity: Int] = [:]
        /// The conflicts that there were, by the numbers of their ids.
        package var conflicts: Set<UInt64> = []

        /// Nothing found.
        package init() {}
    }

    /// The records that are asked for; none where all are.
    package let records: Set<RecordKey>
    /// How many findings are about no record, and passed over where records are asked for.
    package private(set) var general = 0
    /// What is ignored.
    package let ignores: [Ignore]
    /// How many findings each of ``ignores`` is about.
    package private(set) var ignored: [Int]
    /// How many findings of each kind the baseline has.
    package private(set) var known: [CheckFinding.Kind: Int] = [:]
    /// What is found now, apart from what is ignored; nil where nobody asks.
    package private(set) var recorded: Baseline?

    private let byIdentity: [CheckFinding.Identity: Int]
    private let byKind: [CheckFinding.Kind: Int]
    private let baseline: Baseline?
    /// Those of the baseline that were not found yet.
    private var rest: [CheckFinding.Identity: Int]

    /// A filter.
    ///
    /// - Parameters:
    ///   - ignores: What is ignored. Of two entries about the same findings one that is not expired comes first, then that of fewer
    ///     findings.
    ///   - baseline: What an earlier check found; nil where everything counts as new.
    ///   - isRecorded: Whether what is found is recorded, to be a baseline.
    ///   - records: The only records whose findings and conflicts count; none for all.
    package init(
        _ ignores: [Ignore] = [], baseline: Baseline? = nil, isRecorded: Bool = false, records: Set<RecordKey> = []
    ) {
        (self.ignores, self.records) = (ignores, records)
        ignored = ignores.map { _ in 0 }
        // Of an expired entry it is only counted what it is about.
        let order = ignores.indices.filter { !ignores[$0].isExpired } + ignores.indices.filter { ignores[$0].isExpired }
        byIdentity = Dictionary(
            order.compactMap { index in ignores[index].subject.map { (CheckFinding.Identity(ignores[index].kind, $0), index) } },
            uniquingKeysWith: { first, _ in first })
        byKind = Dictionary(
            order.compactMap { ignores[$0].subject == nil ? (ignores[$0].kind, $0) : nil }, uniquingKeysWith: { first, _ in first })
        self.baseline = baseline
        rest = baseline?.findings ?? [:]
        recorded = isRecorded ? Baseline() : nil
    }

    /// Whether each finding has to be told to it.
    package var isActive: Bool { !records.isEmpty || !ignores.isEmpty || baseline != nil || recorded != nil }

    /// Whether there is an earlier check to compare with.
    package var hasBaseline: Bool { baseline != nil }

    /// How many findings of the baseline were not found again; of one record alone that is not known.
    package var gone: Int { !records.isEmpty ? 0 : rest.values.reduce(0) { $0.addingCount($1) } }

    /// Whether a conflict is over one of the records that are asked for.
    package func concerns(_ conflict: Conflict) -> Bool {
        records.isEmpty || records.contains(conflict.key) || conflict.related.map(records.contains) == true
    }

    /// Counts a finding, and says whether it is of a record that is asked for, and neither ignored nor known.
    ///
    /// - Parameter key: The record that it is about; nil where it is about none, or several.
    package mutating func passes(_ identity: CheckFinding.Identity, about key: RecordKey?) -> Bool {
        if !records.isEmpty {
            guard let key else {
                general += 1
                return false
            }
            if !records.contains(key) { return false }
        }
        for index in [byIdentity[identity], byKind[identity.kind]].compactMap(\.self) {
            ignored[index] += 1
            if !ignores[index].isExpired { return false }
        }
        recorded?.findings[identity, default: 0] += 1
        guard let left = rest[identity] else { return true }
        rest[identity] = left > 1 ? left - 1 : nil
        known[identity.kind, default: 0] += 1
        return false
    }

    /// Counts one finding about several things, and returns those that are neither ignored nor known.
    ///
    /// It is known, as one, where nothing is left of it.
    package mutating func left(of kind: CheckFinding.Kind, _ subjects: [String]) -> [String] {
        guard records.isEmpty else {
            general += 1
            return []
        }
        let before = known[kind]
        let left = subjects.filter { passes(CheckFinding.Identity(kind, $0), about: nil) }
        let isKnown = known[kind] != before && left.isEmpty
        known[kind] = isKnown ? (before ?? 0) + 1 : before
        return left
    }

    /// Notes a conflict, and says whether it is not known.
    package mutating func observe(conflict: UInt64) -> Bool {
        recorded?.conflicts.insert(conflict)
        return !knows(conflict: conflict)
    }

    /// Whether the baseline has a conflict.
    package func knows(conflict: UInt64) -> Bool { baseline?.conflicts.contains(conflict) ?? false }
}
