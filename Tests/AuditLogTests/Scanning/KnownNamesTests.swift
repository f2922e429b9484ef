import SyncOracle
import Testing

@testable import AuditLog

/// Names have the numbers that their tables give them, whether they are known or not.
@Suite struct KnownNamesTests {
    @Test(arguments: 1...3 as ClosedRange<UInt64>) func everyNameHasItsNumber(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let known = KnownNames()
        let kinds: [KnownNames.Kind] = [.device, .recordType, .field]
        var tables = kinds.map { _ in NameTable() }
        // More than are known at a time, and some that are too long to be.
        let names = (0..<3000).map { index in
            String(repeating: "n", count: random.below(14)) + (index.isMultiple(of: 3) ? "\(index / 3)" : "-\(random.below(5000))")
        }
        var twins = kinds.map { _ in [String: Int]() }
        for round in 0..<40_000 {
            let name = names[round.isMultiple(of: 2) ? random.below(100) : random.below(names.count)]
            let (kind, owner) = (random.below(kinds.count), random.below(4))
            let expected = twins[kind]["\(owner) \(name)"] ?? twins[kind].count
            twins[kind]["\(owner) \(name)"] = expected
            let bytes = Array(name.utf8) + [UInt8](repeating: UInt8(random.below(256)), count: LineCursor.padding)
            let number = unsafe bytes.withUnsafeBufferPointer { buffer -> Int? in
                guard let start = unsafe LineCursor(buffer, at: 0) else { return nil }
                let text = LineCursor.Text(start, count: name.utf8.count, isPlain: true)
                return known.number(of: text, owner: owner, kinds[kind], in: &tables[kind])
            }
            #expect(number == expected, "\(name) of \(owner)")
        }
        let nothing = KnownNames()
        var empty = NameTable()
        #expect(nothing.number(of: .none, .device, in: &empty) == 0)
        #expect(nothing.number(of: .none, .device, in: &empty) == 0)
    }
}
