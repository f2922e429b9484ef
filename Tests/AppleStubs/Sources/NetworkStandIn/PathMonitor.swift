// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// A stand-in for Apple's Network where that is not to be had: the declarations that the network's monitor uses, named and typed as Apple documents them, on
// the page below developer.apple.com/documentation/ that is beside each type. Paths
// are handed out by hand, to every monitor that has started, on its queue.

import Foundation

// network/nwinterface
public struct NWInterface: Hashable, Sendable {
    public enum InterfaceType: Hashable, Sendable, CaseIterable {
        case other
        case wifi
        case cellular
        case wiredEthernet
        case loopback
    }
}

// network/nwpath
public struct NWPath: Hashable, Sendable {
    public enum Status: Hashable, Sendable {
        case satisfied
        case unsatisfied
        case requiresConnection
    }

    public let status: Status
    private let types: Set<NWInterface.InterfaceType>

    public init(_ status: Status, _ types: Set<NWInterface.InterfaceType> = []) {
        self.status = status
        self.types = types
    }

    public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { types.contains(type) }
}

// network/nwpathmonitor
public final class NWPathMonitor: @unchecked Sendable {
    // Sound: both are reached with `lock` held, but for the handler, which is set before the start.
    private static let lock = NSLock()
    nonisolated(unsafe) private static var started: [ObjectIdentifier: (monitor: NWPathMonitor, queue: DispatchQueue)] = [:]
    nonisolated(unsafe) private static var path = NWPath(.satisfied, [.wifi])

    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?

    public init() {}

    /// How many monitors have started and were not cancelled.
    public static var running: Int { lock.withLock { started.count } }

    /// Changes the system's path.
    public static func change(to path: NWPath) {
        let all = lock.withLock {
            Self.path = path
            return Array(started.values)
        }
        for (monitor, queue) in all { queue.sync { monitor.pathUpdateHandler?(path) } }
    }

    /// Hands out the path that there is, and then every change.
    public func start(queue: DispatchQueue) {
        let path = Self.lock.withLock {
            Self.started[ObjectIdentifier(self)] = (self, queue)
            return Self.path
        }
        queue.async { self.pathUpdateHandler?(path) }
    }

    public func cancel() { _ = Self.lock.withLock { Self.started.removeValue(forKey: ObjectIdentifier(self)) } }
}
