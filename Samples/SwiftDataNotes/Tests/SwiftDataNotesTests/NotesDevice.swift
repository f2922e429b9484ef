#if !canImport(Darwin)
    import ConflictAudit
    import ConflictAuditTesting
    import SwiftData
    import SwiftDataNotes
    import SyncLayerTesting
    import SyncModel
    import SyncMonitoring
    import Testing

    /// The app on one device, with a network of its own and a mirroring that works by itself.
    @MainActor
    final class NotesDevice {
        let notebook: Notebook
        let log = CollectingAuditSink()
        let network = ManualNetwork()
        let sleep = ManualSleep()
        private let reported: Reported
        private let mirroring: Mirroring
        private let directory: URL

        init(_ name: String, _ cloud: Cloud) throws {
            directory = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let store = ModelConfiguration(url: directory.appending(path: "notes.store"))
            let reported = Reported()
            notebook = try Notebook(
                device: DeviceID(name), store: store, log: log, network: network, pulse: RefreshPulse(sleep: sleep.sleep),
                report: { reported.reports.append($0) }, fails: { Issue.record("the audit failed: \($0)") })
            mirroring = try Mirroring(name, store: store.url, cloud: cloud, network: network)
            self.reported = reported
        }

        @MainActor private final class Reported {
            var reports: [RefreshReport] = []
        }

        /// The outcome of every look for something to show.
        var reports: [RefreshReport] { reported.reports }

        /// The app comes to the foreground, and its pulse has beaten once.
        func open() async {
            mirroring.suspend(false)
            notebook.refresh.isActive = true
            await sleep.somebodySleeps()
        }

        /// The app goes to the background, where the system lets it do nothing.
        func close() {
            notebook.refresh.isActive = false
            mirroring.suspend(true)
        }

        func end() {
            close()
            notebook.audit.readHistory()
            notebook.audit.stop()
            notebook.network.stop()
            try? FileManager.default.removeItem(at: directory)
        }

        var titles: [String] { notebook.notes.map(\.title) }

        var losses: [String] {
            notebook.audit.conflicts.lostEdits.map { "\($0.field?.rawValue ?? "-"): \($0.loser.value?.string ?? "-")" }
        }

        func edit(_ title: String, to new: String) throws {
            try #require(notebook.notes.first { $0.title == title }).title = new
            try notebook.save()
        }

        /// How many of the server's versions the audit has heard of, as the log tells.
        var arrivals: Int { log.events.count { if case .remoteChange = $0.content { true } else { false } } }

        /// The exports and imports that the log has.
        var syncs: [String] {
            log.events.compactMap { if case .sync(let sync) = $0.content { "\(sync.phase) \(sync.state)" } else { nil } }
        }
    }
#endif
