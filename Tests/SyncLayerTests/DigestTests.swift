import ConflictAudit
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncModel
import Testing

/// The digest of what a replica shows.
@Suite struct DigestTests {
    // Worked out from the formula by another program; logs of all versions are compared by it.
    @Test func theDigestIsTheSameOnEveryPlatformAndInEveryVersion() throws {
        let device = try Device("a", hub: InMemoryHub(), clock: ManualClock())
        try device.replica.put(["y": "two", "x": 1], to: card)
        #expect(try device.replica.checkpoint()?.digest == "e2f7fd221b6d44a89ac8bf7b57fce542")
        try device.replica.put(["x": []], to: RecordKey(type: "card", id: "2"))
        #expect(try device.replica.checkpoint()?.digest == "385c65e50399ee32f79912d6dbbcfa02")
        try device.replica.delete(RecordKey(type: "card", id: "2"))
        #expect(try device.replica.checkpoint()?.digest == "e2f7fd221b6d44a89ac8bf7b57fce542")
    }
}
