import AuditLog
import CompressedData
import ConflictAudit
import Foundation
import SyncModel
import SyncOracle
import Testing

/// Gzip data are read as what they hold.
@Suite struct CompressedInputTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Lines of growing numbers, so that every loss and repetition shows.
    private func lines(_ count: Int) -> [UInt8] {
        Array(
            (0..<count).map { #"{"event":"network","ts":"2026-01-15T14:00:00Z","status":"\#($0)"}"# + "\n" }.joined().utf8)
    }

    private func statuses(of bytes: [UInt8]) throws -> [String] {
        let path = folder.file("log.jsonl.gz")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        var reader = AuditLogReader()
        var found: [String] = []
        try reader.read(path: path) { line, _ in
            if case .network(let status, _) = line.event.content { found.append(status) }
        }
        return found
    }

    private func numbers(_ count: Int) -> [String] { (0..<count).map(String.init) }

    /// The statuses read before the error, and the error.
    private func failure(of bytes: [UInt8]) throws -> (found: [String], error: AuditLogError?) {
        let path = folder.file("log.jsonl.gz")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        var reader = AuditLogReader()
        var found: [String] = []
        do {
            try reader.read(path: path) { line, _ in
                if case .network(let status, _) = line.event.content { found.append(status) }
            }
            return (found, nil)
        } catch let error as AuditLogError {
            return (found, error)
        }
    }

    // Below, at and above the sizes of the buffers.
    @Test(arguments: [0, 1, 2, 1_000, 5_000, histories(12_000, of: 60_000)]) func linesAreThoseThatWereCompressed(count: Int) throws {
        #expect(try statuses(of: compressed(lines(count))) == numbers(count))
    }

    @Test func membersAfterEachOtherAreOneStream() throws {
        let text = lines(3_000)
        // Cut within a line, with an empty member between and padding at the end.
        let (first, second) = (text[..<70_001], text[70_001...])
        let bytes = compressed(first) + compressed([]) + compressed(second) + [UInt8](repeating: 0, count: 700)
        #expect(try statuses(of: bytes) == numbers(3_000))
    }

    @Test func manyMembersOfOneLineEach() throws {
        let text = lines(2_000).split(separator: 0x0a).map { compressed($0 + [0x0a]) }
        #expect(try statuses(of: Array(text.joined())) == numbers(2_000))
    }

    /// The bytes may come one by one.
    @Test func aPipeIsReadAsItComes() throws {
        let bytes = compressed(lines(50)) + compressed(lines(1))
        let pipe = Pipe()
        Thread.detachNewThread {
            for byte in bytes { pipe.fileHandleForWriting.write(Data([byte])) }
            try? pipe.fileHandleForWriting.close()
        }
        var reader = AuditLogReader()
        var count = 0
        try reader.read(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "standard input") { _, _ in count += 1 }
        #expect(count == 51)
    }

    @Test func whatIsCutOffAnywhereGivesItsWholeLinesAndAnError() throws {
        let whole = compressed(lines(40))
        for length in 3..<whole.count {
            let (found, error) = try failure(of: Array(whole[..<length]))
            #expect(found == numbers(found.count), "cut to \(length) bytes")
            #expect(error?.code == .badData, "cut to \(length) bytes")
            let sentence = "the gzip data are cut off: the file is not complete; the lines before were readable"
            #expect(error?.description == "\(folder.file("log.jsonl.gz")):\(found.count + 1): \(sentence)")
        }
    }

    @Test func aLaterMemberThatIsCutOffIsToldToo() throws {
        let (found, error) = try failure(of: compressed(lines(3)) + compressed(lines(3)).dropLast(9))
        #expect(found.starts(with: numbers(3)))
        #expect(error?.code == .badData)
    }

    /// Every single byte damaged: an error that names file and line, or all lines where the byte says nothing about them.
    @Test func whatIsDamagedIsFoundByItsChecksum() throws {
        let whole = compressed(lines(30))
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 0x41
            let (found, error) = try failure(of: bytes)
            if let error {
                #expect(error.description.hasPrefix("\(folder.file("log.jsonl.gz")):"), "byte \(index)")
            } else {
                // Modification time, flags of the compressor and the system in the header. Source: RFC 1952, 2.3.
                #expect((4...9).contains(index), "byte \(index)")
                #expect(found == numbers(30))
            }
        }
    }

    @Test func whatFollowsTheDataIsNotPassedOver() throws {
        for rest in [Array("{}\n".utf8), [0, 0, 1], [0x1f], [0x1f, 0x8b]] {
            let (found, error) = try failure(of: compressed(lines(3)) + rest)
            #expect(found == numbers(3))
            #expect(error?.code == .badData)
        }
    }

    @Test func aBombTakesNoMoreMemoryThanALine() throws {
        // A quarter of a gigabyte in 256 KiB, all of it one line, or a sixteenth of that; then one that can be read.
        let piece = compressed([UInt8](repeating: UInt8(ascii: " "), count: histories(4 << 20, of: 64 << 20)))
        let path = folder.file("bomb.gz")
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        for _ in 0..<4 { try file.write(contentsOf: piece) }
        try file.write(contentsOf: compressed([0x0a] + lines(1)))
        try file.close()
        var input = try LineReader(path: path, maximumLength: 1 << 20)
        guard case .tooLong = try input.next() else {
            Issue.record("the line is longer than what is read")
            return
        }
        guard case .bytes(let range) = try input.next() else {
            Issue.record("a line follows")
            return
        }
        #expect(range.count == lines(1).count - 1)
        #expect(input.buffer.count <= 4 << 20)
    }

    @Test func onlyGzipDataAreTakenForThem() throws {
        for text in ["\u{1f}", "\u{1f}\u{1f}", "", "\n"] {
            let (found, error) = try failure(of: Array(text.utf8))
            #expect(found.isEmpty)
            #expect(error == nil || error?.description.contains("gzip") == false)
        }
        try Data(compressed(lines(1))).write(to: URL(fileURLWithPath: folder.file("packed")))
        try Data(lines(1)).write(to: URL(fileURLWithPath: folder.file("plain")))
        #expect(StreamedLines.isCompressed(folder.file("packed")))
        #expect(!StreamedLines.isCompressed(folder.file("plain")))
        #expect(!StreamedLines.isCompressed(folder.file("nothing")))
    }
}
