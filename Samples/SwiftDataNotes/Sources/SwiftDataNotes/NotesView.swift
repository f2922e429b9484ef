import SwiftUI
import SyncAuditApple

/// The notes, how syncing stands, and what it has discarded.
public struct NotesView: View {
    private let notebook: Notebook

    /// A view of a notebook.
    public init(notebook: Notebook) { self.notebook = notebook }

    /// The view.
    public var body: some View {
        VStack(alignment: .leading) {
            SyncStatusView(sync: notebook.audit.sync, network: notebook.network)
            List {
                ForEach(notebook.notes, id: \.noteID) { note in
                    Text((note.isDone ? "✓ " : "") + note.title)
                }
            }
            ConflictSummaryView(monitor: notebook.audit.conflicts)
            LostEditsView(monitor: notebook.audit.conflicts) { conflict in try? notebook.restore(conflict) }
        }
    }
}
