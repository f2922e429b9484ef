import SyncSystem

/// A path that is followed, and the files that stood there one after the other.
struct FollowedPath {
    /// The path.
    let path: String

    /// The files still read, oldest first; the last stands at the path, or stood there last.
    ///
    /// Those before it are read on, since their writers may not yet know that they were renamed.
    var files: [FollowedFile] = []

    /// The log's earlier files, wherever they are now.
    let rotated: RotatedFiles

    /// When the file was last written as the following began, in nanoseconds since 1970; the least number where there was none.
    ///
    /// A file that was last written before that moment is none that was missed.
    var begin = Int64.min

    /// What was last said about the path, so that it is said once.
    var lastNotice: LogFollower.Notice.Kind?

    /// How many files are read on after the path has come to lead to another.
    static let filesReadOn = 3

    /// A path at which nothing has been looked at.
    init(path: String, rotated: RotatedFiles) {
        self.path = path
        self.rotated = rotated
    }

    /// What a look at a path means.
    enum Verdict: Hashable {
        /// The last file still stands there.
        case unchanged
        /// Nothing stands there.
        case isGone
        /// A file stands there that was not there at the last look.
        case isNew
        /// Something stands there that cannot be read.
        case isBlocked(String)
    }

    /// What it means that something stands at a path where some file stood.
    static func verdict(_ sighting: FileSighting, last: FileIdentity?) -> Verdict {
        switch sighting {
        case .nothing: .isGone
        case .file(let number): number == last ? .unchanged : .isNew
        case .obstacle(let sentence): .isBlocked(sentence)
        }
    }
}
