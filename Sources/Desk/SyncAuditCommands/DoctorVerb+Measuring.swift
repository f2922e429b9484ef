import AuditAnalysis
import AuditLog
import ConflictAudit
import ProjectDoctor
import SyncBytes
import SyncMerge
import SyncModel
import TraceImport

extension DoctorVerb {
    /// What the stores and logs that were named show.
    static func measurements(_ arguments: ParsedArguments, _ context: CommandContext) throws -> [Measurement] {
        try arguments.texts("store").map { try store($0, context) } + arguments.texts("log").map { try log($0, context) }
    }

    private static func store(_ path: String, _ context: CommandContext) throws -> Measurement {
        var measurement = Measurement(source: path)
        let summary = try CoreDataSizes.measure(path) { entity, key, values in
            measurement.add(
                "\(key)", of: entity,
                values.map { Measurement.Value(field: $0.property, bytes: $0.bytes, isAsset: $0.isExternal) })
        }
        measurement.waiting = summary.waiting.map { ($0.records, $0.bytes) }
        for (day, bytes) in summary.bytesByDay { measurement.addWritten(bytes, day: day) }
        if summary.lacksLog {
            context.note(
                "there is no -wal beside \(path.quoted); unless the app had ended when it was copied, the latest changes are missing: copy both"
            )
        }
        return measurement
    }

    private static func log(_ path: String, _ context: CommandContext) throws -> Measurement {
        // What arrives last is shown: so CloudKit merges where changed keys are sent.
        let rules = MergeRules(standard: .fields(.lastArrivalWins))
        var replay = PolicyReplay(recorded: PolicyReplay.Candidate(name: "last-arrival-wins", rules: rules), candidates: [])
        var measurement = Measurement(source: path)
        let counts = try context.source([.file(path)], isLenient: false).read { line, location in
            replay.observe(line, at: location)
            switch line.event.content {
            case .write(let write):
                let bytes = values(of: write.fields ?? FieldMap()).reduce(0) { $0 + $1.bytes }
                measurement.addWritten(bytes, day: Int((Double(line.event.milliseconds) / 86_400_000).rounded(.down)))
            case .outbox(let status) where status.bytes > measurement.waiting?.bytes ?? 0:
                measurement.waiting = (status.writes, status.bytes)
            default: break
            }
        }
        counts.note(context)
        guard replay.writes > 0 else {
            throw CommandError(
                .badData, "\(path.quoted):1: there is no write in it, and only writes tell of sizes and of edits that were lost")
        }
        for record in replay.records { measurement.add(record.key.id.rawValue, of: record.key.type.rawValue, values(of: record.fields)) }
        measurement.losses = losses(replay.result())
        return measurement
    }

    private static func values(of fields: FieldMap) -> [Measurement.Value] {
        fields.indices.compactMap { index in
            ValueSize(fields.written(at: index)).map {
                Measurement.Value(field: fields.sortedNames[index].rawValue, bytes: $0.bytes, isAsset: $0.isAsset)
            }
        }
    }

    /// The fields that lost edits, by what `replay` finds and recommends.
    private static func losses(_ result: ReplayResult) -> [Measurement.Loss] {
        guard let recorded = result.outcomes.first else { return [] }
        return result.fields.compactMap { key in
            guard let field = key.field, let count = recorded.byField[key], count.lost > 0 else { return nil }
            let policies = result.recommendations.filter { $0.register == key }.map(\.policy)
            let shape: Measurement.Shape = policies.contains("counter") ? .counter : policies.contains("set") ? .set : .value
            return Measurement.Loss(type: key.type.rawValue, field: field.rawValue, edits: count.lost, shape: shape)
        }
    }
}
