import AuditSamples
import ConflictAudit
import GoldenFiles
import SyncBytes
import SyncModel
import Testing

@testable import AuditAnalysis

@Suite struct JSONRendererTests {
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func whatIsWrittenIsReadBack(seed: UInt64) throws {
        var random = RandomEvents(seed: seed)
        var summary = Summary(
            filter: seed % 2 == 0
                ? ReportFilter() : ReportFilter(since: WallTime(millisecondsSince1970: -9_000_000_000), devices: ["a", "b"]))
        for (event, source) in random.events(300) { summary.observe(event, source: source) }
        let bytes = JSONRenderer().render(summary)
        let again = try Summary(json: parse(bytes))
        #expect(again == summary)
        #expect(JSONRenderer().render(again) == bytes)
    }

    @Test func anEmptySummaryIsReadBack() throws {
        #expect(try Summary(json: parse(JSONRenderer().render(Summary()))) == Summary())
    }

    @Test func aSaturatedSummaryIsReadBack() throws {
        var random = RandomEvents(seed: 3)
        var summary = Summary()
        for (event, source) in random.events(100) { summary.observe(event, source: source) }
        for _ in 0..<64 { summary.merge(summary) }
        #expect(try Summary(json: parse(JSONRenderer().render(summary))) == summary)
    }

    @Test func golden() throws {
        let text = String(decoding: JSONRenderer().render(.sample), as: UTF8.self)
        #expect(GoldenFile("summary.json").problem(with: text) == nil)
    }

    /// Each change to a good summary, and what the error must name.
    @Test(
        arguments: [
            (["summary"], 1, "summary is not 3"),
            (["summary"], nil, "summary is missing"),
            (["linesDropped"], -1, "linesDropped is -1"),
            (["linesDropped"], 9_223_372_036_854_775_807, "linesDropped is 9223372036854775807"),
            (["linesDropped"], "7", "linesDropped is \"7\""),
            (["linesDropped"], 1.5, "linesDropped is 1.5"),
            (["proven"], [], "proven is a list"),
            (["proven", "conflicts"], 1, "adds up to"),
            (["proven", "editsLost"], 0, "adds up to"),
            (["proven", "byKind", "update_update"], -5, "proven.byKind.update_update is -5"),
            (["proven", "byKind", "\u{1b}[31m"], 5, "unknown name \"\\u001b[31m\""),
            (["proven", "byBasis"], ["window": 5], "basis window"),
            (["suspected", "byBasis"], ["causal": 2], "which is proof"),
            (["proven", "firstConflict"], "yesterday", "proven.firstConflict is \"yesterday\""),
            (["proven", "firstConflict"], nil, "firstConflict"),
            (["proven", "autoResolved"], 99, "autoResolved"),
            (["proven", "withinWindow"], 0, "withinWindow"),
            (["isDistinct"], "no", "isDistinct is \"no\""),
            (["proven", "distinct"], nil, "distinct is missing"),
            (["proven", "distinct", "ids"], nil, "distinct.registers is missing"),
            (["proven", "distinct", "ids"], [], "distinct is 0"),
            (["proven", "distinct", "ids"], ["0123"], "distinct.ids holds \"0123\""),
            (["suspected", "distinct", "ids"], ["00000000000000aa", "00000000000000aa"], "distinct.ids holds"),
            (["proven", "gaps", "buckets"], [[1, 2, 3]], "buckets[0]"),
            (["proven", "gaps", "buckets"], [[99_999, 4]], "gaps.buckets contradicts"),
            (["proven", "gaps", "maxMs"], -4, "gaps.maxMs is -4"),
            (["proven", "byField"], [7], "byField[0]"),
            (["proven", "byField"], [["recordType": "Note", "conflicts": 2, "editsLost": 3]], "byField[0].editsLost"),
            (["proven", "byDay"], [["day": "2026-02-30", "conflicts": 2, "editsLost": 1]], "byDay[0].day"),
            (["proven", "byRecord"], [["recordType": "Note", "conflicts": 2, "editsLost": 1]], "byRecord[0].recordID is missing"),
            (
                ["proven", "byDay"],
                [["day": "2026-02-03", "conflicts": 2, "editsLost": 1], ["day": "2026-02-03", "conflicts": 2, "editsLost": 1]],
                "two rows"
            ),
            (["writes", "sources"], [["observed": 1, "observedWithContext": 0], ["observed": 1, "observedWithContext": 0]], "twice"),
            (["writes", "sources"], [["observed": 1, "observedWithContext": 2]], "is more than there were writes"),
            (
                ["writes", "sources"],
                [
                    [
                        "observed": 0, "observedWithContext": 0, "reportedAt": "2026-01-15T14:00:00.000Z", "reported": 1,
                        "reportedReverts": -1,
                    ]
                ], "writes.sources[0].reportedReverts is -1"
            ),
            (["hasAudit"], 1, "hasAudit is 1"),
            (["filters"], [["kinds": ["duel"]]], "filters[0].kinds holds the unknown name \"duel\""),
            (["otherEvents", "sync"], -1, "otherEvents.sync is -1"),
        ] as [([FieldName], FieldValue?, String)])
    func hostileValuesAreErrorsThatNameThePlace(path: [FieldName], value: FieldValue?, expected: String) throws {
        let good = try parse(JSONRenderer().render(.sample))
        let bad = replacing(good, path[...], by: value)
        let error = try #require(throws: AuditAnalysisError.self) { try Summary(json: bad) }
        #expect(error.code == .unreadableSummary)
        #expect(error.description.contains(expected), "\(error)")
        #expect(error.description.unicodeScalars.allSatisfy { $0.isHarmlessOnTerminal })
    }

    @Test func unknownKeysAreIgnored() throws {
        var json = try parse(JSONRenderer().render(.sample))
        json["more"] = ["x": [1, .null, true]]
        #expect(try JSONRenderer().render(Summary(json: json)) == JSONRenderer().render(.sample))
    }

    private func replacing(_ map: FieldMap, _ path: ArraySlice<FieldName>, by value: FieldValue?) -> FieldMap {
        var map = map
        guard let name = path.first else { return map }
        map[name] = path.count == 1 ? value : .object(replacing(map[name]?.object ?? FieldMap(), path.dropFirst(), by: value))
        return map
    }
}
