import ConflictAudit
import SyncLayerTesting
import SyncMonitoring
import Testing

@Suite struct SyncPresentationTests {
    @Test(arguments: [
        (SyncState.idle, "Enabled", "icloud", false),
        (.syncing, "Syncing...", "arrow.triangle.2.circlepath.icloud", false),
        (.succeeded, "Up to date", "checkmark.icloud", false),
        (.failed("cut"), "Error", "exclamationmark.icloud", true),
        (.noAccount, "Not signed in", "xmark.icloud", true),
    ])
    func everyStateHasItsTextAndSymbol(state: SyncState, text: String, symbol: String, needsAttention: Bool) {
        let online = SyncPresentation(state: state, isConnected: true)
        #expect(online.statusText == text)
        #expect(online.symbolName == symbol)
        #expect(online.needsAttention == needsAttention)

        // Without a network the text says so, whatever the state; the symbol goes on showing the state.
        let offline = SyncPresentation(state: state, isConnected: false)
        #expect(offline.statusText == "Offline")
        #expect(offline.symbolName == symbol)
        #expect(offline.needsAttention == needsAttention)
    }

    @Test(arguments: [
        (SyncState.idle, true, []),
        (.failed("cut"), true, []),
        (.noAccount, true, ["exclamationmark.icloud"]),
        (.idle, false, ["wifi.slash"]),
        (.noAccount, false, ["wifi.slash", "exclamationmark.icloud"]),
    ])
    func noticesSayWhatIsMissing(state: SyncState, isConnected: Bool, symbols: [String]) {
        let notices = SyncPresentation(state: state, isConnected: isConnected).notices
        #expect(notices.map(\.symbolName) == symbols)
        #expect(notices.allSatisfy { !$0.text.isEmpty })
    }

    @Test func twoMonitorsMakeOnePresentation() throws {
        let sync = SyncMonitor()
        let network = ManualNetwork()
        let monitor = NetworkMonitor(provider: network)
        try monitor.start()
        sync.record(.sync(.import, .started))
        #expect(SyncPresentation(sync: sync, network: monitor).statusText == "Syncing...")
        network.switchTo(.disconnected)
        #expect(SyncPresentation(sync: sync, network: monitor) == SyncPresentation(state: .syncing, isConnected: false))
    }
}
