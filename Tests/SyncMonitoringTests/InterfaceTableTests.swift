import SyncMonitoring
import SyncOracle
import Testing

@Suite struct InterfaceTableTests {
    private typealias D = Datagram

    @Test func aRunningLineWithAnAddressAndAWayOutIsAConnection() {
        let table = InterfaceTable(D.link(1, "lo", type: 772, flags: 0x49), D.link(2, "eth0"), D.address(2), D.route(2))
        #expect(table.names() == ["eth0"])
        #expect(table.interfaces[1] == NetworkInterface(name: "lo", hardwareType: 772, isLoopback: true))
        #expect(table.interfaces[2] == NetworkInterface(name: "eth0"))
    }

    @Test func anEmptyTableHasNone() {
        #expect(InterfaceTable().names().isEmpty)
        #expect(InterfaceTable().names(needsDefaultRoute: false).isEmpty)
    }

    /// Whatever is missing, there is no connection.
    private static let incomplete: [(what: String, link: [UInt8], address: [UInt8], route: [UInt8])] = [
        ("switched off", Datagram.link(2, "eth0", flags: 0x0), Datagram.address(2), Datagram.route(2)),
        ("no carrier", Datagram.link(2, "eth0", flags: 0x1), Datagram.address(2), Datagram.route(2)),
        ("running and switched off", Datagram.link(2, "eth0", flags: 0x40), Datagram.address(2), Datagram.route(2)),
        ("no such line", [], Datagram.address(2), Datagram.route(2)),
        ("loopback", Datagram.link(2, "lo", flags: 0x49), Datagram.address(2), Datagram.route(2)),
        ("no address", Datagram.link(2, "eth0"), [], Datagram.route(2)),
        ("an address for the link only", Datagram.link(2, "eth0"), Datagram.address(2, scope: 253), Datagram.route(2)),
        ("an address for the machine only", Datagram.link(2, "eth0"), Datagram.address(2, scope: 254), Datagram.route(2)),
        ("an address still being checked", Datagram.link(2, "eth0"), Datagram.address(2, flags: 0x40), Datagram.route(2)),
        ("an address in use elsewhere", Datagram.link(2, "eth0"), Datagram.address(2, flags: 0x88), Datagram.route(2)),
        ("an address of another family", Datagram.link(2, "eth0"), Datagram.address(2, family: 10), Datagram.route(2)),
        ("another line's address", Datagram.link(2, "eth0"), Datagram.address(3), Datagram.route(2)),
        ("no route", Datagram.link(2, "eth0"), Datagram.address(2), []),
        ("a route to one network", Datagram.link(2, "eth0"), Datagram.address(2), Datagram.route(2, destinationLength: 24)),
        ("a route that refuses", Datagram.link(2, "eth0"), Datagram.address(2), Datagram.route(2, type: 7)),
        ("a dead route", Datagram.link(2, "eth0"), Datagram.address(2), Datagram.route(2, flags: 0x1)),
        ("a route over a dead line", Datagram.link(2, "eth0"), Datagram.address(2), Datagram.route(2, flags: 0x10)),
        ("a cached route", Datagram.link(2, "eth0"), Datagram.address(2), Datagram.route(2, flags: 0x200)),
        ("a dead hop", Datagram.link(2, "eth0"), Datagram.address(2), Datagram.route(nil, hops: [(2, 0x1)])),
    ]

    @Test(arguments: incomplete)
    func withoutAnyOneOfThemThereIsNone(what: String, link: [UInt8], address: [UInt8], route: [UInt8]) {
        #expect(InterfaceTable(link, address, route).names().isEmpty)
    }

    @Test func theLowestMetricComesFirst() {
        let lines = D.link(2, "eth0") + D.link(3, "wlan0") + D.address(2) + D.address(3)
        #expect(InterfaceTable(lines, D.route(2, metric: 100), D.route(3, metric: 600)).names() == ["eth0", "wlan0"])
        #expect(InterfaceTable(lines, D.route(2, metric: 600), D.route(3, metric: 100)).names() == ["wlan0", "eth0"])
        // Without a metric it is 0.
        #expect(InterfaceTable(lines, D.route(2, metric: 1), D.route(3)).names() == ["wlan0", "eth0"])
        #expect(InterfaceTable(lines, D.route(3), D.route(2)).names() == ["eth0", "wlan0"])
    }

    @Test func aLineWithTwoRoutesIsNamedOnce() {
        let line = D.link(2, "eth0") + D.address(2) + D.address(2, family: D.ipv6)
        #expect(InterfaceTable(line, D.route(2), D.route(2, family: D.ipv6, metric: 1024)).names() == ["eth0"])
    }

    @Test func everyHopOfARouteIsAWay() {
        let lines = D.link(2, "eth0") + D.link(3, "eth1") + D.address(2) + D.address(3)
        #expect(InterfaceTable(lines, D.route(nil, hops: [(3, 0), (2, 0)])).names() == ["eth0", "eth1"])
    }

    @Test func anAddressOnTheLoopbackInterfaceServesLinesWithoutOne() {
        let lines = D.link(1, "lo", flags: 0x49) + D.link(2, "eth0")
        #expect(InterfaceTable(lines, D.address(1), D.route(2)).names() == ["eth0"])
        #expect(InterfaceTable(lines, D.address(1, scope: 254), D.route(2)).names().isEmpty)
    }

    @Test func withoutADefaultRouteEveryAddressedLineCountsLast() {
        let lines = D.link(2, "eth0") + D.link(3, "wlan0") + D.link(4, "eth1", flags: 0x1) + D.link(1, "lo", flags: 0x49)
        let table = InterfaceTable(lines, D.address(1), D.address(2), D.address(3), D.address(4), D.route(3))
        #expect(table.names(needsDefaultRoute: true) == ["wlan0"])
        #expect(table.names(needsDefaultRoute: false) == ["wlan0", "eth0"])
    }

    // MARK: Types

    private static let types: [(interface: NetworkInterface, details: InterfaceDetails, type: ConnectionType)] = [
        (NetworkInterface(name: "eth0"), InterfaceDetails(), ConnectionType.wired),
        (NetworkInterface(name: "eth0", kind: "veth"), InterfaceDetails(), .wired),
        (NetworkInterface(name: "ib0", hardwareType: 32), InterfaceDetails(), .wired),
        (NetworkInterface(name: "wlan0"), InterfaceDetails(deviceType: "wlan"), .wifi),
        (NetworkInterface(name: "wlan0"), InterfaceDetails(isWireless: true), .wifi),
        (NetworkInterface(name: "mon0", hardwareType: 803), InterfaceDetails(), .wifi),
        (NetworkInterface(name: "usb0"), InterfaceDetails(deviceType: "wwan"), .cellular),
        (NetworkInterface(name: "wwan0", hardwareType: 519), InterfaceDetails(), .cellular),
        (NetworkInterface(name: "rmnet_data0", hardwareType: 519), InterfaceDetails(), .cellular),
        (NetworkInterface(name: "tap0", kind: "tun"), InterfaceDetails(), .unknown),
        (NetworkInterface(name: "wg0", hardwareType: 65534, kind: "wireguard"), InterfaceDetails(), .unknown),
        (NetworkInterface(name: "ppp0", hardwareType: 512), InterfaceDetails(), .unknown),
    ]

    @Test(arguments: types)
    func theTypeFollowsFromTheDeviceThenTheFrames(interface: NetworkInterface, details: InterfaceDetails, type: ConnectionType) {
        #expect(ConnectionType(interface, details) == type)
    }

    @Test func theKindIsReadFromTheNestedAttribute() {
        #expect(InterfaceTable(D.link(2, "t0", kind: "veth")).interfaces[2] == NetworkInterface(name: "t0", kind: "veth"))
    }

    // MARK: Bytes

    @Test func aRequestReadsAsAMessage() throws {
        let bytes = NetlinkMessage.dumpRequest(NetlinkMessage.getRoute, sequence: 7)
        let messages = NetlinkMessage.messages(in: NetlinkBytes(bytes[...]))
        let message = try #require(messages.first)
        #expect(messages.count == 1)
        #expect(message.type == NetlinkMessage.getRoute)
        #expect(message.sequence == 7)
        #expect(message.payload.count == 16)
    }

    @Test func readingOutsideGivesNothing() {
        let bytes = NetlinkBytes([1, 2, 3, 4, 5])
        #expect(bytes.uint8(at: 4) == 5)
        #expect(bytes.uint8(at: 5) == nil)
        #expect(bytes.uint8(at: -1) == nil)
        #expect(bytes.uint16(at: 4) == nil)
        #expect(bytes.uint32(at: 1) == UInt32(littleEndian: 0x0504_0302))
        #expect(bytes.uint32(at: 2) == nil)
        #expect(bytes.part(from: 3, to: 99).count == 2)
        #expect(bytes.part(from: 9, to: 3).count == 0)
    }

    @Test func aDatagramCutAnywhereGivesTheMessagesThatAreWhole() {
        let parts = [D.link(2, "eth0", kind: "veth"), D.address(2), D.route(2, metric: 5)]
        let whole = parts.flatMap(\.self)
        let ends = parts.indices.map { parts[...$0].map(\.count).reduce(0, +) }
        for count in 0...whole.count {
            let messages = NetlinkMessage.messages(in: NetlinkBytes(whole[..<count]))
            #expect(messages.count == ends.count { $0 <= count })
        }
    }

    @Test func anyBytesAreTakenWithoutATrap() {
        let sample = [
            D.link(2, "eth0", kind: "veth"), D.address(2), D.route(nil, metric: 5, hops: [(2, 0), (3, 1)]), D.route(2), D.link(3, "wlan0"),
        ]
        let whole = sample.flatMap(\.self)
        var generator = SplitMix64(seed: 6)
        var connected = 0
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0...40, using: &generator))
            if !InterfaceTable(bytes).names(needsDefaultRoute: false).isEmpty { connected += 1 }
        }
        // Most changes hit something unimportant, and some hit what matters; otherwise nothing was tried.
        #expect(connected > 10_000)
        #expect(connected < 20_000)
    }
}
