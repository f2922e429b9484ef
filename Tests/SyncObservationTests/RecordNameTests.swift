import ConflictAudit
import ConflictAuditTesting
import SyncModel
import TemporaryDirectory
import Testing

@testable import SyncObservation

/// What an observer's conflicts say that their record is called.
struct RecordNameTests {
    private func device(_ change: (inout SyncObserver.Configuration) -> Void = { _ in }) throws -> ObservedDevice {
        try ObservedDevice("phone") { configuration in
            configuration.auditRules.displayFields = ["Card": "title"]
            change(&configuration)
        }
    }

    private func names(_ found: [ObservedConflict]) -> [String] {
        found.map { "\($0.conflict.field?.rawValue ?? "-"): \($0.conflict.name?.text ?? "nil")" }
    }

    @Test func aLostFieldIsThatOfANamedRecord() throws {
        let phone = try device()
        try phone.save(["title": "Plan", "phone": "1"], isNew: true)
        try phone.export()
        try phone.save(["phone": "2"])
        #expect(names(try phone.receive(["phone": "3"])) == ["phone: Plan"])
        #expect(phone.sink.conflicts.map(\.name) == [RecordName(field: "title", value: "Plan")])
        let other = try ObservedDevice("phone")
        try other.save(["title": "Plan", "phone": "1"], isNew: true)
        #expect(names(try other.receive(["phone": "3"])) == ["phone: nil"])
    }

    @Test func aNewNameThatArrivesAlongIsShown() throws {
        let phone = try device()
        try phone.save(["title": "Plan", "phone": "1"], isNew: true)
        #expect(names(try phone.receive(["phone": "3", "title": "Trip"])) == ["phone: Trip", "title: Trip"])
    }

    @Test func theNameOfAnArrivalThatIsNotShownIsNotTheRecords() throws {
        let phone = try device { $0.pendingFields = .kept }
        try phone.save(["title": "Plan", "phone": "1"], isNew: true)
        #expect(names(try phone.receive(["phone": "3", "title": "Trip"])) == ["phone: Plan", "title: Plan"])
    }

    @Test func aRecordThatIsDeletedIsCalledAsBefore() throws {
        let phone = try device()
        try phone.save(["title": "Plan", "phone": "1"], isNew: true)
        #expect(names(try phone.receiveDelete()) == ["phone: Plan", "title: Plan"])
        let tablet = try device()
        try tablet.save(["title": "Plan", "phone": "1"], isNew: true)
        try tablet.export()
        try tablet.delete()
        #expect(names(try tablet.receive(["phone": "3"])) == ["phone: Plan"])
    }

    @Test func threeVersionsTellTheName() throws {
        let phone = try device()
        let found = try phone.observer.merged(
            RecordedMerge(
                key: card, at: WallTime(millisecondsSince1970: phone.clock.now), by: "phone",
                ancestor: RecordedMerge.Version(fields: ["title": "Plan", "phone": "1"]),
                client: RecordedMerge.Version(fields: ["title": "Plan", "phone": "2"]),
                server: RecordedMerge.Version(fields: ["title": "Trip", "phone": "3"])))
        #expect(names(found).contains("phone: Trip"))
    }

    @Test func theNameOutlastsTheProcess() throws {
        struct Ended: Error {}
        let directory = try TemporaryDirectory()
        let (path, sink) = (directory.file("shadow"), CollectingAuditSink())
        var configuration = SyncObserver.Configuration(device: "phone", installation: "first")
        configuration.auditRules.displayFields = ["Card": "title"]
        func open(endingAt step: SyncObserver.Step?) throws -> SyncObserver {
            try SyncObserver(
                configuration, path: path, sink: sink, wallClock: { WallTime(millisecondsSince1970: 1_768_485_600_000) },
                interruption: { reached in if reached == step { throw Ended() } })
        }
        try open(endingAt: nil).saved([LocalChange(card, .put(["title": "Plan", "phone": "1"]), isNew: true)], transaction: 1)
        #expect(throws: Ended.self) {
            try open(endingAt: .beforeTelling).arrived([Arrival(card, .put(["phone": "3"]), transaction: 9)])
        }
        #expect(sink.conflicts.isEmpty)
        _ = try open(endingAt: nil)
        #expect(sink.conflicts.map(\.name) == [RecordName(field: "title", value: "Plan")])
    }
}
