import ConflictAudit
import SyncMerge
import SyncModel
import Testing

@testable import SyncObservation

/// Three versions that met: proven unless the shadow contradicts the ancestor.
struct MergeTests {
    private func merge(
        _ phone: ObservedDevice, ancestor: FieldMap? = ["title": "Old"], client: FieldMap?, server: FieldMap?, result: FieldMap? = nil
    ) throws -> [ObservedConflict] {
        phone.clock.advance(by: 1000)
        return try phone.observer.merged(
            RecordedMerge(
                key: card, at: phone.clock.wallTime, by: "phone", ancestor: ancestor.map { .init(fields: $0) },
                client: .init(fields: client),
                server: .init(fields: server), result: result.map { .init(fields: $0) }))
    }

    private func stamped(_ name: DeviceID) throws -> ObservedDevice {
        try ObservedDevice(name) { $0.standardLevel = .fieldStamps(["title": "stamp"]) }
    }

    @Test func mergeAfterExportWithoutAnswerIsSuspected() throws {
        let phone = try ObservedDevice("phone")
        func merge() throws -> [ObservedConflict] {
            phone.clock.advance(by: 1000)
            return try phone.observer.merged(
                RecordedMerge(
                    key: card, at: phone.clock.wallTime, by: "phone", ancestor: .init(fields: ["title": "Old"]),
                    client: .init(fields: ["title": "Plan"]), server: .init(fields: ["title": "Draft"])))
        }
        try phone.save(["title": "Plan"], isNew: true)
        try phone.observer.exportBegan(.records([card]))
        #expect(try merge().map(\.doubt) == [nil])
        try phone.observer.exportFailed("the network connection was lost")
        try phone.observer.exportBegan(.records([card]))
        #expect(try merge().map(\.doubt) == [.exportBegun])
    }

    @Test func mergeWithOwnEarlierValueIsSuspected() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.observer.exportBegan(.records([card]))
        try phone.save(["title": "Plan B"])
        let merge = RecordedMerge(
            key: card, at: phone.clock.wallTime, by: "phone", ancestor: .init(fields: ["title": "Old"]),
            client: .init(fields: ["title": "Plan B"]), server: .init(fields: ["title": "Plan"]))
        #expect(try phone.observer.merged(merge).map(\.doubt) == [.ownValue])
    }

    /// The ancestor that the engine hands over may be older than what this device had been shown when it wrote.
    @Test(arguments: ["Plan", "Draft"] as [FieldValue]) func mergeWithValueShownBeforeIsSuspected(mine: FieldValue) throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Draft"])
        if mine != "Draft" { try phone.save(["title": mine]) }
        let merge = RecordedMerge(
            key: card, at: phone.clock.wallTime, by: "phone", ancestor: .init(fields: ["title": "Old"]),
            client: .init(fields: ["title": mine]), server: .init(fields: ["title": "Draft"]))
        #expect(try phone.observer.merged(merge).map(\.doubt) == [.olderVersion])
    }

    @Test func ancestorOlderThanWhatThisDeviceOnlyReceivedIsNoProof() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Old"])
        try phone.receive(["title": "Draft"])
        let found = try merge(phone, client: ["title": "Draft"], server: ["title": "Other"])
        #expect(found.map(\.doubt) == [.olderVersion])
    }

    @Test func ancestorOlderThanWhatTheServerTookIsNoProof() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Old"])
        try phone.save(["title": "Plan"])
        try phone.export()
        #expect(try merge(phone, client: ["title": "Plan"], server: ["title": "Other"]).map(\.doubt) == [.exportBegun])
    }

    @Test func valueThatWasNeverReportedIsNoProof() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Old"])
        #expect(try merge(phone, client: ["title": "Plan"], server: ["title": "Other"]).map(\.doubt) == [.untold])
    }

    @Test func refusedValueIsProvenThoughAnotherHasBeenSavedSince() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Old"])
        try phone.save(["title": "Plan"])
        try phone.observer.exportBegan(.records([card]))
        try phone.save(["title": "Plan B"])
        #expect(try merge(phone, client: ["title": "Plan"], server: ["title": "Other"]).map(\.doubt) == [nil])
    }

    @Test func stampsAreNoContent() throws {
        let (phone, tablet) = (try stamped("phone"), try stamped("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try tablet.save(["title": "Draft"], isNew: true)
        let found = try merge(phone, ancestor: ["title": "Old"], client: phone.store[card], server: tablet.store[card])
        #expect(found.map(\.conflict.field) == ["title"])
        #expect(found.map(\.doubt) == [nil])
    }

    /// A device that was put back brings a version that the client's ancestor had replaced.
    @Test func versionThatIsOlderThanTheAncestorIsNoProof() throws {
        let (phone, tablet) = (try stamped("phone"), try stamped("tablet"))
        try tablet.save(["title": "Draft"])
        let draft = tablet.store[card]
        try tablet.save(["title": "Notes"])
        try phone.receive(try #require(tablet.store[card]))
        try phone.save(["title": "Plan"])
        let found = try merge(phone, ancestor: ["title": "Notes"], client: phone.store[card], server: draft)
        #expect(found.map(\.doubt) == [.olderVersion])
    }

    @Test func mergedVersionCountsAsSeenThoughNobodyTellsOfIt() throws {
        let (phone, tablet) = (try stamped("phone"), try stamped("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try tablet.save(["title": "Draft"], isNew: true)
        try tablet.export()
        _ = try merge(phone, client: phone.store[card], server: tablet.store[card])
        try phone.restart()
        try phone.save(["title": "Both"])
        #expect(try tablet.receive(try #require(phone.store[card])).isEmpty)
    }

    @Test func twoMergedVersionsCountAsSeen() throws {
        let (phone, tablet, laptop) = (try stamped("phone"), try stamped("tablet"), try stamped("laptop"))
        try phone.save(["title": "Plan"], isNew: true)
        try tablet.save(["title": "Draft"], isNew: true)
        try laptop.save(["title": "Else"], isNew: true)
        for other in [tablet, laptop] { _ = try merge(phone, client: phone.store[card], server: other.store[card]) }
        try phone.save(["title": "All"])
        let all = try #require(phone.store[card])
        #expect(try tablet.receive(all).isEmpty)
        #expect(try laptop.receive(all).isEmpty)
    }

    @Test func versionThatTheMergeDidNotTakeIsNotSeen() throws {
        let (phone, tablet) = (try stamped("phone"), try stamped("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try tablet.save(["title": "Draft"], isNew: true)
        try tablet.export()
        let mine = phone.store[card]
        _ = try merge(phone, client: mine, server: tablet.store[card], result: mine)
        #expect(try tablet.receive(try #require(mine)).map(\.doubt) == [nil])
        try phone.save(["title": "Plan B"])
        let stamp = try #require(phone.store[card]?["stamp"]?.string.flatMap { FieldStamp($0) })
        #expect(stamp.vector.entries.map(\.device) == ["phone"])
    }

    @Test func contextThatShowsTheMergedVersionHasSeenIt() throws {
        let (phone, tablet) = (try stamped("phone"), try stamped("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try tablet.save(["title": "Draft"], isNew: true)
        try tablet.export()
        let draft = try #require(tablet.store[card])
        _ = try merge(phone, client: phone.store[card], server: draft)
        try phone.save(["title": "Both"], snapshot: draft)
        #expect(try tablet.receive(try #require(phone.store[card])).isEmpty)
    }

    @Test func contextThatShowsTheMergedValueHasMissedNothing() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Old", "note": "a"])
        try phone.save(["note": "b"])
        _ = try merge(
            phone, ancestor: ["title": "Old", "note": "a"], client: ["title": "Old", "note": "b"], server: ["title": "Draft", "note": "a"])
        #expect(try phone.save(["title": "Plan"], snapshot: ["title": "Draft"]).isEmpty)
    }

    @Test func keptFieldAfterMergeIsNotSeen() throws {
        let (phone, tablet) = (try stamped("phone"), try stamped("tablet"))
        try phone.save(["title": "Plan"], isNew: true)
        try tablet.save(["title": "Draft"], isNew: true)
        try tablet.export()
        let draft = try #require(tablet.store[card])
        _ = try merge(phone, client: phone.store[card], server: draft)
        try phone.observer.arrived([Arrival(card, .put(draft), keptFields: ["title", "stamp"])])
        try phone.save(["title": "Plan B"])
        #expect(try tablet.receive(try #require(phone.store[card])).map(\.doubt) == [nil])
    }

    @Test func mergedValueThatArrivesOverItsSuccessorIsNoProof() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Old"])
        try phone.save(["title": "Plan"])
        _ = try merge(phone, client: ["title": "Plan"], server: ["title": "Draft"])
        try phone.save(["title": "Both"])
        #expect(try phone.receive(["title": "Draft"]).map(\.doubt) == [.olderVersion])
    }

    @Test func unsentDeleteAgainstEditIsProven() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Old"])
        try phone.delete()
        #expect(try merge(phone, client: nil, server: ["title": "Draft"]).map(\.doubt) == [nil])
        try phone.export()
        #expect(try merge(phone, client: nil, server: ["title": "Draft 2"]).map(\.doubt) == [.exportBegun])
    }

    @Test func ownDeleteAgainstNewEditIsNoProof() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Old"])
        try phone.delete()
        try phone.export()
        try phone.save(["title": "Plan"])
        #expect(try merge(phone, client: ["title": "Plan"], server: nil).map(\.doubt) == [.ownDelete])
    }

    @Test func editAgainstDeletedRecordIsProvenUntilTheDeleteWasShown() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Old"])
        try phone.save(["title": "Plan"])
        #expect(try merge(phone, client: ["title": "Plan"], server: nil).map(\.doubt) == [nil])
        try phone.receiveDelete()
        try phone.save(["title": "Plan B"])
        #expect(try merge(phone, client: ["title": "Plan B"], server: nil).map(\.doubt) == [.olderVersion])
    }

    @Test func wholeRecordsAreProvenByOneChangeOnEachSide() throws {
        let phone = try ObservedDevice("phone") { $0.mergeRules = .init(standard: .record(.lastArrivalWins)) }
        try phone.receive(["title": "Old", "note": "a"])
        try phone.save(["title": "Plan"])
        let before: FieldMap = ["title": "Old", "note": "a"]
        let found = try merge(phone, ancestor: before, client: ["title": "Plan", "note": "a"], server: ["title": "Old", "note": "b"])
        #expect(found.map(\.doubt) == [nil])
        let again = try merge(phone, ancestor: before, client: ["title": "Plan", "note": "a"], server: before)
        #expect(again.isEmpty)
        try phone.export()
        let sent = try merge(phone, ancestor: before, client: ["title": "Plan", "note": "a"], server: ["title": "Old", "note": "c"])
        #expect(sent.map(\.doubt) == [.exportBegun])
    }
}
