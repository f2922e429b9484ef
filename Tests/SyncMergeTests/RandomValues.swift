import SyncMerge
import SyncModel
import SyncOracle

/// What puts carry under the policies by which nobody loses.
enum RandomValues {
    /// Mostly running totals, now and then a number or nothing.
    static let counter: @Sendable (Int, inout SplitMix64) -> FieldValue = { _, random in
        switch random.below(20) {
        case 0: .null
        case 1, 2: .number(JSONNumber(random.below(100)))
        default: CounterWrite(total: Int64(random.below(10)) - 2).value
        }
    }

    /// Mostly elements added and removed, now and then a whole set or nothing.
    static let set: @Sendable (Int, inout SplitMix64) -> FieldValue = { _, random in
        switch random.below(20) {
        case 0: return .null
        case 1, 2: return .array(elements(&random))
        default: return SetWrite(added: elements(&random), removed: elements(&random)).value
        }
    }

    private static func elements(_ random: inout SplitMix64) -> [FieldValue] {
        let alphabet: [FieldValue] = ["p", "q", 1, 1.0]
        return (0..<random.below(3)).map { _ in alphabet[random.below(alphabet.count)] }
    }
}
