import SyncBytes
import SyncModel
import Testing

@Suite struct IdentifierTests {
    /// All strings of up to three characters out of a zero, a letter and characters of two to four bytes, alone and behind 12, 13 and 20 letters.
    private static let strings: [String] = {
        var endings = [""]
        for length in 1...3 {
            for ending in endings where ending.unicodeScalars.count == length - 1 {
                endings += ["\0", "a", "é", "\u{ffff}", "😀"].map { ending + $0 }
            }
        }
        return ["", "aaaaaaaaaaaa", "aaaaaaaaaaaab", "aaaaaaaaaaaaaaaaaaab"].flatMap { start in endings.map { start + $0 } }
    }()

    @Test func stringsComeBackAsTheyWere() {
        for string in Self.strings { #expect(Array(RecordID(string).rawValue.utf8) == Array(string.utf8)) }
    }

    @Test func orderEqualityAndHashesAreThoseOfTheBytes() {
        let key = HashKey()
        for left in Self.strings {
            for right in Self.strings {
                let (one, other) = (DeviceID(left), DeviceID(right))
                let isEqual = Array(left.utf8) == Array(right.utf8)
                let isBefore = left.utf8.lexicographicallyPrecedes(right.utf8)
                guard (one == other) == isEqual, (one < other) == isBefore else {
                    Issue.record("\(left.debugDescription) and \(right.debugDescription)")
                    continue
                }
                if isEqual { #expect(one.hashValue == other.hashValue && one.quickHash(key) == other.quickHash(key)) }
            }
        }
    }

    @Test func fewHashesAgreeByChance() {
        let key = HashKey()
        #expect(Set(Self.strings.map { DeviceID($0).quickHash(key) }).count == Set(Self.strings.map { Array($0.utf8) }).count)
    }

    @Test func identifiersOfAnArenaAreThoseOfTheirBytes() {
        var arena = IdentifierArena()
        var copy = arena
        let strings = (0..<1000).map { "\($0)" + String(repeating: "é", count: $0 % 300) }
        var kept: [(RecordID, RecordID)] = []
        for (number, string) in strings.enumerated() {
            if number % 97 == 0 { copy = arena }
            let bytes = Array(string.utf8)
            kept.append((RecordID(bytes.span, in: &arena), RecordID(bytes.span, in: &copy)))
        }
        for (string, ids) in zip(strings, kept) {
            #expect(ids.0 == RecordID(string) && ids.1 == RecordID(string) && ids.0.rawValue == string)
            #expect(ids.0.hashValue == RecordID(string).hashValue)
        }
    }
}
