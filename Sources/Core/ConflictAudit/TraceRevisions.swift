import SyncModel

/// What the revisions of a trace say of what their writers had seen, and the numbers of writes that have none.
struct TraceRevisions {
    private var graph = RevisionGraph()
    private var numbers: [DeviceID: UInt64] = [:]

    /// A write that names a revision, as a numbered write that says what its writer had seen.
    ///
    /// - Complexity: As of ``RevisionGraph``.
    mutating func placed(_ write: TaggedWrite) -> TaggedWrite {
        guard let revision = write.revision, write.seen == nil, write.cursor == nil else { return write }
        let numbers = numbers
        let position = graph.position(
            of: RevisionGraph.Revision(name: revision.rev, parents: revision.parents), key: write.key, device: write.dot.device,
            isDevice: { numbers[$0] != nil }, number: { write.isNumbered ? write.dot.sequence : (numbers[$0] ?? 0) + 1 })
        guard let position else { return write }
        self.numbers[position.dot.device] = max(numbers[position.dot.device] ?? 0, position.dot.sequence)
        return TaggedWrite(
            dot: position.dot, isNumbered: write.isNumbered || position.seen != nil, timestamp: write.timestamp, key: write.key,
            operation: write.operation, seen: position.seen, receipt: write.receipt, order: write.order, app: write.app,
            carried: write.carried)
    }
}
