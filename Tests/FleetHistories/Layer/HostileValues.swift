import SyncLayer
import SyncMerge
import SyncModel
import SyncOracle

/// Values that something may not be prepared for, from a seed.
struct HostileValues: Sendable {
    static let types: [RecordType] = ["card", "note", "a\u{0}b", "e\u{301}", "\u{e9}"]
    private static let numbers: [UInt64] = [1, 2, 3, 1 << 31, 1 << 53, 1 << 53 + 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max]
    private static let times: [Int64] = [
        .min, .min + 1, -62_167_219_200_001, -62_167_219_200_000, -1, 0, 1_768_482_000_000, 253_402_300_799_999, 253_402_300_800_000, .max,
    ]

    private var random: SplitMix64
    private var sequence: UInt64 = 0

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func name() -> String {
        pick([
            "n", "s", "m", "x", "y", "f", "", "\u{0}", "\"\\", "\u{202e}", "e\u{301}",
            String(repeating: "k", count: pick([100, 4096, 4097, 70_000])),
        ])
    }

    mutating func key() -> RecordKey {
        if chance(90) { return RecordKey(type: pick(["card", "card", "note"]), id: RecordID("\(below(5))")) }
        return RecordKey(type: chance(20) ? RecordType(name()) : pick(Self.types), id: RecordID(name()))
    }

    mutating func value() -> FieldValue {
        switch below(14) {
        case 0: .null
        case 1: .bool(true)
        case 2: .number(JSONNumber(pick(Self.times)))
        case 3: .number(JSONNumber(pick(Self.numbers)))
        case 4: .number(JSONNumber(pick([0.5, -0.0, 1e308, 1e-300, -1e300])) ?? JSONNumber(0))
        case 5: .string(name())
        case 6: nested(pick([1, 2, 100, 251, 252, 253, 254, 255, 256, 257, 300, 1000]))
        case 7: CounterWrite(total: pick([1, -1, .max, .min])).value
        case 8: SetWrite(added: [value()], removed: [value()]).value
        case 9: ["$counter": value()]
        case 10: ["$add": value(), "$remove": value()]
        case 11: ["$asset": "abc"]
        case 12: [value(), value()]
        default: .number(JSONNumber(below(10)))
        }
    }

    mutating func fields() -> FieldMap {
        var fields = FieldMap()
        for _ in 0..<below(4) { fields[FieldName(name())] = value() }
        return fields
    }

    private mutating func vector() -> VersionVector {
        VersionVector(
            (0..<below(4)).map { _ in Dot(device: DeviceID(pick(["a", "b", "x", "y", "", name()])), sequence: pick(Self.numbers)) })
    }

    private mutating func write(_ dot: Dot) -> TaggedWrite {
        let milliseconds = chance(80) ? 1_768_482_000_000 + Int64(below(1000)) : pick(Self.times)
        return TaggedWrite(
            dot: dot, timestamp: HybridTimestamp(milliseconds: milliseconds, counter: pick([0, 1, .max])), key: key(),
            operation: chance(15) ? .delete : .put(fields()), seen: chance(60) ? [:] : vector())
    }

    /// Writes that a device pushes, some of them beyond what anybody can hold, some not its own.
    mutating func push(from device: DeviceID) -> [TaggedWrite] {
        (0..<1 + below(4)).map { _ in
            sequence += UInt64(below(3))
            let number = chance(90) ? max(1, sequence) : pick(Self.numbers.filter { $0 > 1 << 53 })
            return write(Dot(device: chance(97) ? device : "y", sequence: number))
        }
    }

    /// A page as a faulty hub hands it over: the truth, a contradiction, or with writes in it that no store could hold.
    mutating func falsified(_ page: PullPage, for request: PullRequest) -> PullPage {
        switch below(10) {
        case 0...3: page
        case 4: page.with(cursor: pick([0, request.cursor, page.cursor &+ 1, 1 << 53, .max]), hasMore: chance(50) ? true : nil)
        case 5: page.with(page.writes.reversed())
        case 6: page.with(page.writes + page.writes)
        case 7: page.with(leftOut: pick([-1, .min, .max, page.leftOut + 1]))
        case 8:
            page.with(
                page.writes.map {
                    $0.received(TaggedWrite.Receipt(milliseconds: pick(Self.times), hubSequence: chance(50) ? nil : pick(Self.numbers)))
                })
        default: page.with(page.writes.map { chance(30) ? poisoned($0) : $0 })
        }
    }

    private mutating func poisoned(_ write: TaggedWrite) -> TaggedWrite {
        switch below(7) {
        case 0: write.with(dot: Dot(device: pick(["victim", "a", "q"]), sequence: pick(Self.numbers.filter { $0 > 1 << 53 })))
        case 1: write.with(timestamp: HybridTimestamp(milliseconds: pick([.min, .max]), counter: pick([0, .max])))
        case 2: write.with(operation: .put(["f": nested(pick([253, 300, 2000]))]))
        case 3: write.with(key: RecordKey(type: "", id: "1"))
        case 4: write.with(key: RecordKey(type: "card", id: RecordID(String(repeating: "x", count: 5000))))
        case 5: write.with(seen: ["q": .max])
        default: write.with(dot: Dot(device: "", sequence: 1))
        }
    }
}
