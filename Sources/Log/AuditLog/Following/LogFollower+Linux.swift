#if os(Linux) || os(Android)
    import SyncSystem

    /// Tells when something may have changed at followed paths, through inotify.
    ///
    /// A hint and never the truth: what has changed is found by looking. Where a watch cannot be had, as when the user has used up the
    /// system's number of them, there is a look every tenth of a second instead.
    final class ChangeNotifier {
        /// Becomes readable when something may have changed; negative where there is no inotify.
        let descriptor: Int32

        private var directories: [String: Int32] = [:]
        private var names: [Int32: [String]] = [:]
        /// The directories that could not be watched when that was last tried.
        private var unwatched: Set<String> = []
        private var lacksFileWatch = false

        /// Files appear, go and change their names in it.
        private static let directoryEvents = UInt32(IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)
        private static let fileEvents = UInt32(IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)

        init() {
            descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        }

        deinit {
            if descriptor >= 0 { close(descriptor) }
        }

        /// Whether all changes are told as they happen, as far as is known.
        var isPrompt: Bool { descriptor >= 0 && !lacksFileWatch && unwatched.isEmpty }

        /// How long it may take at most until a change is looked for that nothing told of, in milliseconds: some file systems tell nothing.
        var longestWait: Int { isPrompt ? 1000 : 100 }

        /// Watches the directory of a path, where it is not yet watched.
        ///
        /// - Returns: Whether files may have come before the watch began.
        func watchDirectory(_ directory: String) -> Bool {
            if directories[directory] != nil { return false }
            guard descriptor >= 0 else { return true }
            let watch = unsafe inotify_add_watch(descriptor, directory, Self.directoryEvents)
            guard watch >= 0 else {
                unwatched.insert(directory)
                return true
            }
            unwatched.remove(directory)
            directories[directory] = watch
            names[watch, default: []].append(directory)
            return true
        }

        /// Watches the file at a path.
        func watchFile(_ path: String) -> Int32? {
            guard descriptor >= 0 else { return nil }
            let watch = unsafe inotify_add_watch(descriptor, path, Self.fileEvents)
            if watch >= 0 { return watch }
            // A file that has gone meanwhile is looked for anyway.
            if errno != ENOENT { lacksFileWatch = true }
            return nil
        }

        /// Ends the watch over a file.
        func unwatch(_ watch: Int32) {
            inotify_rm_watch(descriptor, watch)
        }

        /// Reads the pending notifications: the directories in which files have come or changed their names.
        func drainChanges() -> Set<String> {
            var changed: Set<String> = []
            guard descriptor >= 0 else { return changed }
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            while true {
                let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
                if count <= 0 { return changed }
                unsafe buffer.withUnsafeBytes { bytes in
                    var offset = 0
                    while offset < count {
                        // `struct inotify_event`: the watch, what happened, a cookie, and the length of the name that follows.
                        let watch = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
                        let mask = unsafe bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                        record(watch, mask, &changed)
                        offset += 16 + Int(unsafe bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
                    }
                }
            }
        }

        private func record(_ watch: Int32, _ mask: UInt32, _ changed: inout Set<String>) {
            if mask & UInt32(IN_Q_OVERFLOW) != 0 { changed.formUnion(directories.keys) }
            guard let known = names[watch] else { return }
            if mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0 { changed.formUnion(known) }
            if mask & UInt32(IN_IGNORED | IN_MOVE_SELF) != 0 {
                // Another directory may come to be at the path.
                for directory in known { directories[directory] = nil }
                names[watch] = nil
                inotify_rm_watch(descriptor, watch)
            }
        }
    }
#endif
