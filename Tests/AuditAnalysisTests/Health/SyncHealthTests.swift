import AuditAnalysis
import AuditLog
import AuditSamples
import ConflictAudit
import SyncBytes
import SyncModel
import SyncOracle
import Testing

@Suite struct SyncHealthTests {
    private static let start: Int64 = 1_768_485_600_000

    @Test func linesInAnyOrderAndAsJSONTellTheSame() throws {
        let events: [(DeviceID?, Int64, Int)] = [("phone", 0, 10), ("phone", 9, 4_000_000), (nil, 3, 5), ("phone", 9, 10), ("pad", 1, 7)]
        let whole = Summary(outboxes: events)
        #expect(Summary(outboxes: events.reversed()) == whole)
        var halves = Summary(outboxes: Array(events.prefix(2)))
        halves.merge(Summary(outboxes: Array(events.suffix(3))))
        #expect(halves == whole)
        let bytes = JSONRenderer().render(whole)
        let object = try #require(try JSONParser.parse(String(decoding: bytes, as: UTF8.self)).object)
        #expect(try Summary(json: object) == whole)
    }

    @Test func whateverALineClaimsIsReadBack() throws {
        let hostile = Summary(outboxes: [("phone", 0, .max), ("pad", 0, .max)])
        let bytes = JSONRenderer().render(hostile)
        let object = try #require(try JSONParser.parse(String(decoding: bytes, as: UTF8.self)).object)
        #expect(try Summary(json: object) == hostile)
        let look = RefreshReport(
            trigger: .background, decision: .deferred, shownVersion: 0, refreshVersion: .max, reloads: .max, isInForeground: false,
            missedPulses: .max, pulseInterval: .milliseconds(Int64.max))
        let showing = health([(source: "phone" as DeviceID?, event: AuditEvent(at: Self.start, .refresh(look)))])
        #expect(try readBack(showing) == showing && showing.health.devices["phone"]?.showing?.leavesBehind == 1)
    }

    @Test func aFilterByDeviceOrTimeLeavesOthersOut() {
        let events: [(DeviceID?, Int64, Int)] = [("phone", 0, 4_000_000), ("pad", 10, 5_000_000)]
        #expect(Summary(outboxes: events, filter: ReportFilter(devices: ["pad"])).health.devices.keys.map(\.?.rawValue) == ["pad"])
        let late = ReportFilter(since: WallTime(millisecondsSince1970: Self.start + 60_000))
        #expect(Summary(outboxes: events, filter: late).health.devices.count == 1)
        #expect(Summary(outboxes: events, filter: ReportFilter(recordTypes: ["Card"])).health.devices.isEmpty)
    }

    /// A second store of a device that fails is not hidden by the first, although one log tells of both.
    @Test func stepsOfAnotherStoreCountByItsName() throws {
        var health = SyncHealth()
        let steps: [(SyncActivity.State, DeviceID?)] = [(.succeeded, nil), (.failed, "phone.2"), (.succeeded, nil)]
        for (index, (state, device)) in steps.enumerated() {
            let activity = SyncActivity(
                phase: .export, state: state, writes: 0, bytes: 0, duration: .zero, error: state == .failed ? "the zone is full" : nil,
                device: device)
            health.observe(AuditEvent(at: Self.start + Int64(index), .sync(activity)), source: "phone")
        }
        #expect(health.devices.mapValues { $0.phases[.export]?.succeeded } == ["phone": 2, "phone.2": 0])
        #expect(health.devices.mapValues { $0.phases[.export]?.failed } == ["phone": 0, "phone.2": 1])
    }

    // MARK: The store

    private static let month: Int64 = 30 * 86_400_000

    /// What a phone tells of its store's size, in megabytes, by the month.
    private func storage(_ sizes: (month: Double, megabytes: Int64)...) -> SyncHealth.Storage? {
        var health = SyncHealth()
        for (month, megabytes) in sizes {
            let activity = SyncActivity(
                phase: .export, state: .succeeded, writes: 1, bytes: 2, duration: .zero, storeBytes: megabytes * 1_000_000)
            let time = Self.start + Int64(month * Double(Self.month))
            health.observe(AuditEvent(at: time, .sync(activity)), source: "phone")
        }
        return health.devices["phone"]?.storage
    }

    @Test func aStoreGrowsAsInItsLatestMonth() throws {
        let growing = try #require(storage((0, 10), (0.5, 9000), (2, 1500), (3, 2000)))
        #expect(growing.bytesPerMonth == 500_000_000 && growing.daysLeft == 180 && growing.isFillingUp)
        #expect(storage((3, 2000), (0.5, 9000), (2, 1500), (0, 10)) == growing)
        let slower = try #require(storage((0, 10), (2, 1450), (3, 1900)))
        #expect(slower.daysLeft == 206 && !slower.isFillingUp)
        let shrinking = try #require(storage((0, 10), (1, 3900), (3, 3000)))
        #expect(shrinking.bytesPerMonth == 0 && shrinking.daysLeft == nil && !shrinking.isFillingUp)
        // What fills a new device is no growth, and of a few weeks nothing follows but how much there is.
        for young in [storage((0, 20), (0.3, 1500), (1.1, 1500)), storage((0, 1), (2, 3000)), storage((0, 1), (0.5, 2), (1.2, 3000))] {
            #expect(young?.bytesPerMonth ?? 0 == 0 && young?.isFillingUp == false)
        }
        #expect(storage((0, 20), (0.3, 1500), (1.4, 1500))?.bytesPerMonth == 0)
        #expect(storage((0, 4000))?.isFillingUp == true && storage((0, 3999))?.isFillingUp == false)
        #expect(storage((0, 5000))?.daysLeft == 0)
    }

    @Test func whatLinesTellOfAStoreIsReadBack() throws {
        func told(_ sizes: [(minute: Int64, bytes: Int64?)]) -> Summary {
            health(
                sizes.map { minute, bytes in
                    let activity = SyncActivity(
                        phase: .import, state: .succeeded, writes: 0, bytes: 0, duration: .zero, storeBytes: bytes)
                    return (source: "phone" as DeviceID?, event: AuditEvent(at: Self.start + minute * 60_000, .sync(activity)))
                })
        }
        let sizes: [(minute: Int64, bytes: Int64?)] = [(0, 5), (0, 7), (3, .max), (9, nil), (2, 0)]
        let whole = told(sizes)
        #expect(told(sizes.reversed()) == whole)
        #expect(try readBack(whole) == whole)
        #expect(whole.health.devices["phone"]?.storage?.weeks.map(\.bytes) == [5])
        #expect(whole.health.devices["phone"]?.storage?.latest.bytes ?? 0 > 1 << 50)
        #expect(told([(9, nil)]).health.devices["phone"]?.storage == nil)
    }

    // MARK: The rest of sync

    /// Events of every sort about sync, in minutes from the start.
    private func events(seed: UInt64, count: Int, devices: Int = 3, errors: Int = 4) -> [(source: DeviceID?, event: AuditEvent)] {
        var random = SplitMix64(seed: seed)
        func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        return (0..<count).map { _ in
            let content: AuditEvent.Content =
                switch number(6) {
                case 0: .network(status: number(2) == 0 ? "connected" : "disconnected", interface: number(2) == 0 ? "wifi" : nil)
                case 1: .account(status: ["available", "noAccount"][number(2)])
                case 2: .outbox(OutboxStatus(writes: number(9), bytes: number(5_000_000), oldest: nil))
                default:
                    .sync(
                        SyncActivity(
                            phase: SyncActivity.Phase.allCases[number(3)], state: SyncActivity.State.allCases[number(3)], writes: 1,
                            bytes: 2,
                            duration: .milliseconds(number(90_000)), error: number(9) == 0 ? nil : "error \(number(errors))",
                            delays: number(2) == 0 ? nil : delays((0...number(9)).map { _ in Int64(number(5_000_000)) }),
                            storeBytes: number(3) == 0 ? Int64(number(6_000_000_000)) : nil))
                }
            let name: DeviceID? = number(9) == 0 ? nil : DeviceID("device \(number(devices))")
            return (name, AuditEvent(at: Self.start + Int64(number(2000)) * 60_000, content))
        }
    }

    private func delays(_ lengths: [Int64]) -> GapHistogram {
        lengths.reduce(into: GapHistogram()) { $0.record(milliseconds: $1) }
    }

    private func health(_ events: some Sequence<(source: DeviceID?, event: AuditEvent)>) -> Summary {
        var summary = Summary()
        for event in events { summary.observe(event.event, source: event.source) }
        return summary
    }

    private func readBack(_ summary: Summary) throws -> Summary {
        let object = try #require(try JSONParser.parse(String(decoding: JSONRenderer().render(summary), as: UTF8.self)).object)
        return try Summary(json: object)
    }

    @Test(arguments: [
        (1 as UInt64, 200, 3, 4), (2, 4000, 2, 100), (3, 6000, 3000, 3), (4, 3000, 1, 2),
    ])
    func partsInAnyOrderAndAsJSONTellTheSame(seed: UInt64, count: Int, devices: Int, errors: Int) throws {
        let events = events(seed: seed, count: count, devices: devices, errors: errors)
        let whole = health(events)
        var random = SplitMix64(seed: seed &+ 99)
        var parts = [Summary](repeating: Summary(), count: 4)
        for event in events.shuffled(using: &random) { parts[Int(random.next() % 4)].observe(event.event, source: event.source) }
        var left = parts[0]
        for part in parts.dropFirst() { left.merge(part) }
        var right = parts[2]
        right.merge(parts[0])
        var rest = parts[3]
        rest.merge(parts[1])
        rest.merge(right)
        #expect(left == whole && rest == whole, "seed \(seed)")
        #expect(try readBack(whole) == whole, "seed \(seed)")
    }

    @Test func aDeviceTellsItsFailuresDurationsAndLastSuccess() throws {
        func sync(_ minute: Int64, _ phase: SyncActivity.Phase, _ state: SyncActivity.State, _ seconds: Int, _ error: String? = nil)
            -> AuditEvent
        {
            let activity = SyncActivity(phase: phase, state: state, writes: 0, bytes: 0, duration: .seconds(seconds), error: error)
            return AuditEvent(at: Self.start + minute * 60_000, .sync(activity))
        }
        let events = [
            sync(0, .export, .started, 0), sync(1, .export, .succeeded, 2), sync(2, .export, .failed, 9, "quota"),
            sync(3, .import, .failed, 1, "quota"), sync(4, .export, .failed, 9, "quota"), sync(5, .export, .failed, 0, "cancelled"),
            sync(9, .setup, .succeeded, 1),
        ]
        let device = try #require(health(events.map { ("phone", $0) }).health.devices["phone"])
        let export = try #require(device.phases[.export])
        #expect((export.started, export.succeeded, export.failed, export.cancelled) == (1, 1, 2, 1))
        #expect(export.durations.percentileMilliseconds(0.5) == 2000 && export.durations.count == 1)
        #expect(device.sortedFailures.map(\.count) == [2, 1] && device.sortedFailures[0].failure.phase == .export)
        // A store that could be prepared has moved nothing.
        #expect(device.lastSuccess == Self.start + 60_000 && device.isFailing && !device.hasOnlyFailed)
        #expect(device.age(at: Self.start + 61_000) == 1000)
    }

    @Test func deliveryIsToldByWhatWasSentAndWhatWasMerged() throws {
        func sync(_ phase: SyncActivity.Phase, _ state: SyncActivity.State, _ lengths: [Int64]) -> AuditEvent {
            let activity = SyncActivity(phase: phase, state: state, writes: 1, bytes: 1, duration: .zero, delays: delays(lengths))
            return AuditEvent(at: Self.start, .sync(activity))
        }
        let events = [
            sync(.export, .succeeded, [10, 90_000]), sync(.export, .succeeded, [20]), sync(.import, .succeeded, [7]),
            // A phase that fails has moved some.
            sync(.export, .failed, [30]),
            // What a log says of them beside the end of a phase that moves writes is none of these.
            sync(.setup, .succeeded, [5]), sync(.export, .started, [5]), sync(.import, .started, [5]),
        ]
        let device = try #require(health(events.map { ("phone", $0) }).health.devices["phone"])
        #expect(device.delivered == delays([10, 20, 30, 90_000]))
        #expect(device.merged == delays([7]))
    }

    private func look(
        _ device: DeviceID, _ second: Int64, _ trigger: RefreshReport.Trigger, _ decision: RefreshDecision, shown: Int = 1, missed: Int = 0,
        isInForeground: Bool = true
    ) -> (source: DeviceID?, event: AuditEvent) {
        let report = RefreshReport(
            trigger: trigger, decision: decision, shownVersion: shown, refreshVersion: 1, reloads: 0, isInForeground: isInForeground,
            missedPulses: missed, pulseInterval: .seconds(10))
        return (device, AuditEvent(at: Self.start + second * 1000, .refresh(report)))
    }

    @Test func whatAppsShowedIsToldFromLinesInAnyOrder() throws {
        let online = AuditEvent(at: Self.start + 60_000, .network(status: "connected", interface: nil))
        let events = [
            look("phone", 0, .pulse, .refresh), look("phone", 10, .pulse, .nothing), look("phone", 40, .pulse, .nothing, missed: 2),
            look("phone", 41, .request, .deferred, shown: 0), look("phone", 45, .background, .deferred, shown: 0, isInForeground: false),
            ("phone", online), look("pad", 10, .pulse, .nothing), ("pad", online), look("mac", 50, .pulse, .nothing), ("mac", online),
            // Looks in the background are no beats of a pulse.
            look("tv", 10, .request, .deferred, shown: 0, isInForeground: false), ("tv", online),
        ]
        let whole = health(events)
        let showing = try #require(whole.health.devices["phone"]?.showing)
        #expect([showing.looks, showing.refreshes, showing.deferrals, showing.missedPulses, showing.leavesBehind] == [4, 1, 1, 2, 1])
        #expect(showing.latest?.isBehind == true && showing.latest?.isInForeground == false)
        let stopped = ["phone", "pad", "mac", "tv"].map { whole.health.devices[DeviceID($0)]?.pulseStopped }
        #expect(stopped == [nil, Self.start + 10_000, nil, nil])
        #expect(whole.health.showing(\.looks) == 7 && Summary().health.showing(\.looks) == nil)
        #expect(health(events.reversed()) == whole)
        var halves = health(Array(events.prefix(4)))
        halves.merge(health(Array(events.dropFirst(4))))
        #expect(halves == whole)
        let object = try #require(try JSONParser.parse(String(decoding: JSONRenderer().render(whole), as: UTF8.self)).object)
        #expect(try Summary(json: object) == whole)
    }

    @Test func theLatestStepOfSyncIsTheLastInTheOrderOfASync() throws {
        func event(_ time: Int64, _ phase: SyncActivity.Phase, _ state: SyncActivity.State) -> (source: DeviceID?, event: AuditEvent) {
            let activity = SyncActivity(phase: phase, state: state, writes: 0, bytes: 0, duration: .zero)
            return ("phone", AuditEvent(at: Self.start + time, .sync(activity)))
        }
        let events = [
            event(5, .import, .succeeded), event(5, .export, .started), event(5, .import, .started), event(4, .export, .succeeded),
        ]
        let latest = health(events).health.devices["phone"]?.activity
        #expect(latest?.phase == .export && latest?.state == .started && latest?.milliseconds == Self.start + 5)
    }

    @Test func spansWithoutANetworkAreToldFromLinesInAnyOrder() {
        let minutes: [(Int64, Bool)] = [(0, true), (10, false), (12, false), (15, true), (20, false), (22, true), (30, false)]
        let events: [(source: DeviceID?, event: AuditEvent)] = minutes.map { minute, isConnected in
            (
                "phone",
                AuditEvent(at: Self.start + minute * 60_000, .network(status: isConnected ? "connected" : "disconnected", interface: nil))
            )
        }
        let network = health(events.reversed()).health.devices["phone"]?.network
        let offline = network?.offline(until: Self.start + 31 * 60_000)
        #expect(offline?.spans == 3 && offline?.totalMilliseconds == 8 * 60_000 && offline?.longestMilliseconds == 5 * 60_000)
        #expect(offline?.since == Self.start + 30 * 60_000 && network?.latest.last?.status.string == "disconnected")
    }

    @Test func thousandsOfDevicesErrorsAndChangesStayBounded() throws {
        var summary = Summary()
        let count = histories(2_000, of: 100_000)
        for index in (0..<count).reversed() {
            let failed = SyncActivity(phase: .export, state: .failed, writes: 0, bytes: 0, duration: .zero, error: "error \(index)")
            summary.observe(AuditEvent(at: Self.start, .sync(failed)), source: DeviceID("device \(index)"))
            summary.observe(AuditEvent(at: Self.start, .sync(failed)), source: "phone")
            summary.observe(AuditEvent(at: Self.start + Int64(index), .network(status: "disconnected", interface: nil)), source: "phone")
        }
        let health = summary.health
        // The phone's name comes after those of all others.
        #expect(health.devices.count == SyncHealth.deviceLimit && health.devices["phone"] == nil)
        let failed = health.devices.values.reduce(0) { $0 + $1.failed } + (health.others?.failed ?? 0)
        #expect(failed == 2 * count)
        let others = try #require(health.others)
        #expect(others.failures.count == SyncHealth.Device.failureLimit)
        #expect(others.failures.values.reduce(0, +) + others.otherFailures == others.failed)
        #expect(others.network.latest.count == SyncHealth.Changes.limit && others.network.areCut)
        #expect(JSONRenderer().render(summary).count < 1 << 20)
    }
}
