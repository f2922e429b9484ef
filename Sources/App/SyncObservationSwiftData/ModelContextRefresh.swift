#if canImport(SwiftData)
    public import ConflictAudit
    import Foundation
    public import Observation
    public import SwiftData
    import SyncModel
    public import SyncMonitoring
    import SyncObservationCoreData
    import SyncObservationFoundation
    import os

    /// A context for an app's views that always shows what sync has brought, and never drops an edit.
    ///
    /// A context that lives long may go on showing old values after an import. This one is replaced by a new one when something has arrived
    /// since it was made, unless it has unsaved changes: then it waits until they are saved. It looks after every remote change and every
    /// save, and with a pulse in the foreground; each look is a line of the system's log, in the category `CloudKitSync`.
    ///
    /// ```swift
    /// @State private var refresh = audit.refresh(container)
    ///
    /// NoteList()
    ///     .environment(\.modelContext, refresh.context)
    ///     .onChange(of: scenePhase, initial: true) { _, phase in refresh.isActive = phase == .active }
    /// ```
    ///
    /// Queries below follow the context of their environment. Do not give a view that has a form below it the identity of a version, as by
    /// `id(refresh.version)`: with its identity a view loses its state, and with that what is being typed. A form that keeps its own state
    /// until it is saved says so by ``isEditing``, and looks its model up anew, by its identifying attribute, when ``version`` has risen.
    @MainActor
    @Observable
    public final class ModelContextRefresh {
        /// The context to show; another after each refresh.
        public private(set) var context: ModelContext

        /// How often the context was replaced.
        public private(set) var version = 0

        /// Whether the user has typed what no context knows yet: the context stays until that is over.
        public var isEditing = false {
            didSet { if !isEditing, oldValue { Task { await refreshIfNeeded() } } }
        }

        @ObservationIgnored private let container: ModelContainer
        @ObservationIgnored private let monitor: SyncMonitor
        @ObservationIgnored private var refresh: ForegroundRefresh<Void>?
        @ObservationIgnored private var registration: NotificationRegistration?

        /// A refresh whose pulse does not beat yet.
        ///
        /// - Parameters:
        ///   - container: Makes the contexts.
        ///   - monitor: Knows of other devices' writes, as it is among the observer's sinks.
        ///   - pulse: How often to look.
        ///   - subsystem: The app in the system's log, by its bundle identifier.
        ///   - report: Gets the outcome of every look, beside the system's log.
        public init(
            container: ModelContainer, monitor: SyncMonitor, pulse: RefreshPulse = RefreshPulse(),
            subsystem: String = Bundle.main.bundleIdentifier ?? "SyncAudit", report: @escaping @MainActor (RefreshReport) -> Void = { _ in }
        ) {
            self.container = container
            self.monitor = monitor
            context = Self.newContext(container)
            let logger = Logger(subsystem: subsystem, category: "CloudKitSync")
            refresh = ForegroundRefresh(
                monitor: monitor, pulse: pulse,
                hasUnsavedEdits: { [weak self] in self.map { $0.isEditing || $0.context.hasChanges } ?? false }, read: {},
                show: { [weak self] in self?.replaceContext() },
                report: {
                    logger.log("\($0.description, privacy: .public)")
                    report($0)
                })
            registration = NotificationRegistration(ModelContext.didSave) { [weak self] _ in
                Task { @MainActor in await self?.refreshIfNeeded() }
            }
            followRemoteChanges()
        }

        /// Whether the app is in the foreground: then it looks at once, and the pulse beats.
        public var isActive: Bool {
            get { refresh?.isInForeground ?? false }
            set { if newValue { refresh?.enterForeground() } else { refresh?.enterBackground() } }
        }

        /// Replaces the context where something has arrived, and nothing is unsaved.
        @discardableResult
        public func refreshIfNeeded() async -> RefreshDecision { await refresh?.refreshIfNeeded() ?? .nothing }

        private func replaceContext() {
            context = Self.newContext(container)
            version += 1
        }

        /// Contexts save by themselves, as a container's main context does.
        private static func newContext(_ container: ModelContainer) -> ModelContext {
            let context = ModelContext(container)
            context.autosaveEnabled = true
            return context
        }

        private func followRemoteChanges() {
            withObservationTracking {
                _ = monitor.refreshVersion
            } onChange: { [weak self] in
                // Called before the change; by the time of the task it has happened.
                Task { @MainActor in
                    await self?.refreshIfNeeded()
                    self?.followRemoteChanges()
                }
            }
        }
    }

    extension SwiftDataAudit {
        /// A context for views that shows what sync has brought.
        ///
        /// Each look is a line of the audit log, of about 200 bytes: what was merged and never shown, and beats of the pulse that did not
        /// come, are in `syncaudit report`.
        ///
        /// - Parameters:
        ///   - container: The audited container.
        ///   - pulse: How often to look in the foreground.
        ///   - report: Gets the outcome of every look, beside the logs.
        @MainActor public func refresh(
            _ container: ModelContainer, pulse: RefreshPulse = RefreshPulse(),
            report: @escaping @MainActor (RefreshReport) -> Void = { _ in }
        ) -> ModelContextRefresh {
            let sink = sink
            return ModelContextRefresh(
                container: container, monitor: sync, pulse: pulse,
                report: {
                    sink.record(AuditEvent(at: systemWallClock(), .refresh($0)))
                    report($0)
                })
        }
    }
#endif
