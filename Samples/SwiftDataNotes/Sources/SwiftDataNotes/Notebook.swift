import Foundation
import Observation
import SwiftData
import SyncAuditApple

/// What the app holds: its container, the audit of it, and the context that views show.
@MainActor
@Observable
public final class Notebook {
    /// The app's store.
    public let container: ModelContainer
    /// Finds what sync discards.
    public let audit: SwiftDataAudit
    /// Holds the context that views show.
    public let refresh: ModelContextRefresh
    /// Knows whether there is a network.
    public let network: NetworkMonitor

    /// Opens the notebook, and begins to audit its sync.
    public init(
        device: DeviceID, store: ModelConfiguration, log: some AuditSink, network: some NetworkStatusProvider = SystemNetwork(),
        pulse: RefreshPulse = RefreshPulse(), report: @escaping @MainActor (RefreshReport) -> Void = { _ in },
        fails: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws {
        // The three lines, around the one that the app has anyway.
        let directory = store.url.appendingPathExtension("audit")
        audit = try SwiftDataAudit(device: device, models: [.note], directory: directory, sink: log, fails: fails)
        container = try ModelContainer(for: Note.self, configurations: store)
        try audit.start(container)
        refresh = audit.refresh(container, pulse: pulse, report: report)

        self.network = NetworkMonitor(provider: network, sink: log)
        try self.network.start()
    }

    /// The notes, by title.
    public var notes: [Note] {
        ((try? refresh.context.fetch(FetchDescriptor<Note>())) ?? []).sorted { ($0.title, $0.noteID) < ($1.title, $1.noteID) }
    }

    /// Adds a note and saves it.
    public func add(_ note: Note) throws {
        refresh.context.insert(note)
        try refresh.context.save()
    }

    /// Saves what was edited.
    public func save() throws { try refresh.context.save() }

    /// Makes a lost edit again, as an edit of now.
    public func restore(_ conflict: Conflict) throws {
        let change = try audit.proposedChange(restoring: conflict.id)
        guard let note = notes.first(where: { $0.noteID == change.key.id.rawValue }), let value = change.value else { return }
        switch change.field {
        case "title": note.title = value.string ?? ""
        case "body": note.body = value.string ?? ""
        // The store gives back numbers for Booleans.
        case "isDone": note.isDone = value == 1
        default: return
        }
        try save()
    }
}
