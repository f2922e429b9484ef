import ConflictAudit
import ConflictAuditTesting
import SyncModel
import Testing

@testable import SyncObservation

/// Rule C: an arrival conflicts with what it replaces exactly when its vector lacks that version.
struct FieldStampTests {
    private func device(_ name: DeviceID) throws -> ObservedDevice {
        try ObservedDevice(name) { $0.standardLevel = .fieldStamps(["title": "titleStamp", "note": "noteStamp"]) }
    }

    /// Hands over all that a device's store shows of the record.
    @discardableResult
    private func send(_ sender: ObservedDevice, to receiver: ObservedDevice) throws -> [ObservedConflict] {
        try receiver.receive(try #require(sender.store[card]))
    }

    @Test func acknowledgedWriteThatOtherHadNotSeenIsProven() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try phone.export()
        try tablet.save(["title": "Draft"], isNew: true)
        let found = try send(tablet, to: phone)
        #expect(found.map(\.doubt) == [nil])
        #expect(found.map(\.conflict.basis) == [.causal])
        #expect(found.map(\.conflict.winner.dot) == [Dot(device: "tablet", sequence: 1)])
    }

    @Test func writeThatOtherHadSeenIsNoConflict() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try phone.export()
        try send(phone, to: tablet)
        try tablet.save(["title": "Plan B"])
        #expect(try send(tablet, to: phone).isEmpty)
    }

    @Test func contextIsKnownByItsStampsAlone() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try phone.save(["title": "Draft"], isNew: true)
        try send(phone, to: tablet)
        let shown = try #require(tablet.store[card]?["titleStamp"])
        try phone.save(["title": "Plan"])
        try send(phone, to: tablet)
        let found = try tablet.save(["title": "Idea"], snapshot: ["titleStamp": shown])
        #expect(found.map(\.conflict.loser.value) == ["Plan"])
        #expect(found.map(\.doubt) == [nil])
    }

    @Test func whatWasSeenAndReplacedBeforeStaysSeen() throws {
        let (phone, tablet, laptop) = (try device("phone"), try device("tablet"), try device("laptop"))
        try phone.save(["title": "Plan"], isNew: true)
        try laptop.save(["title": "Else"], isNew: true)
        try send(phone, to: tablet)
        #expect(try send(laptop, to: tablet).count == 1)
        try tablet.save(["title": "Both"])
        // The tablet had both, one after the other.
        #expect(try send(tablet, to: phone).isEmpty)
        #expect(try send(tablet, to: laptop).isEmpty)
    }

    @Test func thirdDeviceSeesTheConflictOfTwoOthersUnderTheSameName() throws {
        let (phone, tablet, laptop) = (try device("phone"), try device("tablet"), try device("laptop"))
        try phone.save(["title": "Plan"], isNew: true)
        try tablet.save(["title": "Draft"], isNew: true)
        try send(phone, to: laptop)
        let seen = try send(tablet, to: laptop)
        let own = try send(tablet, to: phone)
        #expect(seen.count == 1)
        #expect(seen.map(\.conflict.id) == own.map(\.conflict.id))
    }

    @Test func contextThatShowedAnOlderVersionHasNotSeenTheArrival() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try send(phone, to: tablet)
        let context = try #require(tablet.store[card])
        try phone.save(["title": "Plan B"])
        try send(phone, to: tablet)
        #expect(try tablet.save(["title": "Draft"], snapshot: context).map(\.conflict.loser.value) == ["Plan B"])
        #expect(try send(tablet, to: phone).map(\.conflict.loser.value) == ["Plan B"])
    }

    @Test func stampOfAnotherValueDescribesNothing() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try phone.export()
        try tablet.save(["title": "Draft"], isNew: true)
        var mixed = try #require(tablet.store[card])
        // An old version of the app writes values and leaves the stamps alone.
        mixed["title"] = "Old"
        #expect(try phone.receive(mixed).map(\.doubt) == [.acknowledged])
        // From here on the phone may have held a version that nobody can name.
        try phone.save(["title": "Plan B"])
        let stamp = try #require(phone.store[card]?["titleStamp"]?.string.flatMap { FieldStamp($0) })
        #expect(stamp.isFogged)
        try tablet.save(["title": "Draft 2"])
        try tablet.export()
        #expect(try send(phone, to: tablet).map(\.doubt) == [.fog])
    }

    @Test func ownVersionThatComesBackIsNoConflict() throws {
        let phone = try device("phone")
        try phone.save(["title": "Plan"], isNew: true)
        let old = try #require(phone.store[card])
        try phone.export()
        try phone.save(["title": "Plan B"])
        #expect(try phone.receive(old).isEmpty)
    }

    @Test func ancestorThatComesBackIsSuspected() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try tablet.save(["title": "Draft"], isNew: true)
        let old = try #require(tablet.store[card])
        try phone.receive(old)
        try phone.save(["title": "Plan"])
        #expect(try phone.receive(old).map(\.doubt) == [.olderVersion])
    }

    @Test func stampWithUnknownNumberOfOwnNameMakesAnotherWriter() throws {
        let (phone, past) = (try device("phone"), try device("phone"))
        try phone.save(["title": "Plan"], isNew: true)
        for value in ["a", "b", "c"] { try past.save(["title": .string(value)]) }
        try send(past, to: phone)
        let writer = try phone.observer.writer
        #expect(writer.isLaterWriter(of: "phone"))
        try phone.save(["title": "d"])
        #expect(phone.store[card]?["titleStamp"]?.string.flatMap { FieldStamp($0) }?.dot.device == writer)
    }

    @Test func logSaysWhatWasSeen() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try phone.save(["title": "Plan", "note": "a"], isNew: true)
        try send(phone, to: tablet)
        try tablet.save(["title": "Draft", "note": "b"])
        let writes = tablet.sink.events.compactMap { if case .write(let write) = $0.content { write } else { nil } }
        #expect(writes.allSatisfy { $0.fieldCount == 1 && $0.seen?["phone"] ?? 0 > 0 })
        let inserts = phone.sink.events.compactMap { if case .write(let write) = $0.content { write.isInsert } else { nil } }
        #expect(inserts == [true, true])
    }
}
