import AuditLog
import ChildProcess
import ConflictAudit
import Foundation
import SyncModel
import SyncSystem
import TemporaryDirectory
package import Testing

/// An app with an observed store that is killed, at a step of a save, an export, an import and the shadow's own, and started again.
package enum KilledObserver {
    /// The policies by which a log is flushed.
    package static let flushes = ["eachLine", "interval", "onDemand"]

    private static let expected = [
        "Card/1 title mine 0 proven", "Note/1 title mine 1 suspected", "Card/1 title mine 2 suspected", "Note/1 title mine 3 proven",
        "Card/1 title mine 4 suspected", "Note/1 title mine 5 suspected",
    ]

    /// How often the observer can be interrupted in a whole run.
    package static func steps(flush: String? = nil) throws -> Int {
        let directory = try TemporaryDirectory()
        try run(directory, flush: flush)
        if flush == nil { #expect(conflicts(directory).map(\.rest) == expected.map { $0[...] }) }
        return try #require(directory.content("steps").flatMap { Int($0.dropLast()) })
    }

    /// Expects of an observer that is killed at a step, and whose sink is a list of lines, that nothing is missed and nothing reported under two names.
    package static func check(killedAt step: Int) throws {
        let directory = try TemporaryDirectory()
        try run(directory, killedAt: step)
        let killed = directory.content("killed")
        #expect(killed != nil && directory.content("steps") == nil, "it was not killed at step \(step)")
        try run(directory)
        try checkLines(directory, mayRepeat: killed?.hasPrefix("after") ?? false, "killed at step \(step), \(killed ?? "")")
    }

    /// Expects of an observer that is killed at a step, and whose sink is a log, that the log has each conflict once.
    package static func check(killedAt step: Int, flush: String) throws {
        let directory = try TemporaryDirectory()
        try run(directory, killedAt: step, flush: flush)
        let killed = directory.content("killed")
        #expect(killed != nil)
        try run(directory, flush: flush)
        try checkLog(directory, "killed at step \(step), \(killed ?? "")")
    }

    /// Expects the same of an observer that is killed some microseconds after each start, also outside its steps.
    ///
    /// - Parameter flush: How the log is flushed; nil where the sink is a list of lines.
    package static func check(killedAfter times: [Int], flush: String? = nil, _ comment: Comment) throws {
        let directory = try TemporaryDirectory()
        for time in times {
            let child = try ChildProcess(helper: "ObserverProcess", [directory.path] + (flush.map { [$0] } ?? []))
            child.closeInput()
            usleep(UInt32(time))
            child.signal(SIGKILL)
            child.wait()
        }
        try run(directory, flush: flush)
        if flush == nil { try checkLines(directory, mayRepeat: true, comment) } else { try checkLog(directory, comment) }
    }

    /// Runs the app until it ends, or is killed.
    private static func run(_ directory: TemporaryDirectory, killedAt step: Int? = nil, flush: String? = nil) throws {
        let child = try ChildProcess(
            helper: "ObserverProcess", [directory.path] + (step.map { ["\($0)"] } ?? []) + (flush.map { [$0] } ?? []))
        child.closeInput()
        _ = child.readToEnd()
        child.wait()
    }

    /// The conflicts among the lines: the identifier of each, and the rest of it.
    private static func conflicts(_ directory: TemporaryDirectory) -> [(id: Substring, rest: Substring)] {
        (directory.content("log") ?? "").split(separator: "\n").map { line in
            let space = line.firstIndex(of: " ") ?? line.endIndex
            return (line[..<space], line[space...].dropFirst())
        }
    }

    private static func checkLines(_ directory: TemporaryDirectory, mayRepeat: Bool, _ comment: Comment) throws {
        let found = conflicts(directory)
        // Told and not yet noted as told: it is told again, under the same name.
        let ids = Set(found.map(\.id))
        #expect(found.count == ids.count || mayRepeat, comment)
        #expect(ids.count == expected.count, comment)
        var rests: [Substring] = []
        for (_, rest) in found where !rests.contains(rest) { rests.append(rest) }
        #expect(rests == expected.map { $0[...] }, comment)
        checkLostEdits(directory, comment)
    }

    /// The list that the app shows has each edit once, the latest found first, whenever the process was killed.
    private static func checkLostEdits(_ directory: TemporaryDirectory, _ comment: Comment) {
        let listed = (directory.content("lost") ?? "").split(separator: "\n").map(String.init)
        let lost = (0..<6).reversed().map { "\($0 % 2 == 0 ? "Card" : "Note")/1 mine \($0)" }
        #expect(listed == lost, comment)
    }

    /// Reads all files of a log.
    private static func checkLog(_ directory: TemporaryDirectory, _ comment: Comment) throws {
        var reader = AuditLogReader()
        var conflicts: [Conflict] = []
        for name in directory.names where name.hasSuffix(".jsonl") {
            try reader.read(path: directory.file(name)) { line, _ in
                if case .conflict(let conflict) = line.event.content { conflicts.append(conflict) }
            }
        }
        #expect(conflicts.count == Set(conflicts.map(\.id)).count, comment)
        let found = conflicts.map {
            "\($0.key) \($0.field?.rawValue ?? "-") \($0.loser.value?.string ?? "-") \($0.isProven ? "proven" : "suspected")"
        }
        #expect(found.sorted() == expected.sorted(), comment)
        checkLostEdits(directory, comment)
    }
}
