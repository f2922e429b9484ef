import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import Testing

/// What happens when two devices write the same record.
@Suite struct ScenarioTests {
    private let jane: FieldMap = ["fullName": "Jane Doe", "email": "jane@example.com"]

    @Test func offlineEditsOfDifferentFieldsAreBothKept() async throws {
        let world = try World()
        try world.a.replica.put(
            ["fullName": "John Smith", "email": "john@oldcompany.com", "phone": "+1-555-0000", "company": "Old Corp"], to: card)
        try await world.meet()
        world.wait(60)
        try world.a.replica.put(["email": "john@newcompany.com"], to: card)
        world.wait(5)
        try world.b.replica.put(["phone": "+1-555-1234"], to: card)
        try await world.b.sync()
        try await world.meet()
        #expect(
            try world.shown(card) == [
                "fullName": "John Smith", "email": "john@newcompany.com", "phone": "+1-555-1234", "company": "Old Corp",
            ])
        #expect(world.a.conflicts == ["disjoint_update record: b:1 over a:2, newer"])
        #expect(world.b.conflicts == world.a.conflicts)
        #expect(world.a.replica.statistics.dataLost == 0)
    }

    @Test func underARecordLevelPolicyOneOfTheTwoEditsIsLost() async throws {
        let world = try World(rules: MergeRules(standard: .record(.lastWriterWins)))
        try world.a.replica.put(["email": "old", "phone": "0"], to: card)
        try await world.meet()
        world.wait(60)
        try world.a.replica.put(["email": "new"], to: card)
        world.wait(5)
        try world.b.replica.put(["phone": "1"], to: card)
        try await world.meet()
        #expect(try world.shown(card) == ["email": "old", "phone": "1"])
        #expect(world.b.conflicts == ["update_update record: b:1 over a:2, newer"])
        #expect(world.b.sink.conflicts.map(\.severity) == [.lossy])
        #expect(world.b.sink.conflicts.first?.loser.value == ["email": "new"])
        #expect(world.a.sink.conflicts.map(\.id) == world.b.sink.conflicts.map(\.id))
    }

    @Test func aDeleteWinsOverALaterEditWhichIsNamedAsLost() async throws {
        let world = try World()
        try world.a.replica.put(jane, to: card)
        try await world.meet()
        try world.a.replica.delete(card)
        world.wait(5)
        try world.b.replica.put(["email": "new"], to: card)
        world.wait(5)
        try await world.meet()
        #expect(try world.shown(card) == nil)
        for device in [world.a, world.b] {
            #expect(device.conflicts == ["delete_update email: a:2 over b:1, delete_wins"])
            #expect(device.sink.conflicts.map(\.severity) == [.destructive])
            #expect(device.sink.conflicts.first?.loser.value == "new")
        }
    }

    @Test func fiveEditsOfAnHourOfflineAreAllMerged() async throws {
        let world = try World()
        try world.a.replica.put(["name": "John"], to: card)
        try await world.meet()
        for (device, field) in [(world.a, "email"), (world.b, "company"), (world.a, "phone"), (world.a, "notes"), (world.b, "address")] {
            world.wait(10)
            try device.replica.put([FieldName(field): "new"], to: card)
            if device.name == "b" { try await world.b.sync() }
        }
        try await world.meet()
        #expect(
            try world.shown(card) == [
                "name": "John", "email": "new", "company": "new", "phone": "new", "notes": "new", "address": "new",
            ])
        #expect(world.a.replica.statistics.dataLost == 0 && world.b.replica.statistics.dataLost == 0)
    }

    @Test func deleteThenRecreateStaysCreated() async throws {
        let world = try World()
        try world.a.replica.put(jane, to: card)
        try await world.meet()
        try world.a.replica.delete(card)
        try world.a.replica.put(["fullName": "Jane Roe"], to: card)
        try await world.meet()
        #expect(try world.shown(card) == ["fullName": "Jane Roe"], "nothing of the record before the delete comes back")
        #expect(world.a.conflicts == [] && world.b.conflicts == [])
    }

    @Test func recreatedHereWhileEditedThere() async throws {
        let world = try World()
        try world.a.replica.put(jane, to: card)
        try await world.meet()
        try world.a.replica.delete(card)
        try world.a.replica.put(["fullName": "Jane Roe"], to: card)
        world.wait(1)
        try world.b.replica.put(["email": "new"], to: card)
        try await world.meet()
        #expect(try world.shown(card) == ["fullName": "Jane Roe"], "the edit had not seen the delete")
        #expect(world.b.conflicts.contains("delete_update email: a:2 over b:1, delete_wins"))
    }

    @Test func deleteUpdateDeleteChain() async throws {
        let world = try World()
        try world.a.replica.put(jane, to: card)
        try await world.meet()
        try world.a.replica.delete(card)
        try await world.a.sync()
        try world.b.replica.put(["email": "new"], to: card)
        try await world.b.sync()
        #expect(try world.b.replica.get(card) == nil, "the delete has won")
        try await world.a.sync()
        try world.b.replica.put(["email": "again"], to: card)
        try await world.meet()
        #expect(try world.shown(card) == ["email": "again"], "this one has seen the delete")
        try world.a.replica.delete(card)
        try await world.meet()
        #expect(try world.shown(card) == nil)
        #expect(world.a.conflicts == ["delete_update email: a:2 over b:1, delete_wins"])
    }

    @Test func bothDelete() async throws {
        let world = try World()
        try world.a.replica.put(jane, to: card)
        try await world.meet()
        try world.a.replica.delete(card)
        try world.b.replica.delete(card)
        try await world.meet()
        #expect(try world.shown(card) == nil)
        #expect(world.a.sink.conflicts.map(\.kind) == [.deleteDelete])
        #expect(world.a.sink.conflicts.map(\.severity) == [.benign])
    }

    @Test(
        arguments: ["an earlier run", "another process", "this device under another name"])
    func aReferenceDanglesWhereTheParentIsDeletedElsewhere(by writer: String) async throws {
        let parent = RecordKey(type: "folder", id: "f")
        let world = try World { configuration in
            configuration.auditRules.references = [AuditRules.Reference(from: "card", field: "folder", to: "folder")]
        }
        try world.a.replica.put(["name": "Work"], to: parent)
        try await world.meet()
        switch writer {
        case "another process":
            try Replica(device: "b", store: world.b.store, configuration: world.b.configuration).put(["folder": "f"], to: card)
        default: try world.b.replica.put(["folder": "f"], to: card)
        }
        if writer == "an earlier run" { try world.b.restart() }
        if writer == "this device under another name" {
            try world.b.replica.rejoin()
            try await world.b.sync()
            #expect(try world.b.replica.writer != "b")
        }
        world.wait(1)
        try world.a.replica.delete(parent)
        try await world.meet()
        for device in [world.a, world.b] {
            #expect(device.conflicts == ["dangling_reference folder: a:2 over \(try world.b.replica.writer):1, delete_wins"])
        }
    }

    @Test func aChildOfADeletedParentStaysAndBothNameTheReference() async throws {
        let parent = RecordKey(type: "folder", id: "f")
        let world = try World { configuration in
            configuration.auditRules.references = [AuditRules.Reference(from: "card", field: "folder", to: "folder")]
        }
        try world.a.replica.put(["name": "Work"], to: parent)
        try await world.meet()
        try world.a.replica.delete(parent)
        world.wait(1)
        try world.b.replica.put(["folder": "f"], to: card)
        try await world.meet()
        #expect(try world.shown(card) == ["folder": "f"])
        #expect(try world.shown(parent) == nil)
        for device in [world.a, world.b] {
            #expect(device.conflicts == ["dangling_reference folder: a:2 over b:1, delete_wins"])
            #expect(device.replica.activeConflicts.map(\.related) == [parent])
            try device.restart()
            #expect(device.replica.activeConflicts.count == 1, "it waits through a restart")
        }
        try world.b.replica.put(["folder": .null], to: card)
        try await world.meet()
        for device in [world.a, world.b] {
            #expect(device.replica.activeConflicts == [])
            #expect(device.sink.conflicts.map(\.resolution) == [.manualPending, .manualResolved])
        }
    }

    @Test func equalTimestampsAreDecidedByTheDeviceEverywhere() async throws {
        let world = try World()
        try world.a.replica.put(["x": "from a"], to: card)
        try world.b.replica.put(["x": "from b"], to: card)
        try await world.meet()
        #expect(try world.shown(card) == ["x": "from b"])
        #expect(world.a.conflicts == ["insert_insert x: b:1 over a:1, tie_break"])
        #expect(world.b.conflicts == world.a.conflicts)
    }

    @Test func anOlderEditSentAfterANewerOneLosesOnBothDevices() async throws {
        let world = try World()
        try world.a.replica.put(["x": "older"], to: card)
        world.wait(5)
        try world.b.replica.put(["x": "newer"], to: card)
        try await world.b.sync()
        try await world.meet()
        #expect(try world.shown(card) == ["x": "newer"])
        #expect(world.a.sink.conflicts.map(\.resolution) == [.applyRemote])
        #expect(world.b.sink.conflicts.map(\.resolution) == [.keepLocal])
    }

    @Test func anOlderEditFetchedAfterANewerOneLosesOnBothDevices() async throws {
        let world = try World()
        try world.a.replica.put(["x": "older"], to: card)
        try await world.a.sync()
        world.wait(5)
        try world.b.replica.put(["x": "newer"], to: card)
        try await world.b.sync()
        try await world.a.sync()
        #expect(try world.shown(card) == ["x": "newer"])
        #expect(world.a.conflicts == ["insert_insert x: b:1 over a:1, newer"])
        #expect(world.b.conflicts == world.a.conflicts)
    }

    @Test(arguments: [true, false])
    func theLaterOfARemovalAndAnEditOfAFieldWins(_ isNullLater: Bool) async throws {
        let world = try World()
        try world.a.replica.put(["x": 1, "y": 2], to: card)
        try await world.meet()
        let (first, second) = isNullLater ? (world.b, world.a) : (world.a, world.b)
        try first.replica.put(["x": isNullLater ? 5 : .null], to: card)
        world.wait(1)
        try second.replica.put(["x": isNullLater ? .null : 5], to: card)
        try await world.meet()
        #expect(try world.shown(card) == (isNullLater ? ["y": 2] : ["x": 5, "y": 2]))
        #expect(world.a.sink.conflicts.map(\.severity) == [.lossy])
    }

    @Test func conflictsFiveMinutesApartOrLessAreWithinTheWindow() async throws {
        for (minutes, isWithin) in [(5, true), (6, false)] as [(Int64, Bool)] {
            let world = try World()
            try world.a.replica.put(["x": 1], to: card)
            world.wait(minutes)
            try world.b.replica.put(["x": 2], to: card)
            try await world.meet()
            #expect(world.a.sink.conflicts.map(\.withinWindow) == [isWithin])
        }
    }
}
