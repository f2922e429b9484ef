#if canImport(SwiftUI)
    public import ConflictAudit
    public import SwiftUI
    public import SyncMonitoring

    /// One line that says what sync has thrown away, with a symbol.
    ///
    /// ```swift
    /// ConflictSummaryView(monitor: conflicts)
    /// ```
    public struct ConflictSummaryView: View {
        private let monitor: ConflictMonitor

        /// A line about what a monitor has seen.
        public init(monitor: ConflictMonitor) { self.monitor = monitor }

        /// The line.
        public var body: some View {
            let isQuiet = monitor.lostEdits.isEmpty && monitor.activeConflicts.isEmpty
            Label(monitor.summary, systemImage: isQuiet ? "checkmark.circle" : "exclamationmark.triangle")
                .foregroundStyle(isQuiet ? Color.secondary : Color.orange)
        }
    }

    /// The edits that were lost, the latest first, each with a button that hands it to the app to restore, and one to take it off the list.
    ///
    /// ```swift
    /// LostEditsView(monitor: conflicts) { conflict in restore(conflict) } dismiss: { conflict in dismiss(conflict) }
    /// ```
    public struct LostEditsView: View {
        private let monitor: ConflictMonitor
        private let restore: @MainActor (Conflict) -> Void
        private let dismiss: (@MainActor (Conflict) -> Void)?

        /// A list of what a monitor shows as lost.
        ///
        /// - Parameters:
        ///   - monitor: The monitor.
        ///   - restore: Called with the conflict whose lost value is to be restored.
        ///   - dismiss: Called with the conflict that is to be listed no more, such as with the monitor's `dismiss(_:)`; nil for no such
        ///     button.
        public init(
            monitor: ConflictMonitor, restore: @escaping @MainActor (Conflict) -> Void, dismiss: (@MainActor (Conflict) -> Void)? = nil
        ) {
            self.monitor = monitor
            self.restore = restore
            self.dismiss = dismiss
        }

        /// The list.
        public var body: some View {
            List {
                ForEach(monitor.lostEdits, id: \.id) { conflict in
                    HStack {
                        LostEditText(conflict)
                        Button("Restore") { restore(conflict) }
                        if let dismiss { Button("Dismiss") { dismiss(conflict) } }
                    }
                }
            }
        }
    }

    private struct LostEditText: View {
        private let edit: LostEdit

        init(_ conflict: Conflict) { edit = LostEdit(conflict) }

        var body: some View {
            VStack(alignment: .leading) {
                Text(edit.title).font(.caption).foregroundStyle(Color.secondary)
                Text(edit.value)
                Text(edit.evidence).font(.caption).foregroundStyle(Color.secondary)
            }
        }
    }
#endif
