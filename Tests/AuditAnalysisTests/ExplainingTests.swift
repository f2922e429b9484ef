import AuditAnalysis
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
                finder.observe(AuditLine(event: AuditEvent(at: 0, .conflict(conflict(key)))))
            }
        }
        #expect(finder.conflicts.count <= ConflictFinder.limit)
        #expect(finder.conflicts.allSatisfy { $0.conflict.id.description.hasPrefix("0") })
        #expect(finder.conflictLines == 200)
    }

    static let limits: [(String, Bool)] = [("lossy>0", true), ("lossy >= 2", false), ("conflictsPerThousandWrites>499", true)]

    @Test(arguments: limits) func aLimit(text: String, isExceeded: Bool) throws {
        var counts = LogChecker.Counts()
        (counts.lossy, counts.conflicts, counts.writes) = (1, 1, 2)
        let limit = try #require(CheckLimit(text))
        #expect((limit.exceeded(by: counts, totals: [:]) != nil) == isExceeded)
        // Of no writes nothing can be said for a thousand.
        #expect(CheckLimit("lossyPerThousandWrites>=0")?.exceeded(by: LogChecker.Counts(), totals: [:]) == nil)
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
