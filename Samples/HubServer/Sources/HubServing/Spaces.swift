import SyncHTTP
import SyncLayer
import SyncModel
import Synchronization

/// The hubs of a server, a SQLite file for each space, opened when it is first asked for.
public final class Spaces: Sendable {
    private let directory: String
    private let isKnown: @Sendable (SpaceName) -> Bool
    private let wallClock: WallClock
    private let open = Mutex<[SpaceName: SQLiteHub]>([:])

    /// - Parameters:
    ///   - directory: Where the files are.
    ///   - wallClock: The hubs' time of day.
    ///   - isKnown: Whether there is a space; its file is made where it is not there.
    public init(directory: String, wallClock: @escaping WallClock = systemWallClock, isKnown: @escaping @Sendable (SpaceName) -> Bool) {
        self.directory = directory
        self.wallClock = wallClock
        self.isKnown = isKnown
    }

    /// The hub of a space; nil where there is none.
    public func hub(of space: SpaceName) throws -> SQLiteHub? {
        guard isKnown(space) else { return nil }
        return try open.withLock { hubs in
            if let hub = hubs[space] { return hub }
            // What holds up one space is not to hold up others for long.
            let hub = try SQLiteHub(path: "\(directory)/\(space).sqlite", busyTimeout: .seconds(5), wallClock: wallClock)
            hubs[space] = hub
            return hub
        }
    }
}
