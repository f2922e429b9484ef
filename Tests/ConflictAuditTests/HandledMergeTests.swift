import ConflictAudit
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Merge lines with a result: what the handler kept is read from it, and no policy decides again.
@Suite struct HandledMergeTests {
    private static let key = RecordKey(type: "Card", id: "1")

    private static func version(_ fields: FieldMap?, at milliseconds: Int64? = nil, by device: DeviceID? = nil) -> RecordedMerge.Version {
        RecordedMerge.Version(fields: fields, at: milliseconds.map(WallTime.init(millisecondsSince1970:)), device: device)
    }

    /// The conflicts of versions that met on "phone": the phone's of 2,000 ms, and the tablet's of 1,000 ms.
    private static func conflicts(
        _ ancestor: FieldMap?, _ client: FieldMap?, _ server: FieldMap?, result: RecordedMerge.Version?, isKnown: Bool = true
    ) -> [Conflict] {
        var auditor = TraceAuditor()
        return auditor.observe(
            RecordedMerge(
                key: key, at: WallTime(millisecondsSince1970: 5000), by: "phone", ancestor: isKnown ? version(ancestor) : nil,
                client: version(client, at: 2000), server: version(server, at: 1000, by: "tablet"), result: result))
    }

    /// "field: loser's value < winner's value", with the winner's device, for each edit that was lost.
    private static func losses(_ conflicts: [Conflict]) -> [String] {
        conflicts.filter(\.losesEdit).map { conflict in
            let stale = conflict.isStale ? " stale" : ""
            return
                "\(conflict.field?.rawValue ?? "-"): \(text(conflict.loser)) < \(conflict.winner.dot.device.rawValue) \(text(conflict.winner))\(stale)"
        }
    }

    private static func text(_ side: Conflict.Side) -> String { side.operation == .delete ? "deleted" : text(side.value) }

    private static func text(_ value: FieldValue?) -> String {
        switch value {
        case .string(let string): "\"\(string)\""
        case .number(let number): number.description
        case .null: "null"
        default: "?"
        }
    }

    @Test func theOlderSideThatIsShownHasWon() {
        let conflicts = Self.conflicts(["a": "x"], ["a": "new"], ["a": "old"], result: Self.version(["a": "old"]))
        #expect(Self.losses(conflicts) == [#"a: "new" < tablet "old""#])
        #expect(conflicts.first?.basis == .ancestor)
        #expect(conflicts.first?.policy == "conflictHandler")
        #expect(conflicts.first?.reason == .custom)
    }

    @Test func whatTheRulesWouldHaveKeptIsExplainedByThem() {
        let conflicts = Self.conflicts(["a": "x"], ["a": "new"], ["a": "old"], result: Self.version(["a": "new"]))
        #expect(Self.losses(conflicts) == [#"a: "old" < phone "new""#])
        #expect(conflicts.first?.policy == "lastWriterWins")
        #expect(conflicts.first?.reason == .newer)
    }

    @Test func eachEditOfOneSideThatIsDroppedLosesToTheStaleCopy() {
        let conflicts = Self.conflicts(
            ["a": 1, "b": 1, "c": 1], ["a": 2, "b": 2, "c": 1], ["a": 1, "b": 1, "c": 3], result: Self.version(["a": 1, "b": 2, "c": 1]))
        #expect(Self.losses(conflicts) == ["a: 2 < tablet 1 stale", "c: 3 < phone 1 stale"])
    }

    @Test func whereBothEditsAreDroppedTheHandlerHasWonOverBoth() {
        let conflicts = Self.conflicts(["a": 1], ["a": 2], ["a": 3], result: Self.version(["a": 1], by: "merger"))
        #expect(Self.losses(conflicts) == ["a: 2 < merger 1", "a: 3 < merger 1"])
        let equal = Self.conflicts(["a": 1], ["a": 2], ["a": 2], result: Self.version(["a": 1]))
        #expect(equal.map(\.severity) == [.lossy, .lossy])
        #expect(equal.map(\.losesEdit) == [true, false])
    }

    @Test func whatIsMadeOfBothLosesNothing() {
        let conflicts = Self.conflicts(["a": "x"], ["a": "y"], ["a": "z"], result: Self.version(["a": "y, z"]))
        #expect(conflicts.map(\.severity) == [.merged])
        #expect(conflicts.first?.result == "y, z")
    }

    @Test func aKeyThatAVersionLacksWasRemovedByItsWriterAtItsTime() {
        let removed = Self.conflicts(["a": 1, "b": 1], ["a": 1], ["a": 1, "b": 3], result: nil)
        #expect(Self.losses(removed) == ["b: 3 < phone null"])
        #expect(removed.first?.winner.timestamp.milliseconds == 2000)
        #expect(removed.first?.isCleared == true)
        let kept = Self.conflicts(["a": 1, "b": 1], ["a": 1], ["a": 1, "b": 3], result: Self.version(["a": 1, "b": 3]))
        #expect(Self.losses(kept) == ["b: null < tablet 3"])
    }

    @Test func withoutAnAncestorWhatIsDroppedIsSuspected() {
        let conflicts = Self.conflicts(nil, ["a": "new"], ["a": "old"], result: Self.version(["a": "old"]), isKnown: false)
        #expect(Self.losses(conflicts) == [#"a: "new" < tablet "old""#])
        #expect(conflicts.allSatisfy { !$0.basis.isProof })
    }

    @Test func aDeleteThatIsShownTakesEachEditOfTheOtherSide() {
        let deleted = Self.conflicts(["a": 1, "b": 1], ["a": 2, "b": 2], nil, result: Self.version(nil))
        #expect(Self.losses(deleted) == ["a: 2 < tablet deleted", "b: 2 < tablet deleted"])
        #expect(deleted.map(\.policy) == ["deleteWins", "deleteWins"])
        let byHandler = Self.conflicts(["a": 1], ["a": 2], ["a": 1], result: Self.version(nil, by: "merger"))
        #expect(Self.losses(byHandler) == ["a: 2 < merger deleted"])
        let kept = Self.conflicts(["a": 1], ["a": 1], nil, result: Self.version(["a": 1]))
        #expect(kept.map(\.kind) == [.deleteUpdate])
        #expect(kept.first?.loser.operation == .delete)
    }

    @Test func aRecordThatOneSideAloneMadeIsNoConflict() {
        #expect(Self.conflicts(nil, nil, ["a": 3], result: Self.version(["a": 3])).isEmpty)
        #expect(Self.losses(Self.conflicts(nil, nil, ["a": 3], result: Self.version([:]))) == ["a: 3 < phone null stale"])
    }

    /// An edit is lost where it is not shown, and what is shown is the ancestor's value or the other side's; equal edits are one.
    @Test(arguments: 0..<20) func whatIsLostFollowsFromTheVersionsAlone(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            func version() -> FieldMap {
                var fields = FieldMap()
                for name in ["a", "b", "c"] where random.next() % 4 > 0 {
                    fields[FieldName(name)] = .number(JSONNumber(Int64(random.next() % 3)))
                }
                return fields
            }
            let (ancestor, client, server, result) = (version(), version(), version(), version())
            var expected: Set<String> = []
            for name in ["a", "b", "c"].map(FieldName.init) {
                let values = [ancestor, client, server, result].map { $0[name] ?? .null }
                for (edit, other) in [(values[1], values[2]), (values[2], values[1])]
                where edit != values[0] && edit != values[3] && (values[3] == values[0] || values[3] == other) {
                    expected.insert("\(name.rawValue): \(Self.text(edit))")
                }
            }
            let lost = Self.conflicts(ancestor, client, server, result: Self.version(result)).filter(\.losesEdit)
            #expect(lost.map { "\($0.field?.rawValue ?? "-"): \(Self.text($0.loser.value))" }.sorted() == expected.sorted())
        }
    }
}
