/// What a connection runs over.
///
/// The raw values stand in the log.
///
/// ```swift
/// if network.connectionType == .cellular { print("pictures wait for Wi-Fi") }
/// ```
public enum ConnectionType: String, Hashable, Sendable, CaseIterable {
    /// A wireless local network.
    case wifi
    /// A mobile network.
    case cellular
    /// A cable.
    case wired
    /// Something else, or it is not known: a tunnel, for instance.
    case unknown
}

/// Whether there is a network, and what it runs over.
///
/// ```swift
/// let status = NetworkStatus.connected(.wifi)
/// print(status.isConnected)  // true
/// ```
public struct NetworkStatus: Hashable, Sendable {
    /// Whether there is a network.
    public let isConnected: Bool

    /// What it runs over; ``ConnectionType/unknown`` where there is none.
    public let connectionType: ConnectionType

    private init(isConnected: Bool, connectionType: ConnectionType) {
        self.isConnected = isConnected
        self.connectionType = connectionType
    }

    /// There is a network.
    public static func connected(_ type: ConnectionType) -> NetworkStatus { NetworkStatus(isConnected: true, connectionType: type) }

    /// There is none.
    public static let disconnected = NetworkStatus(isConnected: false, connectionType: .unknown)
}

/// Knows whether there is a network.
///
/// ```swift
/// struct AlwaysThere: NetworkStatusProvider {
///     func observe(_ report: @escaping @Sendable (NetworkStatus) -> Void) throws -> NetworkObservation {
///         report(.connected(.wired))
///         return NetworkObservation {}
///     }
/// }
/// ```
public protocol NetworkStatusProvider: Sendable {
    /// Reports how things stand as soon as that is known, and then every change, until the observation is cancelled or released.
    ///
    /// - Parameter report: Called from any thread, one call at a time; may be called before this function returns, and with a status that
    ///   is no news.
    /// - Throws: What keeps it from knowing.
    func observe(_ report: @escaping @Sendable (NetworkStatus) -> Void) throws -> NetworkObservation
}

/// Keeps reports coming until it is cancelled or released.
///
/// Thread-safe.
///
/// ```swift
/// let observation = try provider.observe { print($0.isConnected) }
/// observation.cancel()
/// ```
public final class NetworkObservation: Sendable {
    private let stop: @Sendable () -> Void

    /// An observation.
    ///
    /// - Parameter stop: Ends the reports. Called at least once and perhaps several times, from any thread.
    public init(_ stop: @escaping @Sendable () -> Void) {
        self.stop = stop
    }

    /// Ends the reports, but for one that may be under way.
    ///
    /// Doing it again changes nothing.
    public func cancel() { stop() }

    deinit { stop() }
}
