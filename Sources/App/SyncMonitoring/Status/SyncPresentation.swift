/// A presentation of the state of syncing to the user: a word or two, a symbol, and what to know beyond.
///
/// ```swift
/// let presentation = SyncPresentation(sync: monitor, network: network)
/// print(presentation.statusText)
/// ```
///
/// Symbols are named as in Apple's SF Symbols; elsewhere the names serve as keys.
public struct SyncPresentation: Hashable, Sendable {
    /// The state of syncing as a whole.
    public let state: SyncState

    /// Whether there is a network.
    public let isConnected: Bool

    /// Puts a state to the user.
    public init(state: SyncState, isConnected: Bool) {
        self.state = state
        self.isConnected = isConnected
    }

    /// Puts what two monitors show now to the user.
    ///
    /// An observer that uses it follows both.
    public init(sync: SyncMonitor, network: NetworkMonitor) {
        self.init(state: sync.overallState, isConnected: network.isConnected)
    }

    /// The state in a word or two.
    ///
    /// A missing network comes before everything else: it explains the rest.
    public var statusText: String {
        guard isConnected else { return "Offline" }
        return switch state {
        case .idle: "Enabled"
        case .syncing: "Syncing..."
        case .succeeded: "Up to date"
        case .failed: "Error"
        case .noAccount: "Not signed in"
        }
    }

    /// The name of the state's symbol.
    ///
    /// It shows the state whether there is a network or not; the notice about the network has a symbol of its own.
    public var symbolName: String {
        switch state {
        case .idle: "icloud"
        case .syncing: "arrow.triangle.2.circlepath.icloud"
        case .succeeded: "checkmark.icloud"
        case .failed: "exclamationmark.icloud"
        case .noAccount: "xmark.icloud"
        }
    }

    /// Whether the state should stand out: it will not pass unless someone does something about it.
    public var needsAttention: Bool {
        switch state {
        case .failed, .noAccount: true
        case .idle, .syncing, .succeeded: false
        }
    }

    /// What the user should know beyond the state, in the order in which to show it; mostly nothing.
    public var notices: [Notice] {
        var notices: [Notice] = []
        if !isConnected {
            notices.append(Notice(text: "You're offline. Changes will sync when connected.", symbolName: "wifi.slash"))
        }
        if state == .noAccount {
            notices.append(
                Notice(text: "Sign in to iCloud in Settings to sync across devices.", symbolName: "exclamationmark.icloud"))
        }
        return notices
    }

    /// A sentence beside the state, with a symbol.
    public struct Notice: Hashable, Sendable {
        /// The sentence.
        public let text: String
        /// The name of its symbol.
        public let symbolName: String
    }
}
