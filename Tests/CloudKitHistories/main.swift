import CloudKitSimulation
import Foundation
import SyncObservation

// swift run -c release CloudKitHistories COUNT SEED: what observers find in so many simulated histories for each level and way of saving.
// With --late some devices get their observers when their stores hold records already. With --shortest also the shortest history found for each reason why an edit's loss was not proven, and for each wrong proof.
let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let (count, seed) = (arguments.first ?? 1000, arguments.dropFirst().first ?? 1)
let printsShortest = CommandLine.arguments.contains("--shortest")
let startsLate = CommandLine.arguments.contains("--late")

func percent(_ share: Double) -> String { String(Double(Int(share * 10_000)) / 100) + " %" }

/// Prints the shortest of a few histories that meet a condition, each shrunk.
func printShortest(
    of what: String, _ level: CloudSimulation.Level, _ saving: CloudSimulation.Saving, _ joinsLogs: Bool,
    where condition: (CloudSimulation.Score) -> Bool
) throws {
    var shortest: CloudHistory?
    var tried = 0
    for seed in seed..<(seed &+ count) where tried < 20 {
        let history = CloudHistory(seed: seed, level: level, saving: saving, joinsLogs: joinsLogs, startsLate: startsLate)
        guard condition(try history.score()) else { continue }
        tried += 1
        let shrunk = try history.shrunk(while: condition)
        if shrunk.count < shortest?.count ?? .max { shortest = shrunk }
    }
    guard let shortest else { return }
    print("  \(what): \(shortest.count) steps of seed \(shortest.seed)")
    for sentence in try shortest.sentences() { print("    \(sentence)") }
}

print("\(count) histories for each row, seeds \(seed) to \(seed &+ count &- 1)")
var isRight = true
for saving in CloudSimulation.Saving.allCases {
    for (level, joinsLogs) in CloudSimulation.Level.allCases.flatMap({ [($0, false), ($0, true)] }) {
        let score = try CloudSimulation.run(
            seed: seed, histories: Int(count), level: level, saving: saving, joinsLogs: joinsLogs, startsLate: startsLate)
        isRight = isRight && score.provenRight == score.proven && score.exportsToldRight == score.exportsTold
        print(
            "\(saving) \(level)\(joinsLogs ? ", joined logs" : ""): \(score.proven) proven, \(score.proven - score.provenRight) of them wrong\(score.stale == 0 ? "" : ", \(score.stale) by a version long replaced"); "
                + "\(score.suspected) suspected, \(percent(score.suspectedPrecision)) right; "
                + "found \(percent(score.visibleRecall)) of \(score.visible) visible (\(score.visible - score.visibleProven - score.visibleAfterDelete) missed of records never deleted), \(percent(score.discardedRecall)) of "
                + "\(score.discarded) discarded, \(percent(score.lostRecall)) of \(score.lost) lost")
        if joinsLogs {
            print("  the logs of \(score.exportsTold) histories say what an export replaces, \(score.exportsToldRight) rightly")
        }
        if !score.wrongSeeds.isEmpty { print("  wrong in seeds \(score.wrongSeeds)") }
        guard printsShortest else { continue }
        try printShortest(of: "a wrong proof", level, saving, joinsLogs) { $0.proven > $0.provenRight }
        try printShortest(of: "a wrong word on what an export replaces", level, saving, joinsLogs) { $0.exportsTold > $0.exportsToldRight }
        try printShortest(of: "a visible update that was not proven", level, saving, joinsLogs) {
            $0.visible > $0.visibleProven + $0.visibleAfterDelete
        }
        for (miss, times) in score.missed.sorted(by: { $0.value > $1.value }) {
            try printShortest(of: "\(miss), \(times) times", level, saving, joinsLogs) { $0.missed[miss] != nil }
        }
    }
}
exit(isRight ? 0 : 1)
