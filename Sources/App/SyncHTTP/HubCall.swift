public import SyncLayer
public import SyncModel

/// One call of a ``/SyncLayer/Hub``, as it crosses a network; <doc:TheWire> is the page of its requests and answers.
///
/// ```swift
/// let call = HubCall.pull(PullRequest(device: "iPad", cursor: 40), wait: .seconds(25))
/// let request = call.request(space: "team")  // GET /v1/spaces/team/writes?device=iPad&after=40&limit=500&wait=25
/// ```
public enum HubCall: Hashable, Sendable {
    /// ``/SyncLayer/Hub/now()``.
    case time
    /// ``/SyncLayer/Hub/push(_:)``.
    case push(PushRequest)
    /// ``/SyncLayer/Hub/pull(_:)``; where there is nothing, the server may wait for a time, in whole seconds, until there is.
    case pull(PullRequest, wait: Duration = .zero)
    /// ``/SyncLayer/Hub/giveBack(_:)``.
    case giveBack(GivenBackWrites)
    /// ``/SyncLayer/Hub/report(_:)``.
    case report(DeviceReport)
    /// ``/SyncLayer/Hub/devices()``.
    case devices
    /// ``/SyncLayer/Hub/settled()``.
    case settled
    /// ``/SyncLayer/Hub/forget(_:)``.
    case forget(DeviceID)

    /// The device in whose name the call is made; nil where it is made in nobody's.
    public var device: DeviceID? {
        switch self {
        case .push(let request): request.device
        case .pull(let request, _): request.device
        case .giveBack(let given): given.device
        case .report(let report): report.device
        case .time, .devices, .settled, .forget: nil
        }
    }
}

/// The name of one set of data at a server, with a hub of its own: what a team, or a user with their devices, shares.
///
/// It can be the name of a file everywhere: 1 to 64 small letters, digits, `-` and `_`, the first no sign.
///
/// ```swift
/// let space = SpaceName(named: "team-7")  // nil for "../team", "Team" and ""
/// ```
public struct SpaceName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name.
    public let description: String

    /// A space; nil where a text cannot be its name.
    public init?(named name: String) {
        let isAllowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard isAllowed, (1...64).contains(name.utf8.count), !name.hasPrefix("-"), !name.hasPrefix("_") else { return nil }
        description = name
    }

    /// A space by a literal.
    ///
    /// - Precondition: It can be a name.
    public init(stringLiteral name: String) {
        guard let space = SpaceName(named: name) else { preconditionFailure("\(name) cannot be the name of a space") }
        self = space
    }
}
