package import SyncMerge
package import SyncModel

/// Reads the puts of the types that are saved as a whole as the edits that they are, and all others as they are.
///
/// A value type; its owner guards it. What it costs is told in ``WholeRecords``.
package struct EditReading: Sendable {
    private let types: AuditRules.WholeRecords
    private var records: WholeRecords

    /// - Parameter rules: The rules by which the writers merged, which say what each had seen.
    package init(_ types: AuditRules.WholeRecords, rules: MergeRules) {
        self.types = types
        records = WholeRecords(rules: rules)
    }

    /// Whether every write is taken as it is.
    package var changesNothing: Bool { types == .none }

    /// The write without what only repeats what its writer had seen; nil where nothing is left of it.
    ///
    /// - Precondition: Writes come after those that their writers had seen.
    package mutating func edits(of write: TaggedWrite) -> TaggedWrite? {
        types.contains(write.key.type) ? records.edits(of: write) : write
    }
}
