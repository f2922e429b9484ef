import SyncSystem

/// The temporary files that are to be removed when a signal ends the process.
///
/// A signal handler may neither lock nor allocate, so this is a list of C strings that only ever grows: an entry that is done is emptied
/// and used again. The handler reads it with atomic loads and calls nothing but `unlink`, `signal` and `raise`, all async-signal-safe by
/// POSIX.
enum PendingFiles {
    /// One entry of the list.
    ///
    /// Pointers are kept as their bits: nodes are never freed, and a path is not freed while it is listed.
    fileprivate struct Node {
        let path = AtomicWord(0)
        /// 1 where it is, 0 where it may be used again.
        let isTaken = AtomicWord(1)
        let next: Int
    }

    /// What to hand back when a file is done.
    struct Entry {
        fileprivate let node: Int
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Creates a file and remembers it; no signal comes between the two.
    ///
    /// - Parameter create: Creates the file and returns whether it did.
    static func add(_ path: String, _ create: () -> Bool) -> Entry? {
        installHandlers
        var blocked = sigset_t()
        var previous = sigset_t()
        unsafe sigemptyset(&blocked)
        for number in signals { unsafe sigaddset(&blocked, number) }
        unsafe pthread_sigmask(SIG_BLOCK, &blocked, &previous)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
        guard create() else { return nil }
        let node = unsafe claimNode()
        unsafe node.pointee.path.value = Int(bitPattern: strdup(path))
        return Entry(node: Int(bitPattern: node))
    }

    /// Forgets a file that was removed or has its final name.
    static func remove(_ entry: Entry) {
        guard let node = unsafe node(entry.node) else { return }
        // The text is not freed: a handler in another thread may be reading it. A command makes one or two.
        unsafe node.pointee.path.value = 0
        unsafe node.pointee.isTaken.value = 0
    }

    private static func claimNode() -> UnsafeMutablePointer<Node> {
        var candidate = unsafe node(pendingFiles.value)
        while let node = unsafe candidate {
            if unsafe node.pointee.isTaken.exchange(1) == 0 { return unsafe node }
            unsafe candidate = unsafe self.node(node.pointee.next)
        }
        while true {
            let head = pendingFiles.value
            let node = UnsafeMutablePointer<Node>.allocate(capacity: 1)
            unsafe node.initialize(to: Node(next: head))
            if pendingFiles.compareExchange(expected: head, desired: Int(bitPattern: node)) {
                return unsafe node
            }
            unsafe node.deinitialize(count: 1)
            unsafe node.deallocate()
        }
    }

    fileprivate static func node(_ bits: Int) -> UnsafeMutablePointer<Node>? {
        unsafe UnsafeMutablePointer(bitPattern: bits)
    }

    private static let installHandlers: Void = {
        for number in signals {
            let previous = signal(number, removePendingFiles)
            // A signal that is ignored, as under nohup, stays so; a handler of someone else's stays in charge.
            if unsafe unsafeBitCast(previous, to: Int.self) != unsafeBitCast(SIG_DFL, to: Int.self) {
                _ = signal(number, previous)
            }
        }
    }()
}

/// The head of the list.
private let pendingFiles = AtomicWord(0)

/// Removes what is unfinished, and then ends as the signal would have ended the process.
private func removePendingFiles(_ number: Int32) {
    var candidate = unsafe PendingFiles.node(pendingFiles.value)
    while let node = unsafe candidate {
        if let path = unsafe UnsafePointer<CChar>(bitPattern: node.pointee.path.value) { unsafe unlink(path) }
        unsafe candidate = unsafe PendingFiles.node(node.pointee.next)
    }
    _ = signal(number, SIG_DFL)
    raise(number)
}
