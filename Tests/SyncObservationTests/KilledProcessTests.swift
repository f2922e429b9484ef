import AuditLog
import ChildProcess
import ConflictAudit
import Foundation
import SyncModel
import SyncSystem
import TemporaryDirectory
import Testing

/// An app that is killed, at every step of a save, an export, an import and the shadow's own, and started again.
struct KilledProcessTests {
    /// Runs the app until it ends, or is killed.
    private func run(_ directory: TemporaryDirectory, killedAt step: Int? = nil, flush: String? = nil) throws {
        let child = try ChildProcess(
            helper: "ObserverProcess", [directory.path] + (step.map { ["\($0)"] } ?? []) + (flush.map { [$0] } ?? []))
        child.closeInput()
        _ = child.readToEnd()
        child.wait()
    }

    /// The conflicts in the log: the identifier of each line, and the rest of it.
    private func conflicts(_ directory: TemporaryDirectory) -> [(id: Substring, rest: Substring)] {
        (directory.content("log") ?? "").split(separator: "\n").map { line in
            let space = line.firstIndex(of: " ") ?? line.endIndex
            return (line[..<space], line[space...].dropFirst())
        }
    }

    private static let expected = [
        "Card/1 title mine 0 proven", "Note/1 title mine 1 suspected", "Card/1 title mine 2 suspected", "Note/1 title mine 3 proven",
        "Card/1 title mine 4 suspected", "Note/1 title mine 5 suspected",
    ]

    /// How often the observer can be interrupted in a whole run.
    private func steps() throws -> Int {
        let directory = try TemporaryDirectory()
        try run(directory)
        #expect(conflicts(directory).map(\.rest) == Self.expected.map { $0[...] })
        return try #require(directory.content("steps").flatMap { Int($0.dropLast()) })
    }

    @Test func killedAtAnyStepNothingIsMissedOrReportedUnderTwoNames() throws {
        let steps = try steps()
        #expect(steps > 40)
        for step in 0..<steps {
            let directory = try TemporaryDirectory()
            try run(directory, killedAt: step)
            let killed = directory.content("killed")
            #expect(killed != nil && directory.content("steps") == nil, "it was not killed at step \(step)")
            try run(directory)
            try check(directory, mayRepeat: killed?.hasPrefix("after") ?? false, "killed at step \(step), \(killed ?? "")")
        }
    }

    static let flushes = ["eachLine", "interval", "onDemand"]

    @Test(arguments: flushes) func killedAtAnyStepALogHasEachConflictOnce(flush: String) throws {
        let whole = try TemporaryDirectory()
        try run(whole, flush: flush)
        let steps = try #require(whole.content("steps").flatMap { Int($0.dropLast()) })
        for step in 0..<steps {
            let directory = try TemporaryDirectory()
            try run(directory, killedAt: step, flush: flush)
            let killed = directory.content("killed")
            #expect(killed != nil)
            try run(directory, flush: flush)
            try checkLog(directory, "killed at step \(step), \(killed ?? "")")
        }
    }

    @Test(arguments: flushes) func killedAtAnyTimeALogHasEachConflictOnce(flush: String) throws {
        for round in 0..<25 {
            let directory = try TemporaryDirectory()
            for kill in 0..<6 {
                let child = try ChildProcess(helper: "ObserverProcess", [directory.path, flush])
                child.closeInput()
                usleep(UInt32(2000 + round * 800 + kill * 300))
                child.signal(SIGKILL)
                child.wait()
            }
            try run(directory, flush: flush)
            try checkLog(directory, "round \(round)")
        }
    }

    /// Reads all files of a log.
    private func checkLog(_ directory: TemporaryDirectory, _ comment: Comment) throws {
        var reader = AuditLogReader()
        var conflicts: [Conflict] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) where name.hasSuffix(".jsonl") {
            try reader.read(path: directory.file(name)) { line, _ in
                if case .conflict(let conflict) = line.event.content { conflicts.append(conflict) }
            }
        }
        #expect(conflicts.count == Set(conflicts.map(\.id)).count, comment)
        let found = conflicts.map {
            "\($0.key) \($0.field?.rawValue ?? "-") \($0.loser.value?.string ?? "-") \($0.isProven ? "proven" : "suspected")"
        }
        #expect(found.sorted() == Self.expected.sorted(), comment)
    }

    /// Also outside the observer's steps, and more than once.
    @Test func killedAtAnyTimeNothingIsMissed() throws {
        for round in 0..<20 {
            let directory = try TemporaryDirectory()
            for _ in 0..<4 {
                let child = try ChildProcess(helper: "ObserverProcess", [directory.path])
                child.closeInput()
                usleep(UInt32(2000 + round * 1500))
                child.signal(SIGKILL)
                child.wait()
            }
            try run(directory)
            try check(directory, mayRepeat: true, "round \(round)")
        }
    }

    private func check(_ directory: TemporaryDirectory, mayRepeat: Bool, _ comment: Comment) throws {
        let found = conflicts(directory)
        // Told and not yet noted as told: it is told again, under the same name.
        let ids = Set(found.map(\.id))
        #expect(found.count == ids.count || mayRepeat, comment)
        #expect(ids.count == Self.expected.count, comment)
        var rests: [Substring] = []
        for (_, rest) in found where !rests.contains(rest) { rests.append(rest) }
        #expect(rests == Self.expected.map { $0[...] }, comment)
    }
}
