import AuditAnalysis
import AuditChecking
import AuditLog
import ConflictAudit
import SyncBytes
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// Writes and queues of writes that are larger than CloudKit takes, as `check` tells of them.
@Suite struct SizeCheckTests {
    private static let start: Int64 = 1_768_485_600_000

    /// The sentences of a check of writes, the location left out.
    private func sentences(_ lines: [AuditLine]) -> [String] {
        var checker = LogChecker()
        checker.begin(file: "f")
        for (index, line) in lines.enumerated() { checker.observe(line, at: index + 1) }
        return checker.finish().findings.filter { $0.kind == .size }.map { String($0.sentence.dropFirst("f:1: ".count)) }
    }

    private func line(
        _ fields: FieldMap, number: UInt64 = 1, at milliseconds: Int64 = start, received: Int64? = nil, source: DeviceID? = nil
    ) -> AuditLine {
        let write = TaggedWrite(
            dot: Dot(device: "phone", sequence: number), timestamp: HybridTimestamp(milliseconds: milliseconds),
            key: RecordKey(type: "Card", id: RecordID("\(number)")), operation: .put(fields), seen: [:],
            receipt: received.map { TaggedWrite.Receipt(milliseconds: $0) })
        return AuditLine(sequence: source.map { _ in number }, source: source, event: AuditEvent(at: milliseconds, .write(write)))
    }

    private func string(_ count: Int) -> FieldValue { .string(String(repeating: "x", count: count)) }

    @Test func aFieldOf1MBPassesAndOneMoreByteDoesNot() {
        #expect(sentences([line(["photo": string(1_000_000)])]) == [])
        #expect(
            sentences([line(["photo": string(1_000_001)])]) == [
                "Card/1.photo was written with 1 MB, and a record of CloudKit holds 1 MB beside its assets: keep it as an asset, or in several records"
            ])
    }

    @Test func manySmallFieldsAreTooMuchTogether() {
        let fields = FieldMap(sortedNames: (100..<300).map { FieldName("f\($0)") }, values: (100..<300).map { _ in string(6000) })
        #expect(
            sentences([line(fields)]).first?.hasPrefix("Card/1.f100 was written with 1.2 MB, 6 kB of them in its largest field") == true)
    }

    @Test func anAssetIsHeldAgainstItsDecodedBytes() {
        // Reading all of such a value takes seconds in a debug build; what begins like no base64 counts as it is.
        func asset(_ count: Int) -> FieldValue {
            let text = histories(0, of: 1) == 0 ? "!" + String(repeating: "QUJ", count: count) : String(repeating: "QUJD", count: count)
            return AssetWrite(text: text).value
        }
        #expect(sentences([line(["photo": asset(16_000_000)])]) == [], "48 MB decoded, 64 MB as text")
        let larger = asset(17_000_000)
        #expect(
            sentences([line(["photo": larger])]) == ["the asset Card/1.photo has 51 MB, and CloudKit takes 50 MB: make it smaller"])
    }

    @Test func aValueThatALogHasCutCountsWhole() throws {
        func cut(_ bytes: Int64, _ start: String) -> FieldValue { ["$truncated": .number(JSONNumber(bytes)), "start": .string(start)] }
        #expect(sentences([line(["text": cut(1_200_000, "Once upon")])]).first?.contains("was written with 1.2 MB") == true)
        #expect(sentences([line(["photo": cut(64_000_000, #"{"$asset":"QUJD"#)])]) == [])
        #expect(sentences([line(["photo": cut(70_000_000, #"{"$asset":"QUJD"#)])]).first?.contains("has 52.5 MB") == true)
        #expect(sentences([line(["text": ["$omitted": "phone:1"]])]) == [], "nobody knows")
    }

    @Test func whateverACutValueClaimsAddsUp() {
        let cut: FieldValue = ["$truncated": .number(JSONNumber(Int64.max)), "start": "x"]
        let asset: FieldValue = ["$truncated": .number(JSONNumber(Int64.max)), "start": #"{"$asset":"QUJD"#]
        #expect(sentences([line(["a": cut, "b": cut, "c": cut, "d": asset])]).count == 2)
    }

    @Test func whatWaitedFollowsFromTimesAndReceipts() {
        func writes(_ count: UInt64, received: (Int64) -> Int64, source: DeviceID? = nil) -> [AuditLine] {
            (1...count).map { number in
                let time = Self.start + Int64(number) * 1000
                return line(["text": string(500_000)], number: number, at: time, received: received(time), source: source)
            }
        }
        let end = Self.start + 3_600_000
        #expect(sentences(writes(6) { _ in end }) == [], "3 MB")
        #expect(
            sentences(writes(9) { _ in end }) == [
                "7 writes with 3.5 MB of phone waited to be received, by their times, and more than 3 MB is too much to wait: sync more often, or write "
                    + "less at once"
            ])
        #expect(sentences(writes(40) { $0 + 2000 }) == [], "each is received before the next but one")
        #expect(sentences(writes(9, received: { _ in end }, source: "phone")) == [], "a log has lines of its own for what waits")
        // Down to nothing and up again: told twice.
        let twice = writes(18) { $0 <= Self.start + 9000 ? Self.start + 9500 : end }
        #expect(sentences(twice).count == 2)
    }

    @Test func anOutboxOverItsLevelIsAWarning() {
        func line(_ bytes: Int) -> AuditLine {
            AuditLine(
                sequence: 1, source: "phone", event: AuditEvent(at: Self.start, .outbox(OutboxStatus(writes: 7, bytes: bytes))))
        }
        #expect(sentences([line(3_000_000)]) == [])
        #expect(sentences([line(3_400_000)]).first?.hasPrefix("3.4 MB in 7 writes waited to be sent, and more than 3 MB") == true)
        #expect(CheckFinding.Kind.allCases.filter(\.isWarning) == [.absentLog, .massEffect, .size])
    }

    @Test(arguments: [
        #""""#, #""plain""#, #""\"\\\/\b\f\n\r\t""#, #""\u0041\u007f\u0080\u07FF\u0800\uffff""#, #""\ud83d\ude00x\uDBFF\uDFFF""#,
        "\"é€😀\\u00e9\"",
    ]) func aStringOfATraceHasTheBytesThatItsTextHas(json: String) throws {
        let bytes = Array(json.utf8)
        let texts = ValueTexts(bytes.span, [0..<bytes.count].span, order: nil)
        let written = FieldMap(sortedNames: ["a"], texts: texts).written(at: 0)
        let string = try #require(written.value.string)
        #expect(ValueSize(written) == ValueSize(bytes: string.utf8.count, isAsset: false))
        #expect(ValueSize(WrittenValue(.string(string)))?.bytes == string.utf8.count)
    }
}
