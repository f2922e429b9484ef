import SyncModel
import SyncOracle
import Testing

@testable import AuditAnalysis

/// Writes that name each other as seen.
@Suite struct SeenCirclesTests {
    private static func write(_ device: DeviceID, _ number: UInt64, saw seen: VersionVector) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: number), timestamp: HybridTimestamp(milliseconds: 0), key: RecordKey(type: "N", id: "1"),
            operation: .delete, seen: seen)
    }

    private static func circles(_ writes: [TaggedWrite], limit: Int = 1 << 20) -> [[SeenCircles.Step]] {
        var search = SeenCircles(limit: limit)
        for (index, write) in writes.enumerated() { search.observe(write, at: UInt64(index)) }
        search.finish()
        return search.circles
    }

    @Test func threeWritesInACircle() {
        let found = Self.circles([
            Self.write("a", 1, saw: ["b": 1]), Self.write("b", 1, saw: ["c": 1]), Self.write("c", 1, saw: ["a": 1]),
            Self.write("d", 1, saw: ["a": 1, "b": 1, "c": 1]),
        ])
        #expect(
            found == [
                [("a", "b"), ("b", "c"), ("c", "a")].enumerated().map { index, devices in
                    SeenCircles.Step(
                        write: Dot(device: devices.0, sequence: 1), seen: Dot(device: devices.1, sequence: 1), position: UInt64(index))
                }
            ])
    }

    @Test func aCircleMayGoOverADevicesOwnOrder() {
        let found = Self.circles([
            Self.write("a", 1, saw: ["b": 2]), Self.write("b", 1, saw: ["a": 2]), Self.write("b", 2, saw: [:]),
            Self.write("a", 2, saw: [:]),
        ])
        #expect(found.map { $0.map(\.write) } == [[Dot(device: "a", sequence: 1), Dot(device: "b", sequence: 1)]])
    }

    @Test func twoPairsOfTheSameDevicesAreTwoCircles() {
        let writes = [1, 3].flatMap { number in
            [Self.write("a", number, saw: ["b": number]), Self.write("b", number, saw: ["a": number])]
        }
        #expect(Self.circles(writes).count == 2)
    }

    @Test func whatNeverArrivesIsNoCircle() {
        #expect(
            Self.circles([
                Self.write("a", 1, saw: ["b": 7]), Self.write("c", 1, saw: ["a": 1]), Self.write("b", 2, saw: [:]),
                Self.write("b", 1, saw: ["c": 1]),
            ]).isEmpty)
    }

    @Test func aWriteMayCountItselfAmongWhatItHadSeen() {
        #expect(Self.circles([Self.write("a", 2, saw: ["a": 2]), Self.write("b", 1, saw: ["a": 2, "b": 1])]).isEmpty)
    }

    @Test(arguments: [64, 1000])
    func beyondTheLimitTheOldestAreDroppedAndLaterCirclesFound(limit: Int) {
        var writes = (1...3000).map { Self.write(DeviceID("\($0 % 50)"), UInt64(1 + $0 / 50), saw: ["never": UInt64($0)]) }
        writes += [Self.write("a", 1, saw: ["b": 1]), Self.write("b", 1, saw: ["a": 1])]
        #expect(Self.circles(writes, limit: limit).map { $0.map(\.write.device) } == [["a", "b"]])
    }

    @Test(arguments: 0..<200)
    func circlesAreThoseThatBruteForceFinds(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let devices: [DeviceID] = ["a", "b", "c", "d"]
        // Few names of late writes, so that about half of the traces have no circle.
        var writes: [[TaggedWrite]] = devices.map { device in
            (1...5).filter { _ in random.percent(80) }.map { number in
                let seen = devices.filter { $0 != device && random.percent(40) }.map {
                    Dot(device: $0, sequence: UInt64(max(1, number - 2 + random.below(random.percent(15) ? 5 : 2))))
                }
                return Self.write(device, UInt64(number), saw: VersionVector(seen))
            }
        }
        let all = writes.flatMap(\.self)
        var order: [TaggedWrite] = []
        while writes.contains(where: { !$0.isEmpty }) {
            let index = random.below(devices.count)
            if !writes[index].isEmpty { order.append(writes[index].removeFirst()) }
        }
        let found = Self.circles(order)
        #expect(found.isEmpty == !Self.hasCircle(all), "seed \(seed)")
        // Every step names the next write of the circle or a later one of its device.
        for circle in found {
            for (index, step) in circle.enumerated() {
                let next = circle[(index + 1) % circle.count].write
                let write = all.first { $0.dot == step.write }
                #expect(write?.seen?[step.seen.device] == step.seen.sequence, "seed \(seed)")
                #expect(next.device == step.seen.device && next.sequence <= step.seen.sequence, "seed \(seed)")
            }
        }
    }

    /// Whether taking away whatever was made after nothing that is left ends before all are gone.
    private static func hasCircle(_ writes: [TaggedWrite]) -> Bool {
        var left = writes
        while true {
            let free = left.filter { write in
                !left.contains { other in
                    other.dot.device == write.dot.device
                        ? other.dot.sequence < write.dot.sequence : write.seen?.covers(other.dot) ?? false
                }
            }
            if free.isEmpty { return !left.isEmpty }
            left.removeAll { write in free.contains { $0.dot == write.dot } }
        }
    }
}
