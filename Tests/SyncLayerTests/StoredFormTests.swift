import SyncMerge
import SyncModel
import Testing

@testable import SyncLayer

@Suite("What a store keeps")
struct StoredFormTests {
    /// A replica's account of itself as far as the first versions kept it: 9 numbers given, and so many of the writes unsent.
    private func account(unsent: Int) -> StateEncoder {
        var encoder = StateEncoder()
        encoder.append("phone" as DeviceID)
        encoder.append(3 as UInt64)
        encoder.append(9 as UInt64)
        encoder.append(HybridTimestamp(milliseconds: 7))
        encoder.append(12 as UInt64)
        encoder.append(1)
        encoder.append(VersionVector(Dot(device: "phone", sequence: 9)))
        encoder.append(2)
        encoder.append(StateDigest())
        for number in [unsent, 100 * unsent, 0, 0] { encoder.append(number) }
        encoder.append(4 as UInt64)
        encoder.append(0 as UInt64)
        return encoder
    }

    @Test("of a replica by an earlier version is read, and nothing is taken for caught up that did not say so", arguments: [0, 2])
    func earlierVersions(unsent: Int) throws {
        let first = try ReplicaMetadata(account(unsent: unsent).bytes)
        #expect(first.writer == "phone" && first.sequence == 9 && first.ownSeen == 9 && first.isCatchingUp)
        #expect(first.acknowledged == (unsent == 0 ? 9 : 0) && first.isAcknowledgedUnknown == (unsent > 0))
        var second = account(unsent: unsent)
        second.append("phone~00000001" as DeviceID)
        second.append(5 as UInt64)
        for _ in 0..<5 { second.append(0 as UInt8) }
        second.append(0)
        let later = try ReplicaMetadata(second.bytes)
        #expect(later.writer == "phone~00000001" && later.acknowledged == 5 && later.sent == 9 && later.isCatchingUp)
        #expect(!later.isAcknowledgedUnknown && later.nameGivenUp == nil)
        #expect(try ReplicaMetadata(later.encoded) == later)
    }

    @Test("of a record that was inserted and never changed is its write and little more")
    func insert() throws {
        let key = RecordKey(type: "card", id: "1")
        let write = TaggedWrite(
            dot: Dot(device: "phone", sequence: 1), timestamp: HybridTimestamp(milliseconds: 1_700_000_000_000), key: key,
            operation: .put(["text": .string(String(repeating: "x", count: 500))]), seen: [:])
        var record = ReplicaRecord(key: key)
        _ = record.merge(write, rules: MergeRules())
        var encoder = StateEncoder()
        let stored = record.stored(&encoder, lastWrite: nil)
        #expect(stored.content.count <= write.encoded.count + 8)
        #expect(try ReplicaRecord(stored).shown(rules: MergeRules()) == record.shown(rules: MergeRules()))
    }
}
