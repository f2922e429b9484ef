/// One message of the kernel's routing socket.
///
/// Nothing here asks the system, so it is the same everywhere and can be given any bytes. Source: RFC 3549 and rtnetlink(7); the kernel
/// writes integers in the machine's own byte order.
package struct NetlinkMessage {
    package let type: UInt16
    package let sequence: UInt32
    /// What follows the header.
    package let payload: NetlinkBytes

    package static let error: UInt16 = 2
    package static let done: UInt16 = 3
    package static let newLink: UInt16 = 16
    package static let getLink: UInt16 = 18
    package static let newAddress: UInt16 = 20
    package static let getAddress: UInt16 = 22
    package static let newRoute: UInt16 = 24
    package static let getRoute: UInt16 = 26

    private static let headerSize = 16

    /// The messages in a datagram, up to the first that does not fit.
    package static func messages(in bytes: NetlinkBytes) -> [NetlinkMessage] {
        var rest = bytes
        var messages: [NetlinkMessage] = []
        while let length = rest.uint32(at: 0), length >= headerSize, length <= rest.count, let type = rest.uint16(at: 4),
            let sequence = rest.uint32(at: 8)
        {
            messages.append(NetlinkMessage(type: type, sequence: sequence, payload: rest.part(from: headerSize, to: Int(length))))
            rest = rest.part(from: NetlinkBytes.aligned(Int(length)), to: rest.count)
        }
        return messages
    }

    /// A request for everything of a kind, in every address family.
    package static func dumpRequest(_ type: UInt16, sequence: UInt32) -> [UInt8] {
        let isRequestForAll: UInt16 = 0x301
        // As long as the longest body of the three kinds, and zero all over: no filter.
        let body = 16
        var bytes: [UInt8] = []
        bytes.appendNative(UInt32(headerSize + body))
        bytes.appendNative(type)
        bytes.appendNative(isRequestForAll)
        bytes.appendNative(sequence)
        bytes.appendNative(UInt32(0))
        return bytes + [UInt8](repeating: 0, count: body)
    }
}
