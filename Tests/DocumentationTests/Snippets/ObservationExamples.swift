import ConflictAudit
import SyncModel
import SyncObservation
import TemporaryDirectory
import Testing

/// The examples in the documentation of the public types of SyncObservation.
@Suite struct ObservationExamples {
    private let key = RecordKey(type: "Card", id: "1")
    private let log = CountingSink()
    private let observer: SyncObserver

    init() throws {
        let configuration = SyncObserver.Configuration(device: "phone", installation: "k3f9")
        observer = try SyncObserver(configuration, shadow: .memory, sink: log)
    }

    /// A title saved here and replaced by one that came from the server, before it was exported.
    private func lostTitle() throws -> [ObservedConflict] {
        try observer.saved([LocalChange(key, .put(["title": "Plan"]), isNew: true)], transaction: 41)
        return try observer.arrived([Arrival(key, .put(["title": "Draft"]), transaction: 42)])
    }

    @Test func syncObserverExample() throws {
        let configuration = SyncObserver.Configuration(device: "phone", installation: "k3f9")
        let directory = try TemporaryDirectory()
        let shadowPath = directory.file("shadow.sqlite")
        let observer = try SyncObserver(configuration, shadow: .file(path: shadowPath), sink: log)
        try observer.saved([LocalChange(key, .put(["title": "Plan"]), isNew: true)], transaction: 41)
        #expect(log.count > 0)
    }

    @Test func localChangeExample() {
        let change = LocalChange(RecordKey(type: "Card", id: "1"), .put(["title": "Plan"]))
        #expect(change.key == key)
    }

    @Test func arrivalExample() throws {
        let arrival = Arrival(RecordKey(type: "Card", id: "1"), .put(["title": "Draft"]), transaction: 41)
        #expect(try observer.arrived([arrival]).isEmpty)
    }

    @Test func exportScopeExample() throws {
        try observer.exportBegan(.transactions(through: 41))
        try observer.exportSucceeded(through: 41)
    }

    @Test func acknowledgementExample() throws {
        try observer.acknowledged([Acknowledgement(key, receipt: TaggedWrite.Receipt(time: nil, hubSequence: 12))])
    }

    @Test func observedConflictExample() throws {
        let arrivals = [Arrival(key, .put(["title": "Draft"]), transaction: 42)]
        try observer.saved([LocalChange(key, .put(["title": "Plan"]), isNew: true)], transaction: 41)
        for found in try observer.arrived(arrivals) {
            print(found.conflict.id, found.doubt?.sentence ?? "proven")
            #expect(found.doubt == nil)
        }
    }

    @Test func proposedChangeExample() throws {
        let conflict = try #require(try lostTitle().first).conflict
        let change = try observer.proposedChange(restoring: conflict.id)
        if let field = change.field { print("set \(field) of \(change.key) back to \(change.value ?? "nothing")") }
        #expect(change.value == "Plan")
    }

    @Test func syncObservationErrorExample() throws {
        do {
            _ = try observer.proposedChange(restoring: ConflictID(rawValue: 1))
        } catch let error as SyncObservationError where error.code == .notFound {
            print(error)
        }
    }

    @Test func observationLevelExample() {
        var configuration = SyncObserver.Configuration(device: "phone", installation: "k3f9")
        configuration.levels["Card"] = .fieldStamps(["title": "titleStamp"])
        #expect(configuration.level(of: "Card") == .fieldStamps(["title": "titleStamp"]))
    }

    @Test func fieldStampExample() {
        let stamp = FieldStamp("1phone.c;=1k2j3h4")
        #expect(stamp != nil)
    }

    @Test func recordStampExample() {
        let stamp = RecordStamp("2phone.c:kf12oi2u:tablet;title:,0.7=1k2j3h4")
        #expect(stamp != nil)
    }
}
