package import AuditLog
import ConflictAudit
import SyncLines
package import SyncMerge
package import SyncModel

/// The rules by which replicas merged the records of a type, or of all, as their logs state them or the conflicts name them.
///
/// - Complexity: memory grows with the registers whose conflicts were looked at. A value type; its owner guards it.
package struct NamedRules: EventObserver, Sendable {
    private var recorded = RecordedRules()
    /// The type; nil for all.
    private let type: RecordType?
    private var hasConflict = false
    /// Whether the types, by a scanner's numbers, are the one, and the conflicts that were chosen.
    private var types: [Int32: Bool] = [:]
    private var known: Set<UInt64> = []

    /// Nothing looked at.
    package init(of type: RecordType? = nil) { self.type = type }

    package static var choosesLines: Bool { true }

    /// Chooses the conflicts of the type, each once.
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        guard line.isConflict else { return false }
        guard let type else { return known.insert(line.id).inserted }
        let isOfType = types[line.recordType] ?? (names.recordTypes.name(Int(line.recordType)).text == type.rawValue)
        types[line.recordType] = isOfType
        return isOfType && known.insert(line.id).inserted
    }

    /// Looks at a line.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        recorded.stated.observe(line, at: location)
        guard case .conflict(let conflict) = line.event.content else { return }
        if type.map({ conflict.key.type == $0 }) ?? true { hasConflict = true }
        recorded.observe(conflict, at: LineLocation(file: 0, line: 0))
    }

    /// Whether a log states rules, or a conflict names those of the type.
    package var tellAny: Bool { recorded.stated.configuration != nil || hasConflict }

    /// The rules that the logs tell; where nothing is told, those of `MergeRules`.
    package var mergeRules: MergeRules {
        // What a server's rows show was read: its conflicts name no policy that decides anything.
        if recorded.stated.configuration?.form == .saved, let rules = recorded.stated.mergeRules { return rules }
        let intervals = recorded.stated.mergeRules?.intervals ?? MergeRules().intervals
        return recorded.mergeRules(declared: nil, intervals: intervals, logged: LoggedWinners(intervals: intervals))
    }
}

extension MergeRules {
    /// The name of a policy of a type that only the log tells how it decides, so that what it shows now is not known; nil where there is
    /// none.
    package func unknownPolicy(of type: RecordType) -> String? {
        let policies: [MergePolicy] =
            switch scope(for: type) {
            case .record(let policy): [policy]
            case .fields(let policy): [policy] + (fields[type].map { Array($0.values) } ?? [])
            }
        for case .custom(let policy) in policies { return policy.name }
        return nil
    }
}
