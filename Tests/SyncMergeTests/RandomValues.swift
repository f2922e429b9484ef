import SyncMerge
import SyncModel
import SyncOracle

/// What puts carry under the policies by which nobody loses.
enum RandomValues {
    /// Mostly running totals, now and then a number, nothing, or what cannot be counted.
    static let counter: @Sendable (Int, inout SplitMix64) -> FieldValue = { _, random in
        switch random.below(24) {
        case 0: .null
        case 1, 2: .number(JSONNumber(random.below(100)))
        case 3: CounterWrite(total: random.percent(50) ? .max : .min).value
        case 4, 5: uncountable[random.below(uncountable.count)]
        default: CounterWrite(total: Int64(random.below(10)) - 2).value
        }
    }

    /// Values that a counter cannot count from: no whole number, or none that fits 64 bits.
    static let uncountable: [FieldValue] = [
        1.5, "hello", [1, 2], ["$counter": 1.5], ["$counter": 1, "x": 1], true,
        .number(JSONNumber(UInt64.max)),
    ]

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
