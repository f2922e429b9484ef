import ConflictAudit
import Foundation
import SwiftUI
import SyncMerge
import SyncModel
import SyncMonitoring
import SyncObservation
import Testing
import ViewAdapter

@MainActor @Suite struct SyncStatusViewTests {
    private let sync = SyncMonitor()

    private struct NoNetwork: NetworkStatusProvider {
        func observe(_ report: @escaping @Sendable (NetworkStatus) -> Void) throws -> NetworkObservation {
            report(.disconnected)
            return NetworkObservation {}
        }
    }

    private var online: NetworkMonitor { NetworkMonitor(provider: SystemNetwork()) }

    private func ended(_ phase: SyncActivity.Phase, error: String? = nil) -> AuditEvent {
        let activity = SyncActivity(
            phase: phase, state: error == nil ? .succeeded : .failed, writes: 0, bytes: 0, duration: .zero, error: error)
        return AuditEvent(at: WallTime(millisecondsSince1970: 7000), .sync(activity))
    }

    @Test func theStatusIsAWordAndASymbol() {
        let view = SyncStatusView(sync: sync, network: online)
        #expect(view.lines == ["secondary: [icloud] Enabled"])
        sync.record(ended(.import, error: "no room"))
        #expect(view.lines == ["orange: [exclamationmark.icloud] Error"])
    }

    @Test func theSectionSaysWhenDataLastWentThrough() {
        let view = SyncStatusSection(sync: sync, network: online)
        #expect(view.lines == ["# Data", "secondary: [icloud]", "iCloud Sync", "secondary: Enabled"])
        for phase in [SyncActivity.Phase.import, .export] { sync.record(ended(phase)) }
        #expect(
            view.lines == [
                "# Data", "secondary: [checkmark.icloud]", "iCloud Sync", "secondary: Up to date", "— Last synced {7000} ago",
            ])
    }

    @Test func withoutAnAccountTheSectionSaysWhatToDo() {
        sync.record(AuditEvent(at: WallTime(millisecondsSince1970: 0), .account(status: AccountStatus.noAccount.rawValue)))
        #expect(
            SyncStatusSection(sync: sync, network: online).lines == [
                "# Data", "orange: [xmark.icloud]", "iCloud Sync", "secondary: Not signed in",
                "secondary: [exclamationmark.icloud] Sign in to iCloud in Settings to sync across devices.",
            ])
    }

    @Test func withoutANetworkTheViewsSaySo() throws {
        let network = NetworkMonitor(provider: NoNetwork())
        try network.start()
        #expect(
            SyncStatusSection(sync: sync, network: network).lines == [
                "# Data", "secondary: [icloud]", "iCloud Sync", "secondary: Offline",
                "secondary: [wifi.slash] You're offline. Changes will sync when connected.",
            ])
        #expect(OfflineBanner(network: network).lines == ["secondary: [wifi.slash] Offline mode"])
        #expect(OfflineBanner(network: online).lines == [])
    }

    @Test func whoEditedLastIsALine() throws {
        let stamp = try #require(RecordStamp("2phone.c:kf12oi2u:tablet;title:,0.7=1k2j3h4"))
        let lines = LastEditView(LastEdit(stamp)).lines
        #expect(lines.count == 1 && lines.allSatisfy { $0.hasPrefix("secondary: Last edited on phone at ") })
        #expect(LastEditView(nil).lines == [])
    }
}
