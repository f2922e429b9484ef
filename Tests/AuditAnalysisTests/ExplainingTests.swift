import AuditAnalysis
import AuditChecking
import AuditLog
import AuditSamples
import ConflictAudit
import SyncMerge
import SyncModel
import Testing

@Suite struct ExplainingTests {
    static let sentences: [(Conflict, String)] = [
        (conflict(), "tablet's edit was lost because phone's was 1.5 s newer; neither had seen the other"),
        (conflict(gap: 0), "tablet's edit was lost because phone's was newer within the same millisecond; neither had seen the other"),
        (
            conflict(gap: 0, reason: .tieBreak),
            "tablet's edit was lost because both carry the same time, and of the two names phone sorts last; neither had seen the other"
        ),
        (
            conflict(gap: -1500),
            "tablet's edit was lost because the log calls phone's newer, although its time is -1.5 s older; neither had seen the other"
        ),
        (
            conflict(severity: .destructive, reason: .deleteWins),
            "tablet's edit was lost because phone deleted the record, and deletes win over edits; neither had seen the other"
        ),
        (
            conflict(basis: .window),
            "tablet's edit may have been lost because phone's was 1.5 s newer; suspected only: nothing tells what either had seen, and their times "
                + "are 1.5 s apart"
        ),
        (
            conflict(basis: .ancestor),
            "tablet's edit was lost because phone's was 1.5 s newer; both had started from the same version on the server"
        ),
        (conflict(severity: .benign), "Nothing was lost: tablet only saved again what both had seen; neither had seen the other"),
        (
            conflict(kind: .disjointUpdate, severity: .merged),
            "Nothing was lost: phone and tablet changed different fields of the record, and both changes are kept; neither had seen the other"
        ),
    ]

    @Test(arguments: sentences)
    func inASentence(of met: Conflict, sentence: String) {
        #expect(ConflictExplanation(LoggedConflict(met, from: nil)).sentence == sentence)
    }

    @Test func devicesThatDisagreeAreNamed() {
        var logged = LoggedConflict(conflict(), from: "phone")
        logged.add(conflict(winner: "phone", loser: "tablet"), from: "mac")
        #expect(ConflictExplanation(logged).remarks == [])
        let other = conflict()
        logged.add(
            Conflict(
                id: other.id, kind: other.kind, severity: other.severity, basis: other.basis, key: other.key, field: other.field,
                winner: other.loser, loser: other.winner, gap: .milliseconds(1500), withinWindow: true, window: .milliseconds(1),
                policy: other.policy,
                resolution: other.resolution, reason: other.reason, clockSuspect: false), from: "tablet")
        #expect(
            ConflictExplanation(logged).remarks == [
                "The devices disagree on the winner: phone by the log of mac, phone; tablet by the log of tablet"
            ])
    }

    @Test(arguments: [
        ("0", 0, true), ("f", 0, false), ("ABCDEF", 0xabcd_ef00_0000_0001, true), ("abcdef0000000001", 0xabcd_ef00_0000_0001, true),
    ])
    func prefixes(text: String, id: UInt64, matches: Bool) throws {
        #expect(try #require(ConflictIDPrefix(text)).matches(ConflictID(rawValue: id)) == matches)
    }

    @Test(arguments: ["", "g", "0x1", "+1", "-1", "00000000000000000", " 1", "é"]) func noPrefixes(text: String) {
        #expect(ConflictIDPrefix(text) == nil)
    }

    @Test func theFinderKeepsABoundedNumber() throws {
        var finder = ConflictFinder(prefix: try #require(ConflictIDPrefix("0")))
        for _ in 0..<2 {
            for number in 0..<100 {
                let key = RecordKey(type: "Note", id: RecordID(String(number)))
                finder.observe(AuditEvent(at: 0, .conflict(conflict(key))))
            }
        }
        #expect(finder.conflicts.count <= ConflictFinder.limit)
        #expect(finder.conflicts.allSatisfy { $0.conflict.id.description.hasPrefix("0") })
        #expect(finder.conflictLines == 200)
    }

    static let limits: [(String, Bool)] = [("lossy>0", true), ("lossy >= 2", false), ("conflictsPerThousandWrites>499", true)]

    @Test(arguments: limits) func aLimit(text: String, isExceeded: Bool) throws {
        var counts = LogChecker.Counts()
        (counts.all.lossy, counts.all.conflicts, counts.writes) = (1, 1, 2)
        let limit = try #require(CheckLimit(text))
        #expect((limit.exceeded(by: counts, totals: [:]) != nil) == isExceeded)
        // Of no writes nothing can be said for a thousand.
        #expect(CheckLimit("lossyPerThousandWrites>=0")?.exceeded(by: LogChecker.Counts(), totals: [:]) == nil)
    }

    private static let hour: Int64 = 3_600_000

    /// Two devices over a day: one that failed last, with writes waiting, and one that is well.
    private var healthCounts: LogChecker.Counts {
        var checker = LogChecker()
        checker.begin(file: "a")
        var number = 0
        func observe(_ device: DeviceID, _ hours: Int64, _ content: AuditEvent.Content) {
            number += 1
            checker.observe(AuditLine(source: device, event: AuditEvent(at: hours * Self.hour, content)), at: number)
        }
        func sync(_ phase: SyncActivity.Phase, _ state: SyncActivity.State, _ delays: [Int64] = []) -> AuditEvent.Content {
            let lengths = delays.reduce(into: GapHistogram()) { $0.record(milliseconds: $1) }
            return .sync(SyncActivity(phase: phase, state: state, writes: 0, bytes: 0, duration: .zero, delays: lengths))
        }
        observe("pad", 1, sync(.export, .succeeded, [1000, 2000]))
        observe("phone", 2, sync(.import, .succeeded, [64_000]))
        observe("phone", 3, sync(.export, .failed))
        observe("phone", 3, .outbox(OutboxStatus(writes: 4, bytes: 9, setAside: 2, oldest: WallTime(millisecondsSince1970: Self.hour))))
        let left = RefreshReport(
            trigger: .background, decision: .deferred, shownVersion: 1, refreshVersion: 2, reloads: 1, isInForeground: false,
            missedPulses: 3, pulseInterval: .seconds(10))
        observe("pad", 4, .refresh(left))
        observe("pad", 26, .network(status: "connected", interface: nil))
        return checker.counts
    }

    @Test(
        arguments: [
            ("syncFailures==1", 1), ("failingDevices>=1", 1), ("refusedWrites>1", 2), ("refusedWrites>2", nil),
            ("oldestUnsentHours==25", 25),
            ("hoursWithoutSync==25", 25), ("hoursWithoutSync>25", nil), ("uploadP95Seconds==2", 2), ("deliveryP95Seconds==64", 64),
            ("silentDevices", nil), ("failingDevices", 1), ("missedPulses==3", 3), ("leftUnshown>0", 1), ("leftUnshown>1", nil),
        ] as [(String, Double?)])
    func aLimitOfSyncItself(text: String, value: Double?) throws {
        let limit = try #require(CheckLimit(text))
        #expect(limit.exceeded(by: healthCounts, totals: [:]) == value)
    }

    @Test(arguments: [
        "hoursWithoutSync>=0", "uploadP95Seconds>=0", "deliveryP95Seconds>=0", "syncFailures>0", "oldestUnsentHours>0", "missedPulses>=0",
    ])
    func logsThatTellNothingOfSyncKeepToItsLimits(text: String) throws {
        #expect(try #require(CheckLimit(text)).exceeded(by: LogChecker.Counts(), totals: [:]) == nil)
    }

    @Test(arguments: CheckLimit.names) func everyNameIsALimitAndIsOneAloneWhereItCounts(name: String) throws {
        let compared = try #require(CheckLimit("\(name)>0"))
        let isCount = CheckLimit.Measure(rawValue: name)?.needsNumber != true
        #expect((CheckLimit(name) != nil) == isCount)
        #expect(compared.name == name && CheckLimit.name(in: "\(name) >= 0") == name)
        // The name alone stands for more than 0.
        if isCount {
            #expect(
                CheckLimit(name)?.exceeded(by: healthCounts, totals: [.clock: 2])
                    == compared.exceeded(by: healthCounts, totals: [.clock: 2]))
        }
    }

    @Test func conflictsThatWereKnownAreNotMeasured() throws {
        var counts = LogChecker.Counts()
        (counts.all.lossy, counts.all.lostEdits, counts.all.conflicts, counts.writes) = (3, 2, 4, 100)
        (counts.known.lossy, counts.known.lostEdits, counts.known.conflicts) = (2, 2, 3)
        for (text, value) in [("lossy", 1), ("lostEdits", nil), ("conflicts", 1), ("lossyPerThousandWrites>0", 10)] as [(String, Double?)] {
            #expect(try #require(CheckLimit(text)).exceeded(by: counts, totals: [:]) == value, "\(text)")
        }
    }

    /// Of the devices those are named that break the limit, the worst first.
    @Test(
        arguments: [
            ("hoursWithoutSync>24", ["pad"]), ("hoursWithoutSync>1", ["pad", "phone"]), ("failingDevices", ["phone"]), ("lossy>=0", []),
            ("refusedWrites", ["phone"]), ("syncFailures>7", []),
        ] as [(String, [DeviceID])])
    func theDevicesThatBreakALimitAreNamed(text: String, devices: [DeviceID]) throws {
        #expect(try #require(CheckLimit(text)).outcome(healthCounts, [:]).devices == devices)
    }

    @Test func whatIfMergesAndCountsOnce() {
        let events = [
            AuditEvent(at: 0, .conflict(conflict())), AuditEvent(at: 0, .conflict(conflict(field: "body", gap: 60_000))),
            AuditEvent(at: 1, .clock(ClockMeasurement(device: "phone", offset: .seconds(30), uncertainty: .milliseconds(1)))),
        ]
        var whole = ClockWhatIf()
        var (left, right) = (ClockWhatIf(), ClockWhatIf())
        for event in events + events { whole.observe(event) }
        left.observe(events[0])
        right.observe(events[1])
        right.observe(events[2])
        left.merge(right)
        #expect(whole.answer == left.answer)
        #expect(whole.answer?.decided == 2)
        #expect(whole.answer?.flipped == 1)
        #expect(whole.answer?.byWinner == ["phone": 1])
    }
}
