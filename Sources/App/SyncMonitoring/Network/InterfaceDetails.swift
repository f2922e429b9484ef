/// What the system's device tree tells about an interface beyond what the kernel's routing socket does.
package struct InterfaceDetails: Hashable, Sendable {
    /// The driver's word for the sort of device, such as `wlan`; nil where it has none.
    package var deviceType: String?
    /// Whether the interface belongs to a radio for wireless local networks.
    package var isWireless = false

    package init(deviceType: String? = nil, isWireless: Bool = false) {
        self.deviceType = deviceType
        self.isWireless = isWireless
    }
}

extension ConnectionType {
    /// Tells an interface's type by the device's word for itself, then by the kind of frames, and by the name where nothing else tells.
    package init(_ interface: NetworkInterface, _ details: InterfaceDetails) {
        let ethernet: UInt16 = 1
        let infiniband: UInt16 = 32
        let rawWireless: ClosedRange<UInt16> = 801...803
        // They carry frames like a cable's over something else, and what that is shows in another interface.
        let tunnels: Set = ["tun", "vxlan", "geneve", "gretap", "ip6gretap"]
        if details.isWireless || details.deviceType == "wlan" || rawWireless.contains(interface.hardwareType) {
            self = .wifi
        } else if details.deviceType == "wwan" || interface.name.hasPrefix("wwan") || interface.name.hasPrefix("rmnet") {
            self = .cellular
        } else if interface.hardwareType == infiniband {
            self = .wired
        } else if interface.hardwareType == ethernet, interface.kind.map({ !tunnels.contains($0) }) ?? true {
            self = .wired
        } else {
            self = .unknown
        }
    }
}
