import Foundation
import SyncAuditCommands
import SyncLines
import SyncModel
import Testing

/// The logs of simulated devices with wrong clocks, a bad network and crashes, in a directory of their own.
struct SimulatedFleet {
    let directory: TemporaryDirectory
    let path: String
    /// The options by which 'audit' decides as the devices did.
    let rules: [String]

    /// - Parameter options: Of 'simulate', beside those that make faults.
    init(_ directory: TemporaryDirectory, _ name: String = "fleet", _ options: String...) async throws {
        self.directory = directory
        path = directory.file(name)
        let outcome = await TestWorld.onThread(["simulate", "--partitions", "0.1", "--crashes", "0.03", "-o", path] + options)
        try #require(outcome.code == .success, Comment(rawValue: outcome.errors))
        let note = outcome.errors.components(separatedBy: "the same policies for 'syncaudit audit': ")
        rules = note.count > 1 ? note[1].split(whereSeparator: \.isWhitespace).map(String.init) : []
    }

    /// The names of the devices' logs, in order.
    var logs: [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return all.filter { $0.hasSuffix(".jsonl") && $0 != "trace.jsonl" }.sorted()
    }

    func lines(_ name: String) throws -> [String] {
        let data = try #require(FileManager.default.contents(atPath: path + "/" + name))
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func write(_ lines: [String], to name: String) throws {
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path + "/" + name))
    }
}

extension TestWorld {
    /// Runs the command on a thread of its own: a simulation waits for tasks, which need the threads that tests run on.
    static func onThread(_ arguments: [String]) async -> (code: ExitCode, output: String, errors: String) {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let world = TestWorld()
                let code = SyncAudit.run(arguments: arguments, context: world.context)
                continuation.resume(returning: (code, world.output.text, world.errorText))
            }
        }
    }

    /// What a check finds, each as its kind and its sentence.
    static func findings(_ paths: [String]) async throws -> [String] {
        let outcome = await onThread(["check", "--format", "json"] + paths)
        let object = try #require(try JSONParser.parse(outcome.output).object, Comment(rawValue: outcome.errors))
        let list = object["findings"]?.array?.compactMap { finding in
            finding.object.map { "\($0["kind"]?.string ?? ""): \($0["sentence"]?.string ?? "")" }
        }
        #expect((outcome.code == .success) == (list?.isEmpty == true))
        return list ?? []
    }
}
