import ConflictAudit
import SyncMerge
import SyncModel
import Testing

/// What gives back a discarded edit.
@Suite struct RestoringTests {
    private static let key = RecordKey(type: "note", id: "1")

    /// A conflict in which a:1 at 2000 won over b:2 at 1000.
    private func conflict(
        kind: Conflict.Kind = .updateUpdate, severity: Conflict.Severity = .lossy, field: FieldName? = "x",
        loser: Conflict.Side.Operation = .put, value: FieldValue? = "lost"
    ) -> Conflict {
        let dots = (Dot(device: "a", sequence: 1), Dot(device: "b", sequence: 2))
        return Conflict(
            id: ConflictID(key: Self.key, field: field, dots: dots), kind: kind, severity: severity, basis: .causal, key: Self.key,
            field: field, winner: Conflict.Side(dot: dots.0, timestamp: HybridTimestamp(milliseconds: 2000), operation: .put, value: "won"),
            loser: Conflict.Side(dot: dots.1, timestamp: HybridTimestamp(milliseconds: 1000), operation: loser, value: value),
            gap: .seconds(1), withinWindow: true, window: .seconds(5), policy: "lastWriterWins", resolution: .applyRemote,
            reason: .newer, clockSuspect: false)
    }

    private func write(
        _ operation: TaggedWrite.Operation = .put(["x": "lost"]), by device: DeviceID = "c", _ sequence: UInt64 = 9,
        at milliseconds: Int64 = 3000, to id: RecordID = "1", saw seen: VersionVector? = ["a": 1, "b": 2]
    ) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: sequence), timestamp: HybridTimestamp(milliseconds: milliseconds),
            key: RecordKey(type: "note", id: id), operation: operation, seen: seen)
    }

    @Test func oneWriteBringsBackALostValueThatIsKnown() {
        #expect(conflict().restoringOperation == .put(["x": "lost"]))
        #expect(conflict(field: nil, value: .object(["x": "lost", "y": 1])).restoringOperation == .put(["x": "lost", "y": 1]))
        #expect(conflict(loser: .delete, value: nil).restoringOperation == .delete)
        #expect(conflict(value: nil).restoringOperation == nil)
        #expect(conflict(field: nil, value: "lost").restoringOperation == nil)
        #expect(conflict(severity: .merged).restoringOperation == nil)
        #expect(conflict(severity: .benign).restoringOperation == nil)
        #expect(conflict(kind: .danglingReference).restoringOperation == nil)
        #expect(conflict(kind: .uniqueKey).restoringOperation == nil)
    }

    @Test func aWriteOfTheLosingValueThatHadSeenBothSidesRestoresIt() {
        #expect(conflict().isRestored(by: write()))
        #expect(conflict().isRestored(by: write(.put(["x": "lost", "y": 1]))))
        #expect(!conflict().isRestored(by: write(.put(["x": "won"]))))
        #expect(!conflict().isRestored(by: write(.put(["y": "lost"]))))
        #expect(!conflict().isRestored(by: write(.delete)))
        #expect(!conflict().isRestored(by: write(to: "2")))
        let deleted = conflict(loser: .delete, value: nil)
        #expect(deleted.isRestored(by: write(.delete)))
        #expect(!deleted.isRestored(by: write()))
        #expect(!conflict(value: nil).isRestored(by: write()))
    }

    @Test func aWriterWhoHadSeenOneSideOnlyRestoresNothing() {
        #expect(!conflict().isRestored(by: write(saw: ["a": 1])))
        #expect(!conflict().isRestored(by: write(saw: ["b": 2])))
        #expect(!conflict().isRestored(by: write(saw: ["a": 1, "b": 1])))
        #expect(!conflict().isRestored(by: write(by: "b", 2, saw: ["a": 1, "b": 1])))
        #expect(!conflict().isRestored(by: write(by: "a", 1, saw: ["b": 2])))
        // Of its own writes a device has seen the earlier ones.
        #expect(conflict().isRestored(by: write(by: "b", 3, saw: ["a": 1])))
        #expect(conflict().isRestored(by: write(by: "a", 2, saw: ["b": 2])))
        #expect(!conflict().isRestored(by: write(by: "b", 1, saw: ["a": 1, "b": 2])))
    }

    @Test func withoutACausalContextTheTotalOrderDecidesWhatIsRestored() {
        #expect(conflict().isRestored(by: write(at: 2001, saw: nil)))
        #expect(conflict().isRestored(by: write(at: 2000, saw: nil)))
        #expect(!conflict().isRestored(by: write(at: 1999, saw: nil)))
        #expect(!conflict().isRestored(by: write(by: "A", at: 2000, saw: nil)))
    }

    @Test func benignConflictsAreEqualOrRepeatedOrEither() {
        func reason(_ value: FieldValue?, _ loser: Conflict.Side.Operation = .put, severity: Conflict.Severity = .benign)
            -> Conflict.Harmlessness?
        {
            conflict(severity: severity, loser: loser, value: value).harmlessness
        }
        #expect(reason("won", severity: .lossy) == nil && reason(nil, .delete) == .equal)
        #expect(reason("won") == .equal && reason("lost") == .repeated && reason(nil) == .either)
        var whole = conflict(severity: .benign, field: nil, value: ["a": 1])
        whole.winner.value = ["a": 1, "b": 2]
        #expect(whole.harmlessness == .equal)
        whole.winner.value = ["a": 2, "b": 2]
        #expect(whole.harmlessness == .repeated)
    }
}
