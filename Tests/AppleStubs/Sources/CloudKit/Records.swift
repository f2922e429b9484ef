// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// A stand-in for Apple's CloudKit where that is not to be had: the declarations that the adapters use, named and typed as Apple documents them, on
// the page below developer.apple.com/documentation/ that is beside each type.

@_exported import Foundation

// cloudkit/ckrecordzone
open class CKRecordZone: NSObject {
    public final class ID: NSObject {
        public let zoneName: String

        public init(zoneName: String) { self.zoneName = zoneName }
    }
}

// cloudkit/ckrecordvalue
public protocol CKRecordValue {}

extension String: CKRecordValue {}
extension Int: CKRecordValue {}
extension Double: CKRecordValue {}
extension Date: CKRecordValue {}
extension Data: CKRecordValue {}

// cloudkit/ckasset
public final class CKAsset: NSObject, CKRecordValue {
    public let fileURL: URL?

    public init(fileURL: URL) { self.fileURL = fileURL }
}

// cloudkit/ckrecord
open class CKRecord: NSObject, @unchecked Sendable {
    // Sound in tests, which change a record before they pass it on.
    public typealias RecordType = String
    public typealias FieldKey = String

    public final class ID: NSObject, @unchecked Sendable {
        public let recordName: String
        public let zoneID: CKRecordZone.ID

        public init(recordName: String, zoneID: CKRecordZone.ID = CKRecordZone.ID(zoneName: "_defaultZone")) {
            self.recordName = recordName
            self.zoneID = zoneID
        }

        public override func isEqual(_ object: Any?) -> Bool { (object as? ID)?.recordName == recordName }
        public override var hash: Int { recordName.hashValue }
    }

    public final class Reference: NSObject, CKRecordValue {
        public let recordID: ID

        public init(recordID: ID) { self.recordID = recordID }
    }

    public let recordType: RecordType
    public let recordID: ID
    public var modificationDate: Date?
    private var values: [FieldKey: any CKRecordValue] = [:]

    public init(recordType: RecordType, recordID: ID) {
        self.recordType = recordType
        self.recordID = recordID
    }

    open func object(forKey key: FieldKey) -> (any CKRecordValue)? { values[key] }

    open func setObject(_ object: (any CKRecordValue)?, forKey key: FieldKey) { values[key] = object }

    open func allKeys() -> [FieldKey] { Array(values.keys) }
}

// cloudkit/ckerror
public struct CKError: Error, @unchecked Sendable {
    // Sound in tests: what it holds is not changed.
    public enum Code: Int, Sendable {
        case internalError = 1
        case partialFailure = 2
        case networkUnavailable = 3
        case networkFailure = 4
        case serviceUnavailable = 6
        case requestRateLimited = 7
        case unknownItem = 11
        case invalidArguments = 12
        case serverRecordChanged = 14
        case serverRejectedRequest = 15
        case batchRequestFailed = 22
        case zoneBusy = 23
        case quotaExceeded = 25
        case zoneNotFound = 26
        case limitExceeded = 27
    }

    public let code: Code
    public let localizedDescription: String
    public let ancestorRecord: CKRecord?
    public let serverRecord: CKRecord?
    public let clientRecord: CKRecord?

    public init(
        _ code: Code, _ description: String = "", ancestor: CKRecord? = nil, server: CKRecord? = nil, client: CKRecord? = nil
    ) {
        self.code = code
        localizedDescription = description
        ancestorRecord = ancestor
        serverRecord = server
        clientRecord = client
    }
}

// cloudkit/ckaccountstatus
public enum CKAccountStatus: Int, Sendable {
    case couldNotDetermine = 0
    case available
    case restricted
    case noAccount
    case temporarilyUnavailable
}

// cloudkit/ckcontainer
open class CKContainer: NSObject, @unchecked Sendable {
    // Sound in tests, which set the answer from one thread.
    public var answer: Result<CKAccountStatus, any Error> = .success(.available)

    public var user = CKRecord.ID(recordName: "_user")

    open func accountStatus() async throws -> CKAccountStatus { try answer.get() }

    open func userRecordID() async throws -> CKRecord.ID { user }
}

extension Notification.Name {
    public static let CKAccountChanged = Notification.Name("CKAccountChanged")
}

// cloudkit/ckdatabase
public enum CKDatabase {
    public enum RecordZoneChange {
        public struct Modification: Sendable {
            public let record: CKRecord

            public init(record: CKRecord) { self.record = record }
        }

        public struct Deletion: Sendable {
            public let recordID: CKRecord.ID
            public let recordType: CKRecord.RecordType

            public init(recordID: CKRecord.ID, recordType: CKRecord.RecordType) {
                self.recordID = recordID
                self.recordType = recordType
            }
        }
    }
}
