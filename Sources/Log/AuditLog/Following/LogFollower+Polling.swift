#if !os(Linux) && !os(Android)
    /// A substitute for a service of the system that reports changes: it looks twenty times a second.
    final class ChangeNotifier {
        /// There is nothing to wait for.
        let descriptor: Int32 = -1

        /// Nothing is told as it happens.
        let isPrompt = false

        /// How long it takes at most until a change is looked for, in milliseconds.
        let longestWait = 50

        private var directories: Set<String> = []

        /// Remembers the directory.
        ///
        /// - Returns: Whether files may have come unnoticed.
        func watchDirectory(_ directory: String) -> Bool {
            directories.insert(directory).inserted
        }

        /// Files are looked at anyway.
        func watchFile(_ path: String) -> Int32? { nil }

        /// There is no watch to end.
        func unwatch(_ watch: Int32) {}

        /// Files may have come or changed their names in any directory.
        func drainChanges() -> Set<String> { directories }
    }
#endif
