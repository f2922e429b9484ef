import ConflictAudit
import ConflictAuditTesting
import SyncModel
import Testing

@testable import SyncObservation

/// An observer that comes when the store holds records already.
struct LateObserverTests {
    private func device(_ level: ObservationLevel = .unstamped) throws -> ObservedDevice {
        let phone = try ObservedDevice("phone") { $0.standardLevel = level }
        try phone.observer.storeHoldsOlderRecords()
        return phone
    }

    /// The delete that comes may be this device's own, unless the name was never given before.
    @Test(arguments: [(false, .ownDelete), (true, nil)] as [(Bool, ObservedConflict.Doubt?)])
    func ownDeleteOfBeforeMayComeBack(isNew: Bool, doubt: ObservedConflict.Doubt?) throws {
        let phone = try device()
        try phone.save(["title": "Plan"], isNew: isNew)
        #expect(try phone.receiveDelete().map(\.doubt) == [doubt])
    }

    @Test func ownDeleteMayComeBackAfterAMerge() throws {
        let phone = try device()
        let merge = RecordedMerge(
            key: card, at: WallTime(millisecondsSince1970: 1), by: "phone", ancestor: .init(fields: ["title": "Old"]),
            client: .init(fields: ["title": "Plan"]), server: .init(fields: ["note": "a", "title": "Old"]))
        try phone.observer.merged(merge)
        try phone.save(["title": "Draft"], isNew: false)
        #expect(try phone.receiveDelete().map(\.doubt) == [.ownDelete])
    }

    @Test func ownDeleteMayComeBackOverARecordThatArrivedFirst() throws {
        let phone = try device()
        try phone.receive(["title": "Plan"])
        try phone.save(["title": "Draft"])
        #expect(try phone.receiveDelete().map(\.doubt) == [.ownDelete])
    }

    @Test(arguments: [ObservationLevel.recordStamp("stamp"), .fieldStamps(["title": "titleStamp", "note": "noteStamp"])])
    func everyFieldOfAnOlderRecordIsInFog(level: ObservationLevel) throws {
        let phone = try device(level)
        try phone.save(["title": "Plan"], isNew: false)
        // The record is known now, and this field of it is not.
        try phone.save(["note": "a"])
        let stored = try #require(phone.store[card])
        let entry =
            stored["stamp"]?.string.flatMap { RecordStamp($0)?.entries["note"] } ?? stored["noteStamp"]?.string.flatMap { FieldStamp($0) }
        #expect(entry?.isFogged == true)
    }

    /// The store shows what was saved before, and not what came.
    @Test func fieldThatWasKeptShowsWhatWasSavedBefore() throws {
        let phone = try device(.fieldStamps(["title": "titleStamp"]))
        try phone.observer.arrived([Arrival(card, .put(["title": "Draft"]), keptFields: ["title"])])
        #expect(try phone.save(["title": "Notes"], snapshot: ["title": "Plan"], isNew: false).map(\.doubt) == [])
    }

    /// An old window shows another value than the store does, and nobody knows which of the two its writer saw last.
    @Test func unstampedValueMayHaveBeenShownBefore() throws {
        let phone = try device(.fieldStamps(["title": "titleStamp"]))
        try phone.observer.arrived([Arrival(card, .put(["title": "Draft"]))])
        #expect(try phone.save(["title": "Notes"], snapshot: ["title": "Plan"], isNew: false).map(\.doubt) == [.olderVersion])
    }

    /// The server may have this device's own edit, sent and never answered before the observer came.
    @Test func mergeOfAnUnknownRecordProvesNothing() throws {
        let merge = RecordedMerge(
            key: card, at: WallTime(millisecondsSince1970: 1), by: "phone", ancestor: .init(fields: ["title": "Old"]),
            client: .init(fields: ["title": "Plan"]), server: .init(fields: ["title": "Draft"]))
        #expect(try device().observer.merged(merge).map(\.doubt) == [.exportBegun])
        #expect(try ObservedDevice("tablet").observer.merged(merge).map(\.doubt) == [nil])
    }

    @Test func versionOverADeleteMayHaveBeenShownBeforeIt() throws {
        let phone = try device(.fieldStamps(["title": "titleStamp"]))
        let tablet = try ObservedDevice("tablet") { $0.standardLevel = .fieldStamps(["title": "titleStamp"]) }
        try tablet.save(["title": "Draft"])
        try phone.delete()
        #expect(try phone.receive(try #require(tablet.store[card])).map(\.doubt) == [.olderVersion])
    }

    /// What was saved before the observer came may go with the export, and is then no edit that another device left as it was.
    @Test func exportOfAnOlderRecordDoesNotSayWhatHadArrived() throws {
        let phone = try device()
        try phone.receive(["title": "Draft"], receipt: TaggedWrite.Receipt(milliseconds: nil, hubSequence: 3))
        try phone.save(["note": "a"])
        try phone.observer.exportBegan(.records([card]))
        try phone.observer.acknowledged([Acknowledgement(card, receipt: TaggedWrite.Receipt(milliseconds: nil, hubSequence: 4))])
        let told = phone.sink.events.compactMap { if case .acknowledgement(let told) = $0.content { told } else { nil } }
        #expect(told.map(\.number) == [4])
        #expect(told.map(\.recordArrived) == [nil])
    }
}
