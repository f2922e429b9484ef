import Foundation
import SyncSimulation

// swift run -c release CloudKitHistories COUNT SEED: what observers find in so many simulated histories for each level and way of saving.
let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let (count, seed) = (arguments.first ?? 1000, arguments.dropFirst().first ?? 1)

func percent(_ share: Double) -> String { String(Double(Int(share * 10_000)) / 100) + " %" }

print("\(count) histories for each row, seeds \(seed) to \(seed &+ count &- 1)")
var isRight = true
for saving in CloudSimulation.Saving.allCases {
    for level in CloudSimulation.Level.allCases {
        let score = try CloudSimulation.run(seed: seed, histories: Int(count), level: level, saving: saving)
        isRight = isRight && score.provenRight == score.proven
        print(
            "\(saving) \(level): \(score.proven) proven, \(score.proven - score.provenRight) of them wrong; "
                + "\(score.suspected) suspected, \(percent(score.suspectedPrecision)) right; "
                + "found \(percent(score.visibleRecall)) of \(score.visible) visible, \(percent(score.discardedRecall)) of "
                + "\(score.discarded) discarded, \(percent(score.lostRecall)) of \(score.lost) lost")
        if !score.wrongSeeds.isEmpty { print("  wrong in seeds \(score.wrongSeeds)") }
    }
}
exit(isRight ? 0 : 1)
