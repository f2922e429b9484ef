import ConflictAudit
import ConflictAuditTesting
import SyncCoding
import SyncModel
import Testing

@testable import SyncObservation

/// What an observer tells the log of writes that the server has taken.
struct AcknowledgementTests {
    private func receipt(_ number: UInt64) -> TaggedWrite.Receipt { TaggedWrite.Receipt(milliseconds: nil, hubSequence: number) }

    private func told(_ phone: ObservedDevice) -> [WriteAcknowledgement] {
        phone.sink.events.compactMap { if case .acknowledgement(let told) = $0.content { told } else { nil } }
    }

    private func send(_ phone: ObservedDevice, _ number: UInt64) throws {
        try phone.observer.exportBegan(.records([card]))
        try phone.observer.acknowledged([Acknowledgement(card, receipt: receipt(number))])
    }

    @Test func acknowledgedWriteSaysWhatHadArrivedBefore() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Draft"], receipt: receipt(3))
        try phone.save(["title": "Plan", "note": "a"])
        try phone.receive(["size": 1], receipt: receipt(5))
        try send(phone, 8)
        #expect(
            told(phone) == [
                WriteAcknowledgement(
                    dot: Dot(device: "phone", sequence: 1), key: card, fields: ["note", "title"], number: 8, earliest: 8, arrived: 3,
                    recordArrived: 5)
            ])
        try send(phone, 9)
        #expect(told(phone).count == 1)
    }

    @Test func coalescedFieldIsNotSent() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan", "note": "a"])
        try phone.save(["title": "Plan B"])
        try send(phone, 8)
        #expect(told(phone).map(\.dot.sequence) == [1, 2])
        #expect(told(phone).map(\.fields) == [["note"], ["title"]])
    }

    @Test func writeSavedAfterTheExportBeganIsNotTakenYet() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"])
        try phone.observer.exportBegan(.records([card]))
        try phone.save(["title": "Plan B"])
        try phone.observer.acknowledged([Acknowledgement(card, receipt: receipt(8))])
        #expect(told(phone).map(\.dot.sequence) == [1])
    }

    @Test func replacedWriteThatWasNotSentIsNotTaken() throws {
        let phone = try ObservedDevice("phone") { $0.pendingFields = .overwritten }
        try phone.save(["title": "Plan", "note": "a"])
        try phone.receive(["title": "Draft"], receipt: receipt(3))
        try send(phone, 8)
        #expect(told(phone).map(\.fields) == [["note"]])
    }

    @Test func unansweredExportMayHaveBeenTakenBefore() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Draft"], receipt: receipt(3))
        try phone.save(["title": "Plan"])
        try phone.observer.exportBegan(.records([card]))
        try phone.observer.exportFailed("the network connection was lost")
        try send(phone, 8)
        #expect(told(phone).map(\.earliest) == [4])
    }

    @Test func arrivalWithoutNumberLeavesNothingKnown() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Draft"])
        try phone.save(["title": "Plan"])
        try phone.restart()
        try send(phone, 8)
        #expect(told(phone).map(\.arrived) == [nil])
    }

    /// What was shown before the shadow began has no number in it, and may come back.
    @Test func recordThatIsOlderThanTheShadowLeavesNothingKnown() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: false)
        #expect(try phone.receive(["title": "Draft"], receipt: receipt(3)).map(\.doubt) == [.olderVersion])
        try phone.save(["note": "a"])
        try send(phone, 8)
        #expect(told(phone).map(\.arrived) == [nil, nil])
        #expect(told(phone).map(\.recordArrived) == [nil, nil])
    }

    @Test(arguments: [(true, false, nil), (false, false, .olderVersion), (false, true, nil)] as [(Bool, Bool, ObservedConflict.Doubt?)])
    func arrivalOfAnOlderRecordMayHaveBeenShown(isNew: Bool, isEmpty: Bool, doubt: ObservedConflict.Doubt?) throws {
        let phone = try ObservedDevice("phone")
        if !isEmpty { try phone.observer.storeHoldsOlderRecords() }
        try phone.observer.arrived([Arrival(card, .put(["title": "Draft"]), isNew: isNew)])
        try phone.restart()
        try phone.save(["title": "Plan"])
        #expect(try phone.receive(["title": "Notes"]).map(\.doubt) == [doubt])
    }

    @Test func saveThatWaitedMayHaveBeenDroppedOrTakenLater() throws {
        let phone = try ObservedDevice("phone") { $0.pendingFields = .unknown }
        try phone.save(["title": "Plan", "note": "a"])
        try phone.receive(["title": "Draft"], receipt: receipt(3))
        try send(phone, 8)
        #expect(told(phone).map(\.earliest) == [1])
    }

    @Test func saveThatWasTakenWithoutNumberMayHaveBeenTakenBefore() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"])
        try phone.export()
        try phone.save(["note": "a"])
        try send(phone, 8)
        #expect(told(phone).filter { $0.fields == ["title"] }.allSatisfy { $0.earliest < 8 })
        #expect(told(phone).filter { $0.fields == ["note"] }.map(\.earliest) == [8])
    }

    @Test func keptArrivalWasNotShown() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"])
        try phone.observer.arrived([Arrival(card, .put(["title": "Draft"]), receipt: receipt(3), keptFields: ["title"])])
        try phone.save(["title": "Plan B"])
        try send(phone, 8)
        #expect(told(phone).map(\.arrived) == [0])
    }

    @Test func writeThatALaterVersionShowsIsToldOnce() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan", "note": "a"])
        try send(phone, 8)
        // Its own export comes back, another device's replaces the note, and one more leaves the title as it was.
        for (number, note) in [(8, "a"), (9, "b"), (10, "b")] as [(UInt64, FieldValue)] {
            try phone.receive(["title": "Plan", "note": note], receipt: receipt(number))
        }
        let shown = told(phone).filter(\.isStillShown)
        #expect(shown.map(\.number) == [9])
        #expect(shown.map(\.fields) == [["title"]])
        #expect(shown.map(\.dot) == [Dot(device: "phone", sequence: 1)])
    }

    @Test(arguments: ["Plan", "Draft"] as [FieldValue]) func writeThatIsReplacedOrWaitsIsNotStillShown(title: FieldValue) throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"])
        if title == "Draft" { try send(phone, 8) }
        try phone.receive(["title": title], receipt: receipt(9))
        #expect(told(phone).filter(\.isStillShown).isEmpty)
    }

    @Test func entryOfAnEarlierVersionIsStillTold() throws {
        var encoder = StateEncoder()
        encoder.append(4 as UInt8)
        encoder.append(DeviceID("phone"))
        encoder.append(7 as UInt64)
        encoder.append(card)
        encoder.append(.array(["title"]) as FieldValue?)
        for number in [8, 8, 3] as [UInt64] { encoder.append(number) }
        encoder.append(1 as Int64)
        guard case .acknowledgement(let told, let milliseconds) = try JournalEntry(encoded: encoder.bytes) else {
            return #expect(Bool(false), "no acknowledgement")
        }
        #expect(milliseconds == 1 && told.fields == ["title"] && told.arrived == 3 && told.recordArrived == nil && !told.isStillShown)
    }

    @Test func acknowledgedDeleteNamesNoFields() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Draft"], receipt: receipt(3))
        try phone.save(["title": "Plan"])
        try phone.delete()
        try send(phone, 8)
        #expect(told(phone).map(\.fields) == [nil])
        #expect(told(phone).map(\.arrived) == [3])
    }

    @Test func deleteThatArrivedCountsForEveryField() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Draft"], receipt: receipt(3))
        try phone.observer.arrived([Arrival(card, .delete, receipt: receipt(6))])
        try phone.save(["title": "Plan"])
        try send(phone, 8)
        #expect(told(phone).map(\.arrived) == [6])
    }

    @Test func stampInFogIsNoCausalContext() throws {
        let phone = try ObservedDevice("phone") { $0.standardLevel = .fieldStamps(["title": "stamp"]) }
        try phone.save(["title": "Plan"], isNew: false)
        guard case .write(let write)? = phone.sink.events.first?.content else { return #expect(Bool(false), "no write") }
        #expect(!write.hasCausalContext)
    }
}
