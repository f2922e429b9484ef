import AuditAnalysis
import SyncModel

/// Findings in the order in which they were made, a bounded number of each kind.
struct FindingList: Sendable {
    /// The most that are kept of one kind.
    static let limit = 20

    private(set) var kept: [CheckFinding] = []
    private(set) var counts: [CheckFinding.Kind: Int] = [:]

    mutating func add(_ kind: CheckFinding.Kind, _ sentence: @autoclosure () -> String) {
        counts[kind, default: 0] += 1
        if counts[kind, default: 0] <= Self.limit { kept.append(CheckFinding(kind, sentence())) }
    }

    /// Adds a finding whose sentence begins with a location.
    ///
    /// - Parameter key: The record that the statement names.
    mutating func add(_ kind: CheckFinding.Kind, at location: String, _ statement: String, about key: RecordKey? = nil) {
        counts[kind, default: 0] += 1
        if counts[kind, default: 0] <= Self.limit {
            kept.append(CheckFinding(kind, "\(location): \(statement)", statement: statement, about: key))
        }
    }

    /// Adds findings of kinds of which there are none yet.
    mutating func add(_ others: FindingList) {
        kept += others.kept
        counts.merge(others.counts, uniquingKeysWith: +)
    }
}

/// The location of a line, small enough to keep millions of them.
struct LineLocation: Hashable, Sendable {
    let file: Int32
    let line: UInt32
}
