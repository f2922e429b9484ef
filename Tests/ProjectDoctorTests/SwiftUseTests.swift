import ProjectDoctor
import Testing

@Suite struct SwiftUseTests {
    private func uses(_ source: String) -> [String] {
        SwiftFixtures.facts(source).uses.map { use in use.kind.rawValue + (use.detail.map { "=" + $0 } ?? "") }
    }

    @Test func findsTheUsesOfAnApp() {
        #expect(
            uses(SwiftFixtures.app) == [
                "foreground", "foreground", "syncEngine", "container=iCloud.com.example.books", "syncEngine", "recordType=Book",
                "recordKey=title",
                "recordKey=secret", "recordKey=pages", "zoneWrite", "zoneWrite", "savePolicy=changedKeys",
            ])
    }

    @Test(arguments: [
        ("CKSyncEngine(c)", ["syncEngine"]), ("CKSyncEngine.init(c)", ["syncEngine"]),
        ("extension A: CKSyncEngineDelegate {}", ["syncEngine"]),
        ("func f(e: CKSyncEngine.Event, s: CKSyncEngine)", []),
        ("let c: NSPersistentCloudKitContainer", ["persistentCloudKitContainer"]), ("NSPersistentCloudKitContainer.Event", []),
        (
            "NotificationCenter.default.addObserver(forName: NSPersistentCloudKitContainer.eventChangedNotification)",
            ["notification=eventChangedNotification"]
        ),
        ("center.publisher(for: .NSPersistentStoreRemoteChange)", ["notification=NSPersistentStoreRemoteChange"]),
        ("op.savePolicy = .allKeys", ["savePolicy=allKeys"]), ("op.savePolicy == .allKeys", []),
        ("f(savePolicy: CKModifyRecordsOperation.RecordSavePolicy.changedKeys)", ["savePolicy=changedKeys"]),
        (
            "func f(savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged) {}",
            ["savePolicy=ifServerRecordUnchanged"]
        ),
        ("op.savePolicy = policy", []), ("o.databaseScope = .public", ["databaseScope=public"]),
        ("o.databaseScope = CKDatabase.Scope.private", ["databaseScope=private"]), ("let databaseScope: CKDatabase.Scope", []),
        ("CKRecord(recordType: \"A\", recordID: i)", ["recordType=A"]), ("CKRecord(recordType: f())", ["recordType"]),
        ("CKContainer(identifier: \"iCloud.x\")", ["container=iCloud.x"]),
        ("CKContainer.init(identifier: #\"iCloud.x\"#)", ["container=iCloud.x"]),
        ("CKContainer.default()", ["container"]), ("CKContainer(identifier: \"a\\(b)\")", ["container"]), ("let c: CKContainer", []),
        ("api.deleteRecord(uri: uri)", []), ("import CloudKit\ndatabase.deleteRecord(withID: id)", ["zoneWrite"]),
        ("database.modifyRecords(saving: all, deleting: [])", ["zoneWrite"]),
        ("NSPersistentCloudKitContainerOptions(containerIdentifier: \"iCloud.y\")", ["containerOptions=iCloud.y"]),
        ("try c.initializeCloudKitSchema(options: [])", ["initializeSchema"]),
        ("d.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)", ["remoteChangeOption"]),
        ("d.setOption(false as NSNumber, forKey: NSPersistentHistoryTrackingKey)", ["historyOption=false"]),
        ("d.setOption(true as NSNumber, forKey: \"NSPersistentStoreRemoteChangeNotificationOptionKey\")", ["remoteChangeOption"]),
        (".onChange(of: scenePhase) { }", ["foreground"]), ("UIApplication.willEnterForegroundNotification", ["foreground"]),
        ("import SyncObservationSwiftData", ["observer=SyncObservationSwiftData"]),
        ("@preconcurrency import struct SyncObservation.A", ["observer=SyncObservation"]),
        ("import Foundation", []), ("SwiftDataAudit(container: c)", ["observer"]),
        ("m.containerURL(forSecurityApplicationGroupIdentifier: \"group.a\")", ["appGroup=group.a"]),
        ("ModelConfiguration(groupContainer: .identifier(\"group.b\"))", ["appGroup=group.b"]),
        ("ModelConfiguration(groupContainer: .automatic)", ["appGroup"]), ("ModelConfiguration(groupContainer: .none)", []),
        ("// CKSyncEngine(c)\n\"CKContainer(identifier: x)\"", []), ("a.x { CKContainer(identifier: \"b\") }", ["container=b"]),
    ])
    func findsAUse(_ source: String, _ expected: [String]) { #expect(uses(source) == expected) }

    @Test(arguments: [
        ("let id = \"a\"\nCKContainer(identifier: id)", "a"), ("enum K { static let id = \"a\" }\nCKContainer(identifier: K.id)", "a"),
        ("class C { static let id: String = \"a\"; let c = CKContainer(identifier: Self.id) }", "a"),
        ("class C { static var id: String { \"a\" }\nlet c = CKContainer(identifier: C.id) }", "a"),
        ("enum K { static let id = \"a\" }\nfunc f() { let id = K.id\nCKContainer(identifier: id) }", "a"),
        ("CKContainer(identifier: K.id)\nenum K { static let id = \"a\" }", "a"),
        ("let id = \"a\" + \"b\"\nCKContainer(identifier: id)", nil), ("var id = \"a\"\nCKContainer(identifier: id)", nil),
        ("enum K { static let id = \"a\" }; enum L { static let id = \"b\" }\nCKContainer(identifier: K.id)", nil),
        ("enum K { static let id = \"a\" }; enum L { static let id = \"a\" }\nCKContainer(identifier: K.id)", "a"),
        ("let id = \"a\"\nfunc f(id: String) { CKContainer(identifier: id) }", nil),
        ("let a = b\nlet b = a\nCKContainer(identifier: a)", nil),
        ("CKContainer(identifier: K.id)", nil), ("let id = \"a\"\nCKContainer(identifier: f(id))", nil),
    ])
    func resolvesAConstant(_ source: String, _ expected: String?) {
        let use = SwiftFixtures.facts(source).uses.first
        #expect(use?.kind == .container)
        #expect(use?.detail == expected)
    }

    @Test(arguments: [
        ("let r = CKRecord(recordType: t)\nr[\"a\"] = 1", ["recordType", "recordKey=a"]),
        ("func f(r: inout CKRecord) { r[\"a\"] = 1 }", ["recordKey=a"]),
        ("func f(_ r: CKRecord) { r[Keys.a] = 1 }\nenum Keys { static let a = \"x\" }", ["recordKey=x"]),
        ("let x: CKRecord.ID\nserverRecord?[\"a\"] = 1", ["recordKey=a"]),
        ("let r: CKRecord? = nil\nr?.encryptedValues[\"a\"] = 1", ["recordKey=a"]),
        ("let r: CKRecord\nr.setObject(1, forKey: \"a\")", ["recordKey=a"]), ("let r: CKRecord\nlet v = r[\"a\"]\nif r[\"a\"] == v {}", []),
        ("record[\"a\"] = 1", []), ("let r: CKRecord\nd[\"a\"] = 1; d.setValue(1, forKey: \"a\")", []),
        ("let r: CKRecord\nrecords[0] = r", []),
        ("let r: CKRecord\nr[.a] = 1", ["recordKey"]),
    ])
    func findsTheKeysOfRecords(_ source: String, _ expected: [String]) { #expect(uses(source) == expected) }
}
