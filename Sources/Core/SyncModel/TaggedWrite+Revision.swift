extension TaggedWrite {
    /// A revision, as systems name them that do not count writes: an ETag, a row version, a revision of CouchDB, a commit.
    ///
    /// ```swift
    /// let revision = TaggedWrite.Revision(rev: "3-9f", parents: ["2-1c"])
    /// ```
    ///
    /// A value; safe to share.
    public struct Revision: Hashable, Sendable {
        /// The name of the revision that a write made, of which there is one in its record; not empty.
        public let rev: String

        /// The revisions that its writer had merged: those that it was made from, and with them all that these were made from.
        ///
        /// None where it creates the record, several where it joins branches; nil where that is not known.
        public let parents: [String]?

        /// A revision.
        public init(rev: String, parents: [String]?) {
            self.rev = rev
            self.parents = parents
        }
    }

    /// A write to a system that names revisions, and numbers no writes.
    ///
    /// A log has it with `rev` and `parents` and without `n`; whoever reads it numbers the device's writes in the order of the lines. A
    /// revision counts as seen where it came before, in the same log or trace: log them in the order in which the server has them.
    ///
    /// - Parameters:
    ///   - revision: The revision that the write made.
    ///   - device: Who made it: one sequential writer.
    ///   - timestamp: The device's clock.
    ///   - key: The record.
    ///   - operation: What the write does.
    ///   - receipt: The server's receipt, once there is one.
    ///   - app: The version of the app that made it.
    public init(
        revision: Revision, device: DeviceID, timestamp: HybridTimestamp, key: RecordKey, operation: Operation, receipt: Receipt? = nil,
        app: String? = nil
    ) {
        self.init(
            dot: Dot(device: device, sequence: 1), isNumbered: false, timestamp: timestamp, key: key, operation: operation, seen: nil,
            receipt: receipt, app: app, revision: revision)
    }

    /// The revision that the write made and those that it was made from; nil where its system names none.
    ///
    /// A write that was read from a line has none: its ``seen`` is what they lead back to.
    public var revision: Revision? { storage.rarities?.revision }
}
