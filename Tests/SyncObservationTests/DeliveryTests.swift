import ConflictAudit
import ConflictAuditTesting
import SyncModel
import SyncSystem
import Testing

@testable import SyncObservation

/// How long edits take from device to device, as the lines of an observer's syncs tell it.
@Suite struct DeliveryTests {
    @Test func theStoreIsMeasuredOnceADay() throws {
        let phone = try ObservedDevice("phone")
        let sizes = Locked<[Int64?]>([100, 200, nil, 300])
        var told: [Int64?] {
            phone.sink.events.compactMap { event in
                if case .sync(let activity) = event.content { .some(activity.storeBytes) } else { nil }
            }
        }
        try phone.export()
        #expect(told == [nil, nil], "nobody said how")
        phone.observer.measureStore { sizes.withLock { $0.removeFirst() } }
        phone.observer.importBegan()
        phone.observer.importEnded(error: "offline")
        #expect(told.dropFirst(2) == [nil, nil], "it did not end well")
        phone.observer.importBegan()
        phone.observer.importEnded()
        phone.clock.advance(by: 86_399_999)
        try phone.export()
        #expect(told.dropFirst(4) == [nil, 100, nil, nil])
        phone.clock.advance(by: 1)
        try phone.export()
        #expect(told.dropFirst(8) == [nil, 200])
        // A clock that was put back does not put it off.
        phone.clock.advance(by: -1000)
        try phone.export()
        #expect(told.dropFirst(10) == [nil, nil])
        phone.clock.advance(by: 86_400_000)
        try phone.export()
        #expect(told.last == 300 && sizes.withLock { $0 } == [])
    }

    private func ended(_ device: ObservedDevice, _ phase: SyncActivity.Phase) -> [SyncActivity] {
        device.sink.events.compactMap { event in
            guard case .sync(let activity) = event.content, activity.phase == phase, activity.state != .started else { return nil }
            return activity
        }
    }

    private func delays(_ activity: SyncActivity?) -> [Duration?] { [activity?.delays?.minimum, activity?.delays?.maximum] }

    @Test func anExportSaysHowOldItsWritesWere() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"])
        phone.clock.advance(by: 5000)
        try phone.save(["title": "Plan B"])
        phone.clock.advance(by: 2000)
        try phone.observer.exportBegan()
        try phone.save(["note": "not in it"])
        phone.clock.advance(by: 1000)
        try phone.observer.exportSucceeded()
        let first = try #require(ended(phone, .export).last)
        #expect(first.writes == 2 && first.delays?.count == 2)
        #expect(delays(first) == [.seconds(3), .seconds(8)])
        try phone.export()
        #expect(ended(phone, .export).last?.writes == 1)
        try phone.export()
        #expect(ended(phone, .export).last?.writes == 0 && ended(phone, .export).last?.delays == nil)
    }

    @Test func anExportThatFailedHasMovedNothingYet() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"])
        try phone.observer.exportBegan()
        try phone.observer.exportFailed("no network")
        #expect(ended(phone, .export).last?.writes == 0)
        phone.clock.advance(by: 60_000)
        try phone.export()
        #expect(delays(ended(phone, .export).last) == [.seconds(60), .seconds(60)])
    }

    @Test func acknowledgedRecordsAreThoseThatWereSent() throws {
        let phone = try ObservedDevice("phone")
        let other = RecordKey(type: "Card", id: "2")
        try phone.save(["title": "Plan"])
        try phone.save(["title": "Other"], of: other)
        try phone.observer.exportBegan(.records([card]))
        try phone.save(["title": "Plan B"])
        phone.clock.advance(by: 400)
        try phone.observer.acknowledged([Acknowledgement(card)])
        try phone.observer.exportSucceeded()
        #expect(ended(phone, .export).last?.writes == 1)
        #expect(ended(phone, .export).last?.delays?.count == 1)
    }

    @Test func anImportSaysHowOldStampedVersionsWere() throws {
        let clock = HandClock()
        let (phone, tablet) = (
            try ObservedDevice("phone", clock: clock) { $0.standardLevel = .recordStamp("stamp") },
            try ObservedDevice("tablet", clock: clock) { $0.standardLevel = .recordStamp("stamp") }
        )
        try phone.save(["title": "Plan"])
        clock.advance(by: 4000)
        tablet.observer.importBegan()
        try tablet.receive(try #require(phone.store[card]))
        tablet.observer.importEnded()
        let first = try #require(ended(tablet, .import).last)
        #expect(first.writes == 1)
        #expect(delays(first) == [.seconds(4), .seconds(4)])
        // The same version once more, and a version of this device's own, are no deliveries.
        try tablet.receive(try #require(phone.store[card]))
        try phone.receive(try #require(phone.store[card]))
        for device in [phone, tablet] { device.observer.importEnded() }
        #expect(ended(tablet, .import).last?.delays == nil && ended(phone, .import).last?.delays == nil)
    }

    @Test func anotherAccountsExportHasNothingThatWaited() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"])
        try phone.observer.storeEmptied()
        try phone.export()
        #expect(ended(phone, .export).last?.writes == 0)
    }

    @Test func savesThatAreToldAgainCountOnce() throws {
        let phone = try ObservedDevice("phone")
        let change = LocalChange(card, .put(["title": "Plan"]), isNew: true)
        for _ in 0..<2 { try phone.observer.saved([change], transaction: 7) }
        try phone.export()
        #expect(ended(phone, .export).last?.writes == 1)
    }
}
