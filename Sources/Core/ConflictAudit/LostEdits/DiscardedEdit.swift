package import SyncModel

/// The edit that a conflict discards: the register, and the write that loses it.
///
/// One edit may lose to several writes, on one device to this and on another to that: it is lost once. What is proven and what is only
/// suspected of it are two matters, so that neither hides the other.
package struct DiscardedEdit: Hashable, Sendable {
    package let key: RecordKey
    /// The field; nil for the whole record.
    package let field: FieldName?
    package let write: Dot
    package let isProven: Bool
}

extension Conflict {
    /// The edit that the conflict discards.
    package var discardedEdit: DiscardedEdit { DiscardedEdit(key: key, field: field, write: loser.dot, isProven: isProven) }

    /// The conflict as the app has decided it.
    ///
    /// - Parameter result: The value that is shown since.
    package func decided(_ result: FieldValue?) -> Conflict {
        var conflict = self
        conflict.resolution = .manualResolved
        conflict.result = result
        return conflict
    }

    /// Whether this one tells of an edit rather than another that the edit lost too: the graver one, then that with the lower identifier.
    package func isGraver(than other: Conflict) -> Bool {
        severity != other.severity ? severity > other.severity : id < other.id
    }
}
