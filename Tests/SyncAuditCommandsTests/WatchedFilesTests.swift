import AuditAnalysis
import AuditLog
import AuditReport
import CompressedData
import Foundation
import Testing

@testable import SyncAuditCommands

@Suite struct WatchedFilesTests {
    private static let lines = (1...4).map { Trace.put("a", $0, at: $0, "{}") }
    private static let half = String(lines[2].prefix(40))

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func watched(isLenient: Bool = false) -> WatchedFiles {
        WatchedFiles(filter: ReportFilter(), countsCopies: true, isLenient: isLenient)
    }

    /// How many lines were read, of the files that are there, and how many of them could not be understood.
    private func update(_ files: inout WatchedFiles, _ contents: [String: String]) throws -> [Int] {
        for (name, content) in contents {
            let bytes = name.hasSuffix(".gz") ? compressed(content.utf8) : Array(content.utf8)
            try Data(bytes).write(to: URL(fileURLWithPath: directory.file(name)))
        }
        try files.update(contents.keys.sorted().map { .file(directory.file($0)) }, TestWorld().context)
        return [files.counts.lines, files.counts.skipped]
    }

    @Test(arguments: [false, true]) func aHalfWrittenLineIsReadWhenItIsWhole(isLenient: Bool) throws {
        var files = watched(isLenient: isLenient)
        let (one, two) = (Self.lines[0], Self.lines[0] + Self.lines[1])
        #expect(try update(&files, ["a": String(one.dropLast())]) == [0, 0])
        #expect(try update(&files, ["a": one + Self.half]) == [1, 0])
        #expect(try update(&files, ["a": two + Self.half]) == [2, 0])
        #expect(try update(&files, ["a": two + Self.lines[2].dropLast()]) == [2, 0], "whole but for its line break")
        #expect(try update(&files, ["a": two + Self.lines[2]]) == [3, 0])
    }

    @Test func aFirstLineMayBeLong() throws {
        var files = watched()
        let long = Trace.put("a", at: 0, #"{"v":"\#(String(repeating: "x", count: 200_000))"}"#)
        #expect(try update(&files, ["a": String(long.dropLast())]) == [0, 0])
        #expect(try update(&files, ["a": long]) == [1, 0])
        #expect(try update(&files, ["a": long + Self.lines[0]]) == [2, 0])
    }

    @Test func aHalfWrittenLineOfACompressedFileIsOne() throws {
        var files = watched(isLenient: true)
        #expect(try update(&files, ["b.gz": Self.half]) == [1, 1])
        #expect(try update(&files, ["a.gz": Self.lines[0] + Self.half]) == [2, 1])
    }

    @Test(arguments: ["a", "a.gz"], [false, true])
    func aReplacedFileThatBeginsAlikeIsReadFromItsStart(name: String, isInPlace: Bool) throws {
        var files = watched()
        func writes(_ lines: [String]) throws -> Int {
            if !isInPlace { try? FileManager.default.removeItem(atPath: directory.file(name)) }
            _ = try update(&files, [name: lines.joined()])
            return files.everything.writes.count
        }
        let others = (5...24).map { Trace.put("b", $0, at: $0, "{}") }
        let (log, other) = (Self.lines, [Self.lines[0]] + others[..<4])
        #expect(try writes(Array(log[..<3])) == 3)
        #expect(try writes(other) == 8)
        #expect(try writes(other + [others[4]]) == 9, "grown")
        #expect(try writes(log) == 10, "back again, and grown")
        for (number, line) in others.enumerated() { #expect(try writes([log[0], log[1], line]) == 13 + 3 * number) }
        #expect(try writes([log[0], log[1], others[15]]) == 70, "back again")
        #expect(try writes(log) == 74, "gone for too long")
    }

    @Test(arguments: ["prometheus", "otlp-logs"]) func aHalfWrittenLineIsNoReasonToFail(format: String) throws {
        let log = directory.file("a.jsonl")
        let audited = TestWorld()
        try audited.pipe(Trace.clash())
        #expect(audited.run("audit") == .success)
        try directory.create("a.jsonl", audited.output.text + Self.half)
        let once = TestWorld()
        #expect(once.run("export", "-f", format, "-o", directory.file("out"), log) == .success)
        #expect(once.errorText.contains("the last line breaks off"))
        let watching = TestWorld()
        var context = watching.context
        // The end of an empty file can be read at once: it is asked to stop.
        try watching.pipe("")
        context.catchStopSignals = { watching.standardInput }
        let arguments = ["export", "--watch", "100ms", "-f", format, "-o", directory.file("out"), log]
        #expect(SyncAudit.run(arguments: arguments, context: context) == .success)
        #expect(watching.errorText == "")
        #expect(directory.content("out")?.contains("conflict") == true)
    }
}
