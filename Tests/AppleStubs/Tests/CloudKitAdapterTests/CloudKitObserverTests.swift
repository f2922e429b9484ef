import CloudKit
import CloudKitAdapter
import ConflictAudit
import ConflictAuditTesting
import SyncModel
import SyncObservation
import Testing

@Suite struct CloudKitObserverTests {
    private let sink = CollectingAuditSink()
    private let observer: SyncObserver
    private let cloudKit: CloudKitObserver
    private let key = RecordKey(type: "Card", id: "1")

    init() throws {
        let configuration = SyncObserver.Configuration(device: "phone", installation: "1")
        observer = try SyncObserver(
            configuration, shadow: .memory, sink: sink, wallClock: { WallTime(millisecondsSince1970: 1_768_482_000_000) })
        cloudKit = CloudKitObserver(
            observer: observer, now: { Date(timeIntervalSince1970: 1_768_482_000) },
            fails: { Issue.record("the observer threw \($0)") })
    }

    private func record(_ values: [String: any CKRecordValue], at seconds: Double? = nil) -> CKRecord {
        let record = CKRecord(recordType: "Card", recordID: CKRecord.ID(recordName: "1"))
        for (key, value) in values { record.setObject(value, forKey: key) }
        record.modificationDate = seconds.map { Date(timeIntervalSince1970: $0) }
        return record
    }

    private func sendFailed(_ record: CKRecord, _ error: CKError) {
        cloudKit.observe(.sentRecordZoneChanges(.init(failedRecordSaves: [.init(record: record, error: error)])))
    }

    private var syncs: [String] {
        sink.events.compactMap {
            guard case .sync(let activity) = $0.content else { return nil }
            return "\(activity.phase.rawValue) \(activity.state.rawValue)" + (activity.error.map { ": \($0)" } ?? "")
        }
    }

    @Test func arrivalsOverUnsentEditsAreProvenAndOverSentOnesSuspected() throws {
        try observer.saved([LocalChange(key, .put(["title": "Plan"]), isNew: true)])
        cloudKit.observe(.fetchedRecordZoneChanges(.init(modifications: [.init(record: record(["title": "Theirs"], at: 1_768_481_000))])))
        #expect(sink.conflicts.map(\.loser.value) == ["Plan"])
        #expect(sink.conflicts.first?.basis == .causal)

        try observer.saved([LocalChange(key, .put(["title": "Plan B"]))])
        cloudKit.observe(CKSyncEngine.RecordZoneChangeBatch(recordsToSave: [record(["title": "Plan B"])]))
        cloudKit.observe(.fetchedRecordZoneChanges(.init(modifications: [.init(record: record(["title": "Again"]))])))
        #expect(sink.conflicts.allSatisfy { $0.basis == .causal ? $0.loser.value == "Plan" : $0.loser.value == "Plan B" })
    }

    @Test func threeVersionsAreMerged() throws {
        let error = CKError(
            .serverRecordChanged, ancestor: record(["title": "Draft", "body": "b"]), server: record(["title": "Theirs", "body": "b"]),
            client: record(["title": "Mine", "body": "b"]))
        sendFailed(record(["title": "Mine"]), error)
        #expect(sink.conflicts.map(\.field) == ["title"])
        #expect(sink.conflicts.first?.basis == .ancestor)
        #expect(cloudKit.neverUploaded == [])
        let merge = sink.events.lazy.compactMap { if case .merge(let merge) = $0.content { merge } else { nil } }.first
        #expect(merge?.server.fields == ["title": "Theirs", "body": "b"])
        #expect(merge?.client.time == nil)
    }

    @Test func anAncestorWithoutValuesIsNone() throws {
        let error = CKError(
            .serverRecordChanged, ancestor: record([:]), server: record(["title": "Theirs"]), client: record(["title": "Mine"]))
        sendFailed(record(["title": "Mine"]), error)
        #expect(!sink.conflicts.contains { $0.basis == .ancestor })
    }

    @Test func withoutTheServersRecordTheEditIsInTheLedger() throws {
        sendFailed(record(["title": "Mine"]), CKError(.serverRecordChanged, "record to insert already exists"))
        #expect(sink.conflicts == [])
        #expect(cloudKit.neverUploaded.map(\.key) == [key])
    }

    @Test(arguments: [
        (CKError.Code.quotaExceeded, "Quota exceeded"), (.limitExceeded, "record too large"),
        (.serverRejectedRequest, "Cannot create new type Card in production schema"), (.invalidArguments, "no field"),
    ]) func refusalsStayInTheLedgerUntilTheServerTakesTheRecord(code: CKError.Code, reason: String) throws {
        for _ in 0..<3 { sendFailed(record(["title": "Mine"]), CKError(code, reason)) }
        #expect(cloudKit.neverUploaded.map(\.attempts) == [3])
        #expect(cloudKit.neverUploaded.first?.reason == reason)
        #expect(syncs == Array(repeating: "export failed: the save of Card/1 was refused: CKError \(code.rawValue), \(reason)", count: 3))
        cloudKit.observe(.sentRecordZoneChanges(.init(savedRecords: [record(["title": "Mine"])])))
        #expect(cloudKit.neverUploaded == [])
    }

    @Test func deletesAreKnownByTheTypeOfTheRecordSeenBefore() throws {
        cloudKit.observe(.fetchedRecordZoneChanges(.init(modifications: [.init(record: record(["title": "a"]))])))
        let id = CKRecord.ID(recordName: "1")
        cloudKit.observe(.sentRecordZoneChanges(.init(failedRecordDeletes: [id: CKError(.zoneBusy, "busy")])))
        #expect(syncs == ["export failed: the delete of Card/1 was refused: CKError 23, busy"])
        cloudKit.observe(.sentRecordZoneChanges(.init(deletedRecordIDs: [id])))
        #expect(cloudKit.neverUploaded == [])
        // One that was never seen has no name.
        let unknown = CKRecord.ID(recordName: "2")
        cloudKit.observe(.sentRecordZoneChanges(.init(failedRecordDeletes: [unknown: CKError(.zoneBusy, "busy")])))
        #expect(cloudKit.neverUploaded == [])
    }

    @Test func fetchesSendsAndTheAccountAreTold() throws {
        cloudKit.observe(.willFetchChanges(.init()))
        cloudKit.observe(.didFetchChanges(.init()))
        cloudKit.observe(CKSyncEngine.RecordZoneChangeBatch(recordsToSave: [record(["title": "a"])]))
        cloudKit.observe(.didSendChanges(.init()))
        cloudKit.observe(.accountChange(.init(changeType: .signOut(previousUser: CKRecord.ID(recordName: "me")))))
        #expect(syncs == ["import started", "import succeeded", "export started", "export succeeded"])
        #expect(sink.events.last?.content == .account(status: "noAccount"))
    }

    private nonisolated static let user = CKRecord.ID(recordName: "me")

    @Test(arguments: [
        (CKSyncEngine.Event.AccountChange.ChangeType.signIn(currentUser: user), "available", true),
        (.signOut(previousUser: user), "noAccount", false),
        (.switchAccounts(previousUser: user, currentUser: CKRecord.ID(recordName: "other")), "available", false),
    ])
    func theEndOfAnAccountEmptiesTheStoreAndTheLedger(
        change: CKSyncEngine.Event.AccountChange.ChangeType, status: String, isKept: Bool
    ) throws {
        try observer.saved([LocalChange(key, .put(["title": "Plan"]))])
        sendFailed(record(["title": "Plan"]), CKError(.quotaExceeded, "full"))
        cloudKit.observe(.accountChange(.init(changeType: change)))
        #expect(sink.events.last?.content == .account(status: status))
        #expect(cloudKit.neverUploaded.isEmpty != isKept)
        cloudKit.observe(.fetchedRecordZoneChanges(.init(modifications: [.init(record: record(["title": "Theirs"]))])))
        #expect(sink.conflicts.isEmpty != isKept)
    }

    @Test func valuesThatCannotBeComparedAreLeftOut() throws {
        let values: [String: any CKRecordValue] = [
            "text": "a", "count": 3, "part": 0.5, "date": Date(timeIntervalSince1970: 2), "data": Data([1, 2, 3]),
            "owner": CKRecord.Reference(recordID: CKRecord.ID(recordName: "9")), "asset": CKAsset(fileURL: URL(filePath: "/a")),
        ]
        sendFailed(record(values), CKError(.serverRecordChanged, server: record([:]), client: record(values)))
        let merge = sink.events.lazy.compactMap { if case .merge(let merge) = $0.content { merge } else { nil } }.first
        let fields = try #require(merge?.client.fields)
        #expect(fields.names.map(\.rawValue) == ["count", "data", "date", "owner", "part", "text"])
        #expect(fields["count"] == 3)
        #expect(fields["date"] == 2000)
        #expect(fields["owner"] == "9")
        #expect(fields["data"]?.object?["$data"] == 3)
        // Of two versions with the asset, once.
        sendFailed(record(values), CKError(.serverRecordChanged, server: record(values), client: record(values)))
        let gaps = sink.events.compactMap { if case .log(.unobserved(let gap)) = $0.content { gap } else { nil } }
        #expect(gaps.map(\.field) == ["asset"])
        #expect(gaps.first?.reason == "a value of type CKAsset cannot be compared: keep its version in a key of its own")
    }
}
