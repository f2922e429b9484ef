import AuditAnalysis
import SyncBytes
import SyncModel
import SyncOracle
import Testing

/// Writes that are kept in a temporary file come back as they were.
@Suite struct SpilledWriteCoderTests {
    private static let values: [(text: String, value: FieldValue)] = [
        ("null", .null), ("true", true), ("-0.50", .number(JSONNumber(validated: "-0.50"))), (#""é\n""#, "é\n"), ("[1,{}]", [1, [:]]),
        (#"{"a":"b"}"#, ["a": "b"]), (#""""#, ""),
    ]

    /// A write with every part that a write can have, or without it.
    ///
    /// - Parameter names: How many names there are to choose from.
    private static func write(_ random: inout SplitMix64, names: Int) -> TaggedWrite {
        func name(_ random: inout SplitMix64) -> String {
            let number = "\(random.below(names))"
            return [number, "ein längerer Name mit der Nummer " + number, number + "\0"][random.below(3)]
        }
        func fields(_ random: inout SplitMix64) -> FieldMap {
            let list = Set((0..<random.below(5)).map { _ in FieldName(name(&random)) }).sorted()
            let chosen = list.map { _ in values[random.below(values.count)] }
            if random.percent(30) { return FieldMap(sortedNames: list, values: chosen.map(\.value)) }
            var (line, ranges): ([UInt8], [Range<Int>]) = ([], [])
            for value in chosen {
                ranges.append(line.count..<line.count + value.text.utf8.count)
                line += Array(value.text.utf8)
            }
            return FieldMap(sortedNames: list, texts: ValueTexts(line.span, ranges.span, order: nil))
        }
        let device = DeviceID(name(&random))
        let seen = VersionVector((0..<random.below(6)).map { _ in Dot(device: DeviceID(name(&random)), sequence: random.next() >> 12 | 1) })
        let (isDelete, hasSeen, hasCursor) = (random.percent(20), random.percent(60), random.percent(50))
        let receipt = TaggedWrite.Receipt(
            milliseconds: random.percent(50) ? Int64(bitPattern: random.next()) : nil, hubSequence: random.percent(50) ? random.next() : nil
        )
        let isReceived = receipt.milliseconds != nil || receipt.hubSequence != nil
        return TaggedWrite(
            dot: Dot(device: device, sequence: random.next() | 1), isNumbered: random.percent(80),
            timestamp: HybridTimestamp(milliseconds: Int64(bitPattern: random.next()), counter: UInt32(truncatingIfNeeded: random.next())),
            key: RecordKey(type: RecordType(name(&random)), id: RecordID(name(&random))),
            operation: isDelete ? .delete : .put(fields(&random)),
            seen: hasSeen ? seen : nil, cursor: !hasSeen && hasCursor ? random.next() : nil, receipt: isReceived ? receipt : nil,
            order: random.percent(10) ? ["x", 2] : [], app: random.percent(20) ? "1.2 (3)" : nil,
            carried: random.percent(10) ? fields(&random) : FieldMap())
    }

    /// With few names each soon has a number; with many the numbers run out.
    @Test(arguments: [3, 1_000_000]) func everyPartOfAWriteComesBack(names: Int) throws {
        var random = SplitMix64(seed: UInt64(names))
        let writes = (0..<histories(6_000, of: 40_000)).map { _ in Self.write(&random, names: names) }
        var coder = SpilledWriteCoder(hashKey: HashKey())
        var writer = ByteWriter()
        for write in writes { coder.append(write, to: &writer) }
        var reader = ByteReader(writer.bytes)
        for write in writes {
            let read = try coder.write(from: &reader)
            guard read != write || read.key != write.key else { continue }
            Issue.record("\(read) instead of \(write)")
            break
        }
        #expect(reader.isAtEnd)
    }

    @Test func bytesThatPointAtNothingAreAnError() throws {
        let coder = SpilledWriteCoder(hashKey: HashKey())
        for bytes: [UInt8] in [[], [0], [0, 1], [0, 0, 200, 65], [4, 0, 1, 65, 1, 0, 0, 9]] {
            var reader = ByteReader(bytes)
            #expect(throws: CodingFailure.self) { try coder.write(from: &reader) }
        }
    }
}
