import AuditAnalysis
import AuditSamples
import ConflictAudit
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Which edits are gone from the final rows, and of which that is proven.
@Suite struct GoneEditTests {
    // MARK: People who edit forms

    /// An edit: a write and the field that it changed.
    private struct Edit: Hashable, CustomStringConvertible {
        let dot: Dot
        let field: FieldName

        var description: String { "\(dot) \(field)" }
    }

    /// Three people who open forms, change a field or none, and save both fields or one, over a hub that keeps the latest of each field.
    private struct People {
        private(set) var writes: [TaggedWrite] = []
        /// The edits that they made and that nobody replaced who had seen them, with values that are shown no more.
        private(set) var gone: Set<Edit> = []
        private(set) var row = FieldMap()
        /// Which writes each writer had, by their positions.
        private var known: [Set<Int>] = []
        private static let names: [FieldName] = ["name", "phone"]

        init(seed: UInt64) {
            var random = SplitMix64(seed: seed)
            var (hub, held): (Set<Int>, [Set<Int>]) = ([], [[], [], []])
            var edits: [(write: Int, field: FieldName)] = []
            for step in 0..<14 {
                let person = Int.random(in: 0..<3, using: &random)
                if Bool.random(using: &random) {
                    hub.formUnion(held[person])
                    held[person] = hub
                }
                var fields = FieldMap()
                for name in Self.names where Int.random(in: 0..<4, using: &random) > 0 {
                    let shown = shown(name, to: held[person])
                    let value: FieldValue = Int.random(in: 0..<3, using: &random) == 0 ? FieldValue.random(using: &random) : shown
                    fields[name] = value
                    if value != shown { edits.append((writes.count, name)) }
                }
                if fields.isEmpty { continue }
                var seen = VersionVector()
                for write in held[person] { seen.insert(writes[write].dot) }
                let device = DeviceID("p\(person)")
                let time = Int64(step) * 600_000 + Int64.random(in: -900_000...900_000, using: &random)
                writes.append(
                    TaggedWrite(
                        dot: Dot(device: device, sequence: seen[device] + 1),
                        timestamp: HybridTimestamp(milliseconds: time),
                        key: RecordKey(type: "Card", id: "1"), operation: .put(fields), seen: seen))
                known.append(held[person])
                held[person].insert(writes.count - 1)
            }
            let all = Set(writes.indices)
            for name in Self.names { row[name] = shown(name, to: all) == .null ? nil : shown(name, to: all) }
            for edit in edits where (writes[edit.write].value(of: edit.field) ?? .null) != row[edit.field] ?? .null {
                let isReplaced = edits.contains { $0.field == edit.field && known[$0.write].contains(edit.write) }
                if !isReplaced { gone.insert(Edit(dot: writes[edit.write].dot, field: edit.field)) }
            }
        }

        /// The latest of the writes that nobody replaced.
        private func shown(_ name: FieldName, to held: Set<Int>) -> FieldValue {
            let puts = held.filter { writes[$0].value(of: name) != nil }
            let maximal = puts.filter { put in !puts.contains { known[$0].contains(put) } }
            let last = maximal.max { writes[$0].precedes(writes[$1]) }
            return last.flatMap { writes[$0].value(of: name) } ?? .null
        }

        func result(_ writes: [TaggedWrite]) -> OutcomeResult { GoneEditTests.result(writes, row: row) }
    }

    private static func result(_ writes: [TaggedWrite], row: FieldMap?) -> OutcomeResult {
        var comparison = OutcomeComparison(
            recorded: MergeRules(),
            candidates: [
                PolicyReplay.Candidate(name: "by field", rules: MergeRules()),
                PolicyReplay.Candidate(name: "by record", rules: MergeRules(standard: .record(.lastWriterWins))),
            ])
        for write in writes { comparison.observe(write) }
        var rows = OutcomeRows()
        if let row { rows.insert(OutcomeRows.Row(fields: row, isText: false), of: RecordKey(type: "Card", id: "1"), at: "") }
        rows.insert(OutcomeRows.Row(fields: [:], isText: false), of: RecordKey(type: "Card", id: "other"), at: "")
        return comparison.result(rows, listing: 1000)
    }

    private func edits(_ result: OutcomeResult, isProven: Bool) -> Set<Edit> {
        Set(result.gone.filter { $0.isProven == isProven }.map { Edit(dot: $0.write.dot, field: $0.field) })
    }

    @Test func exactlyTheEditsThatPeopleLostAreGone() {
        var lost = 0
        for seed in 1...UInt64(histories(150, of: 5000)) {
            let people = People(seed: seed)
            let result = people.result(people.writes)
            #expect(edits(result, isProven: true) == people.gone, "seed \(seed): \(people.writes), row \(people.row)")
            #expect(result.suspected == 0 && result.isConclusive, "seed \(seed)")
            lost += people.gone.count
        }
        #expect(lost > 50)
    }

    @Test func withoutAnyContextNothingIsProven() {
        var suspected = 0
        for seed in 1...UInt64(histories(100, of: 3000)) {
            let people = People(seed: seed)
            let result = people.result(people.writes.map { $0.withoutContext })
            #expect(edits(result, isProven: true).isEmpty && !result.isConclusive, "seed \(seed)")
            #expect(result.suspected == result.lost && result.lost == result.gone.count)
            suspected += result.suspected
        }
        #expect(suspected > 20)
    }

    @Test func wherePartSaysNothingAllThatIsProvenWasLost() {
        var proven = 0
        for seed in 1...UInt64(histories(300, of: 10_000)) {
            let people = People(seed: seed)
            var random = SplitMix64(seed: ~seed)
            let result = people.result(people.writes.map { Int.random(in: 0..<5, using: &random) == 0 ? $0.withoutContext : $0 })
            #expect(edits(result, isProven: true).isSubset(of: people.gone), "seed \(seed)")
            proven += edits(result, isProven: true).count
        }
        #expect(proven > 20)
    }

    // MARK: Small cases

    private static func put(
        _ device: DeviceID, _ number: UInt64, at minutes: Int64, _ fields: FieldMap, saw seen: VersionVector? = nil
    ) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: minutes * 60_000),
            key: RecordKey(type: "Card", id: "1"), operation: .put(fields), seen: seen)
    }

    @Test func savingAFormThatSeesAConcurrentEditLoseReplacesNothing() {
        let writes = [
            Self.put("a", 1, at: 0, ["name": "Ada", "phone": "1"], saw: [:]),
            Self.put("b", 1, at: 1, ["name": "Bea"], saw: ["a": 1]),
            Self.put("a", 2, at: 2, ["name": "Eve"], saw: ["a": 1]),
            // Both were there, and Eve was shown.
            Self.put("c", 1, at: 3, ["name": "Eve", "phone": "2"], saw: ["a": 2, "b": 1]),
        ]
        let result = Self.result(writes, row: ["name": "Eve", "phone": "2"])
        #expect(result.gone.map(\.write.dot) == [Dot(device: "b", sequence: 1)])
        #expect(result.gone.first?.isProven == true)
        // Who replaced the value that was shown knew of both.
        let edit = Self.put("c", 2, at: 4, ["name": "Zoe"], saw: ["a": 2, "b": 1])
        #expect(Self.result(writes + [edit], row: ["name": "Zoe", "phone": "2"]).lost == 0)
    }

    @Test func aValuePutBackWithoutAContextIsSuspected() throws {
        let writes = [
            Self.put("a", 1, at: 0, ["phone": "1"]), Self.put("a", 2, at: 60, ["phone": "2"]), Self.put("b", 1, at: 90, ["phone": "1"]),
        ]
        let gone = try #require(Self.result(writes, row: ["phone": "1"]).gone.first)
        #expect((gone.write.dot.device, gone.putBackBy, gone.isProven, gone.shown) == ("a", "b", false, "1"))
        // Another value is an edit, by somebody who had an hour to see the one before.
        let edited = writes.dropLast() + [Self.put("b", 1, at: 90, ["phone": "3"])]
        #expect(Self.result(Array(edited), row: ["phone": "3"]).lost == 0)
        // Who sends changed fields alone means them.
        let whole = [Self.put("a", 1, at: 0, ["name": "Ada", "phone": "1"]), Self.put("a", 2, at: 60, ["phone": "2"])]
        let form = Self.put("b", 1, at: 90, ["name": "Eve", "phone": "1"])
        #expect(Self.result(whole + [form], row: ["name": "Eve", "phone": "1"]).types.first?.suspected == ["phone": 1])
        #expect(Self.result(whole + [Self.put("b", 1, at: 90, ["phone": "1"])], row: ["name": "Ada", "phone": "1"]).lost == 0)
        // Nobody puts back what was gone before their own last write.
        let own = [
            Self.put("a", 1, at: 0, ["phone": "1"]), Self.put("a", 2, at: 60, ["phone": "2"]), Self.put("b", 1, at: 90, ["phone": "3"]),
            Self.put("a", 3, at: 120, ["phone": "4"]), Self.put("b", 2, at: 150, ["phone": "1"]),
        ]
        #expect(Self.result(own, row: ["phone": "1"]).lost == 0)
    }

    @Test func oneWriteThatSaysNothingMakesSuspectsOfAllThatItMayHaveSeen() throws {
        let clash = [
            Self.put("a", 1, at: 0, ["phone": "1"], saw: [:]), Self.put("a", 2, at: 60, ["phone": "2"], saw: ["a": 1]),
            Self.put("b", 1, at: 61, ["phone": "3"], saw: ["a": 1]),
        ]
        #expect(Self.result(clash, row: ["phone": "3"]).gone.map(\.isProven) == [true])
        let silent = clash + [Self.put("c", 1, at: 300, ["phone": "3"])]
        #expect(Self.result(silent, row: ["phone": "3"]).gone.map(\.isProven) == [false])
        // What the writer of the edit had seen had not seen the edit.
        let before = [
            Self.put("c", 1, at: -60, ["phone": "0"]),
            Self.put("a", 1, at: 0, ["phone": "1"], saw: ["c": 1]), Self.put("a", 2, at: 60, ["phone": "2"], saw: ["a": 1, "c": 1]),
            Self.put("b", 1, at: 61, ["phone": "3"], saw: ["a": 1, "c": 1]),
        ]
        #expect(Self.result(before, row: ["phone": "3"]).gone.map(\.isProven) == [true])
    }

    @Test func namesThatTheTraceLacksLeaveWhatWasEditedOpen() {
        let writes = [
            Self.put("a", 1, at: 0, ["phone": "1"], saw: ["z": 7]), Self.put("a", 2, at: 60, ["phone": "2"], saw: ["a": 1, "z": 8]),
            Self.put("b", 1, at: 61, ["phone": "3"], saw: ["a": 1, "z": 7]),
        ]
        let result = Self.result(writes, row: ["phone": "3"])
        #expect(result.gone.map(\.isProven) == [false])
        #expect(result.openWrites == 3 && !result.isConclusive)
        // Whatever stood there before the first, it is what the second was shown.
        let covered = [writes[0], Self.put("a", 2, at: 60, ["phone": "2"], saw: ["a": 1, "z": 7]), writes[2]]
        #expect(Self.result(covered, row: ["phone": "3"]).gone.map(\.isProven) == [true])
    }

    @Test func linesOutOfOrderProveNothing() {
        let writes = [
            Self.put("a", 2, at: 60, ["phone": "2"], saw: ["a": 1]), Self.put("b", 1, at: 61, ["phone": "3"], saw: ["a": 1]),
            Self.put("a", 1, at: 0, ["phone": "1"], saw: [:]),
        ]
        let result = Self.result(writes, row: ["phone": "3"])
        #expect(result.gone.map(\.isProven) == [false])
        #expect(result.evidence.isDisordered && !result.isConclusive)
    }

    @Test func aRecordKeptWholeIsShownWhole() {
        let writes = [
            Self.put("a", 1, at: 0, ["name": "Ada", "phone": "1"], saw: [:]),
            Self.put("a", 2, at: 1, ["name": "Eve"], saw: ["a": 1]),
            Self.put("b", 1, at: 2, ["phone": "2"], saw: ["a": 1]),
            // The server kept b's record, with Ada in it, and c saved that.
            Self.put("c", 1, at: 3, ["name": "Ada", "phone": "2", "note": "x"], saw: ["a": 2, "b": 1]),
            Self.put("c", 2, at: 4, ["note": "y"], saw: ["a": 2, "b": 1]),
            Self.put("d", 1, at: 5, ["phone": "5"], saw: ["a": 2, "b": 1, "c": 1]),
        ]
        let result = Self.result(writes, row: ["name": "Ada", "phone": "5", "note": "x"])
        #expect(result.types.first?.mergesRecords == true)
        #expect(result.types.first?.lost == ["name": 1, "note": 1])
        #expect(result.suspected == 0)
        #expect(result.gone.first { $0.field == "name" }?.write.dot == Dot(device: "a", sequence: 2))
    }
}

extension TaggedWrite {
    /// The write without what its writer had seen.
    fileprivate var withoutContext: TaggedWrite {
        TaggedWrite(dot: dot, timestamp: timestamp, key: key, operation: operation, seen: nil)
    }
}

extension FieldValue {
    fileprivate static func random(using random: inout SplitMix64) -> FieldValue {
        [.null, "1", "2", "3"][Int.random(in: 0..<4, using: &random)]
    }
}
