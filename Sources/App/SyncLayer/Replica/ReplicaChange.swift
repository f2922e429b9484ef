public import SyncModel
import SyncSystem

/// Records of a replica have changed.
///
/// ```swift
/// for await change in replica.changes where change.origin != .local {
///     print(change.keys.count, "records were changed by other devices")
/// }
/// ```
public struct ReplicaChange: Hashable, Sendable {
    /// The origin of the change.
    public enum Origin: Hashable, Sendable {
        /// The app, on this device.
        case local
        /// Another device; the change came with a sync.
        case remote
        /// Both, since the last time one looked.
        case both
    }

    /// The records that changed, deleted ones included.
    public var keys: Set<RecordKey>

    /// The origin of the change.
    public var origin: Origin

    /// Rises with every merged batch of other devices' writes.
    public var refreshVersion: Int

    /// Describes a change.
    package init(keys: Set<RecordKey>, origin: Origin, refreshVersion: Int) {
        self.keys = keys
        self.origin = origin
        self.refreshVersion = refreshVersion
    }

    /// Adds a later change.
    mutating func merge(_ later: ReplicaChange) {
        keys.formUnion(later.keys)
        if origin != later.origin { origin = .both }
        refreshVersion = max(refreshVersion, later.refreshVersion)
    }
}

/// A sequence of a replica's changes, from when it was made for as long as it is iterated.
///
/// What happens between two looks comes as one change, so a slow reader costs memory for the keys concerned and no more, and misses
/// nothing. A second iterator of the same sequence begins when it is made.
///
/// ```swift
/// for await change in replica.changes {
///     print("to be shown anew:", change.keys)
/// }
/// ```
public struct ReplicaChanges: AsyncSequence, Sendable {
    private let source: ChangeSource
    /// What the first iterator takes over.
    private let first: Locked<ChangeSource.Reader?>

    init(source: ChangeSource) {
        self.source = source
        first = Locked(ChangeSource.Reader(source))
    }

    /// Begins to look.
    public func makeAsyncIterator() -> Iterator {
        Iterator(first.withLock { $0.take() } ?? ChangeSource.Reader(source))
    }

    /// Waits for one change after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscription: ChangeSource.Subscription
        private var signals: AsyncStream<Void>.Iterator

        init(_ reader: ChangeSource.Reader) {
            subscription = reader.subscription
            signals = reader.signals.makeAsyncIterator()
        }

        /// The changes since the last time, as one; nil once the task is cancelled.
        public mutating func next() async -> ReplicaChange? {
            while await signals.next() != nil {
                if let change = subscription.pop() { return change }
            }
            return nil
        }
    }
}

/// Keeps for every reader what has changed since it last looked.
final class ChangeSource: Sendable {
    private struct Pending {
        var change: ReplicaChange?
        let wake: @Sendable () -> Void
    }

    private struct State {
        var nextNumber = 0
        var readers: [Int: Pending] = [:]
    }

    private let state = Locked(State())

    func publish(_ change: Delivery.Change) {
        let wakes = state.withLock { state -> [@Sendable () -> Void] in
            if state.readers.isEmpty { return [] }
            let change = ReplicaChange(keys: Set(change.keys), origin: change.origin, refreshVersion: change.refreshVersion)
            for number in state.readers.keys {
                if state.readers[number]?.change == nil {
                    state.readers[number]?.change = change
                } else {
                    state.readers[number]?.change?.merge(change)
                }
            }
            return state.readers.values.map(\.wake)
        }
        for wake in wakes { wake() }
    }

    func subscribe(_ wake: @escaping @Sendable () -> Void) -> Subscription {
        let number = state.withLock { state in
            state.nextNumber += 1
            state.readers[state.nextNumber] = Pending(wake: wake)
            return state.nextNumber
        }
        return Subscription(source: self, number: number)
    }

    /// A subscription and what wakes its reader.
    struct Reader: Sendable {
        let subscription: Subscription
        let signals: AsyncStream<Void>

        init(_ source: ChangeSource) {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            subscription = source.subscribe { continuation.yield() }
            signals = stream
        }
    }

    /// One reader; it ends with the last reference to it.
    final class Subscription: Sendable {
        private let source: ChangeSource
        private let number: Int

        fileprivate init(source: ChangeSource, number: Int) {
            self.source = source
            self.number = number
        }

        deinit {
            source.state.withLock { [number] state in state.readers[number] = nil }
        }

        func pop() -> ReplicaChange? {
            source.state.withLock { [number] state in
                let change = state.readers[number]?.change
                state.readers[number]?.change = nil
                return change
            }
        }
    }
}
