import SyncModel
import Testing

@testable import SyncLayer

/// A position in a hub's order.
@Suite struct HubPositionTests {
    private func fingerprint(
        epoch: UInt64 = 1, after fingerprint: UInt64 = 2, at milliseconds: Int64 = 3, _ number: UInt64 = 5, by device: DeviceID = "a"
    ) -> UInt64 {
        HubPosition(epoch: epoch, fingerprint: fingerprint)
            .next(Dot(device: device, sequence: number), TaggedWrite.Receipt(milliseconds: milliseconds))
    }

    @Test func theFingerprintDependsOnEveryBitOfTheHistory() {
        var found: Set = [fingerprint(), fingerprint(by: "b")]
        for bit in 0..<64 {
            found.insert(fingerprint(epoch: 1 ^ 1 << bit))
            found.insert(fingerprint(after: 2 ^ 1 << bit))
            found.insert(fingerprint(at: 3 ^ 1 << bit))
            found.insert(fingerprint(5 ^ 1 << bit))
        }
        #expect(found.count == 2 + 4 * 64)
    }

    /// Hubs keep fingerprints, so that another hash would split every fleet; this one was computed by another program.
    @Test func theFingerprintStaysTheSame() {
        #expect(fingerprint(epoch: 7, after: 9, at: 1000, 3, by: "phone") == 7_756_964_533_166_037_831)
    }
}
