import SyncMerge
import SyncModel
import SyncOracle
import Testing

@Suite("Product and brute force agree")
struct OracleAgreementTests {
    /// So many histories, with one set of rules, whose seeds begin at a number.
    struct Batch: Sendable, CustomTestStringConvertible {
        let name: String
        let mode: RandomHistory.Mode
        let settings: Oracle.Settings
        let seeds: Range<UInt64>

        var testDescription: String { "\(name), \(settings.deletes.rawValue), \(mode.rawValue), seeds \(seeds)" }
    }

    static func batches(_ name: String, _ settings: Oracle.Settings, count: UInt64, firstSeed: UInt64) -> [Batch] {
        var batches: [Batch] = []
        var seed = firstSeed
        for deletes in Oracle.Deletes.allCases {
            for mode in RandomHistory.Mode.allCases {
                var settings = settings
                settings.deletes = deletes
                batches.append(Batch(name: name, mode: mode, settings: settings, seeds: seed..<seed + count))
                seed += count
            }
        }
        return batches
    }

    @Test("default rules, every delete policy", arguments: batches("last writer", Oracle.Settings(), count: 1000, firstSeed: 1))
    func lastWriterWins(_ batch: Batch) {
        check(batch)
    }

    @Test(
        "every other policy",
        arguments: [
            batches("first writer", Oracle.Settings(policy: .firstWriterWins), count: 1000, firstSeed: 1_000_000),
            batches("maximum", Oracle.Settings(policy: .maximum), count: 1000, firstSeed: 2_000_000),
            batches("minimum", Oracle.Settings(policy: .minimum), count: 1000, firstSeed: 3_000_000),
            batches("preferred", Oracle.Settings(policy: .preferDevices(["c", "a"])), count: 1000, firstSeed: 4_000_000),
            batches("manual", Oracle.Settings(policy: .manual), count: 1000, firstSeed: 5_000_000),
            batches("record", Oracle.Settings(isRecordLevel: true), count: 1000, firstSeed: 6_000_000),
            batches(
                "record, first writer", Oracle.Settings(policy: .firstWriterWins, isRecordLevel: true), count: 100,
                firstSeed: 7_000_000),
        ].flatMap { $0 })
    func otherPolicies(_ batch: Batch) {
        check(batch)
    }

    private func check(_ batch: Batch) {
        for seed in batch.seeds {
            let history = RandomHistory(seed: seed, mode: batch.mode)
            let expected = Oracle.judge(history.arrivals, batch.settings)
            let actual = Replay(history.arrivals, rules: batch.settings.rules)
            let wanted = expected.findings.map { finding in
                var finding = finding
                finding.severity = ""
                finding.basis = ""
                return finding
            }
            let missed = wanted.filter { !actual.findings.contains($0) }
            let invented = actual.findings.filter { !wanted.contains($0) }
            let story: Comment = "seed \(seed):\n\(history.arrivals.map(\.story).joined(separator: "\n"))"
            #expect(missed == [], story)
            #expect(invented == [], story)
            #expect(actual.findings.count == wanted.count, story)
            #expect(actual.state == expected.state, story)
            #expect(actual.winners == expected.winners, story)
        }
    }
}

extension TaggedWrite {
    /// One line for people who look into a failure.
    var story: String {
        let what =
            switch operation {
            case .put(let fields): fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
            case .delete: "delete"
            }
        let context = seen.map { $0.entries.map { "\($0.device):\($0.sequence)" }.joined(separator: ",") } ?? "?"
        return "\(dot)@\(timestamp.milliseconds % 10_000_000)+\(timestamp.counter) \(key) \(what) saw [\(context)]"
    }
}
