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
            digest = StateDigest(first: try decoder.number(), second: try decoder.number())
            if try decoder.flag() {
                let insert = try TaggedWrite(encoded: try decoder.bytes())
                guard insert.key == stored.key, insert.isInsert else { throw CodingFailure("it is that of \(insert.key)") }
                merged = VersionVector(CollectionOfOne(insert.dot))
                state = RecordState(insert: insert)
            } else {
                merged = try decoder.vector()
                state = try RecordState(key: stored.key, from: &decoder)
            }
            try decoder.finish()
        } catch {
            throw SyncLayerError(damaged: "the record \(stored.key)", error)
        }
        isLive = stored.isLive
    }

    /// The record as a store keeps it.
    ///
    /// Most records have been inserted and never changed; the insert is then all there is to know.
    ///
    /// - Parameters:
    ///   - encoder: Lends its memory.
    ///   - lastWrite: The latest write merged, as ``TaggedWrite/encoded``, where that is at hand.
    func stored(_ encoder: inout StateEncoder, lastWrite: [UInt8]?) -> StoredRecord {
        encoder.begin(key: state.key)
        encoder.append(digest.first)
        encoder.append(digest.second)
        if let insert = state.onlyInsert, merged.entries.count == 1, merged.covers(insert.dot) {
            encoder.append(1 as UInt8)
            encoder.append(bytes: lastWrite ?? insert.encoded)
        } else {
            encoder.append(0 as UInt8)
            encoder.append(merged)
            state.encode(into: &encoder)
        }
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
