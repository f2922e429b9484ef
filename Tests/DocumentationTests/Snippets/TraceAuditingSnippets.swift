import ConflictAudit
import SyncMerge
import SyncModel
import Testing

@Suite struct TraceAuditingSnippets {
    @Test func auditingWrites() throws {
        let mySink = CountingSink()
        let key = RecordKey(type: "Card", id: "42")
        func write(_ device: DeviceID, at milliseconds: Int64, _ phone: FieldValue) -> TaggedWrite {
            TaggedWrite(
                dot: Dot(device: device, sequence: 1), timestamp: HybridTimestamp(milliseconds: milliseconds), key: key,
                operation: .put(["phone": phone]), seen: [:])
        }
        let write = write("iPhone", at: 2000, "2")
        var auditor = TraceAuditor(
            mergeRules: MergeRules(fields: ["Card": ["visits": .counter, "tags": .set]], deletes: .editWins),
            auditRules: AuditRules(window: .seconds(300), uniqueFields: [.init(type: "Card", field: "email")]),
            sink: mySink)  // anything with `func record(_ event: AuditEvent)`

        for conflict in auditor.observe(write) where conflict.severity.isLoss {
            print(conflict.key, conflict.field ?? "", "lost:", conflict.loser.value ?? "", "because:", conflict.reason)
        }
        print(auditor.statistics.dataLost, "edits lost in", auditor.statistics.totalConflicts, "conflicts")
        #expect(auditor.statistics.writesObserved == 1)
    }
}
