import ConflictAudit
import SyncLayer
import SyncMerge
import SyncModel

/// What a person does with an app: edits of records, one at a time or several at once.
struct SimulatedApp {
    /// A write that the app was told is safe.
    struct Acknowledgement: Sendable {
        let dot: Dot
        let key: RecordKey
        let operation: Operation
        /// How many lines the log had before.
        var line = 0
        /// What it is whatever it is called, nil where the log does not say.
        var identity: WriteIdentity?
    }

    /// What the app asked for.
    enum Operation: Hashable, Sendable {
        case put(FieldMap)
        case delete
        case increment(FieldName, Int64)
        case add(FieldName, [FieldValue])
        case remove(FieldName, [FieldValue])
    }

    /// What a write that is taken back says; it must not show up anywhere.
    private static let takenBack: FieldValue = "taken back"
    private static let takenBackNumber: FieldValue = 1_000_000

    private struct ChangeOfMind: Error {}

    private static let fields: [FieldName] = ["count", "name", "tags", "text"]
    private static let words: [FieldValue] = ["red", "green", "blue", "black"]

    let rules: MergeRules
    let keys: [RecordKey]
    /// Counts the edits, so that most values tell their edit.
    private var edits = 0

    init(rules: MergeRules, records: Int) {
        self.rules = rules
        let named = Set(rules.types.keys).union(rules.fields.keys).sorted()
        let types = named.isEmpty ? ["Note"] : named
        keys = (0..<records).map { RecordKey(type: types[$0 % types.count], id: RecordID(String($0 / types.count + 1))) }
    }

    /// Edits something.
    ///
    /// - Returns: What the app was told is safe.
    mutating func edit(_ replica: Replica, _ random: inout SimulationRandom) throws -> [Acknowledgement] {
        switch random.below(100) {
        case 0..<80:
            let key = random.pick(keys)
            let operation = operation(on: key, &random)
            let dot = try replica.write { try Self.apply(operation, to: key, $0) }
            return dot.map { [Acknowledgement(dot: $0, key: key, operation: operation)] } ?? []
        case 80..<93:
            let plan = (0...random.below(3)).map { _ in
                let key = random.pick(keys)
                return (key, operation(on: key, &random))
            }
            let dots = try replica.write { batch in try plan.map { try Self.apply($0.1, to: $0.0, batch) } }
            return zip(plan, dots).compactMap { edit, dot in
                dot.map { Acknowledgement(dot: $0, key: edit.0, operation: edit.1) }
            }
        case 93..<96:
            let key = random.pick(keys)
            do {
                try replica.write { batch in
                    try batch.put(["name": takenBack(in: key)], to: key)
                    throw ChangeOfMind()
                }
            } catch is ChangeOfMind {}
            return []
        default: return try resolve(replica, &random)
        }
    }

    /// The value that is never to be seen, as the field can hold it.
    private func takenBack(in key: RecordKey) -> FieldValue {
        switch policy(of: "name", of: key) {
        case .set: [Self.takenBack]
        case .counter: Self.takenBackNumber
        default: Self.takenBack
        }
    }

    /// Whether a value was never to be seen.
    static func isTakenBack(_ value: FieldValue) -> Bool { [takenBack, [takenBack], takenBackNumber].contains(value) }

    /// Decides one of the conflicts that wait for the person.
    private mutating func resolve(_ replica: Replica, _ random: inout SimulationRandom) throws -> [Acknowledgement] {
        let waiting = replica.activeConflicts
        if waiting.isEmpty { return [] }
        let conflict = random.pick(waiting)
        guard let field = conflict.field else { return [] }
        let value = value(of: field, of: conflict.key, &random)
        let dot = try replica.resolve(conflict.id, with: value)
        return [Acknowledgement(dot: dot, key: conflict.key, operation: .put([field: value]))]
    }

    /// - Returns: The write's name, nil where there was nothing to delete.
    private static func apply(_ operation: Operation, to key: RecordKey, _ batch: WriteBatch) throws -> Dot? {
        switch operation {
        case .put(let fields): try batch.put(fields, to: key)
        case .delete: try batch.delete(key)
        case .increment(let field, let amount): try batch.increment(field, of: key, by: amount)
        case .add(let field, let elements): try batch.add(elements, to: field, of: key)
        case .remove(let field, let elements): try batch.remove(elements, from: field, of: key)
        }
    }

    private mutating func operation(on key: RecordKey, _ random: inout SimulationRandom) -> Operation {
        if random.chance(0.15) { return .delete }
        var fields = FieldMap()
        // Fields that a rule names are edited even where no record would have them otherwise.
        let names = Self.fields + (rules.fields[key.type] ?? [:]).keys.sorted().filter { !Self.fields.contains($0) }
        for _ in 0...random.below(3) {
            let field = random.pick(names)
            // A running total or a change to a set is a write of its own; now and then one sets the whole value instead.
            switch policy(of: field, of: key) {
            case .counter where random.chance(0.9): return .increment(field, random.within(-2...5))
            case .set where random.chance(0.9):
                let elements = (0...random.below(2)).map { _ in random.pick(Self.words) }
                return random.chance(0.6) ? .add(field, elements) : .remove(field, elements)
            default: fields[field] = value(of: field, of: key, &random)
            }
        }
        return .put(fields)
    }

    private mutating func value(of field: FieldName, of key: RecordKey, _ random: inout SimulationRandom) -> FieldValue {
        edits += 1
        if random.chance(0.1) { return .null }
        switch policy(of: field, of: key) {
        case .counter, .maximum, .minimum: return .number(JSONNumber(random.within(0...40)))
        case .set: return .array((0..<random.below(3)).map { _ in random.pick(Self.words) })
        default: return random.chance(0.25) ? random.pick(Self.words) : .string("edit \(edits)")
        }
    }

    /// The policy of a field; nil where the record is one register, whose policy does not measure fields.
    private func policy(of field: FieldName, of key: RecordKey) -> MergePolicy? {
        guard case .fields = rules.scope(for: key.type) else { return nil }
        return rules.policy(for: key.type, field: field)
    }
}
