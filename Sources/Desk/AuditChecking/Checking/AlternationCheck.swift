import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Finds two devices that keep taking a field from each other: each puts its own value back as soon as it has lost.
///
/// - Complexity: memory grows with the registers that have conflicts.
struct AlternationCheck: Sendable {
    private struct Register: Hashable, Sendable {
        let key: RecordKey
        let field: FieldName?
    }

    private struct Win: Hashable, Sendable {
        let winner: DeviceID
        let loser: DeviceID
        /// The winner's own number of the write that won.
        let number: UInt64
        /// A hash of the value; nil where the log leaves it out.
        let value: Int?
    }

    /// The latest wins of each register, as far as they alternate.
    private var wins: [Register: [Win]] = [:]
    private var reported: Set<Register> = []

    /// So many wins in turn are no accident where each brings the same value back.
    static let enough = 4
    /// So many where the log does not tell the values.
    private static let enoughWithoutValues = 12

    mutating func observe(_ conflict: Conflict, at location: LineLocation, _ findings: inout FindingList) {
        guard conflict.severity.isLoss, conflict.winner.operation == .put else { return }
        let register = Register(key: conflict.key, field: conflict.field)
        guard !reported.contains(register) else { return }
        let winner = conflict.winner.dot
        let win = Win(
            winner: winner.device, loser: conflict.loser.dot.device, number: winner.sequence, value: conflict.winner.value?.hashValue)
        var turns = wins[register] ?? []
        if let last = turns.last, last.winner != win.loser || last.loser != win.winner || win.value != nil && last.value == win.value {
            turns = []
        }
        // A write that wins again, because others are gone, has put nothing back.
        if turns.count >= 2, turns[turns.count - 2].value != win.value || turns[turns.count - 2].number >= win.number {
            turns.removeFirst(turns.count - 1)
        }
        turns.append(win)
        wins[register] = turns
        guard turns.count >= (win.value == nil ? Self.enoughWithoutValues : Self.enough) else { return }
        reported.insert(register)
        wins[register] = nil
        let devices = [win.winner, win.loser].ordered { $0 < $1 }.map(\.rawValue)
        findings.add(
            .alternation, of: "\(devices[0]) and \(devices[1]) over \(DecisionCheck.subject(conflict.key, conflict.field))", at: location,
            about: conflict.key,
            "\(EventText.name(win.winner.rawValue)) and \(EventText.name(win.loser.rawValue)) keep taking "
                + "\(EventText.register(conflict.key, conflict.field)) from each other, \(turns.count) times in turn")
    }
}
