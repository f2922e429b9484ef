import Foundation
package import SyncAuditCommands
package import Testing

/// An export of a directory's logs that keeps its counters, and is started again and again.
package struct CounterExport {
    /// Two writes and their conflict each.
    package static let groups: [String] = {
        let world = TestWorld()
        let traces = (1...30).map { number in
            Trace.put("a", number, at: number, "\(number)", #"{"v":1}"#) + Trace.put("b", number, at: number, "\(number)", #"{"v":2}"#)
        }
        try? world.pipe(traces.joined())
        _ = world.run("audit")
        return zip(traces, world.found).map { $0 + $1 + "\n" }
    }()

    private let directory: TemporaryDirectory

    /// In a directory, which gets the folder `logs`.
    package init(_ directory: TemporaryDirectory) throws {
        self.directory = directory
        try FileManager.default.createDirectory(atPath: directory.file("logs"), withIntermediateDirectories: true)
    }

    /// Starts an export, which is asked to stop after its first output; what it says.
    @discardableResult
    package func run(
        _ options: [String] = [], code: ExitCode = .success, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let world = TestWorld()
        var context = world.context
        // The end of an empty file can be read at once.
        try world.pipe("")
        context.catchStopSignals = { world.standardInput }
        let arguments = ["export", "--watch", "100ms", "-o", directory.file("out.prom")] + options + [directory.file("logs")]
        #expect(SyncAudit.run(arguments: arguments, context: context) == code, sourceLocation: sourceLocation)
        return world.errorText
    }

    /// What a text counts, or the last output.
    package func counters(_ text: String? = nil) -> [String: Int] {
        let lines = (text ?? directory.content("out.prom") ?? "").split(separator: "\n")
        let totals = lines.filter { !$0.hasPrefix("#") }.compactMap { line -> (String, Int)? in
            guard let space = line.lastIndex(of: " "), line.contains("_total"), let count = Int(line[space...].dropFirst()) else {
                return nil
            }
            return (String(line[..<space]), count)
        }
        return Dictionary(totals) { first, _ in first }
    }

    /// How many conflicts the last output counts.
    package var conflicts: Int? { counters()[#"syncaudit_conflicts_total{certainty="proven"}"#] }
}
