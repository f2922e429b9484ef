import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import Testing

@Suite("Settled history is not kept")
struct SettledHistoryTests {
    private func bytes(_ device: Device) throws -> Int { try device.store.read { try $0.record(card)?.content.count ?? 0 } }

    @Test("a set that was filled and emptied is as small as a new one, on every device")
    func emptiedSet() async throws {
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

    @Test("a record under a record-level policy keeps what is not settled, and nobody is told when the rest goes")
    func recordLevel() async throws {
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
}

/// A hub that was put back to an earlier state and has got everything again: it hands over a page once more, further on in its order.
private struct RepeatingHub: Hub {
    let page: PullPage
    let hub: InMemoryHub

    func pull(_ request: PullRequest) async throws -> PullPage {
        guard request.cursor <= page.cursor else { return PullPage(writes: [], bytes: 0, cursor: request.cursor, hasMore: false) }
        let writes = page.writes.enumerated().map { index, write in
            write.received(TaggedWrite.Receipt(milliseconds: 1, hubSequence: request.cursor + UInt64(index) + 1))
        }
        return PullPage(writes: writes, bytes: 0, cursor: request.cursor + UInt64(writes.count), hasMore: false)
    }

    func now() async throws -> Int64 { await hub.now() }
    func push(_ writes: [TaggedWrite], from device: DeviceID) async throws -> [PushOutcome] { try await hub.push(writes, from: device) }
    func giveBack(_ given: GivenBackWrites) async throws { try await hub.giveBack(given) }
    func report(_ report: DeviceReport) async throws { try await hub.report(report) }
    func devices() async throws -> [DeviceReport] { await hub.devices() }
    func settled() async throws -> VersionVector { await hub.settled() }
    func forget(_ device: DeviceID) async throws { await hub.forget(device) }
}
