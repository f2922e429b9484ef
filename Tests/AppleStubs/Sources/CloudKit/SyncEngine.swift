// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// cloudkit/cksyncengine-5sie5
public enum CKSyncEngine {
    public struct RecordZoneChangeBatch: Sendable {
        public var recordsToSave: [CKRecord]
        public var recordIDsToDelete: [CKRecord.ID]

        public init(recordsToSave: [CKRecord] = [], recordIDsToDelete: [CKRecord.ID] = [], atomicByZone: Bool = false) {
            self.recordsToSave = recordsToSave
            self.recordIDsToDelete = recordIDsToDelete
        }
    }

    public enum Event: Sendable {
        public struct StateUpdate: Sendable {}
        public struct WillFetchChanges: Sendable { public init() {} }
        public struct DidFetchChanges: Sendable { public init() {} }
        public struct WillSendChanges: Sendable { public init() {} }
        public struct DidSendChanges: Sendable { public init() {} }

        public struct AccountChange: Sendable {
            public enum ChangeType: Sendable {
                case signIn(currentUser: CKRecord.ID)
                case signOut(previousUser: CKRecord.ID)
                case switchAccounts(previousUser: CKRecord.ID, currentUser: CKRecord.ID)
            }

            public let changeType: ChangeType

            public init(changeType: ChangeType) { self.changeType = changeType }
        }

        public struct FetchedRecordZoneChanges: Sendable {
            public let modifications: [CKDatabase.RecordZoneChange.Modification]
            public let deletions: [CKDatabase.RecordZoneChange.Deletion]

            public init(
                modifications: [CKDatabase.RecordZoneChange.Modification] = [], deletions: [CKDatabase.RecordZoneChange.Deletion] = []
            ) {
                self.modifications = modifications
                self.deletions = deletions
            }
        }

        public struct SentRecordZoneChanges: Sendable {
            public struct FailedRecordSave: Sendable {
                public let record: CKRecord
                public let error: CKError

                public init(record: CKRecord, error: CKError) {
                    self.record = record
                    self.error = error
                }
            }

            public let savedRecords: [CKRecord]
            public let failedRecordSaves: [FailedRecordSave]
            public let deletedRecordIDs: [CKRecord.ID]
            public let failedRecordDeletes: [CKRecord.ID: CKError]

            public init(
                savedRecords: [CKRecord] = [], failedRecordSaves: [FailedRecordSave] = [], deletedRecordIDs: [CKRecord.ID] = [],
                failedRecordDeletes: [CKRecord.ID: CKError] = [:]
            ) {
                self.savedRecords = savedRecords
                self.failedRecordSaves = failedRecordSaves
                self.deletedRecordIDs = deletedRecordIDs
                self.failedRecordDeletes = failedRecordDeletes
            }
        }

        case stateUpdate(StateUpdate)
        case accountChange(AccountChange)
        case fetchedRecordZoneChanges(FetchedRecordZoneChanges)
        case sentRecordZoneChanges(SentRecordZoneChanges)
        case willFetchChanges(WillFetchChanges)
        case didFetchChanges(DidFetchChanges)
        case willSendChanges(WillSendChanges)
        case didSendChanges(DidSendChanges)
    }
}
