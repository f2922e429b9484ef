public import ConflictAudit
public import SyncLayer
public import SyncModel

/// What a simulated run left behind.
///
/// ```swift
/// for device in result.devices { print(device.id, device.events.count, "events") }
/// ```
public struct SimulationResult: Sendable {
    /// What one device left behind.
    public struct Device: Sendable {
        /// The device.
        public let id: DeviceID
        /// What tells it from every other: its name, and for a device that began with a copied store a number besides.
        public let name: String
        /// Everything that its replica's audit was told, in order, over all runs of its program.
        public package(set) var events: [AuditEvent]
        /// The records at the end, in order.
        public package(set) var records: [Record]
        /// What the replica held at the end.
        public package(set) var checkpoint: Checkpoint?
        /// How often its program ended at once.
        public let crashes: Int

        let acknowledged: [SimulatedApp.Acknowledgement]
        /// The events that led to the store as it is; nil where these are all.
        let remembered: [AuditEvent]?

        /// What led to the store as it is.
        ///
        /// - Complexity: O(*n*) in the number of events.
        package var lineage: Lineage { Lineage(remembered ?? events) }
    }

    /// How often what happened.
    package struct Faults: Hashable, Sendable {
        /// Devices were cut off the network for a while.
        package internal(set) var partitions = 0
        /// Messages did not pass because their device was cut off.
        package internal(set) var blockedMessages = 0
        /// Requests were lost.
        package internal(set) var lostRequests = 0
        /// Answers were lost: the hub had done what was asked.
        package internal(set) var lostAnswers = 0
        /// Requests reached the hub twice.
        package internal(set) var duplicates = 0
        /// Requests had an effect after their device had given up on them.
        package internal(set) var lateRequests = 0
        /// Requests overtook an earlier one of another device.
        package internal(set) var reorderings = 0
        /// Clocks jumped.
        package internal(set) var clockJumps = 0
        /// Syncs were cancelled.
        package internal(set) var cancellations = 0
        /// Programs ended at once.
        package internal(set) var crashes = 0
        /// Programs ended at once while they started.
        package internal(set) var crashesAtStart = 0
        /// Stores were put back.
        package internal(set) var storeRestores = 0
        /// Programs ended for that, between two edits.
        var endsBeforeRestores = 0
        /// Stores were copied.
        package internal(set) var storeCopies = 0
        /// The hub was put back.
        package internal(set) var hubRestores = 0
        /// An empty hub came in the hub's place.
        package internal(set) var hubReplacements = 0
        /// The hub forgot a device.
        package internal(set) var forgottenDevices = 0

        /// Whether the hub has forgotten writes.
        var haveEmptiedHub: Bool { hubRestores + hubReplacements > 0 }
        /// Whether a device or the hub is no longer who it was.
        var haveChangedIdentities: Bool { haveEmptiedHub || storeRestores + storeCopies + forgottenDevices > 0 }
    }

    /// What every device left behind, in the order of their numbers.
    public package(set) var devices: [Device]

    /// The hub's writes in its order, with their receipts.
    public package(set) var trace: [TaggedWrite]

    /// What went wrong on purpose.
    package let faults: Faults

    /// Syncs that came to a good end.
    public let syncs: Int

    /// What apps were told is safe in states of stores that were thrown away, as far as the hub or another device had it.
    let outlived: [SimulatedApp.Acknowledgement]

    /// The virtual time that the run covers.
    public let duration: Duration

    /// What must never be: sentences on promises that were broken.
    ///
    /// Empty unless the package is at fault.
    public internal(set) var problems: [String] = []
}
