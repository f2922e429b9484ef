import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Which device won over which how often: the devices with the most conflicts, and all others as one.
///
/// - Complexity: O(*n* log *n*) in the pairs of devices.
struct DeviceMatrix {
    /// The names of rows and columns, the device with the most conflicts first.
    let names: [String]
    /// The devices of the first rows and columns, as ``ConflictFacet`` spells them; what comes after them stands for all others.
    let devices: [String]
    /// By winner, then by loser.
    let counts: [[ConflictTally.Count]]

    /// The conflicts in the cell with the most.
    var largest: Int { counts.joined().map(\.conflicts).max() ?? 0 }

    /// - Parameter limit: The most devices that are named.
    init(_ pairs: [ConflictStatistics.DevicePair: ConflictTally.Count], limit: Int) {
        var totals: [DeviceID: Int] = [:]
        for (pair, count) in pairs {
            for device in Set([pair.winner, pair.loser]) { totals[device] = (totals[device] ?? 0).addingCount(count.conflicts) }
        }
        let sorted = totals.ordered { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }.map(\.key)
        // One device more costs no more than the row that stands for it.
        let shown = sorted.count == limit + 1 ? sorted : Array(sorted.prefix(limit))
        let indices = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1, $0) })
        var names = shown.map { EventText.name($0.rawValue) }
        if sorted.count > shown.count { names.append("\(HumanNumber.count(sorted.count - shown.count)) others") }
        var counts = [[ConflictTally.Count]](repeating: .init(repeating: .init(), count: names.count), count: names.count)
        for (pair, count) in pairs {
            counts[indices[pair.winner] ?? shown.count][indices[pair.loser] ?? shown.count].add(count)
        }
        self.names = names
        devices = shown.map { EventText.label($0.rawValue.escaped(for: .terminal)) }
        self.counts = counts
    }
}
