#if canImport(Network)
    import Dispatch
    import Network

    /// The network as the system's path monitor knows it.
    public struct SystemNetwork: NetworkStatusProvider {
        /// The system's network.
        public init() {}

        /// Reports the system's path and its changes.
        ///
        /// Never throws.
        public func observe(_ report: @escaping @Sendable (NetworkStatus) -> Void) throws -> NetworkObservation {
            let monitor = NWPathMonitor()
            monitor.pathUpdateHandler = { path in report(NetworkStatus(path)) }
            monitor.start(queue: DispatchQueue(label: "SyncLayer.network"))
            return NetworkObservation { monitor.cancel() }
        }
    }

    extension NetworkStatus {
        fileprivate init(_ path: NWPath) {
            guard path.status == .satisfied else {
                self = .disconnected
                return
            }
            if path.usesInterfaceType(.wifi) {
                self = .connected(.wifi)
            } else if path.usesInterfaceType(.cellular) {
                self = .connected(.cellular)
            } else if path.usesInterfaceType(.wiredEthernet) {
                self = .connected(.wired)
            } else {
                self = .connected(.unknown)
            }
        }
    }
#endif
