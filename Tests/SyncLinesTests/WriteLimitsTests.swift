import SyncBytes
import SyncLines
import SyncModel
import Testing

@Suite struct WriteLimitsTests {
    private func nested(_ levels: Int) -> FieldValue { (0..<levels).reduce(1) { value, _ in [value] } }

    private func write(_ value: FieldValue) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: "a", sequence: 1), timestamp: HybridTimestamp(milliseconds: 1), key: RecordKey(type: "card", id: "1"),
            operation: .put(["f": value]), seen: [:])
    }

    private struct Unread: Error {}

    private func read(_ write: TaggedWrite) throws -> TaggedWrite {
        let text = WriteLine.bare(write)
        guard let line = LineFields(parsing: text.span) else { throw Unread() }
        var revisions: RevisionGraph?
        return try WriteLine.write(line, revisions: &revisions) { _ in nil }
    }

    @Test func theDeepestValueThatMayBeWrittenIsALineThatIsRead() throws {
        let deepest = write(nested(WriteLimits.depth))
        #expect(WriteLimits.problem(with: deepest) == nil)
        #expect(try read(deepest) == deepest)
        // As a conflict over a whole record holds it: line, side, value, field.
        let line: FieldValue = ["winner": ["value": ["f": nested(WriteLimits.depth)]]]
        var text: [UInt8] = []
        JSONText.append(line, to: &text)
        #expect(try JSONParser.parse(text.span) == line)
    }

    @Test func aDeeperOneIsNeitherWrittenNorRead() {
        let deeper = write(nested(WriteLimits.depth + 1))
        #expect(WriteLimits.problem(with: deeper) == "the value of \"f\" is nested more than 252 levels deep: split it up")
        #expect(throws: LineError("the value of \"f\" is nested more than 252 levels deep")) { try read(deeper) }
    }

    @Test func namesMayHave4096Bytes() {
        func problem(_ bytes: Int) -> String? {
            WriteLimits.problem(with: RecordKey(type: RecordType(String(repeating: "x", count: bytes)), id: ""))
        }
        #expect(problem(4096) == nil)
        #expect(problem(4097)?.contains("has 4097 bytes, and 4096 are allowed") == true)
        #expect(problem(0)?.contains("is empty") == true)
    }
}
