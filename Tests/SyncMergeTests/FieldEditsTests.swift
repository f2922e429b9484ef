import SyncMerge
import SyncModel
import Testing

/// The edits of a field that nobody replaced who had seen them.
@Suite struct FieldEditsTests {
    /// The name of each write to the field x that is such an edit, with a question mark where that is not proven.
    private func edits(_ writes: TaggedWrite...) -> [String] {
        var state = RecordState(key: RecordKey(type: "note", id: "1"))
        var (memory, lists) = (RecordMemory(), NameLists())
        for write in writes { _ = state.mergeChecked(write, rules: MergeRules(), &memory, sharing: &lists) }
        var edits = FieldEdits(memory, key: state.key, rules: MergeRules()) { _ in false }
        return edits.field("x").edits.map { "\($0.write.dot)\($0.isProven ? "" : "?")" }.sorted()
    }

    private let first = put("a", at: 1, ["x": 1])
    private let silent = put("s", at: 2, ["x": 2], saw: nil)

    @Test func whereAllWritesTellWhatTheirWritersHadSeenEditsAreProven() {
        #expect(edits(first) == ["a:1"])
        #expect(edits(first, put("b", at: 2, ["x": 2], saw: ["a": 1]), put("c", at: 3, ["x": 3], saw: ["a": 1])) == ["b:1", "c:1"])
    }

    @Test func whoSaysNothingMayHaveReplacedAnEdit() {
        #expect(edits(first, silent) == ["a:1?", "s:1?"])
        // What its writer had seen did not replace it.
        #expect(edits(first, silent, put("c", at: 3, ["x": 3], saw: ["s": 1])) == ["a:1?", "c:1"])
    }

    @Test func whatMayRepeatAnOlderValueProvesNothing() {
        let form = put("b", at: 3, ["x": 1], saw: ["a": 1])
        #expect(edits(first, silent, form, put("c", at: 4, ["x": 3], saw: ["a": 1, "s": 1])) == ["c:1?"])
    }
}
