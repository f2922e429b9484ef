#if os(Linux)
    import SyncSystem

    /// A socket to the kernel's routing tables, closed with the last reference to it.
    ///
    /// The calls into the system are here and nowhere else; what crosses the border are arrays. One thread at a time may use it.
    package final class NetlinkSocket: Sendable {
        package let descriptor: Int32

        /// Opens a socket.
        ///
        /// - Parameter groups: The events to be sent, as a set of `RTMGRP` bits.
        /// - Throws: ``SyncMonitoringError`` `networkUnknown`: such sockets may be forbidden.
        package init(groups: UInt32) throws(SyncMonitoringError) {
            // The libraries give these as different types; the numbers are the same on every architecture that Swift has for Linux.
            let routingFamily: Int32 = 16
            let rawAndCloseOnExec: Int32 = 3 | 0o2000000
            descriptor = socket(routingFamily, rawAndCloseOnExec, 0)
            guard descriptor >= 0 else { throw Self.failure("cannot be opened") }
            let address = KernelAddress(groups: groups)
            let result = unsafe withUnsafePointer(to: address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, KernelAddress.size) }
            }
            guard result == 0 else {
                let failure = Self.failure("cannot be bound")
                close(descriptor)
                throw failure
            }
            // The kernel answers at once. Should it not, whoever waits is not to wait for ever.
            var timeout = timeval(tv_sec: 5, tv_usec: 0)
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }

        deinit { close(descriptor) }

        /// Asks for everything of a kind and waits for the answer.
        ///
        /// A listing may be marked as interrupted by a change. That is passed over: the change has sent an event, and after that one looks
        /// again.
        package func dump(_ type: UInt16, sequence: UInt32, _ body: (NetlinkMessage) -> Void) throws(SyncMonitoringError) {
            let request = NetlinkMessage.dumpRequest(type, sequence: sequence)
            guard unsafe send(descriptor, request, request.count, 0) == request.count else { throw Self.failure("takes no request") }
            while true {
                guard let datagram = receive(flags: 0) else { throw Self.failure("does not answer") }
                for message in NetlinkMessage.messages(in: datagram) where message.sequence == sequence {
                    switch message.type {
                    case NetlinkMessage.done: return
                    case NetlinkMessage.error: throw SyncMonitoringError(.networkUnknown, "the kernel refuses to list the network's parts")
                    default: body(message)
                    }
                }
            }
        }

        /// Takes what has come in.
        ///
        /// What it was is not looked at: a lost event could not be told from none, so one looks at the whole again in any case.
        package func drain() {
            while receive(flags: Int32(MSG_DONTWAIT)) != nil || errno == ENOBUFS {}
        }

        /// One datagram from the kernel; nil, and `errno` set, where there is none.
        private func receive(flags: Int32) -> NetlinkBytes? {
            while true {
                var sender = KernelAddress(groups: 0)
                var length = KernelAddress.size
                let datagram = unsafe [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
                    count = unsafe withUnsafeMutablePointer(to: &sender) { pointer in
                        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                            max(0, unsafe recvfrom(descriptor, buffer.baseAddress, buffer.count, flags, $0, &length))
                        }
                    }
                }
                if datagram.isEmpty {
                    if errno == EINTR { continue }
                    return nil
                }
                // Other processes can send to this socket too, and have nothing to say here.
                if sender.port == 0 { return NetlinkBytes(datagram[...]) }
            }
        }

        private static func failure(_ what: String) -> SyncMonitoringError {
            let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
            return SyncMonitoringError(
                .networkUnknown, "the routing socket \(what): \(reason); where netlink is forbidden, use a provider of your own")
        }
    }

    /// `sockaddr_nl`, which the libraries' modules leave out.
    private struct KernelAddress {
        var family: UInt16 = 16
        var padding: UInt16 = 0
        /// 0 is the kernel.
        var port: UInt32 = 0
        var groups: UInt32

        static let size = socklen_t(MemoryLayout<KernelAddress>.size)

        init(groups: UInt32) { self.groups = groups }
    }
#endif
