package import ConflictAudit
import SyncMerge

/// What the scanner has made of a line: enough to count it, names as numbers.
package struct ScannedLine: BitwiseCopyable, Sendable {
    /// What kind of line it is, by the index of its event in the list of `EventName`.
    ///
    /// Of other events a report needs the whole line. Of those that tell of sync itself it needs the event too: ``LineScanner/syncLines``.
    package enum Content: UInt8, BitwiseCopyable, Sendable, CaseIterable {
        case write = 0
        case conflict = 1
        case sync = 2
        case remoteChange = 3
        case network = 4
        case account = 5
        case clock = 6
        case checkpoint = 7
        case statistics = 8
        case log = 9
        case acknowledgement = 11
        case outbox = 12
        case refresh = 13

        /// How many numbers there are up to the last.
        package static let count = Int(refresh.rawValue) + 1

        /// Whether lines tell of sync itself, or are evidence for an audit and nothing to count.
        var isOfSync: Bool {
            switch self {
            case .sync, .network, .account, .acknowledgement, .outbox, .refresh: true
            case .write, .conflict, .remoteChange, .clock, .checkpoint, .statistics, .log: false
            }
        }
    }

    package internal(set) var content = Content.conflict
    /// Whether it is a conflict.
    package internal(set) var isConflict = true
    /// Of a conflict, whether its line has the key of what people call the record; looked up only where an observer asks for it.
    package internal(set) var statesName = false
    /// When it happened, in milliseconds since 1970: of a conflict the later of its two writes.
    package internal(set) var milliseconds: Int64 = 0
    /// The number of the device that logged the line, -1 where it does not say.
    package internal(set) var source: Int32 = -1
    /// The number of the device that wrote, or won.
    package internal(set) var device: Int32 = 0
    /// The number of the type of record.
    package internal(set) var recordType: Int32 = 0
    /// Where the line begins in its block.
    package internal(set) var start: Int32 = 0

    /// Of a conflict the time of its line; of a write its number, 0 where it has none; of statistics the writes observed, of the log's own
    /// account the lines dropped.
    package internal(set) var count: Int64 = 0
    /// Of a write whether it carries a causal context, 0 or 1; of statistics how many of the writes observed did, -1 where they do not say.
    package internal(set) var contexts: Int64 = 0

    /// Of a write the hash of its dot, nil where it has no number; of a conflict that discarded something, see ``EditHash``.
    package internal(set) var dot: UInt64?

    // Of conflicts alone:

    /// The number of the device that lost.
    package internal(set) var loser: Int32 = 0
    /// The number of the record, its type included; of writes too where that is asked for.
    package internal(set) var record: Int32 = 0
    /// The number of the field, its type of record included; the whole record has one as well.
    package internal(set) var field: Int32 = 0
    /// The number of the two versions of the app, -1 where neither side tells its own.
    package internal(set) var apps: Int32 = -1
    /// The conflict's identity.
    package internal(set) var id: UInt64 = 0
    /// How far apart the timestamps were, in milliseconds; of statistics the edits put back, so that a line is no larger for their sake.
    package internal(set) var gap: Int64 = 0
    /// Kind, severity and the like, as one number.
    package internal(set) var traits = TraitsNumber(0)

    /// Says that another conflict has told of the loss.
    package mutating func markRepeated() { traits.markRepeated() }
}

/// The traits of a conflict as one number from 0 up to ``count``.
package struct TraitsNumber: BitwiseCopyable, Sendable {
    /// The number as it is stored, for hot loops of other modules, to which a call would matter.
    package let code: UInt32

    package var number: Int { Int(code) }

    /// How many different ones there are.
    package static let count = words << Conflict.Flag.allCases.count

    /// How many there are of the same flags.
    private static var words: Int { kinds * severities * bases * resolutions * reasons }

    /// A value for each, where severity, basis and flags alone decide about it.
    package static func table(_ value: (Conflict.Severity, Conflict.Basis, Conflict.Flags) -> UInt8) -> [UInt8] {
        var table: [UInt8] = []
        table.reserveCapacity(count)
        for flags in 0..<UInt8(count / words) {
            for _ in Conflict.Kind.allCases {
                for severity in Conflict.Severity.allCases {
                    for basis in Conflict.Basis.allCases {
                        table += repeatElement(value(severity, basis, Conflict.Flags(bits: flags)), count: resolutions * reasons)
                    }
                }
            }
        }
        return table
    }

    package init(_ number: Int) { code = UInt32(truncatingIfNeeded: number) }

    /// From the index of each word in its list.
    @inline(__always) package init(kind: Int, severity: Int, basis: Int, resolution: Int, reason: Int, flags: UInt8) {
        let sort = ((Int(flags) * Self.kinds + kind) * Self.severities + severity) * Self.bases + basis
        self.init((sort * Self.resolutions + resolution) * Self.reasons + reason)
    }

    // Written out, so that no list is looked at for each line; a test compares them with the lists.
    static var kinds: Int { 7 }
    static var severities: Int { 5 }
    static var bases: Int { 5 }
    static var resolutions: Int { 6 }
    static var reasons: Int { 7 }

    /// Whether the conflict waits for a decision.
    package var isPending: Bool { number / Self.reasons % Self.resolutions == Self.pending }
    /// Whether somebody has decided the conflict.
    package var isFinal: Bool {
        let resolution = number / Self.reasons % Self.resolutions
        return resolution == Self.resolved || resolution == Self.restored
    }
    private static let pending = Conflict.Resolution.allCases.firstIndex(of: .manualPending)
    private static let resolved = Conflict.Resolution.allCases.firstIndex(of: .manualResolved)
    private static let restored = Conflict.Resolution.allCases.firstIndex(of: .restored)

    package var basis: Conflict.Basis { Conflict.Basis.allCases[number / (Self.reasons * Self.resolutions) % Self.bases] }
    package var severity: Conflict.Severity {
        Conflict.Severity.allCases[number / (Self.reasons * Self.resolutions * Self.bases) % Self.severities]
    }
    fileprivate mutating func markRepeated() {
        self = TraitsNumber(number + Self.words << Conflict.Flag.repeated.rawValue)
    }

    /// Whether the line calls a clock suspect.
    package var isClockSuspect: Bool { Conflict.Flags(bits: UInt8(number / Self.words))[.clockSuspect] }

    /// Whether an edit was lost of which nothing had told before.
    package var losesEdit: Bool { severity.isLoss && !Conflict.Flags(bits: UInt8(number / Self.words))[.repeated] }
    package var kind: Conflict.Kind {
        Conflict.Kind.allCases[number / (Self.reasons * Self.resolutions * Self.bases * Self.severities) % Self.kinds]
    }

    /// What the number says.
    package var traits: Conflict.Traits {
        Conflict.Traits(
            kind: kind, severity: severity, basis: basis,
            resolution: Conflict.Resolution.allCases[number / Self.reasons % Self.resolutions],
            reason: Conflict.Reason.allCases[number % Self.reasons], flags: Conflict.Flags(bits: UInt8(number / Self.words)))
    }
}
