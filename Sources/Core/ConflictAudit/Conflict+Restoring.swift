import SyncMerge
package import SyncModel

extension Conflict {
    /// The write that gives back what this conflict discarded, to be made by somebody who has merged both sides; nil where nothing was
    /// discarded, the value is not known, or no single write to the record could bring it back.
    package var restoringOperation: TaggedWrite.Operation? {
        guard severity.isLoss, kind != .danglingReference, kind != .uniqueKey else { return nil }
        switch (loser.operation, field, loser.value) {
        case (.delete, _, _): return .delete
        case (.put, let field?, let value?): return .put([field: value])
        case (.put, nil, .object(let fields)?): return .put(fields)
        case (.put, _, _): return nil
        }
    }

    /// Whether a write gives back what this conflict discarded: its writer had merged both sides and wrote the losing value.
    ///
    /// Equal totals of a counter are as many counts; of these a write says by its writer's name alone that it gives one back. For a write
    /// without a causal context, its position in the total order decides.
    package func isRestored(by write: TaggedWrite) -> Bool {
        guard write.key == key, write.dot != winner.dot, write.dot != loser.dot, follows(write, winner), follows(write, loser) else {
            return false
        }
        switch restoringOperation {
        case .delete: return write.isDelete
        case .put(let lost):
            if lost.contains(where: { CounterWrite($0.value) != nil }), write.dot.device != DeviceID(restoring: id) { return false }
            return write.fields.map { fields in lost.allSatisfy { fields[$0.name] == $0.value } } ?? false
        case nil: return false
        }
    }

    /// What time says of why the winner won.
    package var reasonByTime: Reason { .byTime(winner.timestamp, loser.timestamp) }

    private func follows(_ write: TaggedWrite, _ side: Side) -> Bool {
        if write.dot.device == side.dot.device { return write.dot.sequence > side.dot.sequence }
        if let seen = write.seen { return seen.covers(side.dot) }
        return side.order < WriteOrder(write.timestamp, write.dot)
    }
}

extension Conflict.Side {
    /// The write's position in the total order.
    package var order: WriteOrder { WriteOrder(timestamp, dot) }
}

extension DeviceID {
    private static let restoring = "restore-"

    /// Who makes the write that gives back what a conflict discarded, unless somebody is named.
    package init(restoring conflict: ConflictID) { self.init("\(Self.restoring)\(conflict)") }

    /// Whether it is no device, but who makes such a write.
    package var isRestoring: Bool {
        rawValue.hasPrefix(Self.restoring) && ConflictID(String(rawValue.dropFirst(Self.restoring.count))) != nil
    }
}
