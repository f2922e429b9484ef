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

    /// Names versions.
    public init(save: String, lost: String, base: String?, shown: String) {
        (self.save, self.lost, self.base, self.shown) = (save, lost, base, shown)
    }
}
