import ConflictAudit
import SyncMerge
import SyncModel
import Testing

/// Edits that writers who had seen them put back: counted by themselves, and no conflicts.
@Suite struct RevertTests {
    private static let key = RecordKey(type: "Task", id: "1")

    private static func put(_ device: DeviceID, _ number: UInt64, _ fields: FieldMap?, seen: VersionVector?) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: Int64(number) * 1000), key: key,
            operation: fields.map { .put($0) } ?? .delete, seen: seen)
    }

    /// "field: edit -> value that was put back" of each, and how many were counted.
    private static func reverts(_ writes: [TaggedWrite]) -> [String] {
        var auditor = TraceAuditor()
        var found: [String] = []
        for write in writes {
            auditor.observe(write)
            found += auditor.reverts.map { revert in
                func text(_ write: TaggedWrite) -> String { write.value(of: revert.field)?.string ?? "null" }
                return "\(revert.field.rawValue): \(text(revert.edit)) -> \(text(revert.write))"
            }
        }
        #expect(auditor.statistics.reverts == found.count)
        return found
    }

    private static let start: [TaggedWrite] = [
        put("a", 1, ["title": "old", "done": false], seen: [:]), put("a", 2, ["title": "new"], seen: ["a": 1]),
    ]

    @Test func whoHadSeenAnEditAndWritesWhatItReplacedPutsItBack() {
        #expect(Self.reverts(Self.start + [Self.put("b", 3, ["title": "old", "done": true], seen: ["a": 2])]) == ["title: new -> old"])
    }

    @Test func anotherValueOrADeviceOfOnesOwnPutsNothingBack() {
        #expect(Self.reverts(Self.start + [Self.put("b", 3, ["title": "other"], seen: ["a": 2])]) == [])
        #expect(Self.reverts(Self.start + [Self.put("b", 3, ["title": "new"], seen: ["a": 2])]) == [])
        #expect(Self.reverts(Self.start + [Self.put("a", 3, ["title": "old"], seen: ["a": 2])]) == [])
        #expect(Self.reverts(Self.start + [Self.put("b", 3, nil, seen: ["a": 2])]) == [])
    }

    /// Who had not seen the edit overwrites it: that is a conflict, and told as one.
    @Test func whoHadNotSeenTheEditPutsNothingBack() {
        #expect(Self.reverts(Self.start + [Self.put("b", 3, ["title": "old"], seen: ["a": 1])]) == [])
        #expect(Self.reverts(Self.start + [Self.put("b", 3, ["title": "old"], seen: nil)]) == [])
    }

    @Test func eachFieldOfAFormIsLookedAtByItself() {
        let form: [TaggedWrite] = [
            Self.put("a", 1, ["title": "t1", "text": "x1", "tag": "g1"], seen: [:]),
            Self.put("b", 2, ["title": "t2", "text": "x2", "tag": "g1"], seen: ["a": 1]),
            Self.put("c", 3, ["title": "t1", "text": "x1", "tag": "g2"], seen: ["a": 1, "b": 2]),
            Self.put("b", 4, ["title": "t2", "text": "x3", "tag": "g1"], seen: ["a": 1, "b": 2, "c": 3]),
        ]
        #expect(
            Self.reverts(form).sorted() == ["tag: g2 -> g1", "text: x2 -> x1", "title: t1 -> t2", "title: t2 -> t1"])
    }

    @Test func theRemovalOfAFieldIsPutBackToo() {
        let removal = Self.put("b", 3, ["title": .null], seen: ["a": 2])
        #expect(
            Self.reverts(Self.start + [removal, Self.put("c", 4, ["title": "new"], seen: ["a": 2, "b": 3])]) == ["title: null -> new"])
    }
}
