import Foundation
import SyncAuditCommands
import SyncBytes
import SyncModel
import Testing

/// One small fleet; `RestoredFleetHistories` has more and larger ones.
@Suite struct RestoredFleetTests {
    @Test func whatIsPutIntoOneStoreWinsOnEveryDevice() async throws {
        let lost = try await RestoreCheck().restoredEverywhere(SimulatedFleet.Size(devices: 2, steps: 60), seed: 1, limit: 3)
        #expect(lost.count > 1)
    }

    /// Stores are put back from backups: their devices give writes other names, and what nobody had received is nowhere.
    ///
    /// Every device syncs at the end, so what a story shows now is what each of them shows.
    @Test(arguments: [3, 4, 7]) func aStoryTellsWhatTheDevicesShow(seed: Int) async throws {
        let directory = try TemporaryDirectory()
        let fleet = directory.file("fleet")
        let simulated = await TestWorld.onThread(
            ["simulate", "--seed", "\(seed)", "--steps", "250", "--store-restores", "0.02", "-o", fleet])
        try #require(simulated.code == .success)
        let names = try FileManager.default.contentsOfDirectory(atPath: fleet).filter { $0 != "trace.jsonl" }
        let logs = names.sorted().map { fleet + "/" + $0 }
        var (records, written): (Set<String>, Set<String>) = ([], [])
        for line in try logs.flatMap({ try String(contentsOfFile: $0, encoding: .utf8).split(separator: "\n") }) {
            guard line.contains(#""event":"write""#), let write = try JSONParser.parse(String(line)).object else { continue }
            records.insert("\(write["recordType"]?.string ?? "")/\(write["recordID"]?.string ?? "")")
            written.insert(write["device"]?.string ?? "")
        }
        #expect(written.contains { $0.contains("~") }, "no store was put back")
        var goneWrites = 0
        for record in records.sorted() {
            let outcome = await TestWorld.onThread(["story", "-f", "json", record] + logs)
            let story = try #require(try JSONParser.parse(outcome.output).object, "\(outcome.errors)")
            for device in story["devices"]?.array?.compactMap(\.object) ?? [] {
                #expect(device["shown"] == story["now"] && device["missing"] == .array([]), "\(record): \(device)")
            }
            goneWrites += story["gone"]?.array?.count ?? 0
        }
        #expect(goneWrites > 0)
    }
}
