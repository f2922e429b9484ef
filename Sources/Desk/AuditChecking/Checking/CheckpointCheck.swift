import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// Compares what replicas held when they had merged the same writes.
///
/// - Complexity: memory grows with the distinct states in which a checkpoint was made, about a hundred bytes each: of each a hash of 128
///   bits is kept.
struct CheckpointCheck: Sendable {
    private struct Seen: Hashable, Sendable {
        let first: Int
        let second: Int

        init(_ vector: VersionVector) {
            var hasher = Hasher()
            hasher.combine(vector)
            first = hasher.finalize()
            hasher = Hasher()
            hasher.combine(0x5ca1_ab1e)
            hasher.combine(vector)
            second = hasher.finalize()
        }
    }

    private struct Held: Sendable {
        let digest: String
        let records: Int
        let location: LineLocation
    }

    private var known: [Seen: Held] = [:]
    private var differences: [(here: Held, there: Held)] = []

    mutating func observe(_ checkpoint: Checkpoint, at location: LineLocation) {
        // A digest has 32 digits; a hostile one may be of any length.
        let held = Held(digest: String(checkpoint.digest.prefix(64)), records: checkpoint.records, location: location)
        let seen = Seen(checkpoint.seen)
        guard let other = known[seen] else {
            known[seen] = held
            return
        }
        guard other.digest != held.digest || other.records != held.records else { return }
        differences.append((held, other))
    }

    /// - Parameter hasOtherReason: Whether what replicas hold may differ although they had merged the same, since the hub's order decides
    ///   and has changed.
    func finish(hasOtherReason: Bool, _ findings: inout FindingList) {
        if hasOtherReason { return }
        for (held, other) in differences {
            // Whichever was read first.
            let there = findings.name(other.location)
            let digests = [held.digest, other.digest].ordered { $0.utf8Precedes($1) }
            findings.add(
                .checkpoint, of: "\(digests[0]) and \(digests[1])", at: held.location,
                "the replica had merged the same writes as at \(there) and held something else: "
                    + "\(HumanNumber.count(held.records, "record")), digest \(EventText.name(held.digest)), there "
                    + "\(HumanNumber.count(other.records, "record")), digest \(EventText.name(other.digest))")
        }
    }
}
