import SyncSystem

/// A path that is followed, and the files that stood there one after the other.
struct FollowedPath {
    /// The path.
    let path: String

    /// The files still read, oldest first; the last is at the path, or was there last.
    ///
    /// Those before it are read on, since their writers may not yet know that they were renamed.
    var files: [FollowedFile] = []

    /// The log's earlier files, wherever they are now.
    let rotated: RotatedFiles

    /// When the file was last written as the following began, in nanoseconds since 1970; the least number where there was none.
    ///
    /// Older files predate the follower and are not read.
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
        /// The last file is still there.
        case unchanged
        /// Nothing is there.
        case isGone
        /// A file is there that was not there at the last look.
        case isNew
        /// Something is there that cannot be read.
        case isBlocked(String)
    }

    /// What it means that something is at a path where some file was.
    static func verdict(_ sighting: FileSighting, last: FileIdentity?) -> Verdict {
        switch sighting {
        case .nothing: .isGone
        case .file(let number): number == last ? .unchanged : .isNew
        case .obstacle(let sentence): .isBlocked(sentence)
        }
    }
}
