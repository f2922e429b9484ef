/// What a device needs somebody for, the most urgent first.
package enum DeviceNeed: String, Hashable, Comparable, Sendable, CaseIterable {
    /// It has not synced for a week by the time at which the logs end, or never.
    case silent
    /// It has not synced for a day, or what it wrote waits to be sent for a day, or too much waits.
    case behind
    /// Its last attempt failed.
    case failing
    /// What it stores has no room left.
    case outOfSpace
    /// Nobody is signed in, or the account may not be used.
    case signedOut
    /// Its clock is off.
    case clockOff
    /// The hub refused writes of it, or they are too large.
    case refused
    /// Its store will soon have no room left.
    case fillingUp
    /// Its log lacks its end: others have later writes of it.
    case cutOff
    /// Other logs name it, and there is no log of it.
    case unlogged
    /// It has no network.
    case offline
    /// It goes on under several names, as a store does that was copied or put back.
    case copied
    /// Nothing tells whether it syncs.
    case untold
    /// It has synced within a day of the end of the logs, and nothing else is wrong.
    case good

    /// Whether a person should look at it.
    package var needsAttention: Bool { self < .offline }

    /// The state in a word or two.
    package var label: String {
        switch self {
        case .silent, .behind, .failing, .offline, .good: rawValue
        case .outOfSpace: "out of space"
        case .signedOut: "signed out"
        case .clockOff: "clock off"
        case .refused: "writes refused"
        case .fillingUp: "store fills up"
        case .cutOff: "log cut off"
        case .unlogged: "no log"
        case .copied: "store copied"
        case .untold: "no sync told"
        }
    }

    private static let ranks = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))

    /// Its position in the order of urgency, 0 for the most urgent.
    package var rank: Int { Self.ranks[self] ?? 0 }

    /// Whether the left one is the more urgent.
    package static func < (left: DeviceNeed, right: DeviceNeed) -> Bool { left.rank < right.rank }
}
