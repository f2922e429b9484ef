import SyncLayer
import SyncModel
import SyncSystem

/// The program ended here.
struct Killed: Error {}

/// A store that ends the program, as it were, at one of its transactions: before it is committed or right after.
final class StoppingStore: ReplicaStore {
    private let store: InMemoryStore
    private let isAfterCommit: Bool
    private let left: Locked<Int>

    /// - Parameter transactions: How many pass before the one that does not.
    init(_ store: InMemoryStore, after transactions: Int, isAfterCommit: Bool) {
        self.store = store
        self.isAfterCommit = isAfterCommit
        left = Locked(transactions)
    }

    /// Whether the end has come.
    var isStopped: Bool { left.withLock { $0 < 0 } }

    func write<Result: Sendable>(
        _ durability: StoreDurability, _ body: (any ReplicaStoreWriter) throws -> Result
    ) throws -> Result {
        let rest = left.withLock { left in
            left -= 1
            return left
        }
        if rest < -1 { throw Killed() }
        guard rest == -1 else { return try store.write(durability, body) }
        if isAfterCommit { _ = try store.write(durability, body) }
        throw Killed()
    }

    func read<Result: Sendable>(_ body: (any ReplicaStoreReader) throws -> Result) throws -> Result {
        if isStopped { throw Killed() }
        return try store.read(body)
    }
}
