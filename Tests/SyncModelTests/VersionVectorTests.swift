import SyncModel
import SyncOracle
import Testing

/// Version vectors.
@Suite struct VersionVectorTests {
    @Test func aNumberCoversAllSmallerOnesOfItsDeviceAlone() {
        let vector: VersionVector = ["a": 3, "b": 1]
        #expect(vector.covers(Dot(device: "a", sequence: 1)))
        #expect(vector.covers(Dot(device: "a", sequence: 3)))
        #expect(!vector.covers(Dot(device: "a", sequence: 4)))
        #expect(!vector.covers(Dot(device: "c", sequence: 1)))
        #expect(vector["a"] == 3)
        #expect(vector["c"] == 0)
    }

    @Test func insertingNeverLowersANumber() {
        var vector = VersionVector()
        #expect(vector.isEmpty)
        for sequence in [2, 5, 3] as [UInt64] { vector.insert(Dot(device: "b", sequence: sequence)) }
        vector.insert(Dot(device: "a", sequence: 1))
        #expect(vector == ["a": 1, "b": 5])
        #expect(vector.entries.map(\.device) == ["a", "b"])
        #expect(!vector.isEmpty)
    }

    @Test func aVectorThatGrowsDeviceByDeviceIsSeldomMoved() {
        var vector = VersionVector()
        var capacities: Set<Int> = []
        for device in 0..<5000 {
            vector.insert(Dot(device: DeviceID("device \(10_000 + device)"), sequence: 1))
            capacities.insert(vector.entries.capacity)
        }
        #expect(vector.entries.count == 5000)
        #expect(capacities.count < 200)
    }

    @Test(arguments: vectors, vectors)
    func oneVectorCoversAnotherIfItCoversEachOfItsEntries(one: VersionVector, other: VersionVector) {
        #expect(one.covers(other) == other.entries.allSatisfy { one[$0.device] >= $0.sequence })
    }

    @Test func entriesAreSortedZeroesDroppedAndRepeatedDevicesRefused() {
        #expect(VersionVector(unordered: [("b", 2), ("a", 1), ("c", 0)]) == ["a": 1, "b": 2])
        #expect(VersionVector(unordered: [("a", 0)])?.isEmpty == true)
        #expect(VersionVector(unordered: [("a", 1), ("b", 1), ("a", 1)]) == nil)
        #expect(VersionVector(unordered: [("a", 1), ("a", 1)]) == nil)
    }

    @Test func devicesThatDifferByNormalisationAreTwoDevices() {
        let vector: VersionVector = ["\u{e9}": 1, "e\u{301}": 2]
        #expect(vector.entries.map(\.sequence) == [2, 1])
        #expect(vector["\u{e9}"] == 1)
        #expect(vector["e\u{301}"] == 2)
    }

    private static let vectors: [VersionVector] = [
        [:], ["a": 1], ["a": 2], ["b": 1], ["a": 1, "b": 1], ["a": 1, "c": 9], ["b": 3, "d": 1], ["a": 2, "b": 1, "c": 1, "d": 1],
        ["d": .max],
    ]

    @Test(arguments: vectors, vectors)
    func theUnionHoldsTheHigherNumberOfEveryDevice(one: VersionVector, other: VersionVector) {
        var left = one
        left.formUnion(other)
        var right = other
        right.formUnion(one)
        #expect(left == right)
        for device in ["a", "b", "c", "d", "e"] as [DeviceID] { #expect(left[device] == max(one[device], other[device])) }
        #expect(left.entries.allSatisfy { $0.sequence > 0 })
        #expect(left.covers(one) && left.covers(other))
        let isCovered = other.entries.allSatisfy { one[$0.device] >= $0.sequence }
        #expect(one.covers(other) == isCovered)
        #expect((left == one) == isCovered)
    }

    @Test(
        arguments: 1...40 as ClosedRange<UInt64>)
    func vectorsOfAnySizeAgreeWithDictionaries(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let names = (0..<60).map { index in
            DeviceID("d\(index)" + (random.percent(15) ? String(repeating: "\u{e9}", count: random.below(12)) : ""))
        }
        /// Equal names need not lie in the same memory, nor one that was once long be kept as a short one.
        func another(_ name: DeviceID) -> DeviceID {
            var text = ""
            if random.percent(20) { text.reserveCapacity(64) }
            text += name.rawValue
            return DeviceID(text)
        }
        func some(_ percent: Int) -> [DeviceID: UInt64] {
            var numbers: [DeviceID: UInt64] = [:]
            for name in names where random.percent(percent) { numbers[name] = UInt64(1 + random.below(3)) }
            return numbers
        }
        for _ in 0..<20 {
            let (one, other) = (some(random.below(100)), some(random.below(100)))
            let (left, right) = (
                VersionVector(one.map { Dot(device: another($0.key), sequence: $0.value) }),
                VersionVector(other.map { Dot(device: another($0.key), sequence: $0.value) })
            )
            for name in names { #expect(left[another(name)] == one[name] ?? 0) }
            #expect(left["none"] == 0 && left["a device with a name of more than fifteen bytes"] == 0)
            let both = one.merging(other) { max($0, $1) }
            var union = left
            union.formUnion(right)
            #expect(union == VersionVector(both.map { Dot(device: $0.key, sequence: $0.value) }))
            #expect(left.covers(right) == (both == one))
            #expect(union.covers(left) && union.covers(right))
        }
    }

    @Test func aDotsNumberStartsAt1() async {
        await #expect(processExitsWith: .failure) { _ = Dot(device: "a", sequence: 0) }
        #expect(Dot(device: "a", sequence: 2) < Dot(device: "a", sequence: 10))
        #expect(Dot(device: "B", sequence: 9) < Dot(device: "a", sequence: 1))
    }
}
