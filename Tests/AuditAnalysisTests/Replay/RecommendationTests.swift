import AuditSamples
import ConflictAudit
import SyncMerge
import SyncModel
import Testing

@testable import AuditAnalysis

@Suite struct RecommendationTests {
    private var writes: [TaggedWrite] = []

    /// A write, a second after the one before it.
    private mutating func write(_ device: DeviceID, _ fields: FieldMap?, saw seen: VersionVector?) {
        let number = UInt64(writes.count { $0.dot.device == device }) + 1
        writes.append(
            TaggedWrite(
                dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: Int64(writes.count) * 1000),
                key: RecordKey(type: "Card", id: "1"), operation: fields.map { .put($0) } ?? .delete, seen: seen))
    }

    private func replayed(_ rules: MergeRules = MergeRules(), against others: [(String, MergeRules)] = []) -> PolicyReplay {
        var replay = PolicyReplay(
            recorded: .init(name: "recorded", rules: rules), candidates: others.map { .init(name: $0.0, rules: $0.1) })
        for write in writes { replay.observe(write) }
        return replay
    }

    private func reasons(_ rules: MergeRules = MergeRules()) -> [String] {
        replayed(rules).result().recommendations.map { "\($0.register.type).\($0.register.field ?? "*") \($0.policy): \($0.reason)" }
    }

    /// Both go on from 7; one writes 8, the other 8 and then 9.
    private mutating func countApart() {
        write("a", ["visits": 5], saw: [:])
        write("a", ["visits": 6], saw: ["a": 1])
        write("a", ["visits": 7], saw: ["a": 2])
        write("a", ["visits": 8], saw: ["a": 3])
        write("b", ["visits": 8], saw: ["a": 3])
        write("b", ["visits": 9], saw: ["a": 3, "b": 1])
    }

    @Test mutating func aNumberThatOnlyGrowsIsACounterAndEveryIncrementCounts() {
        countApart()
        #expect(
            reasons() == [
                "Card.visits counter: it only ever grows, mostly by small steps: 'counter' would keep 1 of 1 losing increment"
            ])
        let counted = replayed(against: [("counter", MergeRules(standard: .fields(.counter)))])
        #expect(counted.candidates[0].auditor.records().map(\.fields) == [["visits": 10]])
        #expect(counted.recorded.auditor.records().map(\.fields) == [["visits": 9]])
        #expect(counted.result().outcomes[1].total.valuesChanged == 1)
    }

    @Test mutating func withoutWhatItsWriterHadSeenANumberIsTakenAsItStands() {
        for (device, number) in [("a", 5), ("a", 6), ("b", 6), ("a", 7), ("b", 8)] as [(DeviceID, Int64)] {
            write(device, ["visits": .number(JSONNumber(number))], saw: nil)
        }
        let replay = replayed(against: [("counter", MergeRules(standard: .fields(.counter)))])
        #expect(replay.result().plainWritesWithoutContext == 5)
        #expect(replay.candidates[0].auditor.records().map(\.fields) == [["visits": 8]])
        #expect(!reasons().contains { $0.contains("counter") })
    }

    @Test mutating func theSameWriteTwiceAndALaterRestartChangeNothing() {
        countApart()
        let again = writes
        writes += again
        write("b", nil, saw: ["a": 4, "b": 2])
        // The device has forgotten what it counted before the delete.
        writes.append(
            TaggedWrite(
                dot: Dot(device: "b", sequence: 4), timestamp: HybridTimestamp(milliseconds: 100_000),
                key: RecordKey(type: "Card", id: "1"),
                operation: .put(["visits": 1]), seen: ["a": 4, "b": 3]))
        writes[12] = TaggedWrite(
            dot: Dot(device: "b", sequence: 3), timestamp: HybridTimestamp(milliseconds: 90_000), key: RecordKey(type: "Card", id: "1"),
            operation: .delete, seen: ["a": 4, "b": 2])
        let replay = replayed(against: [("counter", MergeRules(standard: .fields(.counter)))])
        #expect(replay.candidates[0].auditor.records().map(\.fields) == [["visits": 1]])
    }

    @Test mutating func aListIsASetAndWhatASetDoesNotKeepIsSaid() {
        write("a", ["tags": ["x", "y"]], saw: [:])
        write("a", ["tags": ["y", "x"]], saw: ["a": 1])
        write("a", ["tags": ["y", "x", "z"]], saw: ["a": 2])
        write("b", ["tags": ["y"]], saw: ["a": 2])
        #expect(
            reasons() == [
                "Card.tags set: it is edited as a list: 'set' would keep 1 of 1 losing edit; but 'set' keeps no order (1 write changed only that)"
            ])
        let replay = replayed(against: [("set", MergeRules(standard: .fields(.set)))])
        #expect(replay.candidates[0].auditor.records().map(\.fields) == [["tags": ["y", "z"]]])
    }

    @Test mutating func datesAndTextsAndDeletes() {
        write("a", ["modified": 1_700_000_000, "text": "one"], saw: [:])
        for (index, moment) in [1_700_050_000, 1_700_100_000, 1_700_900_000].enumerated() {
            write("a", ["modified": .number(JSONNumber(moment))], saw: ["a": UInt64(index + 1)])
        }
        write("b", ["modified": 1_700_800_000, "text": "two"], saw: ["a": 1])
        write("a", ["text": "three"], saw: ["a": 4])
        write("c", nil, saw: ["a": 4])
        #expect(
            reasons() == [
                "Card.* deletes=edit-wins: deletes discard edits that they had not seen: 'edit-wins' would keep 2 of 2",
                "Card.modified maximum: it only ever grows, by leaps, as a date or a version does: 'maximum' never goes back to a lower one",
                "Card.text manual: it holds one value at a time, of which every rule drops one: 'manual' would have asked once",
            ])
    }

    /// A version that each of two devices counts up from what it was shown, beside a title that somebody edits now and then.
    @Test mutating func aFieldThatEverySaveMovesIsProposedAsBookkeeping() {
        for round in 0..<12 {
            let seen: VersionVector = round == 0 ? [:] : ["a": UInt64(round), "b": UInt64(round)]
            for device in ["a", "b"] as [DeviceID] {
                write(device, ["version": .number(JSONNumber(round * 3 + 1)), "title": .string("\(round % 4)")], saw: seen)
            }
        }
        #expect(reasons().filter { $0.contains(" bookkeeping: nearly every save names it") }.map { $0.prefix(12) } == ["Card.version"])
        let declared = MergeRules(bookkeeping: BookkeepingFields(["Card": ["version"]]))
        #expect(!reasons(declared).contains { $0.hasPrefix("Card.version") })
        let replay = replayed(declared, against: [("first", MergeRules(standard: .fields(.firstWriterWins)))])
        for pass in [replay.recorded] + replay.candidates { #expect(!pass.losses.contains { $0.register.field == "version" }) }
        // Once a value falls, somebody edits it.
        write("a", ["version": 2, "title": "x"], saw: ["a": 12, "b": 12])
        #expect(!reasons().contains { $0.contains("bookkeeping") })
    }

    @Test mutating func nothingIsRecommendedTwice() {
        countApart()
        #expect(reasons(MergeRules(standard: .fields(.counter))) == [])
        #expect(reasons(MergeRules(fields: ["Card": ["visits": .counter]])) == [])
    }

    @Test mutating func recordsThatAreDroppedWhole() {
        write("a", ["name": "x", "phone": "1"], saw: [:])
        write("a", ["name": "y"], saw: ["a": 1])
        write("b", ["phone": "2"], saw: ["a": 1])
        #expect(
            reasons(MergeRules(standard: .record(.lastWriterWins))) == [
                "Card.* last-writer-wins: records are kept or dropped as a whole: deciding field by field would keep 1 of 1 losing edit"
            ])
    }
}
