import SyncBytes
import SyncModel
import SyncOracle
import Testing

@testable import AuditAnalysis

/// Names that are used for two writes.
@Suite struct NamedWritesTests {
    private let hashKey = HashKey()

    private func write(
        _ number: UInt64, to id: Int, at milliseconds: Int64 = 0, _ operation: TaggedWrite.Operation = .delete
    ) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: "a", sequence: number), timestamp: HybridTimestamp(milliseconds: milliseconds),
            key: RecordKey(type: "N", id: RecordID("\(id)")), operation: operation, seen: nil)
    }

    private func observe(_ write: TaggedWrite, device: Int = 0, in names: inout NamedWrites) -> Bool {
        names.observe(write, device: device, recordHash: write.recordHash(hashKey))
    }

    @Test func anotherRecordTimeOrOperation() {
        var names = NamedWrites()
        #expect(!observe(write(1, to: 1), in: &names))
        #expect(!observe(write(1, to: 1), in: &names), "the write itself once more")
        #expect(!observe(write(1, to: 2), device: 1, in: &names), "another device's")
        #expect(observe(write(1, to: 2), in: &names))
        #expect(observe(write(1, to: 1, at: 1), in: &names))
        #expect(observe(write(1, to: 1, .put(["x": 1])), in: &names))
    }

    @Test(arguments: 0..<3)
    func noDotOfManyIsForgottenOrConfusedInAnyOrder(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var names = NamedWrites()
        let numbers = random.shuffled(Array(1...20_000)).map { seed == 0 ? UInt64($0) : UInt64($0) * UInt64(seed * 1_000_003) }
        for number in numbers { #expect(!observe(write(number, to: 1), in: &names)) }
        for number in numbers { #expect(!observe(write(number, to: 1), in: &names)) }
        for number in numbers.prefix(1000) { #expect(observe(write(number, to: 2), in: &names), "seed \(seed), \(number)") }
    }

    @Test func beyondTheLimitSomeAreForgottenAndNoneIsMistaken() {
        var names = NamedWrites(slotLimit: 2048)
        for number in 1...10_000 { #expect(!observe(write(UInt64(number), to: 1), in: &names)) }
        for number in 1...10_000 { #expect(!observe(write(UInt64(number), to: 1), in: &names)) }
        #expect(observe(write(10_000, to: 2), in: &names))
    }
}
