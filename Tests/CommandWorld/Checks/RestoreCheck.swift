import ConflictAudit
import Foundation
import SyncAuditCommands
import SyncBytes
import SyncLayer
import SyncMerge
import SyncModel
import SyncSimulation
import Testing

/// What 'restore' puts into one device's store wins on every device.
package struct RestoreCheck {
    private let directory: TemporaryDirectory

    /// With a directory of its own.
    package init() throws { directory = try TemporaryDirectory() }

    /// What a conflict discarded.
    package enum Lost: CaseIterable, Sendable {
        /// By another value.
        case value
        /// A value that was taken away.
        case removal
        /// By a delete.
        case edit
        /// A delete, by an edit.
        case deletion
        /// Of a whole record.
        case record

        init?(_ conflict: Conflict) {
            guard let operation = conflict.restoringOperation else { return nil }
            switch (operation, conflict.field) {
            case (.delete, _): self = .deletion
            case (.put, nil): self = .record
            case (.put(let fields), let field?):
                self = conflict.winner.operation == .delete ? .edit : fields[field] == .null ? .removal : .value
            }
        }
    }

    private static let types: [RecordType: MergeRules.Scope] = [
        "First": .fields(.firstWriterWins), "Highest": .fields(.maximum), "Last": .fields(.lastWriterWins), "Lowest": .fields(.minimum),
        "Whole": .record(.lastWriterWins),
    ]

    private static let options = [
        "--policy-for", "First=first-writer-wins", "--policy-for", "Highest=maximum", "--policy-for", "Lowest=minimum", "--policy-for",
        "Whole=record-last-writer-wins",
    ]

    private static let deletes: [(rule: DeletePolicy, option: String)] = [
        (.deleteWins, "delete-wins"), (.editWins, "edit-wins"), (.lastWriterWins, "last-writer-wins"),
    ]

    /// Everything that a fleet loses is restored, and shown by every device in the end.
    ///
    /// - Parameters:
    ///   - seed: Chooses the rule for deletes, too.
    ///   - limit: The most conflicts that are restored.
    /// - Returns: What was lost.
    package func restoredEverywhere(_ size: SimulatedFleet.Size, seed: Int, limit: Int = .max) async throws -> Set<Lost> {
        let (rule, option) = Self.deletes[seed % 3]
        var configuration = SimulationConfiguration(seed: UInt64(9000 + seed))
        configuration.devices = size.devices
        configuration.steps = size.steps
        configuration.records = 10
        configuration.skew = .seconds(30)
        configuration.rules = MergeRules(types: Self.types, deletes: rule)
        let stores = directory.file("stores-\(seed)")
        try FileManager.default.createDirectory(atPath: stores, withIntermediateDirectories: true)
        configuration.storage = .sqlite(directory: stores)
        let logs = directory.file("logs-\(seed)")
        let story = Comment(rawValue: "seed \(configuration.seed), \(option)")

        var restored: [Conflict] = []
        let result = try await Simulation.run(configuration) { result in
            #expect(result.problems == [], story)
            try Self.write(result, to: logs)
            for conflict in Self.losses(in: result)
            where restored.count < limit && !restored.contains(where: { $0.key == conflict.key }) {
                let store = "\(stores)/\(result.devices[restored.count % size.devices].id).sqlite"
                let code = await TestWorld.onThread(
                    ["restore", conflict.id.description, logs, "--force", "--app", store, "--deletes", option] + Self.options)
                // A record that is deleted already cannot be deleted once more.
                if code.code == .limitExceeded, code.errors.contains("is deleted already") { continue }
                #expect(code.code == .success, Comment(rawValue: "\(story) \(conflict) \(code.errors)"))
                restored.append(conflict)
            }
        }
        #expect(result.problems == [], story)
        #expect(Set(result.devices.map(\.checkpoint?.digest)).count == 1, story)
        for device in result.devices {
            for conflict in restored {
                let shown = device.records.first { $0.key == conflict.key }?.fields
                switch conflict.restoringOperation {
                case .delete: #expect(shown == nil, Comment(rawValue: "\(story) \(device.id) \(conflict)"))
                case .put(let fields):
                    for field in fields {
                        #expect(
                            shown != nil && shown?[field.name] ?? .null == field.value,
                            Comment(rawValue: "\(story) \(device.id) \(conflict)"))
                    }
                case nil: break
                }
            }
        }
        try Self.write(result, to: logs)
        let ledger = await TestWorld.onThread(["lost", "--format", "json", logs])
        let document = try #require(try JSONParser.parse(ledger.output).object)
        let losses = document["losses"]?.array?.compactMap(\.object) ?? []
        var unlisted = 0
        for conflict in restored {
            // An edit that lost several conflicts is one loss.
            let id = FieldValue.string(conflict.id.description)
            let entry = losses.first { $0["id"] == id || $0["otherConflicts"]?.array?.contains(id) == true }
            // All logs together may tell that the removal of what was not there took nothing.
            if entry == nil, conflict.loser.value == .null {
                unlisted += 1
            } else {
                #expect(entry?["status"] == "restored", Comment(rawValue: "\(story) \(conflict)"))
            }
        }
        #expect(unlisted <= document["benign"]?.integer ?? 0, story)
        return Set(restored.compactMap(Lost.init))
    }

    /// Every distinct conflict that lost something, those rare of kind first.
    private static func losses(in result: SimulationResult) -> [Conflict] {
        var known: Set<ConflictID> = []
        var losses: [Lost: [Conflict]] = [:]
        let events = result.devices.flatMap(\.events).map(\.content)
        // What one device knows to be harmless another may not remember well enough.
        for case .conflict(let conflict) in events where conflict.severity == .benign { known.insert(conflict.id) }
        for case .conflict(let conflict) in events {
            guard let lost = Lost(conflict), known.insert(conflict.id).inserted else { continue }
            losses[lost, default: []].append(conflict)
        }
        return losses.values.sorted { $0.count < $1.count }.flatMap { $0 }
    }

    private static func write(_ result: SimulationResult, to path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for device in result.devices { try Data(device.lines).write(to: URL(fileURLWithPath: "\(path)/\(device.id).jsonl")) }
    }
}
