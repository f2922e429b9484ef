import SyncModel
import Testing

/// A small vector beside a large one is taken entry by entry; the outcome must be that of a walk through both.
@Suite struct SmallVersionVectorTests {
    private static let large = VersionVector((0..<400).map { Dot(device: DeviceID("d\($0 * 2)"), sequence: UInt64($0 % 7 + 1)) })

    @Test(arguments: [0, 1, 4, 5, 9, 12, 13, 40, 400]) func unionAndCoverageAreThoseOfEveryEntry(count: Int) {
        var unionsThatGrew = 0
        for offset in [0, 1, 397] {
            let small = VersionVector(
                (0..<count).map { Dot(device: DeviceID("d\(($0 * 31 + offset) % 803)"), sequence: UInt64($0 % 5 + 1)) })
            var union = Self.large
            union.formUnion(small)
            var swapped = small
            swapped.formUnion(Self.large)
            #expect(union == swapped)
            for device in Set((Self.large.entries + small.entries).map(\.device)) {
                #expect(union[device] == max(Self.large[device], small[device]))
            }
            #expect(union.entries.count == Set((Self.large.entries + small.entries).map(\.device)).count)
            #expect(Self.large.covers(small) == small.entries.allSatisfy { Self.large[$0.device] >= $0.sequence })
            if union != Self.large { unionsThatGrew += 1 }
        }
        #expect((unionsThatGrew > 0) == (count > 0))
    }
}
