import SyncModel

/// What really happened in a simulated history: brute force, from nothing that an observer knows.
struct CloudTruth {
    /// One version of a field, or a delete of a record.
    struct Version {
        var device: Int
        var key: RecordKey
        /// Nil for a delete.
        var field: FieldName?
        var value: FieldValue
        /// Every version that its writer had been shown, and what their writers had been.
        var history: Set<Int>
        /// The versions that its writer's store had really shown.
        var shown: Set<Int>
    }

    struct Pair: Hashable {
        var loser: Int
        var winner: Int
    }

    private(set) var versions: [Version] = []
    /// Seen replacing another in some device's store.
    private(set) var visible: Set<Pair> = []
    /// One put another out of the server's record, or out of a device's store before it was sent.
    private(set) var discarded: Set<Pair> = []

    mutating func add(_ version: Version) -> Int {
        versions.append(version)
        return versions.count - 1
    }

    /// Whether two versions were made by writers of whom neither had been shown the other.
    func areConcurrent(_ one: Int, _ other: Int) -> Bool {
        one != other && versions[one].device != versions[other].device && !versions[one].history.contains(other)
            && !versions[other].history.contains(one)
    }

    /// Whether neither writer had been shown the other's version itself, though perhaps one that followed on it.
    func areUnshown(_ one: Int, _ other: Int) -> Bool {
        one != other && versions[one].device != versions[other].device && !versions[one].shown.contains(other)
            && !versions[other].shown.contains(one)
    }

    /// The records that somebody has deleted.
    var deletedKeys: Set<RecordKey> { Set(versions.lazy.filter { $0.field == nil }.map(\.key)) }

    private func isLoss(_ old: Int, _ new: Int) -> Bool {
        areConcurrent(old, new) && (versions[old].field == nil || versions[new].field == nil || versions[old].value != versions[new].value)
    }

    /// Takes note that a store showed one version and then another.
    mutating func show(_ new: Int, over old: Int) {
        guard isLoss(old, new) else { return }
        visible.insert(Pair(loser: old, winner: new))
        discarded.insert(Pair(loser: old, winner: new))
    }

    /// Takes note that one version was discarded for another, seen or not.
    mutating func discard(_ old: Int, for new: Int) {
        if isLoss(old, new) { discarded.insert(Pair(loser: old, winner: new)) }
    }

    /// The versions discarded for concurrent ones whose values are not in the end either.
    func lost(_ final: [RecordKey: CloudDatabase.Record]) -> Set<Int> {
        Set(discarded.lazy.map(\.loser)).filter { version in
            let lost = versions[version]
            guard let field = lost.field, let record = final[lost.key] else { return false }
            if record.deletion.map({ versions[$0].history.contains(version) }) ?? false { return false }
            guard let shown = record.cells[field]?.version else { return true }
            return shown != version && !versions[shown].history.contains(version) && versions[shown].value != lost.value
        }
    }
}
