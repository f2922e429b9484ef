import AuditAnalysis
import ConflictAudit
import SyncModel
import TemporaryDirectory
import Testing

@testable import TraceImport

/// Whatever is in a file, reading ends with rows or with a sentence.
@Suite struct HostileTableTests {
    private let directory: TemporaryDirectory
    private let log = TriggerLog(seed: 7, count: 12)

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// How many rows could be read, leniently, and audited; nil where the table was refused.
    private func count(_ content: String) throws -> Int? {
        do {
            let table = try SavedRowTexts.table(content, name: "x", in: directory) { $0.isLenient = true }
            var audit = SavedRowsAudit()
            var row = NumberedRow()
            while let line = try table.next(&row, &audit.numbers) { audit.observe(row, line: line) }
            return audit.finish().rows
        } catch is TraceImportError {
            return nil
        }
    }

    /// A text of which some bytes are cut off, put in or changed.
    private func damaged(_ content: String, _ state: inout UInt64) -> String {
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var bytes = Array(content.utf8)
        for _ in 0...random(4) {
            let offset = random(bytes.count)
            switch random(3) {
            case 0: bytes.removeSubrange(offset...)
            case 1: bytes[offset] = UInt8(ascii: "{}[]\",:\n 0\\".unicodeScalars.map { $0 }[random(11)])
            default: bytes.insert(contentsOf: bytes[0..<min(offset, 40)], at: offset)
            }
            if bytes.isEmpty { bytes = [0x30] }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>) func changedBytesNeverCrash(seed: UInt64) throws {
        var state = seed
        for content in [
            log.separated(by: ","), log.objects(asText: false).joined(separator: "\n"),
            "[" + log.objects(asText: true).joined(separator: ",") + "]",
        ] {
            #expect(try count(damaged(content, &state)) ?? 0 <= 40)
        }
    }

    @Test(arguments: KnownTool.all) func damagedHistoriesOfToolsNeverCrash(tool: KnownTool) throws {
        var state: UInt64 = 45
        for _ in 0..<3 { #expect(try count(damaged(tool.content, &state)) ?? 0 <= 80) }
    }

    @Test func whatIsTooLargeIsRefusedByName() throws {
        let keys = (0...2000).map { #""k\#($0)":1"# }.joined(separator: ",")
        #expect(
            throws: TraceImportError(
                .badData, directory.file("x") + ":1: the rows have more than 2000 different keys: these are no columns")
        ) {
            _ = try SavedRowTexts.table("{\(keys)}", name: "x", in: directory)
        }
        // Deeper than a value may be, it stays text.
        let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        #expect(try count(#"{"note_id":"n","user":"u","text":"\#(deep)"}"#) == 1)
        let long = String(repeating: "x", count: 5000)
        #expect(throws: TraceImportError.self) {
            let table = try SavedRowTexts.table(#"{"note_id":"\#(long)","user":"u","text":"t"}"#, name: "x", in: directory)
            _ = try SavedRowTexts.rows(of: table)
        }
    }

    @Test(arguments: [#""a"=>"1", "b"=>NULL"#, #""a\"b"=>"x\\y""#])
    func hstoreIsRead(text: String) {
        #expect(HStore.parse(text) == (text.hasPrefix("\"a\"") ? ["a": "1", "b": .null] : ["a\"b": "x\\y"]))
        // Cut off anywhere it is none, but where a pair ends.
        for length in 1..<text.count {
            let parsed = HStore.parse(String(text.prefix(length)))
            #expect(parsed == nil || parsed == ["a": "1"], "\(length)")
        }
    }
}
