import ConflictAudit
import SyncModel
import Testing

@testable import SyncObservation

/// What comes back, comes twice, or was never answered proves nothing.
struct ReturningVersionTests {
    @Test func ownDeleteThatComesBackOverNewRecordIsNoProof() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.delete()
        try phone.export()
        try phone.save(["title": "Plan B"])
        #expect(try phone.receiveDelete().map(\.doubt) == [.ownDelete])
    }

    @Test func deleteThatWasNeverSentDoesNotComeBack() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.delete()
        try phone.save(["title": "Plan B"])
        #expect(try phone.receiveDelete().map(\.doubt) == [nil])
    }

    @Test func sameDeleteArrivingAgainIsNoProof() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Draft"])
        try phone.receiveDelete()
        try phone.save(["title": "Plan"])
        #expect(try phone.receiveDelete().map(\.doubt) == [.olderVersion])
    }

    @Test func sameNumberedDeleteAfterEmptiedStoreIsNoProof() throws {
        let phone = try ObservedDevice("phone")
        let delete = Arrival(card, .delete, receipt: TaggedWrite.Receipt(milliseconds: nil, hubSequence: 4))
        try phone.receive(["title": "Draft"])
        try phone.observer.arrived([delete])
        try phone.observer.storeEmptied()
        try phone.save(["title": "Plan"])
        #expect(try phone.observer.arrived([delete]).map(\.doubt) == [.olderVersion])
    }

    /// Its deleter had no answer and sent it again; it has a new number, and whoever made the record anew has seen it.
    @Test func deleteThatWasSentAgainIsNoProof() throws {
        let phone = try ObservedDevice("phone")
        func delete(_ number: UInt64) throws -> [ObservedConflict] {
            try phone.observer.arrived([Arrival(card, .delete, receipt: TaggedWrite.Receipt(milliseconds: nil, hubSequence: number))])
        }
        try phone.receive(["title": "Draft"])
        _ = try delete(2)
        try phone.receive(["title": "Else"], receipt: TaggedWrite.Receipt(milliseconds: nil, hubSequence: 3))
        try phone.save(["title": "Plan"])
        #expect(try delete(4).map(\.doubt) == [.olderVersion])
    }

    /// Deletes carry no stamp: whoever has seen one may have seen what its writer had.
    @Test func writeAfterDeleteIsInFog() throws {
        func device(_ name: DeviceID) throws -> ObservedDevice {
            try ObservedDevice(name) { $0.standardLevel = .fieldStamps(["title": "stamp"]) }
        }
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try phone.export()
        // A third device had the phone's version and deleted it; of that the tablet knows the delete only.
        try tablet.receiveDelete()
        try tablet.save(["title": "Draft"])
        try tablet.export()
        #expect(try phone.receive(try #require(tablet.store[card])).map(\.doubt) == [.fog])
    }

    /// Its export has begun, so that the engine may take what arrives as newer.
    @Test func arrivalOverBegunDeleteMayHaveBeenShown() throws {
        func device(_ name: DeviceID) throws -> ObservedDevice {
            try ObservedDevice(name) { $0.standardLevel = .fieldStamps(["title": "stamp"]) }
        }
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try tablet.save(["title": "Draft"], isNew: true)
        try tablet.export()
        try phone.save(["title": "Plan"], isNew: true)
        try phone.delete()
        try phone.observer.exportBegan()
        try phone.receive(try #require(tablet.store[card]))
        try phone.save(["title": "Plan B"])
        #expect(try tablet.receive(try #require(phone.store[card])).isEmpty)
    }

    @Test func newRecordOfAnotherOverTakenDeleteIsSuspectedOnce() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.delete()
        try phone.export()
        let found = try phone.receive(["title": "Draft"])
        #expect(found.map(\.doubt) == [.unstampedDelete])
        #expect(found.map(\.conflict.loser.operation) == [.delete])
    }

    @Test func emptiedStoreHasNothingToReplace() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.observer.storeEmptied()
        #expect(try phone.receive(["title": "Draft"]).isEmpty)
    }

    @Test func emptiedStoreMayGetTheSameVersionAgain() throws {
        let phone = try ObservedDevice("phone")
        let receipt = TaggedWrite.Receipt(milliseconds: nil, hubSequence: 4)
        try phone.receive(["title": "Draft"], receipt: receipt)
        try phone.observer.storeEmptied()
        try phone.receive(["title": "Draft"], receipt: receipt)
        let found = try phone.save(["title": "Plan"], snapshot: ["title": "Older"])
        #expect(found.map(\.conflict.loser.value) == ["Draft"])
    }

    @Test func acknowledgedVersionMayHoldChangesOfOthers() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.save(["note": "a"])
        try phone.observer.exportBegan(.records([card]))
        let receipt = TaggedWrite.Receipt(milliseconds: phone.clock.now, hubSequence: 7)
        try phone.observer.acknowledged([Acknowledgement(card, receipt: receipt)])
        #expect(try phone.receive(["title": "Draft", "note": "a"], receipt: receipt).map(\.conflict.field) == ["title"])
    }

    @Test func arrivalWithKnownNumberIsNoNews() throws {
        let phone = try ObservedDevice("phone")
        let receipt = TaggedWrite.Receipt(milliseconds: nil, hubSequence: 4)
        try phone.receive(["title": "Draft"], receipt: receipt)
        try phone.save(["title": "Plan"])
        #expect(try phone.receive(["title": "Other"], receipt: receipt).isEmpty)
    }

    @Test func laterOwnDeleteThatComesBackIsNoProof() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.delete()
        try phone.export()
        try phone.save(["title": "Plan B"])
        try phone.delete()
        try phone.observer.exportBegan(.transactions(through: 4))
        try phone.receiveDelete()
        try phone.save(["title": "Plan C"])
        #expect(try phone.receiveDelete().map(\.doubt) == [.ownDelete])
    }

    /// Somebody types, and every letter is saved: what the server has is still what was there before.
    @Test(arguments: [true, false]) func valueFromBeforeManySavesIsNoProof(isEqual: Bool) throws {
        let phone = try ObservedDevice("phone")
        if isEqual { try phone.save(["title": "Draft"], isNew: true) }
        try phone.receive(["title": "Draft"])
        for number in 0..<40 { try phone.save(["title": .number(JSONNumber(number))]) }
        #expect(try phone.receive(["title": "Draft"]).map(\.doubt) == [.olderVersion])
    }

    @Test func numberedArrivalThatWasKeptMayBeShownLater() throws {
        func device(_ name: DeviceID) throws -> ObservedDevice {
            try ObservedDevice(name) { $0.standardLevel = .fieldStamps(["title": "stamp"]) }
        }
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try tablet.save(["title": "Draft"], isNew: true)
        try tablet.export()
        let draft = try #require(tablet.store[card])
        let receipt = TaggedWrite.Receipt(milliseconds: nil, hubSequence: 1)
        let kept = Arrival(card, .put(draft), receipt: receipt, keptFields: ["title", "stamp"])
        #expect(try phone.observer.arrived([kept]).map(\.doubt) == [nil])
        try phone.receive(draft, receipt: receipt)
        try phone.save(["title": "Plan B"])
        #expect(try tablet.receive(try #require(phone.store[card])).isEmpty)
    }

    @Test func saveOverValueThatCameAgainIsSuspected() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Draft"])
        try phone.receive(["title": "Other"])
        try phone.receive(["title": "Draft"])
        #expect(try phone.save(["title": "Plan"], snapshot: ["title": "Other"]).map(\.doubt) == [.olderVersion])
    }

    @Test func keptFieldIsToldByTheArrivalItself() throws {
        let phone = try ObservedDevice("phone") { $0.pendingFields = .overwritten }
        try phone.save(["title": "Plan"], isNew: true)
        try phone.observer.exportBegan()
        let arrival = Arrival(card, .put(["title": "Draft"]), keptFields: ["title"])
        #expect(try phone.observer.arrived([arrival]).map(\.conflict.winner.value) == ["Plan"])
    }

    @Test func engineThatMayHaveKeptOrNotIsJudgedByBoth() throws {
        let phone = try ObservedDevice("phone") { $0.standardLevel = .fieldStamps(["title": "stamp"]) }
        let (tablet, laptop) = (
            try ObservedDevice("tablet") { $0.standardLevel = .fieldStamps(["title": "stamp"]) },
            try ObservedDevice("laptop") { $0.standardLevel = .fieldStamps(["title": "stamp"]) }
        )
        try phone.save(["title": "Plan"], isNew: true)
        try tablet.save(["title": "Draft"], isNew: true)
        try laptop.save(["title": "Else"], isNew: true)
        try phone.receive(try #require(tablet.store[card]))
        let found = try phone.receive(try #require(laptop.store[card]))
        #expect(Set(found.map(\.conflict.loser.dot.device)) == ["phone", "tablet"])
    }
}
