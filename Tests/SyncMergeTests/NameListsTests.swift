import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Records that share their lists of names.
@Suite struct NameListsTests {
    /// More fields than a shared list has, and more ways for lists to grow than are remembered.
    @Test(arguments: [4, 90]) func areMergedAsThoseWithListsOfTheirOwn(names: Int) {
        var random = SplitMix64(seed: 7)
        var nameLists = NameLists()
        let rules = MergeRules()
        for record in 1...histories(100, of: 400) {
            let key = RecordKey(type: "note", id: RecordID(String(record)))
            var (sharing, alone, memory) = (RecordState(key: key), RecordState(key: key), RecordMemory())
            for number in 1...UInt64(names) {
                // Some names are too long to lie in a string's own words.
                let field = Int.random(in: 0..<names, using: &random)
                let name = FieldName(field.isMultiple(of: 3) ? "a name of more than fifteen bytes \(field)" : "f\(field)")
                let write = TaggedWrite(
                    dot: Dot(device: "a", sequence: number), timestamp: HybridTimestamp(milliseconds: Int64(number)), key: key,
                    operation: .put(FieldMap(dictionaryLiteral: (name, .string(String(number))))),
                    seen: number == 1 ? [:] : ["a": number - 1])
                _ = sharing.mergeChecked(write, rules: rules, &memory, sharing: &nameLists)
                _ = alone.merge(write, rules: rules)
            }
            #expect(sharing.shown(rules: rules) == alone.shown(rules: rules))
            #expect(sharing.shown(rules: rules)?.isEmpty == false)
        }
    }
}
