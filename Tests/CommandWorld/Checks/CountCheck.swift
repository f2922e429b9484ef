import Foundation
import SyncBytes
import SyncModel
import Testing

/// What several devices of a fleet log counts once, and every verb counts the same.
package struct CountCheck {
    private let directory: TemporaryDirectory

    /// With a directory of its own.
    package init() throws { directory = try TemporaryDirectory() }

    private struct Totals: Equatable {
        var conflicts: Set<String> = []
        var writes: Set<String> = []
        var decided: Set<String> = []
        var pending: Set<String> = []
        /// The edits that were lost, each once, by the first line of each conflict.
        var edits: Set<String> = []

        /// By decoding every line with a parser of its own.
        init(_ fleet: SimulatedFleet) throws {
            for name in fleet.logs + ["trace.jsonl"] {
                for line in try fleet.lines(name) {
                    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                    switch object["event"] as? String {
                    case "conflict":
                        let id = try #require(object["id"] as? String)
                        let isLoss = ["lossy", "destructive", "divergent"].contains(object["severity"] as? String)
                        if conflicts.insert(id).inserted, isLoss, object["repeated"] as? Bool != true {
                            let loser = object["loser"] as? [String: Any]
                            let parts = [object["recordType"], object["recordID"], object["field"], loser?["device"], loser?["n"]]
                            edits.insert(parts.map { "\($0 ?? "")" }.joined(separator: " "))
                        }
                        if object["resolution"] as? String == "manual_pending" { pending.insert(id) }
                        if ["manual_resolved", "restored"].contains(object["resolution"] as? String) { decided.insert(id) }
                    case "write": writes.insert("\(object["device"] ?? "") \(object["n"] ?? "")")
                    default: break
                    }
                }
            }
        }
    }

    private func object(_ arguments: [String]) async throws -> FieldMap {
        let outcome = await TestWorld.onThread(arguments)
        return try #require(try JSONParser.parse(outcome.output).object, Comment(rawValue: outcome.errors))
    }

    /// What report, export and check count is what the lines of a fleet tell.
    ///
    /// - Parameter count: The least conflicts that there must be.
    package func countsOfEveryVerb(_ size: SimulatedFleet.Size, seed: Int, atLeast count: Int) async throws {
        let fleet = try await SimulatedFleet(directory, size, seed: seed)
        let totals = try Totals(fleet)
        #expect(totals.conflicts.count >= count)
        let report = try await object(["report", "--format", "json", fleet.path])
        let check = try await object(["check", "--format", "json", fleet.path])
        for (name, object) in [("report", report), ("check", check)] {
            #expect(object["conflicts"]?.integer == Int64(totals.conflicts.count), "\(name)")
        }
        #expect(report["distinctConflicts"]?.integer == Int64(totals.conflicts.count))
        #expect(report["writesObserved"]?.integer == Int64(totals.writes.count))
        #expect(report["writesWithContext"]?.integer == Int64(totals.writes.count))
        #expect(check["writes"]?.integer == Int64(totals.writes.count))
        #expect(report["editsLost"]?.integer == Int64(totals.edits.count))
        #expect(check["lostEdits"] == report["editsLost"])
        let lost = try await object(["lost", "--format", "json", fleet.path])
        // Lines tell of losses that took nothing, by all writes together.
        let benign = Int(lost["benign"]?.integer ?? 0)
        #expect(lost["losses"]?.array.map { $0.count + benign } == totals.edits.count)
        let waiting = Int64(totals.pending.subtracting(totals.decided).count)
        #expect(check["unresolved"]?.integer == waiting)
        let tallies = ["proven", "suspected"].compactMap { report[FieldName($0)]?.object?["unresolved"]?.integer }
        #expect(tallies.reduce(0, +) == waiting)
        let export = await TestWorld.onThread(["export", fleet.path]).output
        #expect(export.contains("\nsyncaudit_writes_total \(totals.writes.count)\n"))
        #expect(export.contains(#"syncaudit_conflicts_total{certainty="proven"} \#(totals.conflicts.count)"# + "\n"))
        // Whichever copy is read first.
        let reversed = fleet.logs.reversed().map { fleet.path + "/" + $0 }
        #expect(try await object(["report", "--format", "json"] + reversed)["conflicts"]?.integer == Int64(totals.conflicts.count))
        let copies = try await object(["report", "--all-copies", "--format", "json", fleet.path])
        #expect((copies["conflicts"]?.integer ?? 0) > totals.conflicts.count)
    }
}
