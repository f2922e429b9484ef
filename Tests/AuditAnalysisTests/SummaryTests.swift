import AuditAnalysis
import AuditSamples
import ConflictAudit
import SyncModel
import Testing

@Suite struct SummaryTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func partsMergedInAnyOrderGiveTheWhole(seed: UInt64) {
        var random = RandomEvents(seed: seed)
        let events = random.events(400)
        var whole = Summary()
        for (event, source) in events { whole.observe(event, source: source) }
        #expect(whole.proven.total.conflicts > 50 && whole.suspected.total.conflicts > 20)

        var parts: [Summary] = []
        var rest = events[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 0...150, using: &random.generator))
            rest = rest.dropFirst(part.count)
            var summary = Summary()
            for (event, source) in part { summary.observe(event, source: source) }
            parts.append(summary)
        }
        var forward = Summary()
        for part in parts { forward.merge(part) }
        #expect(forward == whole)
        var backward = Summary()
        for part in parts.shuffled(using: &random.generator) { backward.merge(part) }
        #expect(backward == whole)
        // From the right: (a + (b + (c + …))).
        let nested = parts.reversed().reduce(Summary()) { rest, part in
            var sum = part
            sum.merge(rest)
            return sum
        }
        #expect(nested == whole)
    }

    @Test func aSlowCountOverAllConflictsAgrees() {
        var random = RandomEvents(seed: 7)
        let events = random.events(500)
        var summary = Summary()
        for (event, source) in events { summary.observe(event, source: source) }
        let conflicts: [Conflict] = events.compactMap { if case .conflict(let conflict) = $0.event.content { conflict } else { nil } }
        let lost = conflicts.filter { [.lossy, .destructive, .divergent].contains($0.severity) }
        let all = summary.all
        #expect(all.total.conflicts == conflicts.count)
        #expect(all.total.losses == lost.count)
        #expect(summary.suspected.total.conflicts == conflicts.count { !$0.basis.isProof })
        #expect(all.byLosingDevice["a"]?.losses == lost.count { $0.loser.dot.device == "a" })
        #expect(all.byWinningDevice["b"]?.losses == lost.count { $0.winner.dot.device == "b" })
        #expect(all.byRecordType["Tag"]?.losses == lost.count { $0.key.type == "Tag" })
        #expect(all.byField[.init(type: "Tag", field: "title")]?.losses == lost.count { $0.key.type == "Tag" && $0.field == "title" })
        #expect(
            all.byDevicePair[.init(winner: "a", loser: "b")]?.losses
                == lost.count { $0.winner.dot.device == "a" && $0.loser.dot.device == "b" })
        #expect(all.clockSuspectByWinningDevice["c"] == conflicts.count { $0.clockSuspect && $0.winner.dot.device == "c" })
        let key = RecordKey(type: "Note", id: "\u{e9}")
        #expect(all.byRecord[key]?.conflicts == conflicts.count { $0.key == key })
        #expect(all.byRecord[key]?.losses == lost.count { $0.key == key })
        let dayBefore1970 = { (conflict: Conflict) in (-86_400_000..<0).contains(conflict.milliseconds) }
        #expect(all.byDay[-1]?.conflicts == conflicts.count(where: dayBefore1970))
        #expect(all.byDay[-1]?.losses == lost.count(where: dayBefore1970))
        #expect(summary.otherEvents[.network] == events.count { if case .network = $0.event.content { true } else { false } })
        #expect(summary.linesDropped == 3 * events.count { $0.event.content == .log(.dropped(3)) })
    }

    @Test func writesAreCountedFromWriteLinesOrElseTheLatestStatistics() {
        var summary = Summary()
        func statistics(_ writes: Int, at milliseconds: Int64) -> AuditEvent {
            var statistics = ConflictStatistics()
            statistics.writesObserved = writes
            return AuditEvent(at: milliseconds, .statistics(statistics))
        }
        summary.observe(statistics(100, at: 1000), source: "quiet")
        summary.observe(statistics(250, at: 3000), source: "quiet")
        summary.observe(statistics(200, at: 2000), source: "quiet")
        #expect(summary.writes.count == 250)
        summary.observe(statistics(9000, at: 1000), source: "talkative")
        summary.observe(AuditEvent(at: 5, .write(write())), source: "talkative")
        summary.observe(AuditEvent(at: 5, .write(write())), source: nil)
        #expect(summary.writes.count == 252)
        #expect(summary.writes.firstDate == WallTime(millisecondsSince1970: 1_768_485_600_000))
        #expect(summary.otherEvents == [.statistics: 4])
    }

    @Test func aTraceAndItsAuditTellOfTheSameWrites() {
        func summary(traced: Int, audited: Int) -> Summary {
            var summary = Summary()
            var statistics = ConflictStatistics()
            statistics.writesObserved = audited
            summary.observe(AuditEvent(at: 1000, .statistics(statistics)), source: "syncaudit")
            for _ in 0..<traced { summary.observe(AuditEvent(at: 5, .write(write())), source: nil) }
            summary.observe(AuditEvent(at: 5, .write(write())), source: "phone")
            return summary
        }
        #expect(summary(traced: 3, audited: 3).writes.count == 4)
        #expect(summary(traced: 3, audited: 7).writes.count == 8)
        #expect(summary(traced: 7, audited: 3).writes.count == 8)
    }

    @Test func revertsAddUpOverLogs() throws {
        func summary(_ lines: (source: DeviceID?, reverts: Int, milliseconds: Int64)...) -> Summary {
            var summary = Summary()
            for line in lines {
                var statistics = ConflictStatistics()
                statistics.recordWrites(7)
                statistics.recordReverts(line.reverts)
                summary.observe(AuditEvent(at: line.milliseconds, .statistics(statistics)), source: line.source)
            }
            return summary
        }
        // The counters of a log run from its start: the latest line counts, of equal dates the higher count.
        var whole = summary(("a", 9, 1000), ("a", 4, 2000), ("a", 3, 2000))
        #expect(whole.writes.reverts == 4)
        // A trace and its audit tell of the same; write lines tell of none.
        whole.merge(summary((nil, 5, 1000), ("syncaudit", 6, 1000)))
        for source: DeviceID? in ["a", nil, "phone"] { whole.observe(AuditEvent(at: 5, .write(write())), source: source) }
        #expect(whole.writes.reverts == 4 + 6)
        let bytes = JSONRenderer().render(whole)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(#""reverts":10,"#) && text.contains(#","reportedReverts":6}"#))
        let again = try Summary(json: parse(bytes))
        #expect(again == whole && again.hashValue == whole.hashValue && again.writes.reverts == 10)
        #expect(summary(("a", 1, 0)) != summary(("a", 0, 0)))
        #expect(!String(decoding: JSONRenderer().render(summary(("a", 0, 0))), as: UTF8.self).contains("everts"))
        // Where each write counts once, the logs may tell of the same edits.
        var copies = FirstCopies()
        whole.observe(AuditEvent(at: 5, .write(write())), source: "a", once: &copies)
        whole.add(copies.tallies)
        #expect(whole.writes.reverts == 6)
    }

    @Test func datesBeyondTheCalendarCountOnItsLastDay() {
        var summary = Summary()
        for moment in [Int64.max, Int64.min + 10] {
            summary.observe(AuditEvent(at: 0, .conflict(conflict(at: moment, gap: 0))), source: nil)
        }
        #expect(summary.proven.byDay.keys.sorted() == [-719_528, 2_932_896])
    }

    @Test func mergingCannotOverflow() {
        var summary = Summary()
        summary.observe(AuditEvent(at: 0, .conflict(conflict(clockSuspect: true))), source: "a")
        summary.observe(AuditEvent(at: 0, .write(write())), source: "a")
        summary.observe(AuditEvent(at: 0, .log(.dropped(.max))), source: "a")
        for _ in 0..<70 { summary.merge(summary) }
        #expect(summary.proven.total.conflicts == .max / 4)
        #expect(summary.linesDropped == .max / 4)
        #expect(summary.writes.count == .max / 4)
        #expect(summary.proven.statistics.gaps.percentile(0.99) == .milliseconds(1500))
        // Counting on from there does not trap either.
        summary.observe(AuditEvent(at: 0, .conflict(conflict(clockSuspect: true))), source: "a")
        summary.observe(AuditEvent(at: 0, .write(write())), source: "a")
        #expect(summary.all.total.losses == .max / 4)
    }
}
