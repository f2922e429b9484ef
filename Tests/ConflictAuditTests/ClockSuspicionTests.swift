import ConflictAudit
import SyncMerge
import SyncModel
import Testing

/// A winner is suspect where correcting the clocks would change it, or where its timestamp lies ahead of the hub's clock.
@Suite struct ClockSuspicionTests {
    private func put(_ device: DeviceID, at milliseconds: Int64, _ value: FieldValue, received: Int64? = nil) -> TaggedWrite {
        TaggedWrite(
            dot: Dot(device: device, sequence: 1), timestamp: HybridTimestamp(milliseconds: milliseconds),
            key: RecordKey(type: "note", id: "1"), operation: .put(["x": value]), seen: [:],
            receipt: received.map { TaggedWrite.Receipt(milliseconds: $0, hubSequence: nil) })
    }

    /// The verdicts on a write of `a` at 5,000 that meets one of `b` at 4,000.
    private func suspicions(
        _ policy: MergePolicy = .lastWriterWins, offsets: [DeviceID: Int64], received: Int64? = nil, other: Int64 = 4000
    ) -> [Bool] {
        var auditor = TraceAuditor(mergeRules: MergeRules(standard: .fields(policy)))
        for (device, offset) in offsets {
            auditor.observe(ClockMeasurement(device: device, offset: .milliseconds(offset), uncertainty: .milliseconds(1)))
        }
        return [put("a", at: 5000, 1, received: received), put("b", at: other, 2)].flatMap { auditor.observe($0) }.map(\.clockSuspect)
    }

    static let offsets: [(a: Int64, b: Int64, isSuspect: Bool)] = [
        (0, 0, false), (999, 0, false), (1001, 0, true), (0, -1001, true), (600, -600, true), (600, 600, false), (-5000, 0, false),
        // Corrected to the same moment, b comes after a in the total order.
        (1000, 0, true),
        (.max, 0, true), (-.max, 0, false),
    ]

    @Test(arguments: offsets) func offsetsThatTurnTheOrderMakeTheLatestSuspect(offset: (a: Int64, b: Int64, isSuspect: Bool)) {
        #expect(suspicions(offsets: ["a": offset.a, "b": offset.b]) == [offset.isSuspect])
    }

    @Test(arguments: [(0, 0, false), (1001, 0, true), (0, -999, false), (0, -1001, true), (-5000, 0, false)] as [(Int64, Int64, Bool)])
    func andTheEarliestWhereThatIsTheRule(a: Int64, b: Int64, isSuspect: Bool) {
        #expect(suspicions(.firstWriterWins, offsets: ["a": a, "b": b]) == [isSuspect])
    }

    @Test func whereClocksHaveNoSayOffsetsChangeNothing() {
        #expect(suspicions(.minimum, offsets: ["a": 9000]) == [false])
        #expect(suspicions(.preferDevices(["a"]), offsets: ["a": 9000]) == [false])
    }

    @Test func clocksThatAreTakenOverFromAnotherAuditorCount() {
        var (measured, auditor) = (TraceAuditor(), TraceAuditor())
        measured.observe(ClockMeasurement(device: "a", offset: .milliseconds(1001), uncertainty: .milliseconds(1)))
        auditor.clocks = measured.clocks
        #expect([put("a", at: 5000, 1), put("b", at: 4000, 2)].flatMap { auditor.observe($0) }.map(\.clockSuspect) == [true])
    }

    @Test(arguments: [(3000, false), (2999, true), (5000, false), (9000, false)] as [(Int64, Bool)])
    func aTimestampAheadOfTheHubByMoreThanTheToleranceIsSuspect(received: Int64, isSuspect: Bool) {
        #expect(suspicions(offsets: [:], received: received) == [isSuspect])
        #expect(suspicions(.preferDevices(["a"]), offsets: [:], received: received) == [isSuspect])
        // Only the winner's clock matters.
        #expect(suspicions(offsets: [:], received: received, other: 9000) == [false])
    }
}
