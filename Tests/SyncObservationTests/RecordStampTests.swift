import ConflictAudit
import SyncModel
import Testing

@testable import SyncObservation

/// Rule B5: one stamp for a record, which describes the fields whose export had not begun.
struct RecordStampTests {
    private func device(_ name: DeviceID) throws -> ObservedDevice {
        try ObservedDevice(name) { $0.standardLevel = .recordStamp("stamp") }
    }

    @discardableResult
    private func send(_ sender: ObservedDevice, to receiver: ObservedDevice) throws -> [ObservedConflict] {
        try receiver.receive(try #require(sender.store[card]))
    }

    private func stamp(_ device: ObservedDevice) throws -> RecordStamp {
        try #require(device.store[card]?["stamp"]?.string.flatMap { RecordStamp($0) })
    }

    @Test func acknowledgedWriteThatOtherHadNotSeenIsProven() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try phone.export()
        try tablet.save(["title": "Draft"], isNew: true)
        #expect(try send(tablet, to: phone).map(\.doubt) == [nil])
    }

    @Test func writeThatOtherHadSeenIsNoConflict() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try phone.export()
        try send(phone, to: tablet)
        try tablet.save(["title": "Plan B"])
        #expect(try send(tablet, to: phone).isEmpty)
    }

    @Test func stampNamesWhatWaitsAndNotWhatBegan() throws {
        let phone = try device("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.save(["note": "a"])
        #expect(Set(try stamp(phone).entries.keys) == ["title", "note"])
        try phone.observer.exportBegan(.transactions(through: 2))
        try phone.save(["size": 3])
        #expect(Set(try stamp(phone).entries.keys) == ["size"])
    }

    @Test func undescribedFieldIsFoggedEvenUnchanged() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try phone.save(["title": "Plan", "note": "a"], isNew: true)
        try phone.export()
        try send(phone, to: tablet)
        try tablet.save(["note": "b"])
        // Another stamp has taken the place of the one that described the title: it may be another version of equal value.
        try send(tablet, to: phone)
        try phone.save(["title": "Plan B"])
        #expect(try stamp(phone).entries["title"]?.isFogged == true)
        try tablet.save(["title": "Draft"])
        try tablet.export()
        #expect(try send(phone, to: tablet).map(\.doubt) == [.fog])
    }

    @Test func fogIsInherited() throws {
        let (phone, tablet, laptop) = (try device("phone"), try device("tablet"), try device("laptop"))
        try phone.save(["title": "Plan", "note": "a"], isNew: true)
        try phone.export()
        try send(phone, to: tablet)
        try tablet.save(["note": "b"])
        try send(tablet, to: phone)
        try phone.save(["title": "Plan B"])
        // The laptop itself has held nothing that was not described, but for what the phone may have held.
        try laptop.receive(["title": "Plan B", "stamp": .string(try stamp(phone).text)])
        try laptop.save(["title": "Plan C"])
        #expect(try stamp(laptop).entries["title"]?.isFogged == true)
    }

    @Test func valueThatTheStampDoesNotDescribeIsOnlySuspected() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try phone.export()
        try tablet.save(["title": "Draft"], isNew: true)
        var mixed = try #require(tablet.store[card])
        mixed["title"] = "Somebody's"
        #expect(try phone.receive(mixed).map(\.doubt) == [.acknowledged])
    }

    @Test func unsentWriteIsProvenWhateverTheFog() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try tablet.receive(["title": "Old", "stamp": "2other.1:1"])
        try tablet.save(["title": "Draft"])
        #expect(try stamp(tablet).entries["title"]?.isFogged == true)
        try phone.save(["title": "Plan"], isNew: true)
        #expect(try send(tablet, to: phone).map(\.doubt) == [nil])
    }

    @Test func recordThatWasNeverSeenIsFogged() throws {
        let phone = try device("phone")
        try phone.save(["title": "Plan"], isNew: false)
        #expect(try stamp(phone).entries["title"]?.isFogged == true)
    }
}
