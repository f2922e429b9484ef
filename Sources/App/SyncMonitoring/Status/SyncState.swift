package import ConflictAudit

/// The state of syncing as a whole, or of one part of it.
///
/// ```swift
/// if case .failed(let reason) = monitor.overallState { print(reason) }
/// ```
public enum SyncState: Hashable, Sendable {
    /// Nothing has happened yet, or the app broke off what was under way.
    case idle
    /// It is under way.
    case syncing
    /// It ended well the last time.
    case succeeded
    /// It ended badly the last time; a sentence says why.
    case failed(String)
    /// There is no account to sync with.
    case noAccount
}

/// The states of the parts of syncing.
package struct SyncStates: Hashable, Sendable {
    package var setup = SyncState.idle
    package var `import` = SyncState.idle
    package var export = SyncState.idle

    package init() {}

    /// The states of several stores as one: each part by what needs the user's attention in any of them.
    package init(of stores: some Collection<SyncStates>) {
        setup = Self.one(of: stores.map(\.setup))
        `import` = Self.one(of: stores.map(\.import))
        export = Self.one(of: stores.map(\.export))
    }

    private var all: [SyncState] { [setup, `import`, export] }

    /// Whether any part is under way, whatever became of the others.
    package var isSyncing: Bool { all.contains(.syncing) }

    /// All parts as one: what needs the user's attention comes before what passes by itself.
    ///
    /// A failure comes first, that of the earlier part before that of the later; then a missing account, then work under way. Syncing as a
    /// whole has succeeded where both directions have. A setup alone moves no data, so its success counts for nothing here.
    package var overall: SyncState { Self.urgent(among: all) ?? Self.one(of: [`import`, export]) }

    /// Several states as one, which has succeeded where all of them have.
    private static func one(of states: [SyncState]) -> SyncState {
        urgent(among: states) ?? (states.allSatisfy { $0 == .succeeded } ? .succeeded : .idle)
    }

    /// What needs attention, or is under way; nil where nothing is.
    private static func urgent(among states: [SyncState]) -> SyncState? {
        for state in states { if case .failed = state { return state } }
        return [.noAccount, .syncing].first { states.contains($0) }
    }

    /// Takes in a step of a sync.
    package mutating func apply(_ activity: SyncActivity) {
        let state: SyncState =
            switch activity.state {
            case .started: .syncing
            case .succeeded: .succeeded
            case .failed where activity.wasCancelled: .idle
            case .failed: .failed(activity.error ?? "the \(activity.phase.rawValue) failed without giving a reason")
            }
        switch activity.phase {
        case .setup: setup = state
        case .import: `import` = state
        case .export: export = state
        }
    }

    /// Takes in the account's status.
    ///
    /// Without an account neither direction is possible, and that is why a setup has failed. One that is only out of reach for now, or that
    /// could not be looked up, may be there all the same: the sync finds out and says so.
    package mutating func apply(_ account: AccountStatus) {
        switch account {
        case .noAccount, .restricted:
            if case .failed = setup { setup = .noAccount }
            `import` = .noAccount
            export = .noAccount
        case .available:
            if setup == .noAccount { setup = .idle }
            if `import` == .noAccount { `import` = .idle }
            if export == .noAccount { export = .idle }
        case .couldNotDetermine, .temporarilyUnavailable:
            break
        }
    }
}
