#if os(Linux)
    import Foundation
    import Glibc
    import SyncMonitoring
    import Testing

    /// The kernel's own answers, on a network made for the test.
    @Suite(.serialized, .timeLimit(.minutes(10)))
    struct SystemNetworkTests {
        @Test func theKernelListsTheInterfacesOfThisMachine() throws {
            let table = try InterfaceTable(NetlinkSocket(groups: 0))
            let names = try FileManager.default.contentsOfDirectory(atPath: "/sys/class/net")
                .filter { FileManager.default.fileExists(atPath: "/sys/class/net/\($0)/ifindex") }
            #expect(Set(table.interfaces.values.map(\.name)) == Set(names))
            #expect(table.interfaces.values.filter(\.isLoopback).map(\.name) == ["lo"])
        }

        @Test func theFirstReportComesBeforeObservingReturns() throws {
            let reports = Reports()
            let observation = try SystemNetwork().observe(reports.take)
            #expect(reports.all.count >= 1)
            observation.cancel()
        }

        @Test(.enabled("needs the right to make a network of one's own") { await TestNetwork.isPossible() })
        func everyChangeThatMakesOrBreaksTheConnectionIsSeen() async throws {
            try await TestNetwork.run { network in
                let (anywhere, local) = (Reports(), Reports())
                let observations = [
                    try SystemNetwork(needsDefaultRoute: true, deviceDirectory: "/nowhere").observe(anywhere.take),
                    try SystemNetwork(needsDefaultRoute: false, deviceDirectory: "/nowhere").observe(local.take),
                ]
                defer { for observation in observations { observation.cancel() } }
                #expect(anywhere.all == [.disconnected])

                try network.addLine("t0", metric: nil)
                try local.wait(for: .connected(.wired))
                #expect(anywhere.changes == [.disconnected])

                try network.ip("route add default via 10.0.0.1 dev t0")
                try anywhere.wait(for: .connected(.wired))
                try network.ip("link set t0-end down")
                try anywhere.wait(for: .disconnected)
                try network.ip("link set t0-end up")
                try anywhere.wait(for: .connected(.wired))
                try network.ip("route del default")
                try anywhere.wait(for: .disconnected)
                try network.ip("route add default via 10.0.0.1 dev t0")
                try anywhere.wait(for: .connected(.wired))
                try network.ip("addr flush dev t0")
                try anywhere.wait(for: .disconnected)
                try network.ip("addr add 10.0.0.2/24 dev t0")
                try network.ip("route add default via 10.0.0.1 dev t0")
                try anywhere.wait(for: .connected(.wired))
                try network.ip("link del t0")
                try anywhere.wait(for: .disconnected)
                try local.wait(for: .disconnected)

                // Nothing else was reported in between.
                let pair: [NetworkStatus] = [.disconnected, .connected(.wired)]
                #expect(anywhere.changes == pair + pair + pair + pair + [.disconnected])
            }
        }

        @Test(.enabled("needs the right to make a network of one's own") { await TestNetwork.isPossible() })
        func theTypeIsThatOfTheLineInUse() async throws {
            let devices = FileManager.default.temporaryDirectory.appending(path: "SyncLayerTests-\(UUID())")
            defer { try? FileManager.default.removeItem(at: devices) }
            for name in ["t1", "t2/phy80211"] {
                try FileManager.default.createDirectory(at: devices.appending(path: name), withIntermediateDirectories: true)
            }
            try Data("MAJOR=1\nDEVTYPE=wwan\nINTERFACE=t1\n".utf8).write(to: devices.appending(path: "t1/uevent"))

            try await TestNetwork.run { network in
                let reports = Reports()
                let observation = try SystemNetwork(needsDefaultRoute: true, deviceDirectory: devices.path()).observe(reports.take)
                defer { observation.cancel() }
                try network.addLine("t1", metric: 700)
                try reports.wait(for: .connected(.cellular))
                try network.addLine("t2", metric: 600)
                try reports.wait(for: .connected(.wifi))
                try network.addLine("t3", metric: 100)
                try reports.wait(for: .connected(.wired))
                try network.ip("link set t3-end down")
                try reports.wait(for: .connected(.wifi))
                try network.ip("link set t2 down")
                try reports.wait(for: .connected(.cellular))
            }
        }

        @Test(.enabled("needs the right to make a network of one's own") { await TestNetwork.isPossible() })
        func aCancelledObservationIsSilentAndLetsItsSocketsGo() async throws {
            try await TestNetwork.run { network in
                let before = try openSockets()
                let (cancelled, other) = (Reports(), Reports())
                let observation = try SystemNetwork().observe(cancelled.take)
                #expect(try openSockets() == before + 2)
                observation.cancel()
                observation.cancel()
                let witness = try SystemNetwork().observe(other.take)
                defer { witness.cancel() }
                try network.addLine("t0", metric: 1)
                try other.wait(for: .connected(.wired))
                #expect(cancelled.all == [.disconnected])
                #expect(try openSockets() == before + 2)
            }
        }

        /// The routing sockets that this process has open.
        ///
        /// The suite is serialized, so no other test opens one meanwhile.
        private func openSockets() throws -> Int {
            let inodes = try String(contentsOfFile: "/proc/thread-self/net/netlink", encoding: .utf8)
                .split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").last }
            let targets = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            return inodes.count { targets.contains("socket:[\($0)]") }
        }
    }

    /// What was reported, for a thread that waits.
    private final class Reports: @unchecked Sendable {
        // Sound: reached between lock and unlock of `condition` only.
        private var reports: [NetworkStatus] = []
        private let condition = NSCondition()

        func take(_ status: NetworkStatus) {
            condition.withLock {
                reports.append(status)
                condition.broadcast()
            }
        }

        var all: [NetworkStatus] { condition.withLock { reports } }

        /// All but those that say what the one before said.
        var changes: [NetworkStatus] {
            all.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        }

        /// Waits until the last report is this one.
        func wait(for status: NetworkStatus) throws {
            // Far more than a busy machine takes.
            let deadline = Date(timeIntervalSinceNow: 300)
            try condition.withLock {
                while reports.last != status {
                    if !condition.wait(until: deadline) { throw TestNetwork.Failure(what: "\(status) was not reported, but \(reports)") }
                }
            }
        }
    }

    /// A network namespace that ends with the thread that made it, so that this machine's own network is left alone.
    private struct TestNetwork {
        struct Failure: Error {
            let what: String
        }

        /// Whether the tests may make networks, and lines in them.
        static func isPossible() async -> Bool {
            (try? await run { try $0.ip("link add t0 type veth peer name t0-end") }) != nil
        }

        static func run(_ body: @escaping @Sendable (TestNetwork) throws -> Void) async throws {
            try await withCheckedThrowingContinuation { continuation in
                Thread {
                    continuation.resume(
                        with: Result {
                            guard leaveSharedNetwork() else { throw Failure(what: "no network of one's own") }
                            try body(TestNetwork())
                        })
                }.start()
            }
        }

        /// Gives the calling thread a network of its own.
        ///
        /// The C library has the call, its module for Swift does not.
        private static func leaveSharedNetwork() -> Bool {
            guard let symbol = unsafe dlsym(nil, "unshare") else { return false }
            let unshare = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
            let newNetwork: Int32 = 0x4000_0000
            return unshare(newNetwork) == 0
        }

        /// A line to nowhere, with a carrier and an address; with a metric, a default route too.
        func addLine(_ name: String, metric: Int?) throws {
            let subnet = Int(name.dropFirst()) ?? 0
            try ip("link add \(name) type veth peer name \(name)-end")
            try ip("addr add 10.0.\(subnet).2/24 dev \(name)")
            try ip("link set \(name)-end up")
            try ip("link set \(name) up")
            if let metric { try ip("route add default via 10.0.\(subnet).1 dev \(name) metric \(metric)") }
        }

        /// Children belong to the network of the thread that starts them.
        func ip(_ arguments: String) throws {
            var words: [UnsafeMutablePointer<CChar>?] = unsafe (["ip"] + arguments.split(separator: " ").map(String.init)).map {
                unsafe strdup($0)
            }
            unsafe words.append(nil)
            defer { unsafe words.forEach { unsafe free($0) } }
            var child: pid_t = 0
            let error = unsafe posix_spawnp(&child, "ip", nil, nil, words, environ)
            guard error == 0 else { throw Failure(what: "ip cannot be started: error \(error)") }
            var status: Int32 = 0
            while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
            if status != 0 { throw Failure(what: "ip \(arguments): status \(status)") }
        }
    }
#endif
