/// The versions of a record between which an edit was lost, as a table of saved rows names them.
///
/// ```swift
/// if let versions = conflict.versions { print("version \(versions.save) replaced version \(versions.lost)") }
/// ```
///
/// A value; safe to share.
public struct SavedVersions: Hashable, Sendable {
    /// The version that the save made.
    public let save: String
    /// The version whose edit went.
    public let lost: String
    /// The version that its author had been looking at; nil where the table tells only that it is older than `lost`.
    public let base: String?
    /// The version that was shown before the save.
    public let shown: String
    /// Where the rows of `save` and `lost` are: lines of a file, or numbers of rows, from 1.
    public let rows: Rows

    /// Two rows of a table.
    ///
    /// ```swift
    /// let rows = SavedVersions.Rows(save: 4711, lost: 4650)
    /// ```
    public struct Rows: Hashable, Sendable {
        /// The row that the save made.
        public let save: Int
        /// The row whose edit went.
        public let lost: Int

        /// Names two rows.
        public init(save: Int, lost: Int) { (self.save, self.lost) = (save, lost) }
    }

    /// Names versions.
    public init(save: String, lost: String, base: String?, shown: String, rows: Rows) {
        (self.save, self.lost, self.base, self.shown, self.rows) = (save, lost, base, shown, rows)
    }
}
