import ConflictAudit
import SyncMerge
import SyncModel
import SyncOracle
package import SyncSimulation

/// A way in which a device or the hub is no longer who it was.
package enum IdentityFault: String, CaseIterable, Sendable {
    case storeRestores
    case storeCopies
    case hubRestores
    case hubReplacements
    case forgottenDevices

    package var probability: WritableKeyPath<SimulationConfiguration, Double> {
        switch self {
        case .storeRestores: \.storeRestores
        case .storeCopies: \.storeCopies
        case .hubRestores: \.hubRestores
        case .hubReplacements: \.hubReplacements
        case .forgottenDevices: \.forgottenDevices
        }
    }
}

/// A short run whose every setting follows from its seed.
package struct ShortHistory {
    package var configuration: SimulationConfiguration

    /// - Parameter storage: Where data is kept.
    package init(seed: UInt64, storage: SimulationConfiguration.Storage = .memory) {
        var configuration = SimulationConfiguration(seed: seed)
        configuration.storage = storage
        var random = SplitMix64(seed: seed)
        func choose<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }
        configuration.rules.deletes = choose([.deleteWins, .editWins, .lastWriterWins])
        configuration.devices = choose([2, 3, 3, 4])
        configuration.steps = choose([12, 20, 30, 45])
        // From all on one record type with its many edits to a few on each.
        configuration.records = choose([13, 26, 3, 5])
        // A few are long enough that deletes are forgotten; the oracle takes 64 writes to a record.
        if configuration.records >= 13, random.percent(5) { configuration.steps = 200 }
        configuration.loss = choose([0, 0.02, 0.1, 0.3])
        configuration.duplicates = choose([0, 0.1, 0.3])
        configuration.partitions = choose([0, 0.05, 0.2])
        configuration.skew = choose([.zero, .milliseconds(500), .seconds(30), .seconds(600), .seconds(86_400)])
        configuration.crashes = choose([0, 0.02, 0.1, 0.3])
        configuration.rules = Self.reduced(configuration.rules, records: configuration.records, &random)
        self.configuration = configuration
    }

    /// A short run in which stores are put back and copied, hubs put back and replaced, and devices forgotten.
    ///
    /// - Parameters:
    ///   - identitySeed: Decides everything.
    ///   - kinds: What may happen; any of these.
    package init(identitySeed seed: UInt64, kinds: [IdentityFault] = IdentityFault.allCases, scopes: Scopes = .both) {
        self.init(seed: seed)
        var random = SplitMix64(seed: seed ^ 0x6964_656e_7469_7479)
        func choose<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }
        configuration.steps = choose([12, 20, 30, 45, 60])
        configuration.crashes = choose([0, 0, 0.02, 0.1])
        configuration.loss = choose([0, 0, 0.05, 0.2])
        configuration.rules = Self.reduced(.everyPolicy, scopes, records: configuration.records, &random)
        configuration.rules.deletes = choose([.deleteWins, .editWins, .lastWriterWins])
        for kind in kinds {
            let probability = kinds.count > 1 ? choose([0, 0, 0.03, 0.1]) : choose([0.03, 0.1])
            configuration[keyPath: kind.probability] = probability
        }
        configuration.changesHubAmidSyncs = random.percent(50)
    }

    /// A short run in which the hub's order decides.
    ///
    /// - Parameter kinds: What may happen beside.
    package init(arrivalSeed seed: UInt64, kinds: [IdentityFault]) {
        self.init(identitySeed: seed, kinds: kinds)
        configuration.rules.types = [
            "Field": .fields(.lastArrivalWins), "Record": .record(.lastArrivalWins), "Mixed": .fields(.lastWriterWins),
        ]
        configuration.rules.fields = ["Mixed": ["text": .lastArrivalWins, "tags": .set]]
    }

    /// Which policies there are.
    package enum Scopes: String, Sendable {
        case fields
        case records
        case both
    }

    private static func reduced(_ rules: MergeRules, _ scopes: Scopes, records: Int, _ random: inout SplitMix64) -> MergeRules {
        var rules = rules
        rules.types = rules.types.filter { type in
            let isOfFields = if case .fields = type.value { true } else { false }
            return scopes == .both || isOfFields == (scopes == .fields)
        }
        return reduced(rules, records: records, &random)
    }

    /// With few records, fewer types, a different choice with each seed, so that devices meet on them.
    private static func reduced(_ rules: MergeRules, records: Int, _ random: inout SplitMix64) -> MergeRules {
        var rules = rules
        guard records < 13 else { return rules }
        let kept = random.shuffled(rules.types.keys.sorted()).prefix(2)
        rules.types = rules.types.filter { kept.contains($0.key) }
        return rules
    }

    /// Runs it and looks for anything that must not be.
    package func run() async throws -> (result: SimulationResult, problems: [String], conflicts: Int) {
        let result = try await Simulation.run(configuration)
        var problems = result.problems
        var conflicts = 0
        let positions = result.devices.lazy.flatMap(\.events).compactMap { event -> (Dot, UInt64)? in
            guard case .write(let write) = event.content else { return nil }
            return write.hubSequence.map { (write.dot, $0) }
        }
        let order = Dictionary(positions) { _, last in last }
        for device in result.devices {
            let (sentences, count) = OracleComparison(device, rules: configuration.rules, positions: order).differences()
            problems += sentences
            conflicts += count
        }
        return (result, problems, conflicts)
    }
}
