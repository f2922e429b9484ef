package import SyncMerge
import SyncModel

extension MergeRules {
    /// A record type for every policy, named for it, and one type whose fields have policies of their own.
    package static let everyPolicy = MergeRules(
        types: [
            "FieldLastWriter": .fields(.lastWriterWins),
            "RecordLastWriter": .record(.lastWriterWins),
            "FieldFirstWriter": .fields(.firstWriterWins),
            "RecordFirstWriter": .record(.firstWriterWins),
            "Maximum": .fields(.maximum),
            "Minimum": .fields(.minimum),
            "Counter": .fields(.counter),
            "Set": .fields(.set),
            "PreferDevices": .fields(.preferDevices(["Mac-3", "iPhone-1"])),
            "Manual": .fields(.manual),
            "CustomWinner": .fields(.custom(.largest)),
            "CustomValue": .fields(.custom(.joined)),
            "Mixed": .fields(.lastWriterWins),
        ],
        fields: ["Mixed": ["count": .counter, "tags": .set, "text": .manual]])
}

extension CustomPolicy {
    /// The largest value wins; of equal ones the latest.
    package static let largest = CustomPolicy(name: "largest") { context in
        func value(_ put: TaggedWrite) -> FieldValue { context.field.flatMap { put.value(of: $0) } ?? .null }
        guard let first = context.candidates.first else { return .undecided }
        // They come earliest first.
        let winner = context.candidates.dropFirst().reduce(first) { best, next in value(next) < value(best) ? best : next }
        return .winner(winner.dot)
    }

    /// All values are shown, one after the other, earliest first.
    package static let joined = CustomPolicy(name: "joined") { context in
        .value(.array(context.candidates.compactMap { put in context.field.flatMap { put.value(of: $0) } }))
    }
}
