import OracleRules
import SyncBytes
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Merging is commutative, associative and idempotent.
@Suite struct MergePropertyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let rules: MergeRules
        let mode: RandomHistory.Mode
        let seeds: Range<UInt64>
        let values: (@Sendable (Int, inout SplitMix64) -> FieldValue)?

        var testDescription: String { "\(name), \(rules.deletes.rawValue), \(mode.rawValue)" }
    }

    static let scopes: [(String, MergeRules.Scope, (@Sendable (Int, inout SplitMix64) -> FieldValue)?)] = [
        ("last writer", .fields(.lastWriterWins), nil),
        ("first writer", .fields(.firstWriterWins), nil),
        ("maximum", .fields(.maximum), nil),
        ("minimum", .fields(.minimum), nil),
        ("counter", .fields(.counter), RandomValues.counter),
        ("set", .fields(.set), RandomValues.set),
        ("preferred devices", .fields(.preferDevices(["b", "c"])), nil),
        ("manual", .fields(.manual), nil),
        ("custom, the middle one", .fields(.custom(middle)), nil),
        ("custom, all of them", .fields(.custom(everything)), nil),
        ("custom, undecided", .fields(.custom(CustomPolicy(name: "undecided") { _ in .undecided })), nil),
        ("record, last writer", .record(.lastWriterWins), nil),
        ("record, first writer", .record(.firstWriterWins), nil),
        ("last arrival", .fields(.lastArrivalWins), nil),
        ("record, last arrival", .record(.lastArrivalWins), nil),
        ("record, preferred devices", .record(.preferDevices(["b", "c"])), nil),
        ("record, manual", .record(.manual), nil),
        ("record, custom", .record(.custom(middle)), nil),
    ]

    private static let middle = CustomPolicy(name: "middle") { .winner($0.candidates[$0.candidates.count / 2].dot) }

    private static let everything = CustomPolicy(name: "everything") { context in
        .value(.array(context.candidates.compactMap { context.field.flatMap($0.value(of:)) }))
    }

    static let cases: [Case] = scopes.enumerated().flatMap { index, scope in
        DeletePolicy.allCases.flatMap { deletes in
            RandomHistory.Mode.allCases.map { mode in
                let seed = UInt64(80_000_000 + index * 10_000)
                return Case(
                    name: scope.0, rules: MergeRules(standard: scope.1, deletes: deletes), mode: mode,
                    seeds: seed..<seed + UInt64(histories(2, of: 60)),
                    values: scope.2)
            }
        }
    }

    @Test(arguments: cases)
    func everyOrderOfArrivalGivesTheSameStateAndWinners(_ example: Case) {
        for seed in example.seeds {
            let history = RandomHistory(seed: seed, mode: example.mode, values: example.values)
            let first = Outcome(history.writes, rules: example.rules)
            var random = SplitMix64(seed: seed)
            for _ in 0..<histories(1, of: 3) {
                let arrivals = RandomHistory.reordered(history.writes, &random)
                func story() -> Comment { Comment(rawValue: RandomHistory.story(seed, arrivals)) }
                #expect(Outcome(arrivals, rules: example.rules) == first, story())
            }
        }
    }

    @Test(arguments: cases)
    func aSecondArrivalOfEveryWriteChangesAndDecidesNothing(_ example: Case) {
        for seed in example.seeds.prefix(histories(1, of: 20)) {
            let writes = RandomHistory(seed: seed, mode: example.mode, values: example.values).writes
            let once = Outcome(writes, rules: example.rules)
            let twice = Outcome(writes + writes.reversed(), rules: example.rules)
            func story() -> Comment { Comment(rawValue: RandomHistory.story(seed, writes)) }
            #expect(once == twice, story())
            #expect(once.decisions == twice.decisions, story())
        }
    }

    /// What the records show, byte for byte, and who wins where.
    private struct Outcome: Equatable {
        var shown: [String] = []
        var winners: [String] = []
        var decisions = 0

        init(_ arrivals: [TaggedWrite], rules: MergeRules) {
            var records: [RecordKey: RecordState] = [:]
            for write in arrivals {
                decisions += records[write.key, default: RecordState(key: write.key)].merge(write, rules: rules).count
            }
            for (key, record) in records.sorted(by: { $0.key < $1.key }) {
                var bytes: [UInt8] = []
                if let fields = record.shown(rules: rules) { JSONText.append(fields, to: &bytes) }
                shown.append("\(key) \(String(decoding: bytes, as: UTF8.self))")
                for field in ["x", "y", "z", "w", nil] as [FieldName?] {
                    winners.append(record.winner(of: field, rules: rules)?.dot.description ?? "none")
                }
            }
        }

        static func == (left: Outcome, right: Outcome) -> Bool {
            left.shown == right.shown && left.winners == right.winners
        }
    }
}
