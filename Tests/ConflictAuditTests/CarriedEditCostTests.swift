import ConflictAudit
import SyncModel
import SyncOracle
import Testing

/// What a loser's writer had been shown is found without a look at all that was written.
@Suite struct CarriedEditCostTests {
    private static func put(_ device: String, _ number: UInt64, at time: Int64, _ value: FieldValue, _ seen: VersionVector) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: DeviceID(device), sequence: number), timestamp: HybridTimestamp(milliseconds: time),
            key: RecordKey(type: "note", id: "1"), operation: .put(["x": value]), seen: seen)
    }

    /// Concurrent writes of many devices, each of which had seen the first.
    private static func crowd(_ count: Int) -> [TaggedWrite] {
        [put("a", 1, at: 0, 0, [:])] + (1...count).map { put("d\($0)", 1, at: Int64($0), .number(JSONNumber($0 % 7)), ["a": 1]) }
    }

    /// Two devices save one value over and over, each time without having seen the other's last save, and others win over that.
    private static func repeats(_ count: Int) -> [TaggedWrite] {
        var (writes, a, b) = ([put("a", 1, at: 0, "v", [:])], 1 as UInt64, 0 as UInt64)
        for step in 1...Int64(count) {
            let seen: VersionVector = b == 0 ? ["a": a] : ["a": a, "b": b]
            (a, b) = (a + 1, b + 1)
            writes += [put("a", a, at: step, "v", seen), put("b", b, at: step, "v", seen)]
        }
        for step in 1...Int64(count) {
            writes.append(put("w\(step)", 1, at: Int64(count) + 2 * step, "w", ["a": 1]))
            writes.append(put("a", a + 1, at: Int64(count) + 2 * step - 1, "v", ["a": a, "b": b]))
            a += 1
        }
        return writes
    }

    @Test(arguments: [crowd, repeats]) func timeGrowsWithTheWrites(_ make: @Sendable (Int) -> [TaggedWrite]) {
        func time(_ count: Int) -> Duration {
            let writes = make(count)
            return processorTime {
                var auditor = TraceAuditor()
                for write in writes { auditor.observe(write) }
            }
        }
        _ = time(200)
        // Of 8 times as many; a look at all of them takes 40 to 64 times as long. The slower of two short runs, for on a busy machine one
        // may be lucky.
        #expect(holdsWhenMeasured { time(2000) < max(time(250), time(250)) * 30 + .milliseconds(20) })
    }
}
