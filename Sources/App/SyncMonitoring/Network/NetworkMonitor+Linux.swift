#if os(Linux)
    import Dispatch
    import SyncSystem

    /// The network as the kernel knows it, read through netlink.
    ///
    /// The interfaces, addresses and routes are listed once and again after every event; nothing is polled.
    public struct SystemNetwork: NetworkStatusProvider {
        private let needsDefaultRoute: Bool
        private let deviceDirectory: String

        /// The system's network.
        ///
        /// - Parameter needsDefaultRoute: Whether only a way out to everywhere counts as a connection. Set it to false where the hub is on
        ///   the same local network and that may have no gateway; every running interface with an address counts then, those of virtual
        ///   machines and containers on this machine included.
        public init(needsDefaultRoute: Bool = true) {
            self.init(needsDefaultRoute: needsDefaultRoute, deviceDirectory: "/sys/class/net")
        }

        package init(needsDefaultRoute: Bool, deviceDirectory: String) {
            self.needsDefaultRoute = needsDefaultRoute
            self.deviceDirectory = deviceDirectory
        }

        /// Reports how things stand before it returns, and then after every change.
        ///
        /// Where the kernel does not answer later on, the last report stands until the next event.
        ///
        /// - Throws: ``SyncMonitoringError`` `networkUnknown` where the kernel does not tell.
        public func observe(_ report: @escaping @Sendable (NetworkStatus) -> Void) throws -> NetworkObservation {
            let linksAddressesAndRoutes: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
            // Events first: what changes during the first listing is not missed.
            let events = try NetlinkSocket(groups: linksAddressesAndRoutes)
            let requests = try NetlinkSocket(groups: 0)
            report(try status(requests))
            // Sound: cancelling is all that happens to it once it is active, and Dispatch lets any thread do that.
            nonisolated(unsafe) let source = DispatchSource.makeReadSource(
                fileDescriptor: events.descriptor, queue: DispatchQueue(label: "SyncLayer.network"))
            unsafe source.setEventHandler {
                events.drain()
                if let status = try? status(requests) { report(status) }
            }
            // Keeps the descriptor open until nobody waits on it any more.
            unsafe source.setCancelHandler { withExtendedLifetime(events) {} }
            unsafe source.activate()
            return NetworkObservation { unsafe source.cancel() }
        }

        private func status(_ requests: NetlinkSocket) throws -> NetworkStatus {
            let table = try InterfaceTable(requests)
            let types = table.connections(needsDefaultRoute: needsDefaultRoute).map { ConnectionType($0, details(of: $0)) }
            guard !types.isEmpty else { return .disconnected }
            // What a tunnel runs over shows in the line behind it.
            return .connected(types.first { $0 != .unknown } ?? .unknown)
        }

        private func details(of interface: NetworkInterface) -> InterfaceDetails {
            let directory = "\(deviceDirectory)/\(interface.name)"
            let word = "DEVTYPE="
            let lines = contents(of: "\(directory)/uevent").split(separator: "\n")
            return InterfaceDetails(
                deviceType: lines.first { $0.hasPrefix(word) }.map { String($0.dropFirst(word.count)) },
                isWireless: ["wireless", "phy80211"].contains { unsafe access("\(directory)/\($0)", F_OK) == 0 })
        }

        private func contents(of path: String) -> String {
            let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return "" }
            defer { close(descriptor) }
            // Files of this tree are one page long at most.
            return unsafe String(unsafeUninitializedCapacity: 4096) { buffer in
                max(0, unsafe read(descriptor, buffer.baseAddress, buffer.count))
            }
        }
    }

    extension InterfaceTable {
        /// Lists everything the kernel knows.
        package init(_ socket: NetlinkSocket) throws(SyncMonitoringError) {
            self.init()
            var messages: [NetlinkMessage] = []
            for (number, type) in [NetlinkMessage.getLink, NetlinkMessage.getAddress, NetlinkMessage.getRoute].enumerated() {
                try socket.dump(type, sequence: UInt32(number + 1)) { messages.append($0) }
            }
            for message in messages { apply(message) }
        }
    }
#endif
