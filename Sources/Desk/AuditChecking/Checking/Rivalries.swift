import AuditLog
import ConflictAudit
import SyncModel

/// Finds the records over which two devices may keep taking a field from each other, by what a scanner tells of conflicts.
///
/// Each of the two has won over the other there, as often together as ``AlternationCheck`` asks for at least. Records where they do not
/// alternate are found as well, and none is missed where they do.
///
/// - Complexity: O(1) expected a conflict; memory grows with the conflicts that lost something.
struct Rivalries: Sendable {
    private struct Rivals: Hashable, Sendable {
        let record: Int32
        let one: Int32
        let other: Int32
    }

    private struct Wins: Sendable {
        var one = 0
        var other = 0
    }

    private var wins: [Rivals: Wins] = [:]
    private var conflicts: Set<UInt64> = []
    /// Those that no scanner could read: few, and taken as they are.
    private var keys: Set<RecordKey> = []
    private var generation = 0

    /// The records found; nil for all, where the names of too many were forgotten to tell.
    var records: Set<RecordKey>? { generation == 0 ? keys : nil }

    mutating func observe(_ conflict: Conflict) {
        if conflict.severity.isLoss { keys.insert(conflict.key) }
    }

    mutating func observe(_ line: ScannedLine, _ names: ScannedNames) {
        generation = names.generation
        guard line.traits.severity.isLoss, conflicts.insert(line.id).inserted else { return }
        let rivals = Rivals(record: line.record, one: min(line.device, line.loser), other: max(line.device, line.loser))
        var wins = wins[rivals] ?? Wins()
        // A store that was copied may take from itself.
        if line.device == rivals.one { wins.one += 1 }
        if line.device == rivals.other { wins.other += 1 }
        self.wins[rivals] = wins
        guard wins.one > 0, wins.other > 0, wins.one + wins.other >= AlternationCheck.enough else { return }
        keys.insert(names.key(ofRecord: line.record))
    }
}
