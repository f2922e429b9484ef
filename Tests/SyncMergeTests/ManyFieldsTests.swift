import OracleRules
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// A record with so many fields that they are no longer kept in order is the same as any other.
@Suite struct ManyFieldsTests {
    private static let key = RecordKey(type: "note", id: "1")
    /// More than are kept in order.
    private static let count = histories(4_200, of: 5_000)

    @Test(arguments: [MergePolicy.lastWriterWins, .counter])
    func aRecordOfManyFieldsAgreesInAnyOrderOfArrival(_ policy: MergePolicy) throws {
        func value(_ number: Int) -> FieldValue {
            (policy.name == "counter") ? CounterWrite(total: Int64(number)).value : .number(JSONNumber(Int64(number)))
        }
        let rules = MergeRules(standard: .fields(policy))
        var random = SplitMix64(seed: 3)
        let names = random.shuffled((0..<Self.count).map { "field \($0)" })
        var writes = names.indices.map { index in
            TaggedWrite(
                dot: Dot(device: DeviceID("d\(index % 7)"), sequence: UInt64(index / 7 + 1)),
                timestamp: HybridTimestamp(milliseconds: Int64(index)), key: Self.key,
                operation: .put([FieldName(names[index]): value(index)]), seen: VersionVector([]))
        }
        // Some are set once more by another device that had seen nothing.
        for index in stride(from: 0, to: Self.count, by: 50) {
            writes.append(
                TaggedWrite(
                    dot: Dot(device: "other", sequence: UInt64(index / 50 + 1)), timestamp: HybridTimestamp(milliseconds: 1_000_000),
                    key: Self.key, operation: .put([FieldName(names[index]): value(10_000)]), seen: VersionVector([])))
        }
        let first = merged(writes, rules)
        let second = merged(random.shuffled(writes), rules)
        let again = try RecordState(stored: first.stored, key: Self.key)
        for state in [first, second, again] {
            let shown = try #require(state.shown(rules: rules))
            #expect(shown.count == Self.count)
            #expect(shown.names.map(\.rawValue) == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
            for index in names.indices {
                let number = index.isMultiple(of: 50) ? ((policy.name == "counter") ? index : 0) + 10_000 : index
                let expected = FieldValue.number(JSONNumber(Int64(number)))
                guard index.isMultiple(of: histories(7, of: 1)) else { continue }
                if shown[FieldName(names[index])] != expected { Issue.record("field \(index) is shown otherwise") }
                if state.shown(FieldName(names[index]), rules: rules) != expected { Issue.record("field \(index) by name") }
            }
            #expect(state.shown("none", rules: rules) == nil)
        }
        #expect(first.stored == again.stored)
    }

    @Test func aDeleteIsAWriteToEveryFieldThatComesAfterItToo() throws {
        let rules = MergeRules(deletes: .lastWriterWins)
        let delete = TaggedWrite(
            dot: Dot(device: "phone", sequence: 1), timestamp: HybridTimestamp(milliseconds: 3700), key: Self.key, operation: .delete,
            seen: VersionVector([]))
        let puts = (0..<Self.count).map { index in
            TaggedWrite(
                dot: Dot(device: "laptop", sequence: UInt64(index + 1)), timestamp: HybridTimestamp(milliseconds: Int64(index)),
                key: Self.key,
                operation: .put([FieldName("field \((index * 37) % Self.count)"): true]), seen: VersionVector([]))
        }
        for position in [0, Self.count - 50, Self.count] {
            var state = RecordState(key: Self.key)
            var lost = 0
            for write in puts[..<position] + [delete] + puts[position...] {
                lost += state.merge(write, rules: rules).count { $0.loser.dot.device == "laptop" && $0.field != nil }
            }
            #expect(lost == 3701)
            #expect(state.shown(rules: rules)?.count == Self.count - 3701)
        }
    }

    private func merged(_ writes: [TaggedWrite], _ rules: MergeRules) -> RecordState {
        var state = RecordState(key: Self.key)
        for write in writes { _ = state.merge(write, rules: rules) }
        return state
    }
}
