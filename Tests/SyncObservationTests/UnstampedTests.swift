import ConflictAudit
import ConflictAuditTesting
import SyncModel
import Testing

@testable import SyncObservation

/// Rule A1: what an arrival replaces before its export had begun, nobody else can have seen.
struct UnstampedTests {
    @Test func arrivalOverUnsentWriteIsProven() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.export()
        try phone.save(["title": "Plan B"])
        let found = try #require(try phone.receive(["title": "Draft"]).first)
        #expect(found.doubt == nil)
        #expect(found.conflict.basis == .causal)
        #expect(found.conflict.kind == .updateUpdate)
        #expect(found.conflict.severity == .lossy)
        #expect(found.conflict.loser.value == "Plan B")
        #expect(found.conflict.loser.dot == Dot(device: "phone", sequence: 2))
        #expect(found.conflict.winner.value == "Draft")
        #expect(phone.sink.conflicts == [found.conflict])
    }

    @Test func begunExportIsOnlySuspected() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.observer.exportBegan()
        let found = try #require(try phone.receive(["title": "Draft"]).first)
        #expect(found.doubt == .exportBegun)
        #expect(!found.conflict.basis.isProof)
    }

    @Test func saveDuringOpenExportCountsAsBegun() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.observer.exportBegan()
        try phone.save(["title": "Plan B"])
        #expect(try phone.receive(["title": "Draft"]).map(\.doubt) == [.exportBegun])
    }

    @Test func saveAfterExportOfNamedTransactionsIsProven() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.observer.exportBegan(.transactions(through: 1))
        try phone.save(["title": "Plan B"])
        #expect(try phone.receive(["title": "Draft"]).map(\.doubt) == [nil])
    }

    @Test func exportOfOtherRecordsLeavesWriteUnsent() throws {
        let phone = try ObservedDevice("phone")
        let other = RecordKey(type: "Card", id: "2")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.save(["title": "Else"], of: other, isNew: true)
        try phone.observer.exportBegan(.records([other]))
        #expect(try phone.receive(["title": "Draft"], of: other).map(\.doubt) == [.exportBegun])
        #expect(try phone.receive(["title": "Draft"]).map(\.doubt) == [nil])
    }

    @Test func acknowledgedWriteIsSuspectedWithinWindowOnly() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.export()
        phone.clock.advance(by: 60_000)
        #expect(try phone.receive(["title": "Draft"]).map(\.doubt) == [.acknowledged])
        try phone.save(["title": "Plan B"])
        try phone.export()
        phone.clock.advance(by: 600_000)
        #expect(try phone.receive(["title": "Draft 2"]).isEmpty)
    }

    @Test func equalValueIsNoConflict() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["count": 1], isNew: true)
        #expect(try phone.receive(["count": 1.0]).isEmpty)
    }

    @Test func ownExportThatComesBackIsNoProof() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.export()
        try phone.save(["title": "Plan B"])
        #expect(try phone.receive(["title": "Plan"]).map(\.doubt) == [.ownValue])
    }

    @Test func replacedValueThatComesBackIsNoProof() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Draft"])
        try phone.save(["title": "Plan"])
        #expect(try phone.receive(["title": "Draft"]).map(\.doubt) == [.olderVersion])
    }

    @Test func arrivalReportedTwiceIsOneConflict() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        let arrival = Arrival(card, .put(["title": "Draft"]), transaction: 7)
        #expect(try phone.observer.arrived([arrival]).count == 1)
        try phone.save(["title": "Plan B"])
        #expect(try phone.observer.arrived([arrival]).isEmpty)
    }

    @Test func saveReportedTwiceIsOneWrite() throws {
        let phone = try ObservedDevice("phone")
        let change = LocalChange(card, .put(["title": "Plan"]), isNew: true)
        try phone.observer.saved([change], transaction: 5)
        try phone.observer.saved([change], transaction: 5)
        #expect(phone.sink.events.count == 1)
        #expect(try phone.observer.lastTransaction == 5)
    }

    @Test func keptPendingFieldWinsAndArrivalIsLost() throws {
        let phone = try ObservedDevice("phone") { $0.pendingFields = .kept }
        try phone.save(["title": "Plan"], isNew: true)
        let found = try #require(try phone.receive(["title": "Draft"]).first)
        #expect(found.doubt == nil)
        #expect(found.conflict.winner.value == "Plan")
        #expect(found.conflict.loser.value == "Draft")
        #expect(found.conflict.resolution == .keepLocal)
    }

    @Test func deleteOverUnsentEditIsProvenAndDestructive() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Draft", "note": "a"])
        try phone.save(["title": "Plan"])
        let found = try phone.receiveDelete()
        #expect(found.map(\.conflict.field) == ["title"])
        #expect(found.map(\.conflict.kind) == [.deleteUpdate])
        #expect(found.map(\.conflict.severity) == [.destructive])
        #expect(found.map(\.doubt) == [nil])
    }

    @Test func deleteOverBegunEditIsSuspected() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.observer.exportBegan()
        #expect(try phone.receiveDelete().map(\.doubt) == [.unstampedDelete])
    }

    @Test func editThatArrivesOverUnsentDeleteIsProven() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Draft", "note": "a"])
        try phone.delete()
        let found = try phone.receive(["title": "Draft 2", "note": "a"])
        #expect(found.map(\.conflict.field) == ["title"])
        #expect(found.map(\.conflict.winner.operation) == [.delete])
        #expect(found.map(\.doubt) == [nil])
    }

    @Test func twoDeletesAreBenign() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Draft"])
        try phone.delete()
        let found = try phone.receiveDelete()
        #expect(found.map(\.conflict.kind) == [.deleteDelete])
        #expect(found.map(\.conflict.severity) == [.benign])
    }

    @Test func saveOverArrivalThatContextDidNotShowIsProven() throws {
        let phone = try ObservedDevice("phone")
        try phone.receive(["title": "Draft"])
        try phone.receive(["title": "Draft 2"])
        let found = try phone.save(["title": "Plan"], snapshot: ["title": "Draft"])
        #expect(found.map(\.conflict.loser.value) == ["Draft 2"])
        #expect(found.map(\.doubt) == [nil])
        #expect(try phone.save(["title": "Plan B"], snapshot: ["title": "Plan"]).isEmpty)
    }

    @Test func begunExportStaysBegunAfterRestart() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.observer.exportBegan()
        try phone.save(["note": "a"])
        try phone.restart()
        #expect(try phone.receive(["title": "Draft", "note": "b"]).map(\.doubt) == [.exportBegun, .exportBegun])
        try phone.save(["title": "Plan B"])
        #expect(try phone.receive(["title": "Draft 2"]).map(\.doubt) == [nil])
    }

    @Test func backupThatWasPutBackIsAnotherWriter() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        try phone.restart { $0.installation = "second" }
        let writer = try phone.observer.writer
        #expect(writer != "phone" && writer.isWriter(of: "phone"))
        // What the backup calls unsent may have been sent since it was made.
        #expect(try phone.receive(["title": "Draft"]).map(\.doubt) == [.exportBegun])
        try phone.save(["title": "Plan B"])
        guard case .write(let write)? = phone.sink.events.last?.content else { return #expect(Bool(false), "no write") }
        #expect(write.dot.device == writer)
    }

    @Test func threeVersionsAreMergedByTheHousesRules() throws {
        let phone = try ObservedDevice("phone")
        let merge = RecordedMerge(
            key: card, at: phone.clock.wallTime, by: "phone", ancestor: .init(fields: ["title": "Plan", "note": "a"]),
            client: .init(fields: ["title": "Plan B", "note": "b"]), server: .init(fields: ["title": "Draft", "note": "a"]))
        let found = try phone.observer.merged(merge)
        #expect(found.map(\.conflict.basis) == [.ancestor])
        #expect(found.map(\.conflict.field) == ["title"])
        #expect(try phone.observer.merged(merge).isEmpty)
        #expect(phone.sink.events.contains { $0.content == .merge(merge) })
    }

    @Test func lostValueIsProposedAgain() throws {
        let phone = try ObservedDevice("phone")
        try phone.save(["title": "Plan"], isNew: true)
        let found = try #require(try phone.receive(["title": "Draft"]).first)
        try phone.restart()
        let proposal = try phone.observer.proposedChange(restoring: found.conflict.id)
        #expect(proposal.key == card && proposal.field == "title" && proposal.value == "Plan")
        #expect(throws: SyncObservationError.self) {
            try phone.observer.proposedChange(restoring: ConflictID(rawValue: 1))
        }
    }
}
