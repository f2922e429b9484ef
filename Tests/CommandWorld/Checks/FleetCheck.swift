import Foundation
import SyncAuditCommands
import SyncBytes
import SyncModel
import SyncOracle
import Testing

/// What is done to the logs of a fleet is named by a check, and nothing else is.
package struct FleetCheck {
    private let directory: TemporaryDirectory

    /// With a directory of its own.
    package init() throws { directory = try TemporaryDirectory() }

    private func fleet(_ size: SimulatedFleet.Size, seed: Int) async throws -> SimulatedFleet {
        try await SimulatedFleet(directory, size, seed: seed, ["--skew", "30s"])
    }

    /// Sound logs of devices with skewed clocks and a network that is often away give no findings.
    package func soundFleet(_ size: SimulatedFleet.Size, seed: Int) async throws {
        let fleet = try await fleet(size, seed: seed)
        #expect(try await TestWorld.findings([fleet.path]) == [])
        #expect(try await TestWorld.findings([fleet.path + "/trace.jsonl"]) == [])
        #expect(try await TestWorld.findings([Self.bare(fleet)]) == [])
        let outcome = await TestWorld.onThread(["check", fleet.path])
        #expect(outcome.code == .success)
        #expect(outcome.output.hasPrefix("No findings\nin \(size.devices + 1) files, "))
        #expect(outcome.errors == "")
    }

    /// Logs are tampered with, one at a time, and each time nothing else is found.
    package func oneChange(_ tamperings: [Tampering], _ size: SimulatedFleet.Size, seed: Int) async throws {
        let fleet = try await fleet(size, seed: seed)
        var random = SplitMix64(seed: UInt64(seed))
        for tampering in tamperings {
            let logs = try fleet.logs.filter { try tampering.isPossible(in: fleet.lines($0)) }
            try #require(!logs.isEmpty, "\(tampering) needs a larger fleet")
            let name = logs[random.below(logs.count)]
            let sound = try fleet.lines(name)
            let expected = try tampering.apply(to: name, of: fleet, &random)
            let found = try await TestWorld.findings([fleet.path])
            #expect(found.count == 1, "\(tampering): \(found)")
            #expect(
                found.first?.hasPrefix(expected.start) == true && found.first?.hasSuffix(expected.end) == true,
                "\(tampering): \(expected) \(found)")
            try fleet.write(sound, to: name)
        }
    }

    /// Five changes, each to another log, are all found at once.
    package func fiveChanges(_ size: SimulatedFleet.Size, seed: Int) async throws {
        let fleet = try await fleet(size, seed: seed)
        var random = SplitMix64(seed: UInt64(seed))
        var names = random.shuffled(fleet.logs)
        let all: [Tampering] = [.swapped, .dropped, .doubled, .laundered, seed % 2 == 0 ? .shifted : .shiftedFromSomeTimeOn]
        var expected: [(start: String, end: String)] = []
        for tampering in all {
            let place = try #require(try names.firstIndex { try tampering.isPossible(in: fleet.lines($0)) })
            expected.append(try tampering.apply(to: names.remove(at: place), of: fleet, &random))
        }
        let found = try await TestWorld.findings([fleet.path])
        #expect(found.count == all.count, "\(found)")
        for one in expected { #expect(found.contains { $0.hasPrefix(one.start) && $0.hasSuffix(one.end) }, "\(one) \(found)") }
    }

    /// Logs whose beginnings are gone give no findings, but what is forged in them does.
    ///
    /// - Parameter parts: Which part of each log's lines is cut off, first of one log and then of all.
    package func withoutBeginnings(_ size: SimulatedFleet.Size, seed: Int, parts: [Int], forgeries: [Forgery]) async throws {
        let fleet = try await fleet(size, seed: seed)
        var random = SplitMix64(seed: UInt64(seed))
        let logs = try fleet.logs.map { (name: $0, lines: try fleet.lines($0)) }
        for (count, part) in [1, logs.count].flatMap({ count in parts.map { (count, $0) } }) {
            for log in logs.prefix(count) { try fleet.write(Array(log.lines.dropFirst(log.lines.count / part)), to: log.name) }
            #expect(try await TestWorld.findings([fleet.path]) == [], "\(count) logs without 1/\(part) of their lines")
            let lines = try fleet.lines(logs[0].name)
            for forgery in forgeries {
                guard let forged = try forgery.apply(to: lines, &random) else { continue }
                try fleet.write(forged.lines, to: logs[0].name)
                #expect(!(try await TestWorld.findings([fleet.path])).isEmpty, "\(forgery) is not found: \(forged.what)")
            }
            try fleet.write(lines, to: logs[0].name)
        }
    }

    // MARK: The hub's trace alone

    /// The hub's trace without what tells that a hub wrote it, as any backend would.
    private static func bare(_ fleet: SimulatedFleet, _ lines: [String]? = nil) throws -> String {
        let lines = try lines ?? fleet.lines("trace.jsonl")
        let plain = lines.map {
            $0.replacingOccurrences(of: #""v":1,|"seq":[0-9]+,|"source":"hub","#, with: "", options: .regularExpression)
        }
        try fleet.write(plain, to: "bare.txt")
        return fleet.path + "/bare.txt"
    }

    /// A device's lines of a trace, and which of them reached the hub within two minutes by both clocks.
    private static func prompt(_ device: String, _ lines: [String]) throws -> (all: [Int], prompt: [Int]) {
        let all = lines.indices.filter { lines[$0].contains(#""device":"\#(device)""#) }
        let prompt = try all.filter { index in
            let object = try JSONParser.parse(lines[index]).object
            let (made, received) = (object?["ts"]?.string, object?["received"]?.string)
            guard let made = made.flatMap(RFC3339.milliseconds), let received = received.flatMap(RFC3339.milliseconds) else { return false }
            return received - made < 110_000
        }
        return (all, prompt)
    }

    /// A clock that was an hour off, always or from some time on, is found in the hub's trace.
    ///
    /// - Parameter count: How many devices and times there must at least be to try that with.
    package func movedClock(by hours: Int64, _ size: SimulatedFleet.Size, seed: Int, atLeast count: Int) async throws {
        let fleet = try await fleet(size, seed: seed)
        let lines = try fleet.lines("trace.jsonl")
        var checked = 0
        for name in fleet.logs {
            let device = String(name.dropLast(".jsonl".count))
            let (all, prompt) = try Self.prompt(device, lines)
            for start in [all[0], all[all.count / 3]] {
                // What is always late shows no clock; the help says so.
                guard prompt.count(where: { $0 >= start }) >= 8 else { continue }
                checked += 1
                var moved = lines
                for index in all where index >= start { moved[index] = try Tampering.moved(moved[index], by: hours * Tampering.hour) }
                try fleet.write(moved, to: "hub.txt")
                for path in [fleet.path + "/hub.txt", try Self.bare(fleet, moved)] {
                    let found = try await TestWorld.findings([path])
                    #expect(found.count == 1, "\(device) from \(start): \(found)")
                    let finding = found.first ?? ""
                    #expect(finding.hasPrefix("clock: \(path):"), "\(found)")
                    #expect(
                        finding.contains(
                            "the clock of \(device) is 1 h \(hours < 0 ? "behind" : "ahead of") the hub's, as if it were set to another time zone or had missed a change of daylight saving"
                        ), "\(found)")
                    // From the first write that shows it on, never from one before the clock was moved.
                    let line = finding.dropFirst("clock: \(path):".count).prefix { $0.isNumber }
                    #expect(Int(line).map { $0 > start } == true, "\(found)")
                }
            }
        }
        #expect(checked >= count)
    }
}
