import ChildProcess
import SyncSystem
import TemporaryDirectory
import Testing

/// An app that is killed, at every step of a save, an export, an import and the shadow's own, and started again.
struct KilledProcessTests {
    /// Runs the app until it ends, or is killed.
    private func run(_ directory: TemporaryDirectory, killedAt step: Int? = nil) throws {
        let child = try ChildProcess(helper: "ObserverProcess", [directory.path] + (step.map { ["\($0)"] } ?? []))
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
            try check(directory, mayRepeat: killed == "afterTelling\n", "killed at step \(step), \(killed ?? "")")
        }
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
