import SyncBytes
import SyncMerge
import SyncModel

extension ReplicaCore {
    /// What somebody who has read a record has seen of it when writing to it now.
    struct Reading {
        /// What the write says to have seen.
        let seen: VersionVector
        /// The device's latest write to the record, where it has made it since: it comes before, with all that it had seen.
        let laterOwn: Dot?
        /// Whether all is seen that is merged.
        let isCurrent: Bool
        let state: RecordState
    }

    /// - Throws: ``SyncLayerError`` with ``SyncLayerError/Code/superseded`` where the record was read from another replica, or before the
    ///   device's writes got other names.
    func reading(_ context: ReadContext, of key: RecordKey, _ writer: any ReplicaStoreWriter) throws -> Reading {
        guard context.origin === origin, context.writer == metadata.writer else {
            let cause =
                context.origin === origin
                ? "before the store of \(metadata.device.rawValue.quoted) was found to have been put back or copied"
                : "through another replica than the one that is to write it"
            throw SyncLayerError(
                .superseded, "\(key.description.shortened) was read \(cause): read it again and make the change anew")
        }
        let record = try working(key, writer).record
        let current = record.seen(by: metadata.writer)
        // Nothing that was not made: a transaction that the record was read in may have failed.
        var seen = current.common(with: context.seen)
        let own = record.merged[metadata.writer]
        let laterOwn = own > seen[metadata.writer] ? Dot(device: metadata.writer, sequence: own) : nil
        if let laterOwn {
            seen.insert(laterOwn)
            seen.formUnion(Self.context(of: laterOwn, in: record.state) ?? current)
        }
        return Reading(seen: seen, laterOwn: laterOwn, isCurrent: seen.covers(current), state: record.state)
    }

    /// What the writer of a write had seen, or a little more where the write is no longer held; nil where that is not known.
    private static func context(of dot: Dot, in state: RecordState) -> VersionVector? {
        let held = state.heldWrites
        if let write = held.first(where: { $0.dot == dot }) { return write.seen }
        // Whoever has seen the write has seen what its writer had.
        let later = held.compactMap(\.seen).filter { $0.covers(dot) }
        return later.first.map { first in later.dropFirst().reduce(first) { $0.common(with: $1) } }
    }
}
