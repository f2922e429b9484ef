import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import Dispatch
import SyncBytes
import SyncMerge
import SyncModel
import SyncSimulation
import SyncSystem

extension SimulateVerb {
    static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        if let operand = arguments.operands.first {
            throw UsageError("\(operand.quoted) is one argument too many: there is nothing to read", verb: arguments.verb.name)
        }
        var configuration = try arguments.simulation()
        guard let path = arguments.text("output") else {
            throw UsageError("--output is missing: name a directory for the logs", verb: arguments.verb.name)
        }
        let store = try arguments.choice("store", as: Store.self) ?? .memory
        if store == .sqlite, let name = identityOptions.first(where: { arguments.isSet($0) }) {
            throw UsageError("--\(name) needs stores in memory: leave out --store sqlite", verb: arguments.verb.name)
        }
        try OutputDirectory.create(path)
        if store == .sqlite {
            try OutputDirectory.create(path + "/stores")
            configuration.storage = .sqlite(directory: path + "/stores")
        }
        let result = try wait(for: configuration)
        for device in result.devices {
            try AtomicFile.write(to: "\(path)/\(device.name).jsonl") { try $0.write(device.lines) }
        }
        try AtomicFile.write(to: path + "/trace.jsonl") { try $0.write(result.traceLines) }
        note(result, seed: configuration.seed, context)
        if !result.problems.isEmpty {
            for problem in result.problems.prefix(10) { context.note(problem) }
            throw CommandError(.limitExceeded, "\(HumanNumber.count(result.problems.count, "promise")) broken; see above")
        }
        if arguments.text("policy") == nil {
            context.note("the same policies for 'syncaudit audit': \(configuration.rules.auditOptions)")
        }
    }

    /// The options for faults by which a device or the hub is no longer who it was.
    private static let identityOptions = ["store-restores", "store-copies", "hub-restores", "hub-replacements", "forgotten"]

    /// Lets the simulation run on other threads and waits for it: not to be called on a thread that tasks run on.
    private static func wait(for configuration: SimulationConfiguration) throws -> SimulationResult {
        let done = DispatchSemaphore(value: 0)
        let outcome = Locked<Result<SimulationResult, any Error>?>(nil)
        Task {
            let result: Result<SimulationResult, any Error>
            do { result = .success(try await Simulation.run(configuration)) } catch { result = .failure(error) }
            outcome.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = outcome.withLock({ $0 }) else { preconditionFailure("the simulation has ended") }
        return try result.get()
    }

    private static func note(_ result: SimulationResult, seed: UInt64, _ context: CommandContext) {
        var severities: [ConflictID: Conflict.Severity] = [:]
        for event in result.devices.lazy.flatMap(\.events) {
            if case .conflict(let conflict) = event.content { severities[conflict.id] = conflict.severity }
        }
        let faults = result.faults
        context.note(
            "seed \(seed): " + HumanNumber.count(result.devices.count, "device") + " made "
                + HumanNumber.count(result.trace.count, "write") + " in "
                + HumanNumber.duration(milliseconds: result.duration.wholeMilliseconds) + " of virtual time and "
                + HumanNumber.count(result.syncs, "sync") + "; " + HumanNumber.count(faults.partitions, "partition") + ", "
                + HumanNumber.count(faults.lostRequests + faults.lostAnswers, "lost message") + ", "
                + HumanNumber.count(faults.duplicates, "duplicate") + ", "
                + HumanNumber.count(faults.reorderings, "reordering") + ", "
                + HumanNumber.count(faults.clockJumps, "clock jump") + ", "
                + HumanNumber.count(faults.crashes, "crash", "crashes") + identityFaults(faults) + "; "
                + HumanNumber.count(severities.count, "conflict") + ", "
                + HumanNumber.count(severities.values.count(where: \.isLoss), "edit") + " lost; "
                + (result.problems.isEmpty ? "all devices agree in the end, and no write vanished" : "something is wrong"))
    }
}

extension SimulateVerb {
    /// The faults by which a device or the hub is no longer who it was, as far as there were any.
    private static func identityFaults(_ faults: SimulationResult.Faults) -> String {
        let counts = [
            (faults.storeRestores, "restored store", "restored stores"), (faults.storeCopies, "copied store", "copied stores"),
            (faults.hubRestores, "restored hub", "restored hubs"), (faults.hubReplacements, "replaced hub", "replaced hubs"),
            (faults.forgottenDevices, "forgotten device", "forgotten devices"),
        ]
        return counts.filter { $0.0 > 0 }.map { ", " + HumanNumber.count($0.0, $0.1, $0.2) }.joined()
    }
}

extension ParsedArguments {
    fileprivate func simulation() throws(UsageError) -> SimulationConfiguration {
        var configuration = SimulationConfiguration(seed: UInt64(try positiveInteger("seed") ?? 1))
        configuration.devices = try positiveInteger("devices") ?? configuration.devices
        configuration.steps = try positiveInteger("steps") ?? configuration.steps
        configuration.records = try positiveInteger("records") ?? configuration.records
        configuration.partitions = try probability("partitions") ?? configuration.partitions
        configuration.loss = try probability("loss") ?? configuration.loss
        configuration.duplicates = try probability("duplicates") ?? configuration.duplicates
        if let skew = try duration("skew") { configuration.skew = .milliseconds(skew) }
        configuration.crashes = try probability("crashes") ?? configuration.crashes
        configuration.storeRestores = try probability("store-restores") ?? 0
        configuration.storeCopies = try probability("store-copies") ?? 0
        configuration.hubRestores = try probability("hub-restores") ?? 0
        configuration.hubReplacements = try probability("hub-replacements") ?? 0
        configuration.forgottenDevices = try probability("forgotten") ?? 0
        var rules = try mergeRules()
        if !isSet("policy") {
            let every = MergeRules.everyPolicy
            // Without those that no option of `audit` can name.
            rules.types.merge(every.types.filter { $0.value.optionName != nil }) { given, _ in given }
            for (type, fields) in every.fields { rules.fields[type, default: [:]].merge(fields) { given, _ in given } }
        }
        configuration.rules = rules
        return configuration
    }
}

extension MergeRules {
    /// The options by which `audit` decides as these rules do.
    fileprivate var auditOptions: String {
        var options: [String] = []
        for (type, scope) in types.ordered(by: { $0.key < $1.key }) {
            if let name = scope.optionName, name != "last-writer-wins" { options.append("--policy-for \(type.rawValue)=\(name)") }
        }
        for (type, own) in fields.ordered(by: { $0.key < $1.key }) {
            for (field, policy) in own.ordered(by: { $0.key < $1.key }) {
                if let name = Scope.fields(policy).optionName { options.append("--policy-for \(type.rawValue).\(field.rawValue)=\(name)") }
            }
        }
        if deletes != .deleteWins { options.append("--deletes \(deletes.rawValue)") }
        return options.joined(separator: " ")
    }
}
