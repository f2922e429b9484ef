import ConflictAudit
import SyncModel
import Testing

/// Conflict identifiers.
@Suite struct ConflictIDTests {
    private func id(
        _ type: RecordType = "note", _ record: RecordID = "1", _ field: FieldName? = "x", _ one: (DeviceID, UInt64) = ("a", 1),
        _ other: (DeviceID, UInt64) = ("b", 2)
    ) -> ConflictID {
        ConflictID(
            key: RecordKey(type: type, id: record), field: field,
            dots: (Dot(device: one.0, sequence: one.1), Dot(device: other.0, sequence: other.1)))
    }

    @Test func theIdentifierIsTheSameWhicheverSideComesFirst() {
        #expect(id("note", "1", "x", ("a", 1), ("b", 2)) == id("note", "1", "x", ("b", 2), ("a", 1)))
        #expect(id("note", "1", "x", ("a", 1), ("a", 2)) == id("note", "1", "x", ("a", 2), ("a", 1)))
    }

    @Test func whatDiffersInAnyPartDiffersInItsIdentifier() {
        let ids = [
            id(), id("task"), id("note", "2"), id("note", "1", "y"), id("note", "1", nil), id("note", "1", ""),
            id("note", "1", "x", ("a", 2)), id("note", "1", "x", ("a", 1), ("b", 1)), id("note", "1", "x", ("a", 1), ("c", 2)),
            id("note", "1", "x", ("a", 2), ("b", 1)),
            // Texts that would run together if their lengths did not count.
            id("not", "e1"), id("note1", ""), id("", "note1"), id("note", "1x", ""), id("note", "1", "xa", ("", 1)),
            id("note", "\u{e9}"), id("note", "e\u{301}"),
            id("note", "1", "x", ("a", 256)), id("note", "1", "x", ("a", 1 << 32)),
        ]
        #expect(Set(ids).count == ids.count)
    }

    @Test func theIdentifierIsTheSameOnEveryPlatformAndInEveryVersion() {
        #expect(id().description == "3b41cc722f03d848")
    }

    @Test func isPrintedAs16LowerCaseHexDigitsAndParsed() throws {
        for value in [0, 1, 0xff, .max, 0x0123_4567_89ab_cdef] as [UInt64] {
            let text = ConflictID(rawValue: value).description
            #expect(text.utf8.count == 16)
            #expect(ConflictID(text) == ConflictID(rawValue: value))
        }
        #expect(ConflictID(rawValue: 0xab).description == "00000000000000ab")
        #expect(ConflictID("00000000000000AB") == ConflictID(rawValue: 0xab))
    }

    @Test(
        arguments: [
            "", "0", "000000000000000", "00000000000000000", "+000000000000001", "-000000000000001", "000000000000000g", "00000000 0000000",
            "0x00000000000000", "００００００００００００００００",
        ])
    func anythingButSixteenDigitsIsRefused(text: String) {
        #expect(ConflictID(text) == nil)
    }

    @Test func identifiersAreOrderedByValue() {
        #expect(ConflictID(rawValue: 1) < ConflictID(rawValue: 2))
        #expect(!(ConflictID(rawValue: .max) < ConflictID(rawValue: 1)))
    }

    @Test func onlyRareFlagsAreLeftOutOfALine() {
        #expect(Conflict.Flag.optional == [.stale, .cleared, .repeated, .bookkeeping])
    }
}
