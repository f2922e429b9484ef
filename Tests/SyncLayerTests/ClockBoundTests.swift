import ConflictAudit
import ConflictAuditTesting
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncModel
import Testing

/// A device whose clock is ahead.
@Suite struct ClockBoundTests {
    /// Two devices with clocks of their own on one hub; the second's shows the right time.
    private struct Fleet {
        let hubClock = ManualClock()
        let fastClock = ManualClock()
        let hub: InMemoryHub
        let fast: Device
        let right: Device
        static let century: Int64 = 73 * 365 * 86_400_000

        init(_ lead: Int64 = century) throws {
            hub = InMemoryHub(wallClock: hubClock.wallClock)
            fast = try Device("fast", hub: hub, clock: fastClock)
            right = try Device("right", hub: hub, clock: hubClock)
            fastClock.advance(by: .milliseconds(lead))
        }

        func wait(_ milliseconds: Int64 = 60_000) {
            hubClock.advance(by: .milliseconds(milliseconds))
            fastClock.advance(by: .milliseconds(milliseconds))
        }

        func meet() async throws { for device in [fast, right, fast] { try await device.sync() } }

        /// Both write the field at once, the fast one first.
        func clash(_ key: RecordKey) throws {
            try fast.replica.put(["f": "fast"], to: key)
            wait()
            try right.replica.put(["f": "right"], to: key)
        }

        func shown(_ key: RecordKey) throws -> FieldValue? {
            #expect(try fast.replica.checkpoint() == right.replica.checkpoint())
            return try right.replica.get(key)?["f"]
        }
    }

    private func key(_ number: Int) -> RecordKey { RecordKey(type: "card", id: RecordID("\(number)")) }

    /// The row: a device that wrote once in 2099 won 10 of 10 later conflicts.
    @Test(
        arguments: [false, true], [false, true])
    func aFastClockThatHasSyncedLosesLaterConflictsLikeAnyOther(isSetRight: Bool, isReopened: Bool) async throws {
        let fleet = try Fleet()
        try fleet.fast.replica.put(["f": 1], to: key(0))
        if isSetRight { fleet.fastClock.advance(by: .milliseconds(-Fleet.century)) }
        try await fleet.meet()
        for number in 1...10 {
            fleet.wait()
            if isReopened { try fleet.fast.restart() }
            try fleet.clash(key(number))
            try await fleet.meet()
            #expect(try fleet.shown(key(number)) == "right", "conflict \(number)")
        }
        #expect(fleet.right.sink.conflicts.allSatisfy { !$0.clockSuspect })
    }

    @Test(arguments: [0, 59_000, 61_000, Fleet.century])
    func aFastClockLeadsTheHubByTheBoundAtMostAfterASync(lead: Int64) async throws {
        let fleet = try Fleet(lead)
        try fleet.fast.replica.put(["f": 1], to: key(0))
        try await fleet.fast.sync()
        try fleet.fast.restart()
        try fleet.fast.replica.put(["f": 2], to: key(0))
        try await fleet.meet()
        let written = try #require(fleet.right.writes.last { $0.dot.device == "fast" })
        #expect(written.timestamp.wallTime <= fleet.hubClock.now + .seconds(60))
        #expect(try fleet.shown(key(0)) == 2)
    }

    @Test func aCorrectedClockIsUsedAgainBeforeTheNextSync() async throws {
        let fleet = try Fleet()
        try await fleet.fast.sync()
        fleet.fastClock.advance(by: .milliseconds(-Fleet.century))
        fleet.wait(3_600_000)
        try fleet.fast.replica.put(["f": 1], to: key(0))
        try await fleet.meet()
        let written = try #require(fleet.right.writes.last)
        #expect(written.timestamp.wallTime == fleet.hubClock.now)
    }

    /// The write of 2099 keeps its timestamp and wins; every log says that the clock may have been to blame.
    @Test(arguments: [2001, 30_000, Fleet.century], [false, true])
    func allDevicesCallTheSameConflictsSuspect(lead: Int64, isSent: Bool) async throws {
        let fleet = try Fleet(lead)
        try await fleet.right.sync()
        try fleet.fast.replica.put(["f": "fast"], to: key(0))
        try fleet.right.replica.put(["f": "right"], to: key(0))
        if isSent {
            try await fleet.fast.sync()
            fleet.wait(600_000)
        } else {
            try await fleet.right.sync()
        }
        try await fleet.meet()
        #expect(try fleet.shown(key(0)) == "fast")
        let (mine, theirs) = (try #require(fleet.fast.sink.conflicts.first), try #require(fleet.right.sink.conflicts.first))
        #expect(mine.id == theirs.id)
        #expect(theirs.clockSuspect)
        #expect(mine.clockSuspect == theirs.clockSuspect)
    }

    @Test(
        arguments: [2001, 30_000, Fleet.century], [nil, .beforeEffect, .afterEffect] as [InterruptibleHub.Interruption?])
    func aCorrectedDeviceCallsTheSameConflictsSuspect(lead: Int64, interruption: InterruptibleHub.Interruption?) async throws {
        let fleet = try Fleet(lead)
        try fleet.fast.replica.put(["f": "fast"], to: key(0))
        try fleet.right.replica.put(["f": "right"], to: key(0))
        let line = InterruptibleHub(fleet.hub)
        if let interruption { line.fail(afterCalls: 5, interruption) }
        _ = try? await SyncEngine(replica: fleet.fast.replica, hub: line).sync()
        #expect(fleet.hub.writes.count == (interruption == .beforeEffect ? 0 : 1))
        #expect(try fleet.fast.replica.unsentWrites().count == (interruption == nil ? 0 : 1))
        fleet.fastClock.advance(by: .milliseconds(-lead))
        try await fleet.right.sync()
        try await fleet.meet()
        #expect(try fleet.shown(key(0)) == "fast")
        for device in [fleet.fast, fleet.right] { #expect(device.sink.conflicts.map(\.clockSuspect) == [true], "\(device.name)") }
    }

    @Test func earlyWritesOfAnEarlierNameSayNothingOfTheNewOnes() async throws {
        let fleet = try Fleet(30_000)
        try fleet.fast.replica.put(["f": 1], to: key(0))
        try await fleet.fast.sync()
        fleet.fastClock.advance(by: .seconds(-30))
        fleet.wait()
        try fleet.fast.replica.rejoin()
        try await fleet.meet()
        try fleet.right.replica.put(["f": "right"], to: key(1))
        fleet.wait()
        #expect(try fleet.fast.replica.put(["f": "fast"], to: key(1)).sequence == 1)
        try await fleet.meet()
        #expect(try fleet.shown(key(1)) == "fast")
        for device in [fleet.fast, fleet.right] { #expect(device.sink.conflicts.map(\.clockSuspect) == [false], "\(device.name)") }
    }

    @Test func earlyWritesAreRememberedARowForEachRun() async throws {
        let fleet = try Fleet(30_000)
        for number in 1...500 { try fleet.fast.replica.put(["f": .number(JSONNumber(number))], to: key(number)) }
        try await fleet.fast.sync()
        fleet.fastClock.advance(by: .seconds(-30))
        fleet.wait()
        try fleet.fast.replica.put(["f": 0], to: key(501))
        try await fleet.fast.sync()
        fleet.fastClock.advance(by: .seconds(30))
        fleet.wait()
        try fleet.fast.replica.put(["f": 0], to: key(502))
        try await fleet.fast.sync()
        #expect(try fleet.fast.store.read { try $0.rows(in: .ahead, startingWith: [], after: nil, limit: 10) }.count == 2)
    }

    @Test func aWriteIsJudgedByWhenTheHubTookIt() async throws {
        let fleet = try Fleet(0)
        try await fleet.meet()
        try fleet.fast.replica.put(["f": "fast"], to: key(1))
        try await fleet.fast.sync()
        fleet.hubClock.advance(by: .seconds(-3600))
        fleet.fastClock.advance(by: .seconds(-3600))
        try fleet.right.replica.put(["f": "right"], to: key(1))
        try await fleet.meet()
        #expect(try fleet.shown(key(1)) == "fast")
        for device in [fleet.fast, fleet.right] { #expect(device.sink.conflicts.map(\.clockSuspect) == [false], "\(device.name)") }
    }
}

extension Device {
    /// The writes that the log tells of.
    fileprivate var writes: [TaggedWrite] {
        sink.events.compactMap { if case .write(let write) = $0.content { write } else { nil } }
    }
}
