public import ConflictAudit
import SyncBytes
import SyncMerge
public import SyncModel
import SyncSystem

/// Writes to the replica of an app that is somewhere else: what a command does to a store.
///
/// Nothing is taken from the app: what its store holds for the audit stays there, and what is written here joins it, so that the app's own
/// log tells of it when the app next opens the store. The app may be running.
///
/// Thread-safe, as ``Replica`` is.
///
/// ```swift
/// let visitor = try ReplicaVisitor(store: SQLiteStore(existing: "cards.sqlite"))
/// for conflict in conflicts { print(try visitor.restore(conflict).dot) }
/// ```
public final class ReplicaVisitor: Sendable {
    /// The device whose replica it is.
    public let device: DeviceID
    private let core: Exclusive<ReplicaCore>
    private let rules: MergeRules
    private let kept: KeptRules
    /// Whether the rules are those of the app itself, with the code of its own policies.
    private let knowsCustomPolicies: Bool

    /// Opens the replica that a store holds.
    ///
    /// - Parameters:
    ///   - store: The app's store.
    ///   - configuration: How the app merges, nil to go by the rules that the store keeps; its sink is not used, and the write is always
    ///     reported.
    /// - Throws: ``SyncLayerError`` where the store cannot be read or holds no replica, where it was merged by other rules than those
    ///   given, or where it keeps none, because the app has not opened it since it was last written by an earlier version of this package.
    public init(store: some ReplicaStore, configuration: ReplicaConfiguration? = nil) throws {
        let (content, kept) = try store.read { (try $0.metadata(), try StoreRules.kept($0)) }
        guard let content else { throw SyncLayerError(.notFound, "the store holds no replica: no device has written to it") }
        guard let kept else {
            throw SyncLayerError(
                .rulesDiffer, "the store does not say by which rules it was merged: open it once with the app as it is now")
        }
        device = try ReplicaMetadata(content).device
        knowsCustomPolicies = configuration != nil
        self.kept = kept
        var configuration = configuration ?? ReplicaConfiguration()
        if !knowsCustomPolicies {
            do throws(CodingFailure) {
                configuration.mergeRules = try kept.rules()
            } catch {
                throw SyncLayerError(damaged: "the merge rules", error)
            }
        }
        // Events go to the journal only where there is a sink.
        configuration.sink = BroadcastingAuditSink([])
        configuration.reportsWrites = true
        // The app says which edition its rules are; a visitor says only which rules.
        configuration.mergeRules.version = kept.version
        rules = configuration.mergeRules
        let core = ReplicaCore(device: device, store: store, configuration: configuration, isVisitor: true)
        _ = try StoreRules.mustChange(from: kept, to: KeptRules(rules))
        self.core = Exclusive(core)
    }

    /// Gives back what a conflict discarded, as a write of the app's device that has seen everything it has merged.
    ///
    /// The write, its entry in the outbox and its entry in the journal are one transaction, and so is the look at what is there now.
    ///
    /// - Parameters:
    ///   - conflict: The conflict.
    ///   - force: Whether to replace also what was written since.
    /// - Returns: The write as it waits in the outbox.
    /// - Throws: ``SyncLayerError`` where the app's own policy decides and is not known here, where this replica has not merged both sides,
    ///   where the field has moved on since, or where there is nothing to give back. Then nothing has changed.
    public func restore(_ conflict: Conflict, force: Bool = false) throws -> TaggedWrite {
        if !knowsCustomPolicies, let name = kept.customPolicy(in: conflict.key.type) {
            throw SyncLayerError(
                .rulesDiffer, "the app's own policy \(name.quoted) decides in records of \(conflict.key.type): only the app can write there"
            )
        }
        return try core.use { core in
            try core.transact { writer in
                let dot = try core.restore(conflict, force: force, WriteBatch(core: core, writer: writer))
                guard let entry = try writer.entry(dot.sequence, in: .outbox) else {
                    throw SyncLayerError(.damaged, "the write \(dot) is not in the outbox of its own transaction")
                }
                return try entry.waitingWrite()
            }
        }
    }
}
