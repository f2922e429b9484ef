import AuditLog
import SyncOracle
import Testing

@Suite struct BackwardLinesTests {
    private func lines(_ text: String, maximum: Int = 16 << 20) throws -> [BackwardLines.Line] {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "log")
        var lines = try BackwardLines(path: folder.file("log"), maximumLineLength: maximum)
        var result: [BackwardLines.Line] = []
        while let line = try lines.next() { result.append(line) }
        let afterwards = try lines.next()
        #expect(afterwards == nil)
        return result
    }

    private func expected(_ text: String, maximum: Int) -> [BackwardLines.Line] {
        var rest = Array(text.utf8)[...]
        var result: [BackwardLines.Line] = []
        while let end = rest.firstIndex(of: 10) {
            result.append(line(rest[..<end], maximum))
            rest = rest[(end + 1)...]
        }
        if !rest.isEmpty { result.append(line(rest, maximum)) }
        return result.reversed()
    }

    private func line(_ bytes: ArraySlice<UInt8>, _ maximum: Int) -> BackwardLines.Line {
        bytes.count > maximum ? .tooLong(offset: Int64(bytes.startIndex)) : .bytes(Array(bytes), offset: Int64(bytes.startIndex))
    }

    @Test(arguments: ["", "\n", "\n\n", "a", "a\n", "a\nb", "a\nb\n", "\na\n\nb\n\n"]) func small(_ text: String) throws {
        let lines = try lines(text)
        #expect(lines == expected(text, maximum: .max))
    }

    /// A piece holds 64 KiB: lines of every length around it and around the limit.
    @Test(arguments: 1...UInt64(histories(5, of: 12))) func linesAcrossPieces(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let lengths = [0, 1, 300, 65_534, 65_535, 65_536, 65_537, 131_072, 199_999, 200_000, 200_001, 500_000]
        let text =
            (0..<8).map { _ in String(repeating: "x", count: lengths[generator.below(lengths.count)]) }.joined(separator: "\n")
            + (seed % 2 == 0 ? "\n" : "")
        let lines = try lines(text, maximum: 200_000)
        // By hand, since a failure would print megabytes.
        #expect((lines == expected(text, maximum: 200_000)) == true, "seed \(seed)")
    }

    @Test func aFileThatIsEmptiedMeanwhileEndsEarly() throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: String(repeating: "x", count: 99) + "\n", count: 2000), to: "log")
        var lines = try BackwardLines(path: folder.file("log"))
        let last = try lines.next()
        #expect(last != nil)
        try folder.truncate("log")
        var count = 0
        while try lines.next() != nil { count += 1 }
        #expect(count < 700)
    }

    @Test func whatIsNotThereIsNoInput() throws {
        let error = #expect(throws: AuditLogError.self) { try BackwardLines(path: "/nowhere/log") }
        #expect(error?.code == .noInput)
    }
}
