import ConflictAudit
import FleetHistories
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel
import Testing

/// A hub lets go of writes that no device needs any more.
@Suite struct CompactionTests {
    @Test(arguments: 1...40 as ClosedRange<UInt64>) func compactionChangesNothingThatDevicesShowOrFind(seed: UInt64) async throws {
        let (compacted, writes) = try await CompactedHubs.check(seed: seed)
        print(seed % 5, compacted, writes)
    }
}
