import FleetHistories
import Foundation
import Testing

/// A device in a process of its own that is killed while it writes and syncs.
@Suite struct DeviceKillTests {
    /// `SYNCAUDIT_KILLS`, or as many as take some seconds.
    private static let stores: Range<Int> = {
        let kills = ProcessInfo.processInfo.environment["SYNCAUDIT_KILLS"].flatMap(Int.init) ?? 60
        return 0..<kills / KilledDevice.killsPerStore
    }()

    @Test(arguments: stores) func aKilledProcessLosesNoAcknowledgedWriteAndAppliesNoneTwice(_ round: Int) async throws {
        try await KilledDevice.check(round: round)
    }

    @Test(arguments: stores) func aKilledProcessKeepsWhatItsMergesHaveLost(_ round: Int) async throws {
        try await KilledDevice.checkLostEdits(round: round)
    }
}
