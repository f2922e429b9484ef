import SyncMerge

extension Conflict {
    /// What is so of a conflict or is not, each a Boolean key of its line.
    package enum Flag: UInt8, Hashable, Sendable, CaseIterable {
        case withinWindow
        case clockSuspect
        case stale
        case cleared
        case repeated
        case bookkeeping

        /// The key on a line.
        package var key: StaticString {
            switch self {
            case .withinWindow: "withinWindow"
            case .clockSuspect: "clockSuspect"
            case .stale: "stale"
            case .cleared: "cleared"
            case .repeated: "repeated"
            case .bookkeeping: "bookkeeping"
            }
        }

        /// Whether every line of a conflict has the key; the others are left out where they are not so.
        package var isOnEveryLine: Bool { self == .withinWindow || self == .clockSuspect }

        /// Those that are left out of a line where they are not so, in the order of a line.
        package static let optional = allCases.filter { !$0.isOnEveryLine }
    }

    /// A set of flags.
    package struct Flags: Hashable, BitwiseCopyable, Sendable {
        /// Flag *n* as bit *n*.
        package var bits: UInt8

        /// The flags of a number, by default none.
        package init(bits: UInt8 = 0) { self.bits = bits }

        /// The flags that are so, in their order.
        package var all: [Flag] { Flag.allCases.filter { self[$0] } }

        /// Whether it is so.
        package subscript(flag: Flag) -> Bool {
            get { bits & 1 << flag.rawValue != 0 }
            set { bits = newValue ? bits | 1 << flag.rawValue : bits & ~(1 << flag.rawValue) }
        }
    }

    /// All that is said of a conflict in words of fixed lists: what can be counted without a name from data.
    package struct Traits: Hashable, Sendable {
        package let kind: Kind
        package let severity: Severity
        package let basis: Basis
        package let resolution: Resolution
        package let reason: Reason
        package let flags: Flags

        package init(kind: Kind, severity: Severity, basis: Basis, resolution: Resolution, reason: Reason, flags: Flags) {
            self.kind = kind
            self.severity = severity
            self.basis = basis
            self.resolution = resolution
            self.reason = reason
            self.flags = flags
        }

        /// Whether an edit was lost of which nothing had told before.
        package var losesEdit: Bool { severity.isLoss && !flags[.repeated] }
    }

    /// Whether an edit was lost of which no earlier conflict of the same audit had told: a put that repeats an edit, as the save of a form
    /// does, loses it once more.
    public var losesEdit: Bool { traits.losesEdit }

    package var traits: Traits {
        Traits(kind: kind, severity: severity, basis: basis, resolution: resolution, reason: reason, flags: flags)
    }
}
