import AuditLog
import ConflictAudit
import Foundation
import SyncModel
import Testing

@Suite struct WriterRecoveryTests {
    private static let event = AuditEvent(at: 1_768_485_600_000, .network(status: "wörld \"x\" \u{1b}", interface: nil))

    /// A crash may leave any beginning of a line.
    @Test func everyCutOfALineIsRepairedAndCounted() throws {
        let whole = try LogDirectory()
        let writer = try whole.writer()
        writer.record(.numbered(1))
        writer.record(Self.event)
        writer.close()
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: whole.current)))
        let start = try #require(bytes.dropLast().lastIndex(of: 0x0a)) + 1
        for end in start...bytes.count {
            let directory = try LogDirectory()
            try Data(bytes[..<end]).write(to: URL(fileURLWithPath: directory.current))
            let reopened = try directory.writer()
            reopened.record(.numbered(2))
            #expect(reopened.close())
            // Strictly: no bad line is left.
            let lines = try directory.lines()
            let isComplete = end >= bytes.count - 1
            #expect(lines.map(\.event).contains(Self.event) == isComplete, "cut after \(end - start) bytes")
            #expect(lines.numbers == [1, 2])
            #expect(lines.recovered == (end == start || end == bytes.count ? [] : [end - start]))
            #expect(reopened.statistics.bytesRecovered == (end == bytes.count ? 0 : end - start))
            lines.expectNumberedWithoutUnexplainedGaps("cut after \(end - start) bytes")
        }
    }

    /// What this package did not write is kept, even where it has no end.
    @Test(arguments: ["half a line of somebody else", "\0\0\0\0", #"{"v":2,"ts":"#, "{\"event\":\"write\""])
    func nothingForeignIsCutOff(text: String) throws {
        let directory = try LogDirectory()
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.current))
        let writer = try directory.writer()
        writer.record(.numbered(1))
        writer.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: directory.current))
        #expect(bytes.starts(with: Data((text + "\n").utf8)))
        var reader = AuditLogReader(isLenient: true)
        var lines: [AuditLine] = []
        try reader.read(path: directory.current) { line, _ in lines.append(line) }
        #expect(reader.counts.skipped == 1)
        #expect(lines.recovered == [text.utf8.count])
        #expect(lines.numbers == [1])
    }

    /// The last number is found behind lines of any length and kind.
    @Test(arguments: [0, 100_000, 3_000_000])
    func theLastNumberIsFoundFarBack(length: Int) throws {
        let directory = try LogDirectory()
        let writer = try directory.writer()
        for number in 0..<5 { writer.record(.numbered(number)) }
        writer.close()
        let handle = try #require(FileHandle(forWritingAtPath: directory.current))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data((#"{"event":"telepathy","x":""# + String(repeating: "x", count: length) + "\"}\n").utf8))
        try handle.close()
        try directory.writer().close()
        #expect(try directory.lines().sequences == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test func aLinkOrADirectoryIsNoLog() throws {
        let directory = try LogDirectory()
        try FileManager.default.createSymbolicLink(atPath: directory.current, withDestinationPath: "/dev/null")
        #expect(#expect(throws: AuditLogError.self) { try directory.writer() }?.code == .inputOutput)
        try FileManager.default.removeItem(atPath: directory.current)
        try FileManager.default.createDirectory(atPath: directory.current, withIntermediateDirectories: false)
        #expect(#expect(throws: AuditLogError.self) { try directory.writer() }?.code == .inputOutput)
        try FileManager.default.removeItem(atPath: directory.current)
        try directory.writer().close()
    }
}
