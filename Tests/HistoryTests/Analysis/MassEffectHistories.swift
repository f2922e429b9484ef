import AuditChecking
import AuditLog
import ConflictAudit
import SyncModel
import Testing

/// Mass effects in logs of very many writes.
@Suite struct MassEffectHistories {
    private static let start: Int64 = 1_768_485_600_000

    @Test(arguments: [true, false], [10_000, 1]) func manyConcurrentDeletesOfOneRecordTakeLinearTime(hasContexts: Bool, devices: Int) {
        let count = 100_000
        let key = RecordKey(type: "Card", id: "1")
        var check = EffectsCheck()
        let time = ContinuousClock().measure {
            for number in 0..<2 * count {
                let device = DeviceID("\(number < count ? "d" : "p")\(number % devices)")
                let write = TaggedWrite(
                    dot: Dot(device: device, sequence: UInt64(number % count / devices + 1)),
                    timestamp: HybridTimestamp(milliseconds: Self.start + Int64(number)), key: key,
                    operation: number < count ? .delete : .put(["a": 1]), seen: hasContexts ? [:] : nil)
                check.observe(
                    AuditLine(event: AuditEvent(at: Self.start + Int64(number), .write(write))),
                    at: AuditLogReader.Location(file: "log.jsonl", line: number + 1))
            }
            #expect(check.finish().findings.isEmpty)
        }
        #expect(time < .seconds(20))
    }
}
