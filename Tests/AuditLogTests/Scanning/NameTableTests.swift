import SyncOracle
import Testing

@testable import AuditLog

/// A table of names numbers them as a dictionary would.
@Suite struct NameTableTests {
    private struct Name: Hashable {
        let text: String
        let owner: Int
    }

    private struct Twin {
        var table = NameTable()
        var numbers: [Name: Int] = [:]

        mutating func note(_ name: Name, sourceLocation: SourceLocation = #_sourceLocation) {
            let expected = numbers[name] ?? numbers.count
            numbers[name] = expected
            #expect(table.number(of: name.text, owner: name.owner) == expected, "\(name)", sourceLocation: sourceLocation)
        }

        func check(sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(table.count == numbers.count, sourceLocation: sourceLocation)
            for (name, number) in numbers {
                let (owner, text) = table.name(number)
                #expect(text == name.text && owner == name.owner && table.owner(number) == owner, sourceLocation: sourceLocation)
            }
        }
    }

    /// Names of up to 40 bytes that differ in a byte or in their length, so that many begin and end alike.
    private static func name(_ random: inout SplitMix64) -> Name {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: random.below(41))
        for _ in 0..<random.below(3) where !bytes.isEmpty { bytes[random.below(bytes.count)] = UInt8(ascii: "a") + UInt8(random.below(26)) }
        return Name(text: String(decoding: bytes, as: UTF8.self), owner: random.below(3))
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>) func namesKeepTheirNumbers(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var twin = Twin(table: NameTable(capacity: seed == 3 ? 1000 : 0))
        twin.check()
        for count in [1, 600, 3000] {
            for _ in 0..<count { twin.note(Self.name(&random)) }
            twin.check()
        }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>) func namesOfTwoTablesAreOrderedByTheirBytes(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (here, there) = (Twin(), Twin())
        // Zeros look like the end of a name.
        func name() -> Name {
            let name = Self.name(&random)
            return Name(text: String(decoding: name.text.utf8.map { $0 < UInt8(ascii: "h") ? $0 : 0 }, as: UTF8.self), owner: name.owner)
        }
        for _ in 0..<200 {
            here.note(name())
            there.note(name())
        }
        let sorted = here.table.sorted(here.numbers.values.shuffled(using: &random)).map { Array(here.table.name($0).text.utf8) }
        #expect(sorted == here.numbers.keys.map { Array($0.text.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }, "seed \(seed)")
        for (name, number) in here.numbers {
            for (other, otherNumber) in there.numbers {
                let expected = name.text.utf8.lexicographicallyPrecedes(other.text.utf8)
                #expect(here.table.precedes(number, there.table, otherNumber) == expected, "\(name) \(other), seed \(seed)")
            }
        }
    }

    /// Into an empty table, and into one that has names.
    @Test(arguments: [0, 1, 700]) func namesOfAnotherTableAreAdopted(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        var (here, there) = (Twin(), Twin())
        for _ in 0..<count { here.note(Self.name(&random)) }
        for _ in 0..<2000 { there.note(Self.name(&random)) }
        // Names that are different there may be the same here.
        let owner = { (there: Int) in there / 2 }
        let numbers = here.table.adopt(there.table, owner: owner)
        for (name, number) in there.numbers.sorted(by: { $0.value < $1.value }) {
            let name = Name(text: name.text, owner: owner(name.owner))
            let expected = here.numbers[name] ?? here.numbers.count
            here.numbers[name] = expected
            #expect(numbers[number] == expected)
        }
        here.check()
        // Once more nothing is new.
        #expect(here.table.adopt(there.table, owner: owner) == numbers)
        here.check()
    }

    @Test func aCopyIsOneUntilEitherChanges() {
        var table = NameTable()
        #expect(table.isCopy(of: NameTable()))
        _ = table.number(of: "a")
        var copy = table
        #expect(copy.isCopy(of: table) && !copy.isCopy(of: NameTable()))
        _ = copy.number(of: "a")
        #expect(copy.isCopy(of: table))
        _ = copy.number(of: "b")
        #expect(!copy.isCopy(of: table))
        _ = table.number(of: "b")
        #expect(!copy.isCopy(of: table), "the same names, but nobody knows")
    }
}
