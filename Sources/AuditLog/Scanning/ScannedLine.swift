package import ConflictAudit
import SyncMerge

/// What the scanner has made of a line: enough to count it, names as numbers.
package struct ScannedLine: BitwiseCopyable, Sendable {
    /// What kind of line it is.
    ///
    /// In the order of `EventName`.
    package enum Content: UInt8, BitwiseCopyable, Sendable, CaseIterable {
        case write, conflict, sync, remoteChange, network, account, clock, checkpoint, statistics, log

        /// How many there are.
        package static let count = allCases.count
    }

    package internal(set) var content = Content.conflict
    /// Whether it is a conflict.
    package internal(set) var isConflict = true
    /// When it happened, in milliseconds since 1970: of a conflict the later of its two writes.
    package internal(set) var milliseconds: Int64 = 0
    /// The number of the device that logged the line, -1 where it does not say.
    package internal(set) var source: Int32 = -1
    /// The number of the device that wrote, or won.
    package internal(set) var device: Int32 = 0
    /// The number of the type of record.
    package internal(set) var recordType: Int32 = 0

    /// Of statistics the writes observed, of the log's own account the lines dropped.
    package internal(set) var count: Int64 = 0
    /// Of a write whether it carries a causal context, 0 or 1; of statistics how many of the writes observed did, -1 where they do not say.
    package internal(set) var contexts: Int64 = 0

    /// Of a write the hash of its dot, nil where it has no number.
    package internal(set) var dot: UInt64?

    // Of conflicts alone:

    /// The number of the device that lost.
    package internal(set) var loser: Int32 = 0
    /// The number of the record, its type included.
    package internal(set) var record: Int32 = 0
    /// The number of the field, its type of record included; the whole record has one as well.
    package internal(set) var field: Int32 = 0
    /// The number of the two versions of the app, -1 where neither side tells its own.
    package internal(set) var apps: Int32 = -1
    /// The conflict's identity.
    package internal(set) var id: UInt64 = 0
    /// How far apart the timestamps were, in milliseconds.
    package internal(set) var gap: Int64 = 0
    /// Kind, severity and the like, as one number.
    package internal(set) var traits = ConflictTraits(number: 0)
}

/// All that is said of a conflict in words of fixed lists, as one number from 0 up to ``count``.
package struct ConflictTraits: BitwiseCopyable, Sendable {
    /// The number as it is stored, for hot loops of other modules, to which a call would matter.
    package let code: UInt16

    package var number: Int { Int(code) }

    /// How many different ones there are.
    package static let count =
        8 * Conflict.Kind.allCases.count * severities * bases * resolutions * reasons

    /// A value for each, where severity and basis alone decide about it.
    package static func table(_ value: (Conflict.Severity, Conflict.Basis) -> UInt8) -> [UInt8] {
        var table: [UInt8] = []
        table.reserveCapacity(count)
        for _ in Conflict.Kind.allCases {
            for severity in Conflict.Severity.allCases {
                for basis in Conflict.Basis.allCases {
                    table += [UInt8](repeating: value(severity, basis), count: 8 * resolutions * reasons)
                }
            }
        }
        return table
    }

    package init(number: Int) { code = UInt16(truncatingIfNeeded: number) }

    /// From the place of each word in its list.
    @inline(__always) init(
        kind: Int, severity: Int, basis: Int, resolution: Int, reason: Int, withinWindow: Bool, clockSuspect: Bool, isStale: Bool
    ) {
        let words = (((kind * Self.severities + severity) * Self.bases + basis) * Self.resolutions + resolution) * Self.reasons + reason
        self.init(number: words << 3 | (isStale ? 4 : 0) | (withinWindow ? 2 : 0) | (clockSuspect ? 1 : 0))
    }

    // Written out, so that no list is looked at for each line; a test compares them with the lists.
    static var severities: Int { 5 }
    static var bases: Int { 4 }
    static var resolutions: Int { 6 }
    static var reasons: Int { 7 }

    package var clockSuspect: Bool { number & 1 != 0 }
    package var withinWindow: Bool { number & 2 != 0 }
    package var isStale: Bool { number & 4 != 0 }
    /// Whether the conflict waits for a decision.
    package var isPending: Bool { (number >> 3) / Self.reasons % Self.resolutions == Self.pending }
    /// Whether somebody has decided the conflict.
    package var isFinal: Bool {
        let resolution = (number >> 3) / Self.reasons % Self.resolutions
        return resolution == Self.resolved || resolution == Self.restored
    }
    private static let pending = Conflict.Resolution.allCases.firstIndex(of: .manualPending)
    private static let resolved = Conflict.Resolution.allCases.firstIndex(of: .manualResolved)
    private static let restored = Conflict.Resolution.allCases.firstIndex(of: .restored)
    package var reason: Conflict.Reason { Conflict.Reason.allCases[(number >> 3) % Self.reasons] }
    package var resolution: Conflict.Resolution { Conflict.Resolution.allCases[(number >> 3) / Self.reasons % Self.resolutions] }
    package var basis: Conflict.Basis { Conflict.Basis.allCases[(number >> 3) / (Self.reasons * Self.resolutions) % Self.bases] }
    package var severity: Conflict.Severity {
        Conflict.Severity.allCases[(number >> 3) / (Self.reasons * Self.resolutions * Self.bases) % Self.severities]
    }
    package var kind: Conflict.Kind {
        Conflict.Kind.allCases[(number >> 3) / (Self.reasons * Self.resolutions * Self.bases * Self.severities)]
    }
}
