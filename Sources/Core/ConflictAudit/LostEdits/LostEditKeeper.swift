import SyncSystem

/// What keeps the edits that sync has discarded, across launches: a replica, or the observer of another sync engine.
///
/// An edit is on the list from the transaction that lost it, once however many writes it lost to, until its value is written again, whoever
/// does it, or until the app dismisses it.
///
/// ```swift
/// for conflict in try replica.lostEdits { print(conflict.key, "lost", conflict.loser.value ?? "") }
/// ```
public protocol LostEditKeeper: AnyObject, Sendable {
    /// The edits that were lost and neither restored nor dismissed, each by a conflict that it lost, the latest found first.
    ///
    /// - Parameter limit: How many at most.
    /// - Complexity: O(*n*) in the edits returned and those dismissed.
    func lostEdits(limit: Int) throws -> [Conflict]

    /// Takes the edit that a conflict discarded off the list for good, on this device; does nothing where it is not there.
    func dismiss(_ conflict: Conflict) throws

    /// Calls a body, on any thread, after each change of the list, until nobody holds the observation returned.
    func observeLostEdits(_ body: @escaping @Sendable () -> Void) -> LostEditObservation
}

extension LostEditKeeper {
    /// All edits that were lost and neither restored nor dismissed, see ``lostEdits(limit:)``.
    public var lostEdits: [Conflict] { get throws { try lostEdits(limit: .max) } }
}

/// An observation of a list of lost edits, which ends with the last reference to it.
///
/// ```swift
/// let observation = replica.observeLostEdits { print("the list has changed") }
/// ```
///
/// Thread-safe.
public final class LostEditObservation: Sendable {
    private let end: @Sendable () -> Void

    fileprivate init(end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}

/// Those who observe a list of lost edits.
package final class LostEditObservers: Sendable {
    private struct State {
        var nextNumber = 0
        var bodies: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Locked(State())

    package init() {}

    package func add(_ body: @escaping @Sendable () -> Void) -> LostEditObservation {
        let number = state.withLock { state in
            state.nextNumber += 1
            state.bodies[state.nextNumber] = body
            return state.nextNumber
        }
        return LostEditObservation { [weak self] in self?.state.withLock { $0.bodies[number] = nil } }
    }

    /// Tells all of them.
    package func tell() {
        for body in state.withLock({ $0.bodies.sorted { $0.key < $1.key }.map(\.value) }) { body() }
    }
}
