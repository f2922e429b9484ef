import SyncAuditCommands
import SyncModel

/// A trace in which an iPad's edit loses to an iPhone's, and the log that comes of it.
package struct Story {
    /// The paths of the two.
    package let trace: String
    package let log: String

    /// Somebody wrote a telephone number; both devices had seen it and changed it.
    package static let writes =
        Trace.put("Mac", at: 0, "42", #"{"phone":"+1-555-0000"}"#, type: "Card")
        + Trace.put("iPad", at: 60, "42", #"{"phone":"+1-555-1234"}"#, type: "Card", saw: #"{"Mac":1}"#)
        + Trace.put("iPhone", at: 79, "42", #"{"phone":"+1-555-9876"}"#, type: "Card", saw: #"{"Mac":1}"#)

    /// Writes both into a directory; the options are those of 'audit'.
    package init(_ directory: TemporaryDirectory, trace: String = Story.writes, _ options: [String] = []) throws {
        self.trace = try directory.path(trace, as: "trace.jsonl")
        let world = TestWorld()
        try world.pipe(trace)
        guard world.run(["audit", "-"] + options) == .success else { throw NoLog(problem: world.errorText) }
        log = try directory.path(world.output.text, as: "log.jsonl")
    }

    private struct NoLog: Error {
        let problem: String
    }
}

extension TestWorld {
    /// The name of the only conflict in a log.
    package static func id(in log: String) throws -> String {
        let world = TestWorld()
        guard world.run("tail", "--format", "json", log) == .success else { return "" }
        return try world.lines.first?["id"]?.string ?? ""
    }
}
