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
        // What the hub has is not gone, whoever else's log is missing.
        let trace = try String(contentsOfFile: fleet + "/trace.jsonl", encoding: .utf8)
        let joined = try directory.create("joined.jsonl", try logs.map { try String(contentsOfFile: $0, encoding: .utf8) }.joined())
        var goneWrites = 0
        for record in records.sorted() {
            let outcome = await TestWorld.onThread(["story", "-f", "json", record] + logs)
            let story = try #require(try JSONParser.parse(outcome.output).object, "\(outcome.errors)")
            for device in story["devices"]?.array?.compactMap(\.object) ?? [] {
                #expect(device["shown"] == story["now"] && device["missing"] == .array([]), "\(record): \(device)")
            }
            let together = await TestWorld.onThread(["story", "-f", "json", record, joined])
            #expect(try JSONParser.parse(together.output).object?["now"] == story["now"], "\(record)")
            let alone = await TestWorld.onThread(["story", "-f", "json", record, logs[seed % 3]])
            for told in [story, try JSONParser.parse(alone.output).object ?? [:]] {
                for write in told["gone"]?.array?.compactMap(\.object) ?? [] {
                    goneWrites += 1
                    let (device, number, time) = (write["device"]?.string ?? "", write["n"]?.integer ?? 0, write["ts"]?.string ?? "")
                    let isThere = trace.split(separator: "\n").contains {
                        $0.contains(#""device":"\#(device)","n":\#(number),"#) && $0.contains(#""ts":"\#(time)""#)
                    }
                    #expect(!isThere, "\(record): \(write)")
                }
            }
        }
        #expect(goneWrites > 0)
    }
}
