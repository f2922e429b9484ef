#if canImport(SwiftUI)
    public import SwiftUI
    public import SyncMerge
    import SyncModel
    public import SyncMonitoring

    /// How syncing stands, in a word or two with a symbol.
    ///
    /// ```swift
    /// SyncStatusView(sync: sync, network: network)
    /// ```
    public struct SyncStatusView: View {
        private let sync: SyncMonitor
        private let network: NetworkMonitor

        /// A view of what two monitors show.
        public init(sync: SyncMonitor, network: NetworkMonitor) {
            self.sync = sync
            self.network = network
        }

        /// The word and the symbol.
        public var body: some View {
            let presentation = SyncPresentation(sync: sync, network: network)
            Label(presentation.statusText, systemImage: presentation.symbolName)
                .foregroundStyle(presentation.color)
        }
    }

    /// A section of an app's settings: how syncing stands, what to know or to do about it, and when data last went through.
    ///
    /// ```swift
    /// Form { SyncStatusSection(sync: audit.sync, network: network) }
    /// ```
    public struct SyncStatusSection: View {
        private let sync: SyncMonitor
        private let network: NetworkMonitor

        /// A section about what two monitors show.
        public init(sync: SyncMonitor, network: NetworkMonitor) {
            self.sync = sync
            self.network = network
        }

        /// The section.
        public var body: some View {
            let presentation = SyncPresentation(sync: sync, network: network)
            Section {
                HStack {
                    Label {
                        Text("iCloud Sync")
                    } icon: {
                        Image(systemName: presentation.symbolName).foregroundStyle(presentation.color)
                    }
                    Spacer()
                    Text(presentation.statusText).foregroundStyle(Color.secondary)
                }
                ForEach(presentation.notices, id: \.self) { notice in
                    Label(notice.text, systemImage: notice.symbolName).font(.caption).foregroundStyle(Color.secondary)
                }
            } header: {
                Text("Data")
            } footer: {
                if let last = sync.lastSuccessfulSync {
                    // Goes on by itself, as the text of the monitor does not.
                    Text("Last synced \(last.date, style: .relative) ago")
                }
            }
        }
    }

    /// A line that says that there is no network, and nothing where there is one.
    ///
    /// ```swift
    /// NoteList().safeAreaInset(edge: .bottom) { OfflineBanner(network: network) }
    /// ```
    public struct OfflineBanner: View {
        private let network: NetworkMonitor

        /// A banner about a network.
        public init(network: NetworkMonitor) { self.network = network }

        /// The line.
        public var body: some View {
            if !network.isConnected {
                Label("Offline mode", systemImage: "wifi.slash").font(.caption).foregroundStyle(Color.secondary)
            }
        }
    }

    /// A line that says on which device a record was last edited, and when.
    ///
    /// ```swift
    /// LastEditView(audit.lastEdit(of: note))
    /// ```
    public struct LastEditView: View {
        private let edit: LastEdit?

        /// A line about an edit; nothing where there is none.
        public init(_ edit: LastEdit?) { self.edit = edit }

        /// The line.
        public var body: some View {
            if let edit {
                let time = WallTime(millisecondsSince1970: edit.timestamp.milliseconds).date
                Text("Last edited on \(edit.device.rawValue) at \(time.formatted(date: .abbreviated, time: .shortened))")
                    .font(.caption).foregroundStyle(Color.secondary)
            }
        }
    }

    extension SyncPresentation {
        /// What will not pass by itself is prominent.
        fileprivate var color: Color { needsAttention ? .orange : .secondary }
    }

    extension WallTime {
        fileprivate var date: Date { Date(timeIntervalSince1970: Double(millisecondsSince1970) / 1000) }
    }
#endif
