public import SyncMerge
import SyncModel

/// What a simulated run is made of; equal configurations give equal runs, byte by byte.
///
/// ```swift
/// var configuration = SimulationConfiguration(seed: 7)
/// configuration.devices = 6
/// ```
public struct SimulationConfiguration: Sendable {
    /// Where replicas and hub keep their data.
    package enum Storage: Hashable, Sendable {
        /// In memory; what a program that ends had committed is there for the next.
        case memory
        /// In SQLite files in a directory that exists and is empty; a device that starts again opens its file anew.
        case sqlite(directory: String)
    }

    /// Decides everything that is left to chance.
    public var seed: UInt64

    /// How many devices there are; 1 or more.
    public var devices = 3

    /// How many times something happens: an edit, a sync, a fault; 0 or more.
    public var steps = 200

    /// How many records the devices edit, spread over the record types of ``rules``; 1 or more.
    public var records = 12

    /// The probability, from 0 to 1, that a step begins by cutting a device off the network for a while.
    public var partitions = 0.05

    /// The probability, from 0 to 1, that a message between device and hub is lost; requests and answers alike.
    public var loss = 0.05

    /// The probability, from 0 to 1, that a request reaches the hub twice.
    public var duplicates = 0.05

    /// How far the devices' clocks may be off, either way, in whole milliseconds; 0 or more.
    ///
    /// Where it is not 0, clocks also jump.
    public var skew = Duration.seconds(2)

    /// The probability, from 0 to 1, that a step lets a device's program end soon, wherever it then is; it starts again later.
    public var crashes = 0.02

    /// The probability, from 0 to 1, that a step puts a device's store back to an earlier state, as a backup does.
    ///
    /// While this fault or one of the next is on, backups are taken now and then, and now and then all devices sync until they have seen
    /// each other's deletes.
    public var storeRestores = 0.0

    /// The probability, from 0 to 1, that a step copies a device's store to another device of the same name, which lives on beside it.
    public var storeCopies = 0.0

    /// The probability, from 0 to 1, that a step puts the hub back to an earlier state.
    public var hubRestores = 0.0

    /// The probability, from 0 to 1, that a step puts an empty hub in the hub's place.
    public var hubReplacements = 0.0

    /// The probability, from 0 to 1, that a step lets the hub forget a device, which comes back under a new name.
    public var forgottenDevices = 0.0

    /// Whether the hub may be put back or replaced while a sync is under way.
    package var changesHubAmidSyncs = false

    /// The rules by which every device merges.
    public var rules = MergeRules.everyPolicy

    /// Where data is kept.
    package var storage = Storage.memory

    /// A run of three devices and 200 steps with a few faults of every kind.
    public init(seed: UInt64) {
        self.seed = seed
    }

    /// How far the clocks may be off, in milliseconds.
    var skewMilliseconds: Int64 { skew.wholeMilliseconds }

    /// Whether anything may happen by which a device or the hub is no longer who it was.
    var changesIdentities: Bool {
        storeRestores + storeCopies + hubRestores + hubReplacements + forgottenDevices > 0
    }
}
