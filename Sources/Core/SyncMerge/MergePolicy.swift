public import SyncModel

/// Which of several concurrent writes to a register is shown.
///
/// Every policy is a pure function of the set of writes, so that replicas that hold the same writes show the same value.
///
/// ```swift
/// let policies: [FieldName: MergePolicy] = ["visits": .counter, "tags": .set, "notes": .manual]
/// let rules = MergeRules(fields: ["Card": policies])
/// ```
public enum MergePolicy: Sendable {
    /// The latest in the total order.
    case lastWriterWins
    /// The earliest in the total order.
    case firstWriterWins
    /// The latest in the hub's order, whatever the clocks say: what a plain `UPDATE` on a server does.
    ///
    /// A write without a position in that order goes by when the hub received it, one that the hub has not received yet is later than all
    /// that it has, and of several such the latest in the total order wins. So a replica shows its own writes until the hub has them, and
    /// then goes by their numbers. A hub that was put back from a backup or replaced has another order, by which what is still in
    /// contention is decided again.
    case lastArrivalWins
    /// The largest value; of equal values the latest.
    case maximum
    /// The smallest value; of equal values the latest.
    case minimum
    /// The sum of what every device has counted; nobody loses. Writes carry ``CounterWrite``; a plain value sets a new start.
    case counter
    /// An observed-remove set in which an addition wins over a concurrent removal; nobody loses. Writes carry ``SetWrite``; a plain array
    /// replaces the elements that its writer had seen.
    case set
    /// The write of the device that is listed first; among devices not listed, the latest. A device whose store was put back or copied goes
    /// on as a writer like `phone~1f3a9c02`, which is the device `phone` here.
    case preferDevices([DeviceID])
    /// The app decides; until it does, the latest is shown.
    case manual
    /// The app's own rule.
    case custom(CustomPolicy)

    /// The policy's name in logs.
    public var name: String {
        switch self {
        case .lastWriterWins: "lastWriterWins"
        case .firstWriterWins: "firstWriterWins"
        case .lastArrivalWins: "lastArrivalWins"
        case .maximum: "maximum"
        case .minimum: "minimum"
        case .counter: "counter"
        case .set: "set"
        case .preferDevices: "preferDevices"
        case .manual: "manual"
        case .custom(let policy): policy.name
        }
    }

    /// Whether a register keeps more than its maximal writes, because nobody loses.
    package var addsUp: Bool {
        switch self {
        case .counter, .set: true
        default: false
        }
    }
}

/// A rule of the app's own for a register with several concurrent writes.
///
/// ```swift
/// let earliest = CustomPolicy(name: "earliest") { context in
///     context.candidates.min { $0.timestamp < $1.timestamp }.map { CustomResolution.winner($0.dot) } ?? .undecided
/// }
/// ```
public struct CustomPolicy: Sendable {
    /// The name that logs give it.
    public let name: String

    /// Decides.
    ///
    /// Called with at least two puts; must depend on nothing but its argument, or replicas diverge.
    public let resolve: @Sendable (ConflictContext) -> CustomResolution

    /// Names a rule.
    public init(name: String, resolve: @escaping @Sendable (ConflictContext) -> CustomResolution) {
        self.name = name
        self.resolve = resolve
    }
}

/// A conflict that a custom policy is to decide.
///
/// ```swift
/// let shown: @Sendable (ConflictContext) -> CustomResolution = { context in
///     context.field == "notes" ? .undecided : .winner(context.candidates[0].dot)
/// }
/// ```
public struct ConflictContext: Sendable {
    /// The record.
    public let key: RecordKey

    /// The field, nil where the register is the whole record.
    public let field: FieldName?

    /// The concurrent puts, earliest first; two or more.
    public let candidates: [TaggedWrite]
}

/// The decision of a custom policy.
///
/// ```swift
/// let joined = CustomPolicy(name: "joined") { _ in CustomResolution.value("Ann and Anna") }
/// let rules = MergeRules(fields: ["Card": ["name": .custom(joined)]])
/// ```
public enum CustomResolution: Sendable {
    /// One of the candidates wins. A write that is not among them counts as ``undecided``.
    case winner(Dot)
    /// The latest is named the winner, and a value made of several is shown. Only for fields: a record shows its winning write.
    case value(FieldValue)
    /// The app decides later; until then the latest is shown.
    case undecided
}

/// Which side wins where a delete and a put are concurrent.
///
/// ```swift
/// let rules = MergeRules(deletes: .editWins)
/// print(rules.deletes.name)  // editWins
/// ```
public enum DeletePolicy: String, Hashable, Sendable, CaseIterable {
    /// The delete.
    case deleteWins = "delete-wins"
    /// The put.
    case editWins = "edit-wins"
    /// The later in the total order.
    case lastWriterWins = "last-writer-wins"

    /// The policy's name in logs.
    public var name: String {
        switch self {
        case .deleteWins: "deleteWins"
        case .editWins: "editWins"
        case .lastWriterWins: "lastWriterWins"
        }
    }
}
