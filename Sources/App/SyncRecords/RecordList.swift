public import Observation
public import SyncLayer
import SyncModel

/// The records that a query asks for, for a view: up to date as long as it is there.
///
/// ```swift
/// let cards = RecordList(Card.self, in: replica, order: .ascending("name"))
/// print(cards.records.map(\.name))
/// ```
@MainActor @Observable
public final class RecordList<Value: SyncRecord & Sendable> {
    /// The records, in the query's order, without those that cannot be read as such a struct.
    public private(set) var records: [Fetched<Value>] = []

    /// Why each of the records that were left out cannot be read.
    public private(set) var unreadable: [(record: Record, error: SyncLayerError)] = []

    /// What kept the records from being read when that was last tried; nil where nothing did.
    ///
    /// The records are then those that were read before.
    public private(set) var failure: (any Error)?

    @ObservationIgnored private var task: Task<Void, Never>?

    /// Reads the records, and follows their changes; see `Replica.fetch` for the parameters.
    public init(
        _ type: Value.Type, in replica: Replica, where filters: [FieldFilter] = [], order: FieldOrder? = nil, limit: Int? = nil
    ) {
        let query = RecordQuery(type.recordType, where: filters, order: order, limit: limit)
        let changes = replica.changes
        read(query, replica)
        let readAgain: @MainActor @Sendable () -> Void = { [weak self] in self?.read(query, replica) }
        task = Task { await Self.follow(changes, of: query.type, readAgain) }
    }

    private nonisolated static func follow(
        _ changes: ReplicaChanges, of type: RecordType, _ readAgain: @MainActor @Sendable () -> Void
    ) async {
        var changes = changes.makeAsyncIterator()
        while await changes.nextChange(of: type) { await readAgain() }
    }

    deinit { task?.cancel() }

    private func read(_ query: RecordQuery, _ replica: Replica) {
        var unreadable: [(record: Record, error: SyncLayerError)] = []
        do {
            records = try replica.fetch(query) { unreadable.append(($0, $1)) }
            self.unreadable = unreadable
            failure = nil
        } catch {
            failure = error
        }
    }
}
