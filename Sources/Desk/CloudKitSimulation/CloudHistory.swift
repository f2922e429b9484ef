package import SyncObservation
import SyncSimulation

/// Why nothing was proven of an edit that a concurrent write discarded.
package enum CloudMiss: Hashable, Sendable {
    /// An observer suspected it, and had a doubt.
    case suspected(ObservedConflict.Doubt)
    /// An observer suspected it, and its process ended before it could say why not more.
    case suspectedInEndedProcess
    /// The one was put out of the database, or of the store that made it, and no store ever showed one and then the other.
    case neverShown
    /// The two are proven to conflict, but for another loser: each replaced the other somewhere.
    case provenOtherWay
    /// A store showed the edit and then the other, and its observer said nothing.
    case passedOver
    /// A store showed the edit and then the delete, and its observer said nothing.
    case passedOverDelete
}

/// One simulated history: what is left to chance in it, step by step.
///
/// ```swift
/// let history = CloudHistory(seed: 7, level: .unstamped)
/// let shortest = try history.shrunk { $0.missed[.neverShown] != nil }
/// ```
package struct CloudHistory: Hashable, Sendable {
    /// Decides how many devices, records and fields there are, and how the engine behaves.
    package let seed: UInt64
    /// What the model offers.
    package let level: CloudSimulation.Level
    /// How the engine saves.
    package let saving: CloudSimulation.Saving
    /// Whether the engine may send a field that an arrival has overwritten.
    private let resends: Bool
    /// Whether the engine gives the server's numbers, and the logs of all devices are audited together.
    private let joinsLogs: Bool
    /// Whether some observers come with a later version of the app.
    private let startsLate: Bool
    /// What happens, a seed for each step.
    private var steps: [UInt64]

    /// A history by its seed.
    package init(
        seed: UInt64, level: CloudSimulation.Level, saving: CloudSimulation.Saving = .changedKeys, steps: Int = 60, resends: Bool = true,
        joinsLogs: Bool = false, startsLate: Bool = false
    ) {
        self.joinsLogs = joinsLogs
        self.startsLate = startsLate
        self.seed = seed
        self.level = level
        self.saving = saving
        self.resends = resends
        var random = SimulationRandom(seed: ~seed)
        self.steps = (0..<steps).map { _ in random.next() }
    }

    /// The number of steps.
    package var count: Int { steps.count }

    /// Plays it.
    package func score() throws -> CloudSimulation.Score { try play(nil) }

    /// Plays it, and tells what happens, a sentence each.
    package func sentences() throws -> [String] {
        let notes = CloudNotes()
        _ = try play(notes)
        return notes.sentences
    }

    private func play(_ notes: CloudNotes?) throws -> CloudSimulation.Score {
        var world = try CloudWorld(seed: seed, level: level) { engine in
            engine.policy = saving.policy
            engine.tellsMerges = saving != .untoldMerges
            if joinsLogs { engine.givesNumbers = true }
            if !resends { engine.resendsOverwritten = false }
        }
        world.notes = notes
        world.joinsLogs = joinsLogs
        world.startsLate = startsLate
        var score = try world.run(steps)
        if score.proven > score.provenRight { score.wrongSeeds = [seed] }
        return score
    }

    /// The history without every step that a condition does not need; the history itself where the condition does not hold.
    ///
    /// - Complexity: O(*n*²) plays in the number of steps, O(*n* log *n*) as a rule.
    package func shrunk(while condition: (CloudSimulation.Score) -> Bool) throws -> CloudHistory {
        guard condition(try score()) else { return self }
        var shortest = self
        var length = max(1, steps.count / 2)
        while true {
            var start = 0
            var isShorter = false
            while start < shortest.steps.count {
                var candidate = shortest
                candidate.steps.removeSubrange(start..<min(start + length, shortest.steps.count))
                if condition(try candidate.score()) {
                    shortest = candidate
                    isShorter = true
                } else {
                    start += length
                }
            }
            if length == 1, !isShorter { return shortest }
            length = max(1, length / 2)
        }
    }
}
