import AuditAnalysis
import Testing

@Suite struct FindingFilterTests {
    private typealias Identity = CheckFinding.Identity

    @Test func withoutAnythingEverythingPasses() {
        var filter = FindingFilter()
        let passed = [filter.passes(Identity(.clock, "iPad"), about: nil), filter.observe(conflict: 1)]
        #expect(!filter.isActive && passed == [true, true])
        #expect(filter.recorded == nil && filter.gone == 0)
    }

    @Test func theNarrowerEntryAndTheValidOneCount() {
        var filter = FindingFilter([
            .init(.clock, reason: "all"),
            .init(.clock, subject: "iPad", reason: "one"),
            .init(.order, subject: "x", reason: "old", until: "2026-01-01", isExpired: true), .init(.order, reason: "new"),
        ])
        let identities = [Identity(.clock, "iPad"), Identity(.clock, "Mac"), Identity(.order, "x"), Identity(.size, "iPad")]
        let passed = identities.map { filter.passes($0, about: nil) }
        #expect(passed == [false, false, false, true])
        // What an entry that is over would be about is counted all the same.
        #expect(filter.ignored == [1, 1, 1, 1])
    }

    @Test func ofOneIdentityAsManyAreKnownAsThereWere() {
        var baseline = FindingFilter.Baseline()
        baseline.findings = [Identity(.schema, "a"): 2, Identity(.clock, "b"): 1]
        baseline.conflicts = [7]
        var filter = FindingFilter(baseline: baseline, isRecorded: true)
        let passed = (0..<3).map { _ in filter.passes(Identity(.schema, "a"), about: nil) }
        #expect(passed == [false, false, true])
        #expect(filter.known == [.schema: 2] && filter.gone == 1)
        let areNew = [7, 8].map { filter.observe(conflict: $0) }
        #expect(areNew == [false, true])
        #expect(filter.recorded?.findings == [Identity(.schema, "a"): 3] && filter.recorded?.conflicts == [7, 8])
    }

    @Test func oneFindingAboutSeveralThingsIsKnownOnce() {
        var baseline = FindingFilter.Baseline()
        baseline.findings = [Identity(.absentLog, "a"): 1, Identity(.absentLog, "b"): 1]
        var filter = FindingFilter([.init(.absentLog, subject: "c", reason: "x")], baseline: baseline)
        var other = filter
        let (left, nothing) = (filter.left(of: .absentLog, ["a", "c", "d"]), other.left(of: .absentLog, ["a", "b", "c"]))
        #expect(left == ["d"] && filter.known == [:] && filter.gone == 1 && filter.ignored == [1])
        #expect(nothing == [] && other.known == [.absentLog: 1] && other.gone == 0)
    }

    @Test func aLongSubjectIsCutAndStillTellsTwoApart() {
        let name = String(repeating: "é", count: 5_000)
        let (one, other) = (Identity(.clock, name + "1"), Identity(.clock, name + "2"))
        #expect(one != other && one.hash != other.hash && one.subject.utf8.count < 200)
        // As it was written it is the same once it is read.
        #expect(Identity(.clock, one.subject) == one)
        #expect(FindingFilter.Ignore(.clock, subject: name + "1", reason: "x").subject == one.subject)
        #expect(Identity(.clock, "a").hash != Identity(.order, "a").hash)
    }
}
