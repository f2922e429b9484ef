import Foundation
package import SyncModel

/// So many random histories under one set of rules, whose seeds follow each other.
///
/// `ORACLE_SCALE` says how many times as many are judged as usual: with 12, more than 100,000 of each form of context.
package struct Batch: Sendable, CustomStringConvertible {
    package let name: String
    package let mode: RandomHistory.Mode
    package let settings: Oracle.Settings
    package let seeds: Range<UInt64>

    package var description: String { "\(name), \(settings.deletes.rawValue), \(mode.rawValue), seeds \(seeds)" }

    package init(name: String, mode: RandomHistory.Mode, settings: Oracle.Settings, seeds: Range<UInt64>) {
        self.name = name
        self.mode = mode
        self.settings = settings
        self.seeds = seeds
    }

    private static let scale = max(1, ProcessInfo.processInfo.environment["ORACLE_SCALE"].flatMap(UInt64.init) ?? 1)

    /// One batch for each delete policy and mode.
    package static func each(_ name: String, _ settings: Oracle.Settings, count: UInt64, firstSeed: UInt64) -> [Batch] {
        let count = count * scale
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

    /// Batches under a policy by which nobody loses, for values that it adds up, where every write says what it had seen.
    package static func addingUp(_ policy: Oracle.Policy, count: UInt64, firstSeed: UInt64) -> [Batch] {
        each("\(policy)", Oracle.Settings(policy: policy), count: count, firstSeed: firstSeed).filter { $0.mode == .causal }
    }

    /// Batches under every policy but those that add up, where every write says what it had seen.
    package static func causal(count: UInt64, firstSeed: UInt64) -> [Batch] {
        let usual = each("last writer", Oracle.Settings(), count: count, firstSeed: firstSeed)
        return (usual + otherPolicies(count: count, firstSeed: firstSeed + 15 * count * scale)).filter { $0.mode == .causal }
    }

    /// Batches under every policy that the oracle knows, besides the default one and those that add up.
    package static func otherPolicies(count: UInt64, firstSeed: UInt64) -> [Batch] {
        let policies: [(String, Oracle.Settings)] = [
            ("first writer", Oracle.Settings(policy: .firstWriterWins)),
            ("last arrival", Oracle.Settings(policy: .lastArrivalWins)),
            ("maximum", Oracle.Settings(policy: .maximum)),
            ("minimum", Oracle.Settings(policy: .minimum)),
            ("preferred devices", Oracle.Settings(policy: .preferDevices(["c", "a"]))),
            ("manual", Oracle.Settings(policy: .manual)),
            ("record", Oracle.Settings(isRecordLevel: true)),
            ("record, last arrival", Oracle.Settings(policy: .lastArrivalWins, isRecordLevel: true)),
            ("record, first writer", Oracle.Settings(policy: .firstWriterWins, isRecordLevel: true)),
            ("no window", Oracle.Settings(inference: .init(window: 0, tolerance: 0))),
        ]
        return policies.enumerated().flatMap { index, policy in
            each(policy.0, policy.1, count: count, firstSeed: firstSeed + UInt64(index) * 15 * count * scale)
        }
    }
}

extension RandomHistory {
    /// The history in words, for people who look into a failure.
    package static func story(_ seed: UInt64, _ arrivals: [TaggedWrite]) -> String {
        "seed \(seed)\n" + arrivals.map(line).joined(separator: "\n")
    }

    private static func line(_ write: TaggedWrite) -> String {
        let what =
            switch write.operation {
            case .put(let fields): fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
            case .delete: "delete"
            }
        let seen = write.seen.map { $0.entries.map { "\($0.device):\($0.sequence)" }.joined(separator: ",") }
        let context = seen ?? write.cursor.map { "up to \($0)" } ?? "?"
        let receipt = write.receipt.map {
            " received \($0.milliseconds.map(String.init) ?? "?") as \($0.hubSequence.map(String.init) ?? "?")"
        }
        return
            "\(write.isNumbered ? "" : "unnumbered ")\(write.dot)@\(write.timestamp) \(write.key) \(what) saw [\(context)]\(receipt ?? "")"
    }
}
