import SyncMonitoring

/// Datagrams as the kernel writes them, from what they say.
enum Datagram {
    static let ipv4: UInt8 = 2
    static let ipv6: UInt8 = 10

    static func message(_ type: UInt16, sequence: UInt32 = 1, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendNative(UInt32(16 + payload.count))
        bytes.appendNative(type)
        bytes.appendNative(UInt16(2))
        bytes.appendNative(sequence)
        bytes.appendNative(UInt32(0))
        return padded(bytes + payload)
    }

    static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendNative(UInt16(4 + value.count))
        bytes.appendNative(type)
        return padded(bytes + value)
    }

    static func attribute(_ type: UInt16, _ value: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendNative(value)
        return attribute(type, bytes)
    }

    /// An interface; running unless the flags say otherwise: 1 up, 8 loopback, 0x40 running.
    static func link(_ index: UInt32, _ name: String, type: UInt16 = 1, flags: UInt32 = 0x41, kind: String? = nil) -> [UInt8] {
        var bytes: [UInt8] = [0, 0]
        bytes.appendNative(type)
        bytes.appendNative(index)
        bytes.appendNative(flags)
        bytes.appendNative(UInt32(0))
        // The mtu, then the name, then what made the interface: nested, with the bit that says so.
        bytes += attribute(4, 1500) + attribute(3, Array(name.utf8) + [0])
        if let kind { bytes += attribute(18 | 0x8000, attribute(1, Array(kind.utf8) + [0])) }
        return message(NetlinkMessage.newLink, bytes)
    }

    static func address(_ interface: UInt32, family: UInt8 = ipv4, flags: UInt8 = 0x80, scope: UInt8 = 0) -> [UInt8] {
        var bytes: [UInt8] = [family, 24, flags, scope]
        bytes.appendNative(interface)
        return message(NetlinkMessage.newAddress, bytes)
    }

    static func route(
        _ interface: UInt32?, family: UInt8 = ipv4, destinationLength: UInt8 = 0, type: UInt8 = 1, flags: UInt32 = 0, metric: UInt32? = nil,
        hops: [(interface: UInt32, flags: UInt8)] = []
    ) -> [UInt8] {
        var bytes: [UInt8] = [family, destinationLength, 0, 0, 254, 3, 0, type]
        bytes.appendNative(flags)
        if let metric { bytes += attribute(6, metric) }
        if let interface { bytes += attribute(4, interface) }
        if !hops.isEmpty {
            var list: [UInt8] = []
            for hop in hops {
                // Each with a gateway behind it.
                list.appendNative(UInt16(8 + 8))
                list += [hop.flags, 0]
                list.appendNative(hop.interface)
                list += attribute(5, 0x0101_a8c0)
            }
            bytes += attribute(9, list)
        }
        return message(NetlinkMessage.newRoute, bytes)
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: NetlinkBytes.aligned(bytes.count) - bytes.count)
    }
}

extension InterfaceTable {
    /// What the datagrams say.
    init(_ datagrams: [UInt8]...) {
        self.init()
        for message in NetlinkMessage.messages(in: NetlinkBytes(datagrams.flatMap(\.self)[...])) { apply(message) }
    }

    func names(needsDefaultRoute: Bool = true) -> [String] {
        connections(needsDefaultRoute: needsDefaultRoute).map(\.name)
    }
}
