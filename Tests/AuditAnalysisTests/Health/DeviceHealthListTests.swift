import AuditAnalysis
import AuditSamples
import ConflictAudit
import SyncBytes
import SyncModel
import Testing

/// What is wrong with each device, the one that most needs somebody first.
@Suite struct DeviceHealthListTests {
    private static let end: Int64 = 1_768_485_600_000
    private static let hour: Int64 = 3_600_000

    private typealias Told = (device: DeviceID?, hoursBefore: Int64, content: AuditEvent.Content)

    private static func sync(
        _ state: SyncActivity.State = .succeeded, _ error: String? = nil, megabytes: Int64? = nil
    ) -> AuditEvent.Content {
        .sync(
            SyncActivity(
                phase: .export, state: state, writes: 0, bytes: 0, duration: .zero, error: error,
                storeBytes: megabytes.map { $0 * 1_000_000 }))
    }

    private static func clock(_ device: DeviceID, hours: Int64) -> AuditEvent.Content {
        .clock(ClockMeasurement(device: device, offset: .seconds(hours * 3600), uncertainty: .milliseconds(20)))
    }

    private static func write(_ device: DeviceID) -> AuditEvent.Content {
        .write(
            TaggedWrite(
                dot: Dot(device: device, sequence: 1), timestamp: HybridTimestamp(milliseconds: end),
                key: RecordKey(type: "Card", id: "1"), operation: .put(["name": "a"]), seen: nil))
    }

    private static func summary(_ told: [Told]) -> Summary {
        var summary = Summary()
        for (device, hours, content) in told { summary.observe(AuditEvent(at: end - hours * hour, content), source: device) }
        return summary
    }

    /// The list of what was told of `phone`, beside another device that has synced at the end.
    private static func entry(_ told: [(Int64, AuditEvent.Content)]) throws -> DeviceHealthList.Entry {
        let all = told.map { ("phone" as DeviceID?, $0.0, $0.1) } + [("pad", 0, sync())]
        return try #require(summary(all).deviceHealth.entries.first { $0.device == "phone" })
    }

    private static func outbox(
        _ writes: Int, bytes: Int = 1000, refused: Int = 0, oldestHours: Int64? = nil
    ) -> AuditEvent.Content {
        .outbox(
            OutboxStatus(
                writes: writes, bytes: bytes, setAside: refused, warningBytes: 3_000_000,
                oldest: oldestHours.map { WallTime(millisecondsSince1970: end - $0 * hour) }))
    }

    private struct Case: Sendable, CustomTestStringConvertible {
        let told: [(Int64, AuditEvent.Content)]
        let needs: [DeviceNeed]
        let reason: String

        var testDescription: String { reason }
    }

    /// Of a log that breaks off nobody knows what its device has done since: it is not called silent.
    @Test(arguments: [false, true]) func aLogThatLacksItsEnd(_ isOwnLogWhole: Bool) throws {
        func write(_ number: UInt64, hoursBefore hours: Int64) -> AuditEvent.Content {
            .write(
                TaggedWrite(
                    dot: Dot(device: "phone", sequence: number), timestamp: HybridTimestamp(milliseconds: Self.end - hours * Self.hour),
                    key: RecordKey(type: "Card", id: "1"), operation: .put(["name": "a"]), seen: nil))
        }
        var told: [Told] = [
            ("phone", 200, Self.sync()), ("phone", 200, write(3, hoursBefore: 200)), ("pad", 1, write(5, hoursBefore: 1)),
            ("pad", 0, Self.sync()),
        ]
        if isOwnLogWhole { told.append(("phone", 1, write(5, hoursBefore: 1))) }
        let list = Self.summary(told).deviceHealth
        let entry = try #require(list.entries.first { $0.device == "phone" })
        #expect(entry.needs == [isOwnLogWhole ? .silent : .cutOff])
        if isOwnLogWhole { return }
        #expect(
            entry.reason == "its log ends with its write 3, on 2026-01-07 06:00 UTC, and others have its writes up to 5, of "
                + "2026-01-15 13:00 UTC: what it did since is not known")
        #expect(entry.needsAttention && list.counts.map(\.need) == [.cutOff, .good])
    }

    private static let cases = [
        Case(told: [(1, sync())], needs: [.good], reason: "last synced 2026-01-15 13:00 UTC"),
        Case(told: [(24, sync())], needs: [.good], reason: "last synced 2026-01-14 14:00 UTC"),
        Case(told: [(25, sync())], needs: [.behind], reason: "no sync for 1 d 1 h, since 2026-01-14 13:00 UTC"),
        Case(told: [(168, sync())], needs: [.behind], reason: "no sync for 7 d, since 2026-01-08 14:00 UTC"),
        Case(
            told: [(169, sync())], needs: [.silent], reason: "no sync for 7 d 1 h, since 2026-01-08 13:00 UTC, where its log ends"),
        Case(
            told: [(240, sync()), (1, .network(status: "satisfied", interface: nil))], needs: [.silent],
            reason: "no sync for 10 d, since 2026-01-05 14:00 UTC"),
        Case(told: [(1, sync(.started))], needs: [.silent], reason: "never synced"),
        Case(
            told: [(2, sync()), (1, outbox(3, oldestHours: 30))], needs: [.behind],
            reason: "3 writes of 1000 B not sent, the oldest for 1 d 6 h"),
        Case(
            told: [(2, sync()), (1, outbox(3, bytes: 4_000_000))], needs: [.behind],
            reason: "3 writes of 3.8 MiB not sent, more than 3 MB"),
        Case(
            told: [(3, sync()), (2, sync(.failed, "no answer"))], needs: [.failing],
            reason: "1 attempt failed, the last one too: export, no answer"),
        Case(
            told: [(3, sync()), (2, sync(.failed, "Error Domain=CKErrorDomain Code=25 \"Quota Exceeded\""))],
            needs: [.failing, .outOfSpace],
            reason:
                "1 attempt failed, the last one too; no room is left: Error Domain=CKErrorDomain Code=25 \"Quota Exceeded\""),
        Case(told: [(2, sync(.failed, "the disk is full")), (1, sync())], needs: [.good], reason: "last synced 2026-01-15 13:00 UTC"),
        Case(
            told: [(1, sync(megabytes: 5500))], needs: [.outOfSpace],
            reason:
                "its store has 5500 MB, more than the 5 GB that iCloud gives for nothing; once no room is left, nothing more is exported: "
                + "keep less, or make assets smaller"),
        Case(
            told: [(1, sync(megabytes: 4500))], needs: [.fillingUp],
            reason:
                "its store has 4500 MB, most of the 5 GB that iCloud gives for nothing; once no room is left, nothing more is exported: "
                + "keep less, or make assets smaller"),
        Case(
            told: [(2, sync()), (1, .account(status: "noAccount"))], needs: [.signedOut], reason: "nobody is signed in to an account"),
        Case(
            told: [(2, .account(status: "noAccount")), (1, .account(status: "available")), (1, sync())], needs: [.good],
            reason: "last synced 2026-01-15 13:00 UTC"),
        Case(told: [(2, sync()), (1, clock("phone", hours: -2))], needs: [.clockOff], reason: "its clock was 2 h behind the hub's"),
        Case(told: [(2, sync()), (1, clock("phone", hours: 0))], needs: [.good], reason: "last synced 2026-01-15 12:00 UTC"),
        Case(told: [(2, sync()), (1, outbox(0, refused: 2))], needs: [.refused], reason: "2 writes refused or too large"),
        Case(
            told: [(2, sync()), (1, .network(status: "unsatisfied", interface: nil))], needs: [.offline],
            reason: "no network since 2026-01-15 13:00 UTC"),
        Case(told: [(1, .network(status: "satisfied", interface: nil))], needs: [.untold], reason: "its log tells of no sync"),
    ]

    @Test(arguments: cases) private func aDeviceNeedsSomebodyFor(_ test: Case) throws {
        let entry = try Self.entry(test.told)
        #expect(entry.needs == test.needs)
        #expect(entry.reason == test.reason)
        #expect(entry.needsAttention == !Set(test.needs).isDisjoint(with: Set(DeviceNeed.allCases.prefix { $0 != .offline })))
    }

    @Test func theMostUrgentComesFirst() {
        #expect(DeviceNeed.allCases.sorted() == DeviceNeed.allCases)
        let needs: [DeviceNeed] = [.silent, .behind, .failing, .outOfSpace, .signedOut, .clockOff, .refused, .fillingUp, .offline, .good]
        // The device of each need is named so that the order of names is another.
        let told = needs.enumerated().flatMap { index, need in
            let device = DeviceID("device \(9 - index)")
            return (Self.cases.first { $0.needs == [need] }?.told ?? []).map { (device as DeviceID?, $0.0, $0.1.renamed(device)) }
        }
        let list = Self.summary(told).deviceHealth
        #expect(list.entries.map(\.need) == needs)
        #expect(list.entries.map { $0.device?.rawValue } == (0...9).map { "device \(9 - $0)" })
        #expect(DeviceHealthList.words(list.counts).hasPrefix("1 silent, 1 behind, 1 failing, 1 out of space, 1 signed out"))
        #expect(Self.summary(told.reversed()).deviceHealth.entries.map(\.device) == list.entries.map(\.device))
    }

    @Test func amongTheSilentTheLongestComesFirst() {
        let told: [Told] = [
            ("a", 200, Self.sync()), ("b", 400, Self.sync()), ("c", 1, Self.sync(.failed)), ("d", 0, Self.sync()), ("e", 0, Self.sync()),
        ]
        #expect(Self.summary(told).deviceHealth.entries.map { $0.device?.rawValue } == ["c", "b", "a", "d", "e"])
    }

    /// A device whose clock is a year ahead makes no other silent, and is not good for it.
    @Test func aClockThatIsOffMovesNoEnd() {
        let year: Int64 = 365 * 24
        let told: [Told] = [
            ("a", 0, Self.sync()), ("b", 1, Self.sync()), ("ahead", -year, Self.clock("ahead", hours: year)),
            ("ahead", -year + 200, Self.sync()),
        ]
        let list = Self.summary(told).deviceHealth
        #expect(list.end == Self.end)
        #expect(list.entries.map { $0.needs } == [[.silent, .clockOff], [.good], [.good]])
    }

    @Test func aDeviceThatOthersNameHasNoLog() throws {
        let told: [Told] = [
            ("phone", 0, Self.sync()), ("pad", 0, Self.sync()), ("pad", 0, Self.write("mac")), ("pad", 0, Self.write("pad")),
            ("writer", 0, Self.write("writer")),
        ]
        let list = Self.summary(told).deviceHealth
        #expect(list.entries.map { $0.device?.rawValue } == ["mac", "pad", "phone"])
        #expect(list.entries.first?.needs == [.unlogged])
        #expect(list.entries.first?.reason == "other logs name it, and no log of its own is here")
        // As it is read back from JSON and put together.
        var halves = Summary()
        for part in [told.prefix(2), told.suffix(3)] {
            let bytes = JSONRenderer().render(Self.summary(part + [("pad", 0, Self.clock("pad", hours: 0))]))
            halves.merge(try Summary(json: #require(try JSONParser.parse(String(decoding: bytes, as: UTF8.self)).object)))
        }
        #expect(halves.health.devices["pad"]?.clock?.offset == 0 && halves.writes.writers == ["mac", "pad", "writer"])
        #expect(halves.deviceHealth.entries.map(\.device) == list.entries.map(\.device))
        // Of one log nobody expects others, and what a filter left out proves nothing.
        #expect(Self.summary([told[1], told[2]]).deviceHealth.entries.map { $0.device?.rawValue } == ["pad"])
        var filtered = Summary(filter: ReportFilter(devices: ["phone", "pad", "mac"]))
        for (device, _, content) in told { filtered.observe(AuditEvent(at: Self.end, content), source: device) }
        #expect(!filtered.deviceHealth.entries.contains { $0.need == .unlogged })
    }

    /// Who makes the write that gives a value back is no device, and one that is called like it is one.
    @Test func whoGivesAValueBackHasNoLog() {
        let told: [Told] = [
            ("phone", 0, Self.sync()), ("pad", 0, Self.write("restore-0123456789abcdef")), ("pad", 0, Self.write("restore-house")),
            ("pad", 0, Self.sync()),
        ]
        #expect(Self.summary(told).deviceHealth.entries.map { $0.device?.rawValue } == ["restore-house", "pad", "phone"])
    }

    @Test func theSidesOfAConflictAreNamedToo() {
        var summary = Self.summary([("phone", 0, Self.sync()), ("pad", 0, Self.sync())])
        for conflict in Summary.sampleConflicts { summary.observe(AuditEvent(at: Self.end, .conflict(conflict)), source: "pad") }
        let named = Set(Summary.sampleConflicts.flatMap { [$0.winner.dot.device, $0.loser.dot.device] }).subtracting(["phone", "pad"])
        let missing = summary.deviceHealth.entries.filter { $0.need == .unlogged }.compactMap(\.device)
        #expect(!named.isEmpty && missing == named.sorted())
    }

    @Test func copiesOfAStoreAreOneLine() throws {
        let told: [Told] = [
            ("phone", 0, Self.sync()), ("pad", 0, Self.sync()), ("pad", 0, Self.write("phone~00c0ffee")),
            ("phone", 0, Self.clock("phone~0000beef", hours: 0)), ("pad", 0, Self.write("mac~00c0ffee")),
        ]
        let list = Self.summary(told).deviceHealth
        #expect(list.entries.map { $0.device?.rawValue } == ["mac", "phone", "pad"])
        #expect(list.entries.map(\.needs) == [[.unlogged, .copied], [.copied, .good], [.good]])
        #expect(
            list.entries[1].reason == "its store was copied or put back, and writes as phone~0000beef, phone~00c0ffee too; "
                + "last synced 2026-01-15 14:00 UTC")
        #expect(!list.entries[1].needsAttention)
    }

    /// A second store that one log tells of is none of the first.
    @Test func anotherStoreThatSyncsIsALineOfItsOwn() {
        let failed = SyncActivity(
            phase: .export, state: .failed, writes: 0, bytes: 0, duration: .zero, error: "x", device: "phone~00c0ffee")
        let list = Self.summary([("phone", 0, Self.sync()), ("phone", 0, .sync(failed))]).deviceHealth
        #expect(list.entries.map { $0.device?.rawValue } == ["phone~00c0ffee", "phone"])
        #expect(list.entries.map(\.need) == [.silent, .good])
    }

    @Test func ofMoreDevicesThanAreToldApartTheRestIsSaidToBeThere() {
        var told: [Told] = (0..<2 * SyncHealth.deviceLimit).map { (DeviceID("device \($0)"), 0, Self.sync()) }
        told.append(("x", 0, Self.write("gone")))
        let list = Self.summary(told).deviceHealth
        #expect(list.entries.count == SyncHealth.deviceLimit && list.others != nil)
        // Who is not told apart may have a log.
        #expect(list.entries.allSatisfy { $0.need == .good })
    }

    @Test func nothingInAReasonActsOnATerminal() throws {
        let hostile = "\u{1b}[2J\u{202e}"
        let device = DeviceID(hostile)
        let told: [Told] = [
            (device, 0, Self.sync(.failed, hostile)), (device, 0, .account(status: hostile)),
            (device, 0, Self.write(DeviceID(hostile + "~00c0ffee"))),
            ("pad", 0, Self.sync()),
        ]
        let entry = try #require(Self.summary(told).deviceHealth.entries.first)
        let text = entry.name + entry.reason
        #expect(entry.needs.count >= 3 && !text.contains("\u{1b}") && !text.contains("\u{202e}"))
    }
}

extension AuditEvent.Content {
    /// The content, of a clock with another device's name.
    fileprivate func renamed(_ device: DeviceID) -> AuditEvent.Content {
        guard case .clock(let measurement) = self else { return self }
        return .clock(ClockMeasurement(device: device, offset: measurement.offset, uncertainty: measurement.uncertainty))
    }
}
