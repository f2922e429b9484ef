import SyncHTTP
import SyncModel

/// Who may do what, by a file of one line for each device: its token, its space and its name.
///
///     9f3c1f0a77aa4c52b1d0c1c6f7a1e0aa  team  iPhone
///     52b1d0c1c6f7a1e0aa9f3c1f0a77aa4c  team  iPad
///
/// A token speaks for its device, and for what the device calls itself once its store was put back; in its space it reads everything. The
/// devices of a space trust each other: to a hub that was put back each may bring writes of all of them, and so could make them up. Lines
/// that are blank or begin with `#` say nothing. Who manages devices has `*` for a name: that token may speak for all, and forget one.
public struct Tokens: Sendable {
    private struct Grant: Sendable {
        let space: SpaceName
        /// Nil for all.
        let device: DeviceID?
    }

    /// Why a file cannot be used.
    public struct Failure: Error, CustomStringConvertible {
        /// A sentence without its full stop.
        public let description: String
    }

    private var grants: [String: Grant] = [:]

    /// The spaces that there are.
    public var spaces: Set<SpaceName> { Set(grants.values.map(\.space)) }

    /// Reads the text of a file.
    public init(_ text: String) throws(Failure) {
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            guard words.count == 3, let space = SpaceName(named: words[1]) else {
                throw Failure(description: "line \(number + 1): a token, a space and a device's name are expected")
            }
            guard words[0].utf8.count >= 16 else {
                throw Failure(description: "line \(number + 1): a token of fewer than 16 characters can be guessed: openssl rand -hex 16")
            }
            let grant = Grant(space: space, device: words[2] == "*" ? nil : DeviceID(words[2]))
            if grants.updateValue(grant, forKey: words[0]) != nil {
                throw Failure(description: "line \(number + 1): the token is there twice")
            }
        }
    }

    /// Decides about a call.
    public func access(_ token: String?, _ space: SpaceName, _ call: HubCall) -> HubAccess {
        guard let token, let grant = grants[token] else { return .unknown }
        guard grant.space == space else { return .forbidden("the token is not of the space \(space)") }
        if let refusal = SpaceAudits.refusal(of: call) { return refusal }
        guard let own = grant.device else { return .allowed }
        if case .forget = call { return .forbidden("a device forgets no other: use a token for all devices") }
        if let device = call.device, !device.isName(of: own) { return .forbidden("the token is that of \(own), not of \(device)") }
        if case .report(let report) = call, let predecessor = report.predecessor, !predecessor.isName(of: own) {
            return .forbidden("the token is that of \(own), which never was \(predecessor)")
        }
        return .allowed
    }
}

extension DeviceID {
    /// Whether it is a device's name, or what the device calls itself since its store was put back: the name, `~` and eight digits.
    fileprivate func isName(of device: DeviceID) -> Bool {
        let (name, own) = (Array(rawValue.utf8), Array(device.rawValue.utf8))
        guard name.starts(with: own) else { return false }
        let rest = name.dropFirst(own.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "~") && rest.count == 9 && rest.dropFirst().allSatisfy(Self.isHexDigit)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
