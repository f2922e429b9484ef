import SyncCoding
import SyncMerge
import SyncModel

/// Writes of one record, made by hand: the clock in milliseconds, and what the writer had seen.
func put(
    _ device: DeviceID, _ sequence: UInt64 = 1, at milliseconds: Int64, counter: UInt32 = 0, _ fields: FieldMap,
    saw seen: VersionVector? = [:]
) -> TaggedWrite {
    TaggedWrite(
        dot: Dot(device: device, sequence: sequence), timestamp: HybridTimestamp(milliseconds: milliseconds, counter: counter),
        key: RecordKey(type: "note", id: "1"), operation: .put(fields), seen: seen)
}

/// A delete of the same record.
func delete(_ device: DeviceID, _ sequence: UInt64 = 1, at milliseconds: Int64, saw seen: VersionVector? = [:]) -> TaggedWrite {
    TaggedWrite(
        dot: Dot(device: device, sequence: sequence), timestamp: HybridTimestamp(milliseconds: milliseconds),
        key: RecordKey(type: "note", id: "1"), operation: .delete, seen: seen)
}

/// A replica that holds one record.
struct OneRecord {
    let rules: MergeRules
    var record = RecordState(key: RecordKey(type: "note", id: "1"))
    /// Each decision in one line, such as `x: b:1 over a:1, newer`.
    var decisions: [String] = []

    init(_ writes: [TaggedWrite], rules: MergeRules = MergeRules()) {
        self.rules = rules
        for write in writes { merge(write) }
    }

    var shown: FieldMap? { record.shown(rules: rules) }

    mutating func merge(_ write: TaggedWrite) {
        for decision in record.merge(write, rules: rules) {
            let register = decision.field?.rawValue ?? "record"
            decisions.append("\(register): \(decision.winner.dot) over \(decision.loser.dot), \(decision.reason.rawValue)")
        }
    }

    func winner(of field: FieldName?) -> String? {
        record.winner(of: field, rules: rules)?.dot.description
    }
}

extension RecordState {
    /// The state in bytes.
    var stored: [UInt8] {
        var encoder = StateEncoder()
        encode(into: &encoder)
        return encoder.bytes
    }

    init(stored bytes: [UInt8], key: RecordKey) throws {
        var decoder = try StateDecoder(bytes)
        try self.init(key: key, from: &decoder)
        try decoder.finish()
    }
}

/// Every order of a few elements.
func permutations<Element>(_ elements: [Element]) -> [[Element]] {
    guard let first = elements.first else { return [[]] }
    return permutations(Array(elements.dropFirst())).flatMap { rest in
        (0...rest.count).map { index in
            var order = rest
            order.insert(first, at: index)
            return order
        }
    }
}
