import SyncBytes
import SyncCoding
import SyncMerge
import SyncModel
import Testing

/// The bytes in which states are stored.
@Suite struct StoredFormTests {
    private static let write = TaggedWrite(
        dot: Dot(device: "a", sequence: 300), timestamp: HybridTimestamp(milliseconds: 5, counter: 1),
        key: RecordKey(type: "note", id: "1"), operation: .put(["x": 1]), seen: ["b": 2],
        receipt: TaggedWrite.Receipt(milliseconds: 7, hubSequence: 9))

    private static let delete = TaggedWrite(
        dot: Dot(device: "a", sequence: 301), timestamp: HybridTimestamp(milliseconds: 5), key: RecordKey(type: "note", id: "1"),
        operation: .delete, seen: nil)

    private func bytes(_ body: (inout StateEncoder) -> Void) -> [UInt8] {
        var encoder = StateEncoder()
        body(&encoder)
        return encoder.bytes
    }

    // A store is read by later versions of the program.
    @Test func valuesAreStoredAsTheyAlwaysWere() throws {
        let value: FieldValue = [.null, false, true, 1.5, -2, "s", ["k": []]]
        let wanted: [UInt8] = [2, 6, 7, 0, 1, 2, 3, 3, 0x31, 0x2e, 0x35, 4, 3, 5, 1, 0x73, 7, 1, 1, 0x6b, 6, 0]
        #expect(bytes { $0.append(value) } == wanted)
        var decoder = try StateDecoder(wanted)
        #expect(try decoder.value() == value)
        #expect(decoder.isAtEnd)
    }

    @Test func writesAreStoredAsTheyAlwaysWere() throws {
        let wanted: [UInt8] = [
            2, 0, 30, 0, 1, 0x61, 0xac, 2, 10, 1, 0, 4, 0x6e, 0x6f, 0x74, 0x65, 1, 0x31, 0, 1, 0, 1, 0x62, 2, 14, 9, 1, 1, 0x78, 4, 2,
            1,
            0, 3, 1, 0xad, 2, 10, 0, 1,
        ]
        let encoded = bytes {
            $0.append(Self.write)
            $0.append(Self.write)
            $0.append(Self.delete)
        }
        #expect(encoded == wanted)
        var decoder = try StateDecoder(wanted)
        #expect(try decoder.write() == Self.write)
        #expect(try decoder.write() == Self.write)
        #expect(try decoder.write() == Self.delete)
        try decoder.finish()
    }

    private static func numbered(_ number: Int) -> TaggedWrite {
        let dot = Dot(device: DeviceID("d\(number % 70)"), sequence: UInt64(number + 1))
        let seen = VersionVector([Dot(device: DeviceID("d\(number % 50)"), sequence: 7)])
        let receipt = TaggedWrite.Receipt(milliseconds: -3, hubSequence: number % 6 == 0 ? 5 : nil)
        return TaggedWrite(
            dot: dot, timestamp: HybridTimestamp(milliseconds: Int64(number) * 1_000_000_007, counter: UInt32(number)),
            key: RecordKey(type: "note", id: RecordID("\(number % 45)")), operation: number % 9 == 0 ? .delete : .put(["x": .null]),
            seen: number % 2 == 0 ? seen : nil, receipt: number % 3 == 0 ? receipt : nil,
            order: number % 8 == 0 ? [1, "a"] : [], app: number % 5 == 0 ? "2.1" : nil,
            carried: number % 9 != 0 && number % 4 == 0 ? ["y": 7, "z": .null] : FieldMap())
    }

    @Test func manyWritesOfManyDevicesComeBack() throws {
        let once = (0..<200).map(Self.numbered)
        let writes = once + once
        var decoder = try StateDecoder(bytes { encoder in for write in writes { encoder.append(write) } })
        for write in writes { #expect(try decoder.write() == write) }
        #expect(decoder.isAtEnd)
    }

    @Test func anEncoderThatIsUsedAgainForgetsWhatItHeld() {
        let wanted = bytes { $0.append(Self.write) }
        for length in [10, 300_000] {
            var encoder = StateEncoder()
            encoder.append(Self.write)
            encoder.append(String(repeating: "x", count: length))
            encoder.begin()
            encoder.append(Self.write)
            #expect(encoder.bytes == wanted)
        }
    }

    /// What two concurrent writes to a record lead to, after one that both had seen, or as the first.
    private static func decisions(
        _ policy: MergePolicy, _ operations: [TaggedWrite.Operation], hasAncestor: Bool = true
    ) -> [MergeDecision] {
        var state = RecordState(key: RecordKey(type: "note", id: "1"))
        let writes = (hasAncestor ? [TaggedWrite.Operation.put(["x": 0])] : []) + operations
        return writes.enumerated().flatMap { number, operation in
            let write = TaggedWrite(
                dot: Dot(device: DeviceID("d\(number)"), sequence: 1), timestamp: HybridTimestamp(milliseconds: Int64(number)),
                key: state.key, operation: operation, seen: number == 0 || !hasAncestor ? [:] : ["d0": 1])
            return state.merge(write, rules: MergeRules(standard: .fields(policy)))
        }
    }

    static let decisions: [MergeDecision] =
        decisions(.lastWriterWins, [.put(["x": 1]), .put(["x": 2])], hasAncestor: false)
        + decisions(.manual, [.put(["x": 1]), .put(["x": 2])])
        + decisions(.counter, [.put(["x": CounterWrite(total: 1).value]), .put(["x": CounterWrite(total: 2).value])])
        + decisions(.minimum, [.delete, .delete]) + decisions(.firstWriterWins, [.put(["y": 1]), .put(["z": 2])])
        + decisions(.firstWriterWins, [.put(["x": 1]), .delete]) + decisions(.firstWriterWins, [.put(["x": 1]), .put(["x": 2])])

    @Test(arguments: decisions)
    func aDecisionIsDecodedAsItWasEncoded(_ decision: MergeDecision) throws {
        var decoder = try StateDecoder(bytes { decision.encode(into: &$0) })
        let found = try MergeDecision(from: &decoder)
        #expect(decoder.isAtEnd)
        #expect(found.contention == decision.contention)
        #expect(found.field == decision.field)
        #expect(found.winner == decision.winner)
        #expect(found.loser == decision.loser)
        #expect(found.didArrivingWin == decision.didArrivingWin)
        #expect(found.reason == decision.reason)
        #expect(found.policy == decision.policy)
        #expect(found.ancestor == decision.ancestor)
        #expect(found.result == decision.result)
        #expect(found.isPending == decision.isPending)
    }

    @Test func theDecisionsTestedDifferInEveryPart() {
        #expect(Set(Self.decisions.map(\.contention)).count == 3)
        #expect(Self.decisions.contains { $0.field == nil } && Self.decisions.contains { $0.field == "x" })
        #expect(Self.decisions.contains { $0.ancestor == nil } && Self.decisions.contains { $0.ancestor != nil })
        #expect(Self.decisions.contains { $0.result == nil } && Self.decisions.contains { $0.result != nil })
        #expect(Self.decisions.contains { $0.isPending } && Self.decisions.contains { !$0.isPending })
        #expect(Self.decisions.contains { $0.didArrivingWin } && Self.decisions.contains { !$0.didArrivingWin })
    }

    @Test func numbersOfEverySizeAreDecodedAndMoreThan64BitsRefused() throws {
        for number in [0, 1, 127, 128, 16_383, 16_384, 1 << 62, .max] as [UInt64] {
            var decoder = try StateDecoder(bytes { $0.append(number) })
            #expect(try decoder.number() == number)
        }
        for number in [0, -1, 1, .min, .max] as [Int64] {
            var decoder = try StateDecoder(bytes { $0.append(number) })
            #expect(try decoder.signedNumber() == number)
        }
        var tooLong = try StateDecoder([2] + Array(repeating: 0xff, count: 9) + [2])
        #expect(throws: CodingFailure.self) { try tooLong.number() }
        var endless = try StateDecoder([2] + Array(repeating: 0xff, count: 20))
        #expect(throws: CodingFailure.self) { try endless.number() }
        var cut = try StateDecoder([2, 0x80])
        #expect(throws: CodingFailure.self) { try cut.number() }
    }

    @Test(
        arguments: [
            [3, 2, 0x31, 0x20], [3, 2, 0x20, 0x31], [3, 2, 0x30, 0x31], [3, 0], [7, 2, 1, 0x62, 0, 1, 0x61, 0],
            [7, 2, 1, 0x61, 0, 1, 0x61, 0],
            [6, 2, 0], [5, 9, 0x61], [5, 1, 0xff], [8], [],
        ] as [[UInt8]])
    func anythingThatNoEncoderWritesIsRefused(content: [UInt8]) throws {
        var decoder = try StateDecoder([2] + content)
        #expect(throws: CodingFailure.self) { try decoder.value() }
    }

    @Test func aValueMayBeNestedAsDeepAsAParsedOneAndNoDeeper() throws {
        func nested(_ depth: Int) throws -> StateDecoder {
            try StateDecoder([2] + Array(repeating: [6, 1], count: depth).joined() + [0])
        }
        var deepest = try nested(JSONParser.maximumDepth)
        _ = try deepest.value()
        var tooDeep = try nested(JSONParser.maximumDepth + 1)
        #expect(throws: CodingFailure.self) { try tooDeep.value() }
    }
}
