import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel

/// What the conflicts over a register tell of a list of devices that nobody gave.
///
/// A winner by policy is on the list, before the loser. Where the clocks decided between two, neither is on it. Most lines decide where
/// they disagree.
///
/// - Complexity: memory grows with the pairs of devices, at most ``limit``.
struct DevicePreferences: Sendable {
    struct Pair: Hashable, Sendable {
        let winner: DeviceID
        let loser: DeviceID
    }

    private struct Count: Sendable {
        var lines: Int
        let location: LineLocation
    }

    private var wins: [Pair: Count] = [:]
    /// By time.
    private var unlisted: [DeviceID: Count] = [:]
    private static let limit = 4096

    mutating func observe(_ conflict: Conflict, at location: LineLocation) {
        guard conflict.kind == .updateUpdate || conflict.kind == .insertInsert else { return }
        // A list names a device, under whichever name it writes.
        let (winner, loser) = (conflict.winner.dot.device.firstWriter, conflict.loser.dot.device.firstWriter)
        if winner == loser { return }
        switch conflict.reason {
        case .policy: Self.count(Pair(winner: winner, loser: loser), location, in: &wins)
        case .newer, .tieBreak: for device in [winner, loser] { Self.count(device, location, in: &unlisted) }
        default: break
        }
    }

    private static func count<Key>(_ key: Key, _ location: LineLocation, in counts: inout [Key: Count]) {
        guard counts[key] != nil || counts.count < limit else { return }
        counts[key, default: Count(lines: 0, location: location)].lines += 1
    }

    /// How many lines make a device a listed one.
    private var listed: [DeviceID: Int] {
        Dictionary(wins.map { ($0.key.winner, $0.value.lines) }, uniquingKeysWith: +)
    }

    /// The order that most lines tell of.
    func order() -> DeviceOrder {
        let listed = listed
        var order = DeviceOrder()
        order.listed = Set(listed.filter { $0.value > unlisted[$0.key]?.lines ?? 0 }.keys)
        order.unlisted = Set(unlisted.filter { $0.value.lines > listed[$0.key] ?? 0 }.keys)
        for (pair, count) in wins where count.lines > wins[pair.reversed]?.lines ?? 0 && order.listed.contains(pair.winner) {
            order.beaten[pair.winner, default: []].insert(pair.loser)
        }
        order.close()
        return order
    }

    /// What no list of devices can say.
    struct Contradiction {
        /// The devices.
        let subject: String
        let location: LineLocation
        let statement: String
    }

    /// What no list of devices can say: one for each pair of devices that each win over the other in as many lines, and for each
    /// device that is on the list by as many lines as not.
    func contradictions(name: (LineLocation) -> String) -> [Contradiction] {
        var found: [Contradiction] = []
        for (pair, count) in wins.ordered(by: { ($0.key.winner, $0.key.loser) < ($1.key.winner, $1.key.loser) })
        where pair.winner < pair.loser {
            guard let other = wins[pair.reversed], other.lines == count.lines else { continue }
            found.append(
                Contradiction(
                    subject: "\(pair.winner.rawValue) and \(pair.loser.rawValue)", location: count.location,
                    statement: "\(EventText.name(pair.winner.rawValue)) is preferred to \(EventText.name(pair.loser.rawValue)), and by "
                        + "\(name(other.location)) it is the other way round"))
        }
        let listed = listed
        for (device, count) in unlisted.ordered(by: { $0.key < $1.key }) where listed[device] == count.lines {
            guard let other = wins.first(where: { $0.key.winner == device })?.value else { continue }
            found.append(
                Contradiction(
                    subject: device.rawValue, location: count.location,
                    statement: "the clocks decided, as if \(EventText.name(device.rawValue)) were not on the list of preferred devices, "
                        + "and by \(name(other.location)) it is"))
        }
        return found
    }
}

extension DevicePreferences.Pair {
    fileprivate var reversed: DevicePreferences.Pair { DevicePreferences.Pair(winner: loser, loser: winner) }
}

/// A list of preferred devices, as far as it is known.
struct DeviceOrder: Sendable {
    fileprivate(set) var listed: Set<DeviceID> = []
    fileprivate(set) var unlisted: Set<DeviceID> = []
    /// For each listed device those after it and those not listed, as far as they are known.
    fileprivate var beaten: [DeviceID: Set<DeviceID>] = [:]

    /// More devices are not put in order over third ones.
    private static let limit = 64

    /// Puts those before a device before those after it, too; a circle says nothing.
    fileprivate mutating func close() {
        guard beaten.count <= Self.limit else { return }
        for middle in beaten.keys {
            guard let after = beaten[middle] else { continue }
            for first in beaten.keys where beaten[first]?.contains(middle) == true { beaten[first]?.formUnion(after) }
        }
        let all = beaten
        for (device, others) in all {
            beaten[device] = others.filter { !(all[$0]?.contains(device) ?? false) }
        }
    }

    /// The write that wins among concurrent puts, and why; nil where that does not follow from what is known.
    func winner(among puts: [TaggedWrite]) -> (dot: Dot, isListed: Bool)? {
        let devices = Set(puts.map(\.dot.device.firstWriter))
        if devices.isSubset(of: unlisted) {
            return puts.max { $0.precedes($1) }.map { ($0.dot, false) }
        }
        for device in devices where listed.contains(device) {
            let others = devices.subtracting(unlisted).subtracting([device])
            guard others.isSubset(of: beaten[device] ?? []) else { continue }
            return puts.filter { $0.dot.device.firstWriter == device }.max { $0.precedes($1) }.map { ($0.dot, true) }
        }
        return nil
    }
}
