/// A directory whose new files are followed.
package struct FollowedDirectory {
    /// The directory, fit to have a name put behind it: as the directory of the files in it is called, so that both have one watch.
    let path: String
    /// Whether a file of a name is followed.
    let accepts: (String) -> Bool

    /// A directory.
    ///
    /// - Parameter accepts: Whether a file of a name is followed.
    package init(path: String, accepts: @escaping (String) -> Bool) {
        self.path = path.hasSuffix("/") ? path : path + "/"
        self.accepts = accepts
    }
}
