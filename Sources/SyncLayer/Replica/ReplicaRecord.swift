import SyncMerge
import SyncModel

/// A record and what its replica knows about it.
struct ReplicaRecord: Sendable {
    var state: RecordState
    /// The writes merged: what the next write to the record says it has seen.
    ///
    /// It names only devices that wrote the record.
    private(set) var merged: VersionVector
    /// What the record adds to the replica's digest: nothing where it is not shown.
    var digest = StateDigest()
    var isLive = false

    /// A record of which nothing is kept.
    ///
    /// - Parameter merged: What had been merged of it before it was deleted and forgotten.
    init(key: RecordKey, merged: VersionVector) {
        state = RecordState(key: key)
        self.merged = merged
    }

    mutating func merge(_ write: TaggedWrite, rules: MergeRules) -> [MergeDecision] {
        merged.insert(write.dot)
        return state.merge(write, rules: rules)
    }

    /// Reads a record from what a store kept.
    init(_ stored: StoredRecord) throws(SyncLayerError) {
        do throws(CodingFailure) {
            var decoder = try StateDecoder(stored.content, key: stored.key)
            merged = try decoder.vector()
            digest = StateDigest(first: try decoder.number(), second: try decoder.number())
            state = try RecordState(key: stored.key, from: &decoder)
            try decoder.finish()
        } catch {
            throw SyncLayerError(damaged: "the record \(stored.key)", error)
        }
        isLive = stored.isLive
    }

    /// The record as a store keeps it.
    func stored(_ encoder: inout StateEncoder) -> StoredRecord {
        encoder.begin(key: state.key)
        encoder.append(merged)
        encoder.append(digest.first)
        encoder.append(digest.second)
        state.encode(into: &encoder)
        return StoredRecord(key: state.key, isLive: isLive, content: encoder.bytes)
    }
}

extension SyncLayerError {
    /// Something in a store cannot be read.
    init(damaged what: String, _ failure: CodingFailure) {
        self.init(
            .damaged,
            "\(what) cannot be read from the store: \(failure.problem); restore the store from a backup, or move it away and sync again",
            underlying: failure)
    }
}
