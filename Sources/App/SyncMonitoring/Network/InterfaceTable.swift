/// A network interface as the kernel describes it.
package struct NetworkInterface: Hashable, Sendable {
    package let name: String
    /// The kernel's `ARPHRD` number: 1 is Ethernet and whatever looks like it.
    package let hardwareType: UInt16
    /// The driver's kind for interfaces made by software, such as `veth`; nil for hardware.
    package let kind: String?
    package let isLoopback: Bool
    /// Switched on, and the other end of the line answers.
    package let isRunning: Bool

    package init(name: String, hardwareType: UInt16 = 1, kind: String? = nil, isLoopback: Bool = false, isRunning: Bool = true) {
        self.name = name
        self.hardwareType = hardwareType
        self.kind = kind
        self.isLoopback = isLoopback
        self.isRunning = isRunning
    }
}

/// The interfaces, addresses and ways out that the kernel listed, and what follows from them.
package struct InterfaceTable: Sendable {
    private struct Address: Hashable {
        let interface: UInt32
        let family: UInt8
    }

    private struct DefaultRoute {
        let interface: UInt32
        let family: UInt8
        let metric: UInt32
    }

    package private(set) var interfaces: [UInt32: NetworkInterface] = [:]
    private var addresses: Set<Address> = []
    private var routes: [DefaultRoute] = []

    package init() {}

    /// The interfaces that connect this machine with others, the one that is used first first.
    ///
    /// An interface counts that is running, has an address of more than local use, and is a way out for that address family. All three are
    /// asked for because the kernel tells of a lost line or address before it takes the routes away, and tells of those not at all.
    ///
    /// - Parameter needsDefaultRoute: Whether only ways out to everywhere count. Otherwise the others stand behind them.
    package func connections(needsDefaultRoute: Bool) -> [NetworkInterface] {
        let usable = interfaces.filter { $0.value.isRunning && !$0.value.isLoopback }
        // An address on the loopback interface serves all lines, as where lines have no addresses of their own.
        let shared = Set(addresses.filter { interfaces[$0.interface]?.isLoopback == true }.map(\.family))
        let ways =
            routes
            .filter { shared.contains($0.family) || addresses.contains(Address(interface: $0.interface, family: $0.family)) }
            .sorted { ($0.metric, $0.interface) < ($1.metric, $1.interface) }
            .map(\.interface)
        let others = needsDefaultRoute ? [] : addresses.map(\.interface).sorted()
        var known: Set<UInt32> = []
        return (ways + others).compactMap { known.insert($0).inserted ? usable[$0] : nil }
    }

    // MARK: Reading

    /// Takes in one message of a listing.
    package mutating func apply(_ message: NetlinkMessage) {
        switch message.type {
        case NetlinkMessage.newLink: applyLink(message.payload)
        case NetlinkMessage.newAddress: applyAddress(message.payload)
        case NetlinkMessage.newRoute: applyRoute(message.payload)
        default: break
        }
    }

    private mutating func applyLink(_ payload: NetlinkBytes) {
        guard let type = payload.uint16(at: 2), let index = payload.uint32(at: 4), let flags = payload.uint32(at: 8) else { return }
        let attributes = payload.attributes(from: 16)
        guard let name = attributes[3]?.text, !name.isEmpty else { return }
        let up: UInt32 = 0x1
        let loopback: UInt32 = 0x8
        let running: UInt32 = 0x40
        interfaces[index] = NetworkInterface(
            name: name, hardwareType: type, kind: attributes[18]?.attributes(from: 0)[1]?.text, isLoopback: flags & loopback != 0,
            isRunning: flags & (up | running) == up | running)
    }

    private mutating func applyAddress(_ payload: NetlinkBytes) {
        guard let family = payload.uint8(at: 0), let flags = payload.uint8(at: 2), let scope = payload.uint8(at: 3),
            let index = payload.uint32(at: 4)
        else { return }
        // Still to be found free of duplicates, or found not to be.
        let isPending: UInt8 = 0x40 | 0x08
        let linkScope: UInt8 = 253
        if flags & isPending == 0, scope < linkScope { addresses.insert(Address(interface: index, family: family)) }
    }

    private mutating func applyRoute(_ payload: NetlinkBytes) {
        guard let family = payload.uint8(at: 0), let destinationLength = payload.uint8(at: 1), let type = payload.uint8(at: 7),
            let flags = payload.uint32(at: 8)
        else { return }
        let unicast: UInt8 = 1
        let isDeadOrCached: UInt32 = 0x1 | 0x10 | 0x200
        guard destinationLength == 0, type == unicast, flags & isDeadOrCached == 0 else { return }
        let attributes = payload.attributes(from: 12)
        let metric = attributes[6]?.uint32(at: 0) ?? 0
        if let interface = attributes[4]?.uint32(at: 0) {
            routes.append(DefaultRoute(interface: interface, family: family, metric: metric))
        }
        var hops = attributes[9] ?? NetlinkBytes([])
        while let length = hops.uint16(at: 0), length >= 8, let hopFlags = hops.uint8(at: 2), let interface = hops.uint32(at: 4) {
            if UInt32(hopFlags) & isDeadOrCached == 0 {
                routes.append(DefaultRoute(interface: interface, family: family, metric: metric))
            }
            hops = hops.part(from: NetlinkBytes.aligned(Int(length)), to: hops.count)
        }
    }
}
