package import SyncModel

/// A put that gave a field back the value that another device's edit had replaced, by a writer who had seen that edit.
///
/// Nobody lost anything without being asked, as far as the causal contexts tell; an app that merges by itself and keeps its own side writes
/// just so.
package struct Revert: Sendable {
    /// The put.
    package let write: TaggedWrite
    /// The edit that it undid.
    package let edit: TaggedWrite
    /// The field.
    package let field: FieldName
}

extension MaximalSet {
    /// The edit that a put undoes: the only maximal write to the field, another device's, which the put's writer had seen, where the put
    /// names the value that it had displaced.
    ///
    /// - Parameter index: That of the field among the put's.
    func edit(undoneBy write: TaggedWrite, atField index: Int) -> TaggedWrite? {
        isSingle && write.undoes(first, displacing: displaced, atField: index) ? first : nil
    }
}
