import FleetHistories
import SyncCoding
import SyncLayerTesting
import SyncMerge
import SyncModel
import Testing

@testable import SyncLayer

/// What a store keeps.
@Suite struct StoredFormTests {
    /// A replica's account of itself as far as the first versions kept it.
    private func account(_ metadata: ReplicaMetadata) -> StateEncoder {
        var encoder = StateEncoder()
        encoder.append(metadata.device)
        encoder.append(metadata.generation)
        encoder.append(metadata.sequence)
        encoder.append(metadata.clock)
        encoder.append(metadata.cursor)
        encoder.append(metadata.refreshVersion)
        encoder.append(metadata.seen)
        encoder.append(metadata.liveRecords)
        encoder.append(metadata.digest)
        for number in [metadata.outboxWrites, metadata.outboxBytes, 0, 0] { encoder.append(number) }
        encoder.append(metadata.journalNumber)
        encoder.append(metadata.activeNumber)
        return encoder
    }

    /// An account of 9 numbers given, with so many of the writes unsent.
    private func account(unsent: Int) -> StateEncoder {
        var metadata = ReplicaMetadata(device: "phone")
        (metadata.generation, metadata.sequence, metadata.ownSeen) = (3, 9, 9)
        (metadata.clock, metadata.cursor, metadata.refreshVersion) = (HybridTimestamp(milliseconds: 7), 12, 1)
        (metadata.liveRecords, metadata.outboxWrites, metadata.outboxBytes, metadata.journalNumber) = (2, unsent, 100 * unsent, 4)
        return account(metadata)
    }

    @Test(arguments: [0, 2])
    func aReplicaOfAnEarlierVersionIsRead(unsent: Int) throws {
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

    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func theFirstUnsentWriteOfAnEarlierVersionSaysWhatTheHubHas(_ number: UInt64) async throws {
        let clock = ManualClock()
        let hub = InMemoryHub(wallClock: clock.wallClock)
        let store = InMemoryStore()
        let phone = try Device("phone", hub: hub, clock: clock, store: store)
        for value in 1...number {
            try await phone.sync()
            try phone.replica.put(["x": .number(JSONNumber(Int(value)))], to: card)
        }
        try store.write(.process) { writer in
            let metadata = try ReplicaMetadata(try #require(try writer.metadata()))
            try writer.setMetadata(account(metadata).bytes)
        }
        try phone.restart()
        #expect(try await phone.sync().pushed == 1)
        #expect(try await hub.pull(PullRequest(device: "x", cursor: 0)).writes.map(\.dot.sequence) == Array(1...number))
    }

    @Test func aRecordThatNeverChangedIsStoredAsLittleMoreThanItsWrite() throws {
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
