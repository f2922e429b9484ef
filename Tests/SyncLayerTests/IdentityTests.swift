import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncOracle
import SyncSystem
import Testing

/// A store that was put back or copied.
@Suite struct IdentityTests {
    private static let rules = MergeRules(fields: ["card": ["visits": .counter, "tags": .set, "title": .manual]])
    private let clock = ManualClock()
    private let hub: InMemoryHub
    private let tablet: Device

    init() throws {
        hub = InMemoryHub(wallClock: clock.wallClock)
        tablet = try Device("tablet", hub: hub, clock: clock, rules: Self.rules)
    }

    private func phone(_ store: InMemoryStore = InMemoryStore()) throws -> Device {
        try Device("phone", hub: hub, clock: clock, store: store, rules: Self.rules)
    }

    /// Lets time pass, so that what comes later is later.
    private func wait() { clock.advance(by: .seconds(1)) }

    /// Syncs until everyone knows everything, a device that has just joined too, and holds them against each other.
    private func expectEqual(_ devices: [Device], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let new = try Device("new", hub: hub, clock: clock, rules: Self.rules)
        try await CopiedStores.expectEqual(devices + [tablet, new], sourceLocation: sourceLocation)
    }

    /// A phone that does not know of the tablet's last edit to a card's title.
    private func phoneBehindTablet(_ store: InMemoryStore) async throws -> Device {
        let phone = try phone(store)
        try phone.replica.put(["title": "old"], to: card)
        for device in [phone, tablet] { try await device.sync() }
        try tablet.replica.put(["title": "tablet"], to: card)
        try await tablet.sync()
        return phone
    }

    /// A phone, and a copy of its store on another one, with nothing unsent.
    private func phoneAndCopy() async throws -> (Device, Device) {
        let store = InMemoryStore()
        let one = try phone(store)
        try one.replica.put(["x": 1], to: card)
        try await one.sync()
        let two = try phone(InMemoryStore(copyOf: store))
        return (one, two)
    }

    private let other = RecordKey(type: "card", id: "2")

    @Test func aRestoredStoreThatReusesANumberKeepsBothEdits() async throws {
        let store = InMemoryStore()
        let first = try phone(store)
        try first.replica.put(["x": "old"], to: card)
        try first.replica.put(["x": "old"], to: other)
        try await first.sync()
        let backup = InMemoryStore(copyOf: store)
        wait()
        try first.replica.put(["x": "before"], to: card)
        try await first.sync()
        try await tablet.sync()
        let restored = try phone(backup)
        wait()
        try restored.replica.put(["x": "after"], to: other)
        try await restored.sync()
        #expect(try restored.replica.get(card) == ["x": "before"])
        #expect(try restored.replica.get(other) == ["x": "after"])
        let writer = try restored.replica.writer
        #expect(writer.rawValue.hasPrefix("phone~") && restored.replica.device == "phone")
        try await expectEqual([restored])
        #expect(try tablet.replica.get(other) == ["x": "after"])
        #expect(tablet.conflicts == [] && restored.conflicts == [], "nothing contradicted")
        let sentences = restored.sink.events.compactMap { if case .sync(let activity) = $0.content { activity.error } else { nil } }
        #expect(sentences.count == 1 && sentences[0].contains("the unsent writes 3 of phone are now 1 of \(writer)"))
        #expect(try restored.replica.checkpoint()?.seen == ["phone": 3, writer: 1])
        // It goes on under that name.
        try restored.replica.put(["x": "later"], to: other)
        try restored.restart()
        #expect(try restored.replica.writer == writer)
        try await expectEqual([restored])
    }

    @Test func editsBeforeAndAfterTheBackupConflictOnEveryDevice() async throws {
        let store = InMemoryStore()
        let first = try phone(store)
        try first.replica.put(["x": "old", "title": "old"], to: card)
        try await first.sync()
        let restored = try phone(InMemoryStore(copyOf: store))
        wait()
        try first.replica.put(["x": "before", "title": "before"], to: card)
        try await first.sync()
        wait()
        try restored.replica.put(["x": "after"], to: card)
        try restored.replica.put(["title": "after"], to: card)
        try await expectEqual([restored])
        let writer = try restored.replica.writer
        for device in [tablet, restored] {
            #expect(try device.replica.get(card) == ["x": "after", "title": "after"])
            #expect(
                Set(device.conflicts) == [
                    "update_update x: \(writer):1 over phone:2, newer", "update_update title: \(writer):2 over phone:2, policy",
                ], "\(device.name)")
            #expect(device.replica.activeConflicts.count == 1)
        }
    }

    @Test func findingsAboutRenamedWritesAreReportedUnderTheNewNames() async throws {
        let store = InMemoryStore()
        let first = try await phoneBehindTablet(store)
        let restored = try phone(InMemoryStore(copyOf: store))
        wait()
        try first.replica.put(["x": "before"], to: other)
        try restored.replica.put(["title": "after"], to: card)
        // What it finds before it learns that its number is taken.
        _ = try await SyncEngine(replica: restored.replica, hub: hub).sync()
        #expect(restored.conflicts == ["update_update title: phone:2 over tablet:1, policy"])
        try await expectEqual([first, restored])
        let second = try phone(InMemoryStore(copyOf: store))
        wait()
        try second.replica.put(["title": "again"], to: card)
        let line = InterruptibleHub(hub)
        _ = try? await SyncEngine(replica: second.replica, hub: line).sync()
        try await expectEqual([first, restored, second])
        let names = try [first, restored, second].map { try $0.replica.writer }
        #expect(Set(names).count > 1)
        for device in [first, restored, second, tablet] {
            #expect(device.replica.activeConflicts.map(\.id) == tablet.replica.activeConflicts.map(\.id), "\(device.name)")
        }
    }

    @Test func aConflictDecidedBeforeARenameDoesNotWaitAgain() async throws {
        let store = InMemoryStore()
        let first = try await phoneBehindTablet(store)
        let restored = try phone(InMemoryStore(copyOf: store))
        wait()
        try restored.replica.put(["title": "after"], to: card)
        let line = InterruptibleHub(hub)
        // It fetches the other edit and is cut off before it sends its own.
        line.fail(afterCalls: 5, .beforeEffect)
        _ = try? await SyncEngine(replica: restored.replica, hub: line).sync()
        let conflict = try #require(restored.replica.activeConflicts.first)
        try restored.replica.resolve(conflict.id, with: "decided")
        #expect(restored.replica.activeConflicts.isEmpty)
        try first.replica.put(["x": "before"], to: other)
        try await first.sync()
        try await expectEqual([first, restored])
        let writer = try restored.replica.writer
        #expect(writer != "phone")
        #expect(restored.conflicts.contains("update_update title: \(writer):1 over tablet:1, policy"))
        #expect(restored.replica.activeConflicts == [] && tablet.replica.activeConflicts == [])
    }

    @Test func aPreferredDeviceIsPreferredUnderEveryName() async throws {
        let rules = MergeRules(standard: .fields(.preferDevices(["phone"])))
        let tablet = try Device("tablet", hub: hub, clock: clock, rules: rules)
        let store = InMemoryStore()
        let first = try Device("phone", hub: hub, clock: clock, store: store, rules: rules)
        try first.replica.put(["x": "old"], to: card)
        for device in [first, tablet] { try await device.sync() }
        let restored = try Device("phone", hub: hub, clock: clock, store: InMemoryStore(copyOf: store), rules: rules)
        try first.replica.put(["x": "before"], to: other)
        try restored.replica.put(["x": "preferred"], to: card)
        wait()
        try tablet.replica.put(["x": "later"], to: card)
        for device in [first, tablet, restored, tablet, first] { try await device.sync() }
        let writer = try restored.replica.writer
        #expect(writer != "phone")
        for device in [first, tablet, restored] {
            #expect(try device.replica.get(card) == ["x": "preferred"], "\(device.name)")
            #expect(Set(device.conflicts) == ["update_update x: \(writer):1 over tablet:1, policy"], "\(device.name)")
        }
    }

    @Test func countsAndAdditionsOfARenamedDeviceAreThereOnce() async throws {
        let store = InMemoryStore()
        let first = try phone(store)
        try first.replica.put(["x": 1], to: card)
        try first.replica.increment("visits", of: card, by: 5)
        try first.replica.add(["red"], to: "tags", of: card)
        try await first.sync()
        let restored = try phone(InMemoryStore(copyOf: store))
        try first.replica.increment("visits", of: card, by: 2)
        try first.replica.add(["green"], to: "tags", of: card)
        try await first.sync()
        try restored.replica.increment("visits", of: card, by: 10)
        try restored.replica.increment("visits", of: card, by: 20)
        try restored.replica.add(["blue"], to: "tags", of: card)
        try restored.replica.remove(["red"], from: "tags", of: card)
        try await expectEqual([first, restored])
        #expect(try tablet.replica.get(card) == ["x": 1, "visits": 37, "tags": ["blue", "green"]])
        try restored.replica.increment("visits", of: card, by: 100)
        try first.replica.increment("visits", of: card, by: 200)
        try await expectEqual([first, restored])
        #expect(try tablet.replica.get(card)?["visits"] == 337)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func twoPhonesThatLiveOnUnderOneNameLoseNothing(seed: UInt64) async throws {
        try await CopiedStores.check(seed: seed)
    }

    @Test func anEmptiedStoreContinuesItsNumbersUnlessItHasWritten() async throws {
        let first = try phone()
        try first.replica.put(["x": "first life"], to: card)
        try await first.sync()
        let second = try phone()
        try await second.sync()
        #expect(try second.replica.get(card) == ["x": "first life"])
        #expect(try second.replica.put(["x": "second life"], to: card) == Dot(device: "phone", sequence: 2))
        try await second.sync()
        let third = try phone()
        try third.replica.put(["x": "third life"], to: other)
        try await expectEqual([second, third])
        #expect(try third.replica.writer != "phone")
        #expect(try tablet.replica.get(other) == ["x": "third life"])
    }

    @Test(arguments: [true, false])
    func aProgramKilledInBetweenComesToTheSameNameWithoutLoss(_ isAfterCommit: Bool) async throws {
        let store = InMemoryStore()
        let first = try phone(store)
        try first.replica.put(["x": "old"], to: card)
        try first.replica.increment("visits", of: card, by: 5)
        try await first.sync()
        let backup = InMemoryStore(copyOf: store)
        try first.replica.put(["x": "before"], to: card)
        try await first.sync()
        let prepared = try phone(backup)
        try prepared.replica.put(["x": "after"], to: other)
        try prepared.replica.increment("visits", of: card, by: 10)
        var isDone = false
        var transactions = 0
        while !isDone {
            let copy = InMemoryStore(copyOf: backup)
            let stopping = StoppingStore(copy, after: transactions, isAfterCommit: isAfterCommit)
            do {
                _ = try await SyncEngine(
                    replica: try Replica(device: "phone", store: stopping, configuration: prepared.configuration), hub: hub
                ).sync()
            } catch is Killed {}
            isDone = !stopping.isStopped
            let restored = try phone(copy)
            try await expectEqual([first, restored])
            #expect(try restored.replica.get(card)?["visits"] == 15, "\(transactions)")
            #expect(try tablet.replica.get(other) == ["x": "after"])
            transactions += 1
        }
        #expect(transactions > 3)
        let names = await hub.devices().map(\.device).filter { $0.rawValue.hasPrefix("phone~") }
        #expect(names.count == 1, "the same name every time")
    }

    @Test func aForgottenDeviceRejoinsWithItsUnsentWritesInOneCall() async throws {
        let line = InterruptibleHub(hub)
        let lost = try Device("lost", hub: line, clock: clock, rules: Self.rules)
        try lost.replica.put(["x": 1], to: card)
        try lost.replica.increment("visits", of: card, by: 3)
        try await lost.sync()
        try lost.replica.increment("visits", of: card, by: 4)
        // Of this one the device never hears that the hub has it.
        line.fail(afterCalls: 5, .afterEffect)
        _ = try? await lost.sync()
        #expect(try await hub.pull(PullRequest(device: "x", cursor: 0)).writes.count == 3)
        #expect(try lost.replica.unsentWrites().count == 1)
        try lost.replica.increment("visits", of: card, by: 5)
        try lost.replica.put(["x": "new"], to: other)
        await hub.forget("lost")
        let error = await #expect(throws: SyncLayerError.self) { try await lost.engine.sync(attempts: 3) }
        #expect(error?.code == .deviceForgotten)
        #expect(error?.description.contains("3 writes wait here") == true && error?.description.contains("rejoin()") == true)
        try lost.replica.rejoin()
        try await lost.sync()
        #expect(try lost.replica.writer.rawValue.hasPrefix("lost~"))
        try await expectEqual([lost])
        #expect(try tablet.replica.get(card)?["visits"] == 12)
        #expect(try tablet.replica.get(other) == ["x": "new"])
    }

    @Test func twoForgottenCopiesBringTheSameUnsentWritesOnce() async throws {
        let store = InMemoryStore()
        let one = try phone(store)
        try one.replica.put(["x": 1], to: card)
        try await one.sync()
        try one.replica.increment("visits", of: other, by: 5)
        try one.replica.increment("visits", of: card, by: 2)
        let two = try phone(InMemoryStore(copyOf: store))
        await hub.forget("phone")
        for device in [one, two] { try device.replica.rejoin() }
        try two.replica.put(["x": "two"], to: card)
        for device in [one, two] { try await device.sync() }
        #expect(try tablet.replica.writer == "tablet" && one.replica.writer == two.replica.writer)
        for (device, value) in [(one, "one"), (two, "two again")] {
            wait()
            try device.replica.put(["name": .string(value)], to: card)
        }
        try await expectEqual([one, two])
        #expect(try one.replica.writer != two.replica.writer)
        #expect(try tablet.replica.get(other) == ["visits": 5])
        #expect(try tablet.replica.get(card) == ["x": "two", "visits": 2, "name": "two again"])
    }

    @Test func twoCopiesWithDifferentUnsentWritesTakeDifferentNames() async throws {
        let isCut = Locked(true)
        let line = WatchedHub(
            hub: hub, beforePush: { _ in if isCut.withLock({ $0 }) { throw SyncLayerError(.hubAtFault, "the line is cut") } })
        let store = InMemoryStore()
        let one = try Device("phone", hub: line, clock: clock, store: store, rules: Self.rules)
        let two = try Device("phone", hub: line, clock: clock, store: InMemoryStore(copyOf: store), rules: Self.rules)
        for (device, value) in [(one, 1), (two, 2)] as [(Device, FieldValue)] {
            try device.replica.put(["x": value], to: other)
            try device.replica.rejoin()
            await #expect(throws: SyncLayerError.self) { try await device.sync() }
        }
        isCut.withLock { $0 = false }
        for device in [one, two] { try await device.sync() }
        #expect(try one.replica.writer != two.replica.writer)
        let renamings = [one, two].flatMap(\.sink.events).filter { "\($0.content)".contains("this store goes on as the writer") }
        #expect(renamings.count == 2)
        try await expectEqual([one, two])
    }

    @Test func aCopyWithNothingUnsentLeavesTheNextNameToTheOther() async throws {
        let (one, two) = try await phoneAndCopy()
        try two.replica.put(["x": 2], to: card)
        await hub.forget("phone")
        for device in [two, one] {
            try device.replica.rejoin()
            try await device.sync()
        }
        let names = try [one, two].map { try $0.replica.writer }
        #expect(names[0] != names[1] && names.allSatisfy { $0.isLaterWriter(of: "phone") })
        try await expectEqual([one, two])
    }

    @Test func aDeviceForgottenTwiceTakesYetAnotherName() async throws {
        let lost = try phone()
        try lost.replica.put(["x": 1], to: card)
        try await lost.sync()
        var names: Set<DeviceID> = []
        for number in 1...2 {
            let name = try lost.replica.writer
            names.insert(name)
            await hub.forget(name)
            try lost.replica.rejoin()
            try await lost.sync()
            #expect(try !names.contains(lost.replica.writer), "\(number)")
        }
        try await expectEqual([lost])
    }

    @Test func aCopyThatStaysKeepsItsNameWhateverTheOtherTakes() async throws {
        let (one, two) = try await phoneAndCopy()
        try one.replica.rejoin()
        try await one.sync()
        for value in 2...3 {
            try one.replica.put(["x": .number(JSONNumber(value))], to: other)
            try await one.sync()
            try await two.sync()
            #expect(try two.replica.writer == "phone" && one.replica.writer != "phone")
        }
        try await expectEqual([one, two])
    }

    @Test(arguments: 1...8)
    func aNewNameBreaksTiesAsTheOldOneDid(number: Int) async throws {
        let store = InMemoryStore()
        let one = try phone(store)
        try one.replica.put(["x": "old"], to: card)
        try await one.sync()
        let two = try phone(InMemoryStore(copyOf: store))
        try one.replica.put(["x": "old"], to: other)
        try await one.sync()
        let three = try phone(InMemoryStore(copyOf: store))
        wait()
        try two.replica.put(["x": "two"], to: card)
        try three.replica.put(["x": .string("three \(number)")], to: card)
        try one.replica.put(["x": "one"], to: other)
        for device in [two, one, three] { try await device.sync() }
        let (second, third) = (try two.replica.writer, try three.replica.writer)
        #expect(third.isLaterWriter(of: "phone") && second.isLaterWriter(of: "phone") && second != third)
        try await expectEqual([one, two, three])
        let line = try #require(tablet.conflicts.last)
        #expect(line.contains("\(second):1") && line.contains("\(third):1"))
        #expect(three.conflicts.last == line)
        #expect(three.sink.conflicts.count == 2)
    }
}
