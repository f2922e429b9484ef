import ConflictAudit
import SyncMerge
import SyncModel

/// Something that happened in a transaction and goes to the audit once it is committed.
///
/// It is kept in the store's journal from the commit until the audit has it, so that a crash between the two loses nothing.
enum JournalEvent: Sendable {
    case write(TaggedWrite)
    /// A conflict, and what its record is called where that is known.
    indirect case found(Finding, RecordName?)
    /// A conflict that waited for the app was decided, by this write's time; the value shown since.
    indirect case resolved(Finding, at: Int64, result: FieldValue?)
    case remoteChange(RemoteChange, at: Int64)
    /// More or less waits to be sent than the level of a warning.
    case outbox(OutboxStatus, at: Int64)
    /// A number of events were dropped before any process with a sink could pass them on.
    case dropped(Int, at: Int64)
    /// A number of lost edits were forgotten, for the list of them is full or they are old.
    case lostEditsForgotten(Int, at: Int64)
    /// The unsent writes have other names from now on.
    case writerChanged(WriterChange, at: Int64)

    /// Whether the event is more than a logged write, which may be in the log twice without harm.
    var isAboutConflict: Bool {
        switch self {
        case .found, .resolved, .dropped, .lostEditsForgotten: true
        case .write, .remoteChange, .outbox, .writerChanged: false
        }
    }

    /// The records that the event is about.
    var keys: Set<RecordKey> {
        switch self {
        case .write(let write): [write.key]
        case .found(let finding, _), .resolved(let finding, _, _): [finding.winner.key, finding.loser.key]
        case .remoteChange, .outbox, .dropped, .lostEditsForgotten, .writerChanged: []
        }
    }
}

/// A conflict as the merge or a constraint brought it to light.
enum Finding: Sendable {
    case decision(MergeDecision)
    case constraint(ConstraintFinding)

    /// The name of the conflict.
    var id: ConflictID {
        switch self {
        case .decision(let decision): decision.conflictID
        case .constraint(let finding): finding.id
        }
    }

    /// Whether the app has yet to decide.
    var isPending: Bool {
        switch self {
        case .decision(let decision): decision.isPending
        case .constraint: true
        }
    }

    var field: FieldName? {
        switch self {
        case .decision(let decision): decision.field
        case .constraint(let finding): finding.field
        }
    }

    var winner: TaggedWrite {
        switch self {
        case .decision(let decision): decision.winner
        case .constraint(let finding): finding.winner
        }
    }

    var loser: TaggedWrite {
        switch self {
        case .decision(let decision): decision.loser
        case .constraint(let finding): finding.loser
        }
    }

    /// The record whose conflict it is.
    var key: RecordKey {
        switch self {
        case .decision(let decision): decision.winner.key
        case .constraint(let finding): finding.key
        }
    }

    func conflict(_ classifier: ConflictClassifier) -> Conflict {
        switch self {
        case .decision(let decision): classifier.conflict(decision)
        case .constraint(let finding): classifier.conflict(finding)
        }
    }
}
