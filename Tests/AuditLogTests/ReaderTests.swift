import AuditLog
import ConflictAudit
import Foundation
import SyncBytes
import SyncModel
import Testing

@Suite struct ReaderTests {
    private func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
        let path = FileManager.default.temporaryDirectory.appending(path: "reader-\(UUID().uuidString).jsonl")
        try Data(bytes).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        return try body(path.path)
    }

    private func places(_ path: String, lenient: Bool = false, maximum: Int = 16 << 20) throws -> ([Int], AuditLogReader.Counts) {
        var reader = AuditLogReader(isLenient: lenient, maximumLineLength: maximum)
        var lines: [Int] = []
        try reader.read(path: path) { _, place in lines.append(place.line) }
        return (lines, reader.counts)
    }

    static let line = #"{"v":1,"ts":"2026-01-15T14:00:00.000Z","seq":1,"source":"a","event":"log","opened":true}"#

    @Test func linesEndWithLineFeedsAndTheLastNeedsNone() throws {
        try withFile(Array((Self.line + "\r\n\n" + Self.line).utf8)) { path in
            let lines = try places(path).0
            #expect(lines == [1, 3])
        }
    }

    @Test func aByteOrderMarkIsNoPartOfTheData() throws {
        try withFile([0xef, 0xbb, 0xbf] + Array(Self.line.utf8)) { path in
            let lines = try places(path).0
            #expect(lines == [1])
        }
    }

    @Test func aBadLineIsNamedByFileAndNumber() throws {
        try withFile(Array((Self.line + "\n{\n" + Self.line + "\n").utf8)) { path in
            let error = #expect(throws: AuditLogError.self) { try places(path) }
            #expect(error?.code == .badData)
            #expect(error?.description.hasPrefix("\(path):2: ") == true)
            let (lines, counts) = try places(path, lenient: true)
            #expect(lines == [1, 3])
            #expect(counts.skipped == 1)
            #expect(counts.firstProblem?.hasPrefix("\(path):2: ") == true)
        }
    }

    /// The buffer holds 256 KiB: lines of every length around it and around the limit.
    @Test(arguments: [262_143, 262_144, 262_145, 524_288, 999_999, 1_000_000, 1_000_001, 5_000_000])
    func longLines(length: Int) throws {
        let prefix = #"{"event":"telepathy","x":""#
        let long = prefix + String(repeating: "x", count: length - prefix.utf8.count - 2) + "\"}"
        #expect(long.utf8.count == length)
        try withFile(Array((long + "\n" + Self.line + "\n").utf8)) { path in
            let (lines, counts) = try places(path, lenient: true, maximum: 1_000_000)
            #expect(lines == [2])
            #expect(counts.skipped == (length > 1_000_000 ? 1 : 0))
            #expect(counts.unknownEvents == (length > 1_000_000 ? 0 : 1))
        }
    }

    @Test func directoriesAndMissingFilesAreNoInput() throws {
        let directory = FileManager.default.temporaryDirectory.path
        #expect(#expect(throws: AuditLogError.self) { try places(directory) }?.code == .noInput)
        let missing = #expect(throws: AuditLogError.self) { try places(directory + "/no-such-file-\u{1b}[31m") }
        #expect(missing?.code == .noInput)
        #expect(missing?.description.contains("\u{1b}") == false)
    }

    @Test func aDevicesSecondLaneIsNotNamedLikeAnotherDevice() throws {
        var decoder = LineDecoder()
        let writes = [
            (#""phone#2","n":2,"seen":{}"#, Dot(device: "phone#2", sequence: 2)),
            (#""phone","n":1,"rev":"1-a","parents":[]"#, Dot(device: "phone", sequence: 1)),
            (#""phone","n":2,"rev":"1-b","parents":[]"#, Dot(device: "phone#2'", sequence: 2)),
            (#""phone","rev":"2-b","parents":["1-b"]"#, Dot(device: "phone#2'", sequence: 3)),
        ]
        for (write, dot) in writes {
            let line = Array(
                #"{"event":"write","ts":"2026-01-15T14:00:00.000Z","recordType":"T","recordID":"r","op":"delete","device":\#(write)}"#.utf8)
            guard case .line(let read) = try decoder.decode(line.span), case .write(let write) = read.event.content else {
                Issue.record("\(write)")
                continue
            }
            #expect(write.dot == dot)
        }
    }
}
