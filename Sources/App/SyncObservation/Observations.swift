public import ConflictAudit
public import SyncModel

/// What a local save did to one record.
///
/// ```swift
/// let change = LocalChange(RecordKey(type: "Card", id: "1"), .put(["title": "Plan"]))
/// ```
public struct LocalChange: Hashable, Sendable {
    /// The record.
    public var key: RecordKey
    /// What was done to it: the fields that changed, stamps included, or that it was deleted.
    public var operation: TaggedWrite.Operation
    /// What the editing context showed before the edit of the fields named here, stamps included; empty where that is not known.
    public var snapshot: FieldMap
    /// Whether the save created the record, under a name that the store had not given before.
    ///
    /// A record that the observer first hears of by a save that did not create it is older than the observer: what replaces its edits may
    /// be a version that the store had shown before, so that conflicts are suspected at most where nothing else proves them.
    public var isNew: Bool

    /// Describes a change.
    public init(_ key: RecordKey, _ operation: TaggedWrite.Operation, snapshot: FieldMap = FieldMap(), isNew: Bool = false) {
        self.key = key
        self.operation = operation
        self.snapshot = snapshot
        self.isNew = isNew
    }
}

/// A version of one record that came from the server.
///
/// ```swift
/// let arrival = Arrival(RecordKey(type: "Card", id: "1"), .put(["title": "Draft"]), transaction: 41)
/// ```
public struct Arrival: Hashable, Sendable {
    /// The record.
    public var key: RecordKey
    /// What arrived: every field that the version names, stamps included, or that the record is deleted there.
    public var operation: TaggedWrite.Operation
    /// The number of the store's transaction by which it came; nil where the engine has no such numbers.
    ///
    /// With a number, an arrival that is reported again is known as such.
    public var transaction: Int64?
    /// The server's number and date for the version, where it gives them.
    ///
    /// A number must grow with the server's order, at least for one record.
    public var receipt: TaggedWrite.Receipt?
    /// The fields of which the store kept its own values, for they wait to be exported; nil where that is not known, and the configuration
    /// decides.
    ///
    /// A field that shows the arriving version already, because a merge put it there, is none of them.
    public var keptFields: Set<FieldName>?
    /// Whether the store had never held the record before; false where that is not known.
    ///
    /// It matters after ``SyncObserver/storeHoldsOlderRecords()``.
    public var isNew: Bool

    /// Describes an arrival.
    public init(
        _ key: RecordKey, _ operation: TaggedWrite.Operation, transaction: Int64? = nil, receipt: TaggedWrite.Receipt? = nil,
        keptFields: Set<FieldName>? = nil, isNew: Bool = false
    ) {
        self.key = key
        self.operation = operation
        self.transaction = transaction
        self.receipt = receipt
        self.keptFields = keptFields
        self.isNew = isNew
    }
}

/// What an export sends.
///
/// ```swift
/// try observer.exportBegan(.transactions(through: 41))
/// ```
public enum ExportScope: Hashable, Sendable {
    /// Everything saved before, and perhaps what is saved until it ends.
    case everything
    /// The transactions up to a number.
    case transactions(through: Int64)
    /// The records of a batch, as they are now.
    case records([RecordKey])
}

/// A record that the server has taken.
///
/// ```swift
/// try observer.acknowledged([Acknowledgement(key, receipt: TaggedWrite.Receipt(time: nil, hubSequence: 12))])
/// ```
public struct Acknowledgement: Hashable, Sendable {
    /// The record.
    public var key: RecordKey
    /// The server's number and date for the version, where it gives them.
    public var receipt: TaggedWrite.Receipt?

    /// Describes an acknowledgement.
    public init(_ key: RecordKey, receipt: TaggedWrite.Receipt? = nil) {
        self.key = key
        self.receipt = receipt
    }
}

/// A conflict as an observer found it, and why it is not proven where it is not.
///
/// ```swift
/// for found in try observer.arrived(arrivals) {
///     print(found.conflict.id, found.doubt?.sentence ?? "proven")
/// ```
public struct ObservedConflict: Hashable, Sendable {
    /// Why a conflict is only suspected.
    public enum Doubt: String, Hashable, Sendable, CaseIterable {
        /// The export of the lost value had begun: it may have reached the server, and the other writer.
        case exportBegun
        /// The server has taken the lost value, and the arrival says nothing of what its writer had seen.
        case acknowledged
        /// The stamp says that its writer may have held a version that nobody could name.
        case fog
        /// The arriving value is one that this device itself exported.
        case ownValue
        /// This device itself deleted the record before, and its own delete may have come back.
        case ownDelete
        /// The arriving value is one that the field had before: an older version may have come back.
        case olderVersion
        /// Deletes carry no stamp: the deleter may have seen the edit.
        case unstampedDelete
        /// The server handed over no ancestor, so that it is not known which side changed what.
        case noAncestor
        /// The merged record shows a value of this device that the observer was told nothing of.
        case untold

        /// A sentence without its full stop.
        public var sentence: String {
            switch self {
            case .exportBegun: "the export of the lost value had begun, so that the other writer may have seen it"
            case .acknowledged: "the server has the lost value, and nothing says whether the other writer had seen it"
            case .fog: "the stamp's writer may have held a version of this field that no stamp described"
            case .ownValue: "the arriving value equals one that this device exported, and may be its own export coming back"
            case .ownDelete: "this device had deleted the record and made it anew, and its own delete may have come back"
            case .olderVersion: "the arriving value is one that the field held before, and may be an older version coming back"
            case .unstampedDelete: "deletes carry no stamp, so that the deleter may have seen the edit"
            case .noAncestor: "no common ancestor is known, so that it is not known which side changed the field"
            case .untold: "nobody told the observer of the value that this device had in the merge"
            }
        }
    }

    /// The conflict, as it goes to the sink.
    public let conflict: Conflict
    /// Why it is not proven; nil where it is.
    public let doubt: Doubt?

    init(conflict: Conflict, doubt: Doubt?) {
        self.conflict = conflict
        self.doubt = doubt
    }
}

/// A lost value as a change for the app to make in its own editing context.
///
/// ```swift
/// let change = try observer.proposedChange(restoring: conflict.id)
/// if let field = change.field { print("set \(field) of \(change.key) back to \(change.value ?? "nothing")") }
/// ```
public struct ProposedChange: Hashable, Sendable {
    /// The conflict in which it was lost.
    public let conflict: ConflictID
    /// The record.
    public let key: RecordKey
    /// The field; nil where the loser deleted the record.
    public let field: FieldName?
    /// The value to give it, null where it is to be emptied; nil where the loser deleted the record.
    public let value: FieldValue?
    /// The time at which it was lost.
    public let time: WallTime

    init(conflict: ConflictID, key: RecordKey, field: FieldName?, value: FieldValue?, time: WallTime) {
        self.conflict = conflict
        self.key = key
        self.field = field
        self.value = value
        self.time = time
    }
}
