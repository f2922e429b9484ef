public import ConflictAudit
public import SyncMerge
public import SyncModel

extension SyncObserver {
    /// What an observer needs to know of the device, the model and the engine.
    ///
    /// ```swift
    /// var configuration = SyncObserver.Configuration(device: "phone", installation: installationToken)
    /// configuration.standardLevel = .recordStamp("auditStamp")
    /// ```
    public struct Configuration: Sendable {
        /// What an engine does with an arriving value whose field has a local value that waits to be exported.
        public enum PendingFields: Hashable, Sendable {
            /// The arrival replaces it: the local value is lost here.
            case overwritten
            /// The local value stays and is exported later: the arrival is lost there.
            case kept
            /// Not known: that the two conflict is proven all the same; the arrival is reported as the winner.
            case unknown
        }

        /// The device's name, as logs and stamps give it: short and its own, for every stamp carries it.
        ///
        /// A shadow goes on under a name of its own, see ``SyncObserver/writer``, once it was put back from a backup.
        public var device: DeviceID

        /// A token that never travels in a backup, such as the content of a file that is excluded from backups.
        ///
        /// Where it is another than the one that the shadow was made with, the shadow was put back or copied, and the device goes on as a
        /// new writer.
        public var installation: String

        /// Whether the store is another than the device's first, which an observer of its own looks after.
        ///
        /// The observer then writes under a name of its own from the beginning, as one does whose shadow was put back from a backup, and
        /// its steps of sync carry that name.
        public var isOfAnotherStore = false

        /// What record types offer that ``levels`` does not name.
        public var standardLevel: ObservationLevel = .unstamped

        /// What record types offer instead of ``standardLevel``.
        public var levels: [RecordType: ObservationLevel] = [:]

        /// What the engine does with an arrival for a field that waits to be exported.
        public var pendingFields = PendingFields.unknown

        /// What is reported, and by which window.
        public var auditRules = AuditRules()

        /// The rules by which three versions of a record are compared, see ``SyncObserver/merged(_:)``.
        ///
        /// Attributes that they declare as bookkeeping are not observed.
        public var mergeRules = MergeRules(standard: .fields(.lastArrivalWins))

        /// How many lost values the shadow keeps for ``SyncObserver/proposedChange(restoring:)``; the oldest go first.
        public var maximumLostValues = 10_000

        /// The limits of the lost edits that the shadow keeps, see ``SyncObserver/lostEdits(limit:)``.
        public var lostEditLimits = LostEditLimits()

        /// A configuration that assumes nothing of the engine and stamps nothing.
        public init(device: DeviceID, installation: String) {
            self.device = device
            self.installation = installation
        }

        /// What a record type offers.
        public func level(of type: RecordType) -> ObservationLevel { levels[type] ?? standardLevel }

        /// The attributes of a record type that hold no content: stamps, and what is declared as bookkeeping.
        func attributesLeftOut(of type: RecordType) -> Set<FieldName> {
            let bookkeeping = mergeRules.bookkeeping
            return level(of: type).stampFields.union(bookkeeping.inAnyType).union(bookkeeping.types[type] ?? [])
        }

        /// Whether stamps are kept in any record type.
        var isStamped: Bool { standardLevel.isStamped || levels.values.contains { $0.isStamped } }
    }
}
