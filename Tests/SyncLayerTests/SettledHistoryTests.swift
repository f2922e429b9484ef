import ConflictAudit
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import SyncOracle
import SyncSystem
import Testing

/// Settled history is not kept.
@Suite struct SettledHistoryTests {
    private func bytes(_ device: Device) throws -> Int { try device.store.read { try $0.record(card)?.content.count ?? 0 } }

    @Test func anEmptiedSetIsAsSmallAsANewOneOnEveryDevice() async throws {
        let world = try World(rules: MergeRules(fields: ["card": ["tags": .set]]))
        try world.a.replica.add(["first"], to: "tags", of: card)
        try await world.meet()
        let small = try bytes(world.b)
        for number in 0..<100 { try world.a.replica.add([.string("element \(number)")], to: "tags", of: card) }
        try await world.meet()
        let tags = try #require(try world.b.replica.get(card)?["tags"]?.array)
        for element in tags { try (element < "element 5" ? world.a : world.b).replica.remove([element], from: "tags", of: card) }
        try await world.meet()
        #expect(try world.shown(card) == ["tags": []])
        for device in [world.a, world.b] { #expect(try bytes(device) < 4 * small, "\(device.name)") }

        // What the hub hands over again was removed here and is not known to be: it must be known to have arrived.
        let page = try await world.hub.pull(PullRequest(device: "none", cursor: 0, limit: 1000))
        for device in [world.a, world.b] {
            let hub = RepeatingHub(page: page, hub: world.hub)
            #expect(try await SyncEngine(replica: device.replica, hub: hub).sync().pulled == page.writes.count)
        }
        #expect(try world.shown(card) == ["tags": []])
    }

    @Test func aRecordLevelPolicyKeepsWhatIsNotSettled() async throws {
        let world = try World(rules: MergeRules(types: ["card": .record(.lastWriterWins)]))
        try world.a.replica.put(["first": 0], to: card)
        for number in 1...200 { try world.a.replica.put(["x": .number(JSONNumber(number))], to: card) }
        let large = try bytes(world.a)
        try await world.meet()
        try await world.meet()
        #expect(try world.shown(card) == ["first": 0, "x": 200])
        for device in [world.a, world.b] {
            #expect(try bytes(device) < large / 20, "\(device.name)")
            #expect(try device.store.read { try $0.rows(in: .unsettled, startingWith: [], after: nil, limit: 9).isEmpty })
        }
        // Both go on, without having seen each other; then a newcomer fetches all from the beginning.
        try world.a.replica.put(["y": 1], to: card)
        world.wait(1)
        try world.b.replica.put(["z": 1], to: card)
        try await world.meet()
        #expect(try world.shown(card) == ["first": 0, "x": 200, "z": 1])
        let late = try Device("late", hub: world.hub, clock: world.clock, rules: world.a.configuration.mergeRules)
        try await late.sync()
        #expect(try late.replica.get(card) == world.shown(card))
        #expect(try late.replica.checkpoint() == world.a.replica.checkpoint())
    }

    @Test(
        arguments: ["joins", "was put back"])
    func aPutWithPartialKnowledgeShowsItOnEveryDevice(_ writer: String) async throws {
        let rules = MergeRules(types: ["card": .record(.lastWriterWins)])
        let world = try World(rules: rules)
        let store = InMemoryStore()
        let line = InterruptibleHub(world.hub)
        try world.a.replica.put(["x": 1, "y": 1], to: card)
        try await world.meet()
        var late = try Device("late", hub: line, clock: world.clock, store: store, rules: rules)
        if writer == "was put back" { try await late.sync() }
        let backup = InMemoryStore(copyOf: store)
        for number in 2..<6 {
            try world.b.replica.put(["x": .number(JSONNumber(number))], to: card)
            try world.a.replica.put(["z": .number(JSONNumber(number))], to: card)
            try await world.meet()
        }
        if writer == "was put back" { for _ in 0..<2 { try await late.sync() } }
        for _ in 0..<3 { try await world.meet() }

        late = try Device("late", hub: line, clock: world.clock, store: backup, rules: rules)
        if writer == "joins" {
            line.fail(afterCalls: 5, .beforeEffect)
            var configuration = SyncConfiguration()
            configuration.writesPerPull = 1
            let engine = SyncEngine(replica: late.replica, hub: line, configuration: configuration)
            await #expect(throws: SyncLayerError.self) { try await engine.sync() }
        }
        #expect(try late.replica.get(card) == ["x": 1, "y": 1])
        world.wait(1)
        try late.replica.put(["w": 5], to: card)
        for _ in 0..<2 {
            try await late.sync()
            try await world.meet()
        }
        #expect(try world.shown(card) == ["w": 5, "x": 1, "y": 1])
        #expect(try late.replica.get(card) == ["w": 5, "x": 1, "y": 1])
        #expect(try late.replica.writer != "late", "what was sent under the old name would have named one field")
    }

    @Test func writesDuringARenameShowTheSameOnEveryDevice() async throws {
        let world = try World(rules: MergeRules(types: ["card": .record(.lastWriterWins)]))
        let (clock, rules, tablet) = (world.clock, world.a.configuration.mergeRules, world.a)
        let store = InMemoryStore()
        let phone = try Device("phone", hub: world.hub, clock: clock, store: store, rules: rules)
        try phone.replica.put(["x": 1, "y": 1], to: card)
        for device in [phone, tablet] { try await device.sync() }
        let replica = try Replica(device: "phone", store: InMemoryStore(copyOf: store), configuration: phone.configuration)
        for replica in [phone.replica, replica] {
            try replica.put(["x": 1], to: RecordKey(type: "card", id: "2"))
            world.wait(1)
        }
        try await phone.sync()

        let (others, engines, isRenamed) = ([phone.replica, tablet.replica], [phone.engine, tablet.engine], Locked(false))
        let hub = ReportingHub(hub: world.hub) { report in
            guard report.predecessor != nil, !isRenamed.withLock({ $0 }) else { return }
            isRenamed.withLock { $0 = true }
            for number in 2..<6 {
                for replica in others { try replica.put(["x": .number(JSONNumber(number))], to: card) }
                for engine in engines + engines { try await engine.sync() }
            }
            for engine in engines + engines { try await engine.sync() }
            clock.advance(by: .seconds(1))
            try replica.put(["w": 5], to: card)
        }
        let engine = SyncEngine(replica: replica, hub: hub)
        for _ in 0..<3 { for engine in [engine] + engines { try await engine.sync() } }
        #expect(isRenamed.withLock { $0 })
        for replica in [replica] + others { #expect(try replica.get(card) == ["w": 5, "x": 1, "y": 1]) }
    }

    @Test func aDeviceThatJoinsAReplacedHubIsGivenSettledHistory() async throws {
        let world = try World(rules: MergeRules(types: ["card": .record(.lastWriterWins)]))
        let empty = InMemoryHub(wallClock: world.clock.wallClock).backup()
        try world.a.replica.put(["x": 1, "y": 1], to: card)
        for number in 2..<6 {
            try world.b.replica.put(["x": .number(JSONNumber(number)), "v": number == 2 ? 2 : .null], to: card)
            try world.a.replica.put(["z": .number(JSONNumber(number))], to: card)
            try await world.meet()
        }
        for _ in 0..<3 { try await world.meet() }
        let shown = try world.shown(card)
        world.hub.restore(empty)
        for _ in 0..<2 { try await world.meet() }
        let new = try Device("new", hub: world.hub, clock: world.clock, rules: world.a.configuration.mergeRules)
        try await new.sync()
        #expect(try new.replica.get(card) == shown && shown?["y"] == 1)
        #expect(try new.replica.checkpoint()?.digest == world.a.replica.checkpoint()?.digest)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func recordsAgreeInRandomHistoriesOfRestoredStoresAndHubs(_ seed: UInt64) async throws {
        try await RestoringFleet.check(seed: seed)
    }
}

/// A hub that was put back to an earlier state and has got everything again: it hands over a page once more, further on in its order.
private struct RepeatingHub: ForwardingHub {
    let page: PullPage
    let hub: any Hub

    func pull(_ request: PullRequest) async throws -> PullPage {
        guard request.cursor <= page.cursor else { return PullPage(writes: [], bytes: 0, cursor: request.cursor, hasMore: false) }
        let writes = page.writes.enumerated().map { index, write in
            write.received(TaggedWrite.Receipt(milliseconds: 1, hubSequence: request.cursor + UInt64(index) + 1))
        }
        return PullPage(writes: writes, bytes: 0, cursor: request.cursor + UInt64(writes.count), hasMore: false)
    }

    /// The hub behind has not come as far as these pages say.
    func report(_ report: DeviceReport) async throws { try await hub.report(DeviceReport(device: report.device, cursor: 0)) }
}

/// A hub before which something else happens when a device makes itself known.
private struct ReportingHub: ForwardingHub {
    let hub: any Hub
    let beforeReport: @Sendable (DeviceReport) async throws -> Void

    func report(_ report: DeviceReport) async throws {
        try await beforeReport(report)
        try await hub.report(report)
    }
}
