import SyncHTTP
import SyncLayer
import Synchronization

/// The hubs of a server, a SQLite file for each space, opened when it is first asked for.
public final class Spaces: Sendable {
    private let directory: String
    private let isKnown: @Sendable (SpaceName) -> Bool
    private let onOpen: @Sendable (SpaceName, SQLiteHub) -> Void
    private let quotas: Quotas
    private let open = Mutex<[SpaceName: QuotaHub]>([:])

    /// - Parameters:
    ///   - directory: Where the files are.
    ///   - quotas: What a space and a device may take.
    ///   - onOpen: Called when a space's file has been opened.
    ///   - isKnown: Whether there is a space; its file is made where it is not there.
    public init(
        directory: String, quotas: Quotas = Quotas(),
        onOpen: @escaping @Sendable (SpaceName, SQLiteHub) -> Void = { _, _ in }, isKnown: @escaping @Sendable (SpaceName) -> Bool
    ) {
        self.onOpen = onOpen
        self.directory = directory
        self.quotas = quotas
        self.isKnown = isKnown
    }

    /// The hub of a space; nil where there is none.
    public func hub(of space: SpaceName) throws -> (any Hub)? {
        guard isKnown(space) else { return nil }
        return try open.withLock { hubs in
            if let hub = hubs[space] { return hub }
            // What holds up one space is not to hold up others for long.
            let hub = try SQLiteHub(path: "\(directory)/\(space).sqlite", busyTimeout: .seconds(5))
            let limited = QuotaHub(hub, quotas)
            hubs[space] = limited
            onOpen(space, hub)
            return limited
        }
    }
}
