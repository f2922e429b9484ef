#if canImport(CloudKit)
    public import CloudKit
    import ConflictAudit
    import Foundation
    public import SyncModel
    import SyncMonitoring
    public import SyncObservation
    import SyncObservationFoundation

    /// Tells an observer what goes by in the delegate of a `CKSyncEngine`.
    ///
    /// Local saves are reported to the observer by the app, under the record's type and name, with ``recordKey(_:)``. The delegate passes
    /// on every batch before it returns it, and every event:
    ///
    /// ```swift
    /// if let batch { cloudKit.observe(batch) }   // in nextRecordZoneChangeBatch
    /// cloudKit.observe(event)                    // in handleEvent
    /// ```
    ///
    /// An app that has records already says so first: `observer.storeHoldsOlderRecords()`. Plain values and references are observed; assets
    /// and encrypted values are not, and the observer's sink is told of each such key once. Thread-safe.
    public final class CloudKitObserver: @unchecked Sendable {
        // Sound: `types` and `refusals` are reached with `lock` held, and everything else is Sendable.
        private let observer: SyncObserver
        private let now: @Sendable () -> Date
        private let fails: @Sendable (any Error) -> Void
        private let lock = NSLock()
        private var types: [CKRecord.ID: RecordType] = [:]
        private var refusals: [RecordKey: RefusedEdit] = [:]

        /// A translator.
        ///
        /// - Parameters:
        ///   - observer: Is told.
        ///   - now: The time of day.
        ///   - fails: Gets what the observer throws.
        public init(
            observer: SyncObserver, now: @escaping @Sendable () -> Date = { Date() },
            fails: @escaping @Sendable (any Error) -> Void = { _ in }
        ) {
            self.observer = observer
            self.now = now
            self.fails = fails
        }

        /// The name of a record in the log.
        public func recordKey(_ record: CKRecord) -> RecordKey {
            RecordKey(type: RecordType(record.recordType), id: RecordID(record.recordID.recordName))
        }

        /// The edits that the server has refused and not taken since, by record: what is retried for ever, in silence, unless the app does
        /// something about it.
        public var neverUploaded: [RefusedEdit] { lock.withLock { refusals.values.sorted { $0.key < $1.key } } }

        /// Takes note of a batch that is about to be sent.
        public func observe(_ batch: CKSyncEngine.RecordZoneChangeBatch) {
            perform {
                let saved = batch.recordsToSave.map(learn)
                try observer.exportBegan(.records(saved + batch.recordIDsToDelete.compactMap(key)))
            }
        }

        /// Takes note of an event.
        public func observe(_ event: CKSyncEngine.Event) {
            perform {
                switch event {
                case .accountChange(let change): try accountChanged(change)
                case .willFetchChanges: observer.importBegan()
                case .didFetchChanges: observer.importEnded()
                case .fetchedRecordZoneChanges(let changes): try arrived(changes)
                case .sentRecordZoneChanges(let changes): try sent(changes)
                case .didSendChanges: try observer.exportSucceeded()
                // What a send takes along is known by its batches.
                default: break
                }
            }
        }

        private func perform(_ body: () throws -> Void) {
            do { try body() } catch { fails(error) }
        }

        /// Remembers the type of a record, which deletes do not name.
        private func learn(_ record: CKRecord) -> RecordKey {
            let key = recordKey(record)
            lock.withLock { types[record.recordID] = key.type }
            return key
        }

        private func key(_ id: CKRecord.ID) -> RecordKey? {
            lock.withLock { types[id] }.map { RecordKey(type: $0, id: RecordID(id.recordName)) }
        }

        /// The engine gives up what waits for the account that was signed in before, and the app deletes that account's records.
        private func accountChanged(_ change: CKSyncEngine.Event.AccountChange) throws {
            observer.accountChanged(change.isSignedIn ? .available : .noAccount)
            guard change.endsAnAccount else { return }
            lock.withLock { (types, refusals) = ([:], [:]) }
            try observer.storeEmptied()
        }

        private func arrived(_ changes: CKSyncEngine.Event.FetchedRecordZoneChanges) throws {
            var arrivals = changes.modifications.map { change in
                Arrival(learn(change.record), .put(fields(of: change.record)), receipt: change.record.receipt)
            }
            for deletion in changes.deletions {
                let key = RecordKey(type: RecordType(deletion.recordType), id: RecordID(deletion.recordID.recordName))
                arrivals.append(Arrival(key, .delete))
                lock.withLock {
                    types[deletion.recordID] = nil
                    refusals[key] = nil
                }
            }
            try observer.arrived(arrivals)
        }

        private func sent(_ changes: CKSyncEngine.Event.SentRecordZoneChanges) throws {
            let saved = changes.savedRecords.map { Acknowledgement(learn($0), receipt: $0.receipt) }
            let deleted = changes.deletedRecordIDs.compactMap { key($0).map { Acknowledgement($0) } }
            lock.withLock {
                for acknowledgement in saved + deleted { refusals[acknowledgement.key] = nil }
                for id in changes.deletedRecordIDs { types[id] = nil }
            }
            try observer.acknowledged(saved + deleted)
            for failure in changes.failedRecordSaves { try failed(failure.record, failure.error) }
            for (id, error) in changes.failedRecordDeletes {
                if let key = key(id) { try refused(key, error, "delete") }
            }
        }

        private func failed(_ record: CKRecord, _ error: CKError) throws {
            let key = learn(record)
            guard error.code == .serverRecordChanged else { return try refused(key, error, "save") }
            // Without the server's record there is nothing to compare: it has to be fetched, and arrives then.
            guard let server = error.serverRecord else { return try refused(key, error, "save") }
            // A client record made of archived system fields alone has an ancestor without values.
            let ancestor = error.ancestorRecord.flatMap { $0.allKeys().isEmpty ? nil : version($0) }
            try observer.merged(
                RecordedMerge(
                    key: key, at: WallTime(now()), by: try observer.writer, ancestor: ancestor,
                    client: RecordedMerge.Version(fields: fields(of: error.clientRecord ?? record)), server: version(server)))
        }

        /// A version of the server's; the modification date of a client's record would be that of the version that it was made from.
        private func version(_ record: CKRecord) -> RecordedMerge.Version {
            RecordedMerge.Version(fields: fields(of: record), at: record.time)
        }

        /// The values that can be compared; a reference counts as the name of its record.
        private func fields(of record: CKRecord) -> FieldMap {
            var fields = FieldMap()
            for key in record.allKeys() {
                let value: Any? = record.object(forKey: key)
                let plain = (value as? CKRecord.Reference)?.recordID.recordName ?? value
                if let value = FieldValue(attribute: plain) {
                    fields[FieldName(key)] = value
                } else {
                    let kind = value.map { "\(type(of: $0))" } ?? ""
                    observer.cannotObserve(
                        FieldName(key), of: RecordType(record.recordType),
                        because: "a value of type \(kind) cannot be compared: keep its version in a key of its own")
                }
            }
            return fields
        }

        private func refused(_ key: RecordKey, _ error: CKError, _ what: String) throws {
            let refusal = RefusedEdit(
                key: key, code: error.code.rawValue, reason: error.localizedDescription, since: now(), attempts: 1)
            lock.withLock {
                guard let earlier = refusals[key] else { return refusals[key] = refusal }
                refusals[key] = RefusedEdit(
                    key: key, code: refusal.code, reason: refusal.reason, since: earlier.since, attempts: earlier.attempts + 1)
            }
            try observer.exportFailed("the \(what) of \(key) was refused: CKError \(error.code.rawValue), \(error.localizedDescription)")
        }
    }

    /// An edit that the server refuses.
    ///
    /// ```swift
    /// for edit in cloudKit.neverUploaded { print(edit.key, edit.reason) }
    /// ```
    public struct RefusedEdit: Hashable, Sendable {
        /// The record.
        public let key: RecordKey
        /// The last error's `CKError.Code`, by its number.
        public let code: Int
        /// What CloudKit says of it.
        public let reason: String
        /// When it was first refused.
        public let since: Date
        /// How often it was refused in a row.
        public let attempts: Int
    }

    extension CKSyncEngine.Event.AccountChange {
        fileprivate var isSignedIn: Bool {
            if case .signOut = changeType { false } else { true }
        }

        fileprivate var endsAnAccount: Bool {
            if case .signIn = changeType { false } else { true }
        }
    }

    extension CKRecord {
        fileprivate var time: WallTime? { modificationDate.map { WallTime($0) } }

        fileprivate var receipt: TaggedWrite.Receipt? { time.map { TaggedWrite.Receipt(time: $0) } }
    }
#endif
