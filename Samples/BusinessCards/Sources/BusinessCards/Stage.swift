import ConflictAudit
import ConflictAuditTesting
import Foundation
import SyncLayer
import SyncLayerTesting
import SyncMerge
import SyncModel

/// A phone and a tablet with databases of their own, and a hub between them, all of them SQLite files in a folder that is gone afterwards.
struct Stage {
    /// One of the two devices.
    struct Device {
        let name: DeviceID
        let replica: Replica
        let log: CollectingAuditSink
        fileprivate let engine: SyncEngine

        /// Sends what was written here, fetches what was written elsewhere.
        @discardableResult
        func sync() async throws -> SyncReport { try await engine.sync() }
    }

    let clock: ManualClock
    let phone: Device
    let tablet: Device

    /// Sets the stage at one o'clock in the afternoon, runs a scene, and clears the stage.
    static func play<Result>(rules: MergeRules = MergeRules(), _ scene: (Stage) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "business-cards-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await scene(Stage(folder: folder, rules: rules))
    }

    private init(folder: URL, rules: MergeRules) throws {
        // 2026-01-15T13:00:00Z
        let clock = ManualClock(WallTime(millisecondsSince1970: 1_768_482_000_000))
        let hub = try SQLiteHub(path: folder.appending(path: "hub.sqlite").path, wallClock: clock.wallClock)
        func device(_ name: DeviceID) throws -> Device {
            let log = CollectingAuditSink()
            var configuration = ReplicaConfiguration()
            configuration.mergeRules = rules
            configuration.sink = log
            configuration.wallClock = clock.wallClock
            let store = try SQLiteStore(path: folder.appending(path: "\(name).sqlite").path)
            let replica = try Replica(device: name, store: store, configuration: configuration)
            return Device(name: name, replica: replica, log: log, engine: SyncEngine(replica: replica, hub: hub))
        }
        self.clock = clock
        phone = try device("phone")
        tablet = try device("tablet")
    }

    /// Lets time pass.
    func wait(minutes: Int64) { clock.advance(by: .seconds(60 * minutes)) }

    /// Syncs until both devices know everything.
    func meet() async throws {
        for device in [phone, tablet, phone] { try await device.sync() }
    }

    /// The conflicts that either device has logged, each once.
    var conflicts: [Conflict] {
        var seen: Set<ConflictID> = []
        return (phone.log.conflicts + tablet.log.conflicts).filter { seen.insert($0.id).inserted }
    }
}
