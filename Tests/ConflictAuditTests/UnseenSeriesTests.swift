import ConflictAudit
import SyncMerge
import SyncModel
import Testing

/// Several saves of one device that a winner had not seen: each edit that was still shown goes with the last of them.
@Suite struct UnseenSeriesTests {
    private static let key = RecordKey(type: "Card", id: "1")

    private static func put(_ device: DeviceID, _ number: UInt64, second: Int64, _ fields: FieldMap?, seen: VersionVector) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: second * 1000), key: key,
            operation: fields.map { .put($0) } ?? .delete, seen: seen)
    }

    /// "b 2: body, title" for each write that lost an edit, with the fields that were lost.
    private static func losses(_ scope: MergeRules.Scope, _ writes: [TaggedWrite]) -> [String] {
        var auditor = TraceAuditor(mergeRules: MergeRules(standard: scope))
        return writes.flatMap { auditor.observe($0) }.filter(\.losesEdit).map { conflict in
            let fields = conflict.field.map { [$0.rawValue] } ?? conflict.loser.value?.object?.names.map(\.rawValue).sorted() ?? []
            return "\(conflict.loser.dot.device.rawValue) \(conflict.loser.dot.sequence): \(fields.joined(separator: ", "))"
        }
    }

    /// A card, and three saves of b, who was offline.
    private static let series: [TaggedWrite] = [
        put("a", 1, second: 0, ["title": "t", "body": "b", "tags": "g"], seen: [:]),
        put("b", 1, second: 1, ["title": "first"], seen: ["a": 1]),
        put("b", 2, second: 2, ["title": "second", "body": "of b"], seen: ["a": 1, "b": 1]),
        put("b", 3, second: 3, ["tags": "of b"], seen: ["a": 1, "b": 2]),
    ]

    @Test func wholeRecordsLoseEachEditOfTheSeriesThatWasShown() {
        let winner = Self.put("a", 2, second: 9, ["tags": "of a"], seen: ["a": 1])
        #expect(Self.losses(.record(.lastWriterWins), Self.series + [winner]) == ["b 3: tags", "b 2: body, title"])
        #expect(Self.losses(.fields(.lastWriterWins), Self.series + [winner]) == ["b 3: tags"])
    }

    @Test func aDeleteTakesAllOfThem() {
        let delete = Self.put("a", 2, second: 9, nil, seen: ["a": 1])
        #expect(Self.losses(.record(.lastWriterWins), Self.series + [delete]) == ["b 3: tags", "b 2: body, title"])
        #expect(Self.losses(.fields(.lastWriterWins), Self.series + [delete]) == ["b 2: body", "b 3: tags", "b 2: title"])
    }

    @Test func whatTheWinnerHadSeenOrWritesTooIsNotLost() {
        let seen = Self.put("a", 2, second: 9, ["tags": "of a"], seen: ["a": 1, "b": 2])
        #expect(Self.losses(.record(.lastWriterWins), Self.series + [seen]) == ["b 3: tags"])
        let same = Self.put("a", 2, second: 9, ["tags": "of a", "title": "second", "body": "of b"], seen: ["a": 1])
        #expect(Self.losses(.record(.lastWriterWins), Self.series + [same]) == ["b 3: tags"])
    }

    /// What had lost to another before is not lost once more.
    @Test func whatWasLostBeforeCountsOnce() {
        let early = Self.put("c", 1, second: 8, ["tags": "of c"], seen: ["a": 1])
        let late = Self.put("a", 2, second: 9, ["tags": "of a"], seen: ["a": 1])
        #expect(
            Self.losses(.record(.lastWriterWins), Self.series + [early, late]).sorted()
                == ["b 2: body, title", "b 3: tags", "c 1: tags"])
    }
}
