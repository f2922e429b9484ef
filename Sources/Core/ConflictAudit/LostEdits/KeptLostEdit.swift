import SyncBytes
import SyncCoding
import SyncModel

/// A lost edit as a store keeps it.
struct KeptLostEdit {
    /// The conflict that tells of it.
    var conflict: Conflict
    /// The other conflicts that it lost, without values.
    var others: [Other] = []
    /// Whether the app has dismissed it.
    var isDismissed = false
    /// When this device found it, in milliseconds since 1970.
    let found: Int64

    /// A further conflict of an edit.
    struct Other {
        let id: ConflictID
        let winner: Conflict.Side
    }

    /// Another conflict that the edit lost.
    mutating func insert(_ other: Conflict) {
        guard other.id != conflict.id, !others.contains(where: { $0.id == other.id }) else { return }
        if other.isGraver(than: conflict) {
            others.append(Other(conflict))
            conflict = other
        } else {
            others.append(Other(other))
        }
        if others.count > Self.maximumOthers { others.removeFirst() }
    }

    /// An edit loses to one write per device that has not seen it, and seldom to a second.
    private static let maximumOthers = 64

    /// The writes that it lost to.
    var winners: [Dot] { [conflict.winner.dot] + others.map(\.winner.dot) }

    /// Whether a write gives it back: whatever it lost to, as ``Conflict/isRestored(by:)`` says.
    func isRestored(by write: TaggedWrite) -> Bool {
        if conflict.isRestored(by: write) { return true }
        return others.contains { other in
            var copy = conflict
            copy.winner = other.winner
            return copy.isRestored(by: write)
        }
    }

    /// The same under other names of writes.
    func renamed(_ dot: (Dot) -> Dot) -> KeptLostEdit {
        let renamed = conflict.renamed(winner: dot(conflict.winner.dot), loser: dot(conflict.loser.dot))
        var kept = KeptLostEdit(conflict: renamed, isDismissed: isDismissed, found: found)
        kept.others = others.map { other in
            let winner = other.winner.renamed(dot(other.winner.dot))
            return Other(
                id: ConflictID(key: renamed.key, field: renamed.field, dots: (winner.dot, renamed.loser.dot)), winner: winner)
        }
        return kept
    }

    var encoded: [UInt8] {
        var encoder = StateEncoder()
        encoder.append(isDismissed ? 1 : 0 as UInt8)
        encoder.append(found)
        conflict.encode(into: &encoder)
        encoder.append(others.count)
        for other in others {
            encoder.append(other.id.rawValue)
            other.winner.encode(into: &encoder)
        }
        return encoder.bytes
    }
}

extension KeptLostEdit {
    init(encoded bytes: [UInt8]) throws(CodingFailure) {
        var decoder = try StateDecoder(bytes)
        let isDismissed = try decoder.flag()
        let found = try decoder.signedNumber()
        self.init(conflict: try Conflict(from: &decoder), isDismissed: isDismissed, found: found)
        for _ in 0..<(try decoder.count()) {
            others.append(Other(id: ConflictID(rawValue: try decoder.number()), winner: try Conflict.Side(from: &decoder)))
        }
        try decoder.finish()
    }
}

extension KeptLostEdit.Other {
    fileprivate init(_ conflict: Conflict) {
        var winner = conflict.winner
        winner.value = nil
        self.init(id: conflict.id, winner: winner)
    }
}

extension Conflict {
    /// The conflict under other names of its writes.
    fileprivate func renamed(winner: Dot, loser: Dot) -> Conflict {
        var renamed = Conflict(
            id: ConflictID(key: key, field: field, dots: (winner, loser)), kind: kind, severity: severity, basis: basis, key: key,
            field: field, related: related, winner: self.winner.renamed(winner), loser: self.loser.renamed(loser),
            writtenAncestor: writtenAncestor, result: result, gapMilliseconds: gapMilliseconds, windowMilliseconds: windowMilliseconds,
            policy: policy, resolution: resolution, reason: reason, flags: flags)
        renamed.name = name
        return renamed
    }
}

extension Conflict.Side {
    fileprivate func renamed(_ dot: Dot) -> Conflict.Side {
        Conflict.Side(dot: dot, timestamp: timestamp, operation: operation, value: value, app: app)
    }
}
