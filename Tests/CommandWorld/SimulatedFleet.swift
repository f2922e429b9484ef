import Foundation
package import SyncAuditCommands
import SyncBytes
import SyncModel
package import Testing

/// The logs of simulated devices with wrong clocks, a bad network and crashes, in a directory of their own.
package struct SimulatedFleet {
    /// How large a fleet is and how long it works.
    package struct Size: Sendable {
        /// The devices.
        package var devices: Int
        /// The steps of each.
        package var steps: Int

        /// So many devices and steps.
        package init(devices: Int, steps: Int) { (self.devices, self.steps) = (devices, steps) }

        var options: [String] { ["--devices", "\(devices)", "--steps", "\(steps)"] }
    }

    /// Where the logs are.
    package let path: String
    /// The options by which 'audit' decides as the devices did.
    package let rules: [String]

    /// Simulates a fleet.
    ///
    /// - Parameter options: Of 'simulate', beside those that make faults.
    package init(
        _ directory: TemporaryDirectory, _ size: Size, seed: Int, _ options: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        path = directory.file("fleet-\(seed)")
        let outcome = await TestWorld.onThread(
            ["simulate", "--partitions", "0.1", "--crashes", "0.03", "-o", path, "--seed", "\(seed)"] + size.options + options)
        try #require(outcome.code == .success, Comment(rawValue: outcome.errors), sourceLocation: sourceLocation)
        let note = outcome.errors.components(separatedBy: "the same policies for 'syncaudit audit': ")
        rules = note.count > 1 ? note[1].split(whereSeparator: \.isWhitespace).map(String.init) : []
    }

    /// The names of the devices' logs, in order.
    package var logs: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return all.filter { $0.hasSuffix(".jsonl") && $0 != "trace.jsonl" }.sorted()
    }

    /// The lines of one.
    package func lines(_ name: String) throws -> [String] {
        let data = try #require(FileManager.default.contents(atPath: path + "/" + name))
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Writes one anew.
    package func write(_ lines: [String], to name: String) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }
}

extension TestWorld {
    /// What a run of the command came to.
    package typealias Outcome = (code: ExitCode, output: String, errors: String)

    /// Runs the command on a thread of its own: a simulation waits for tasks, which need the threads that tests run on.
    package static func onThread(_ arguments: [String]) async -> Outcome {
        await Background { () -> Outcome in
            let world = TestWorld()
            let code = SyncAudit.run(arguments: arguments, context: world.context)
            return (code, world.output.text, world.errorText)
        }.value
    }

    /// What a check finds, each as its kind and its sentence.
    package static func findings(_ paths: [String]) async throws -> [String] {
        let outcome = await onThread(["check", "--format", "json"] + paths)
        let object = try #require(try JSONParser.parse(outcome.output).object, Comment(rawValue: outcome.errors))
        let list = object["findings"]?.array?.compactMap { finding in
            finding.object.map { "\($0["kind"]?.string ?? ""): \($0["sentence"]?.string ?? "")" }
        }
        #expect((outcome.code == .success) == (list?.isEmpty == true))
        return list ?? []
    }
}
