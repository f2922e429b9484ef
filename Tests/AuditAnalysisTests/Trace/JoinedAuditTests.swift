import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// The logs of several observers together.
struct JoinedAuditTests {
    private let card = RecordKey(type: "Card", id: "1")

    /// A write in a device's log, and the server's word for it.
    private struct Entry {
        var device: DeviceID
        var n: UInt64
        var number: UInt64
        var arrived: UInt64?
        var earliest: UInt64?
        var fields: FieldMap? = ["title": 1]
        var source: DeviceID?
    }

    private func audit(_ entries: [Entry], twice: Bool = false) -> [Conflict] {
        var audit = JoinedAudit()
        for entry in entries + (twice ? entries : []) {
            let dot = Dot(device: entry.device, sequence: entry.n)
            let write = TaggedWrite(
                dot: dot, timestamp: HybridTimestamp(milliseconds: Int64(entry.n)), key: card,
                operation: entry.fields.map { .put($0) } ?? .delete, seen: nil)
            audit.observe(AuditEvent(at: 1, .write(write)), source: entry.source ?? entry.device)
            audit.observe(
                AuditEvent(
                    at: 2,
                    .acknowledgement(
                        WriteAcknowledgement(
                            dot: dot, key: card, fields: entry.fields?.names.map(\.self), number: entry.number,
                            earliest: entry.earliest ?? entry.number, arrived: entry.arrived))), source: entry.source ?? entry.device)
        }
        return audit.finish().conflicts
    }

    @Test(arguments: [false, true]) func writeOverOneThatHadNotArrivedIsAConflict(twice: Bool) {
        let found = audit(
            [
                Entry(device: "phone", n: 1, number: 1, arrived: 0, fields: ["title": "Plan"]),
                Entry(device: "tablet", n: 1, number: 2, arrived: 0, fields: ["title": "Draft"]),
            ], twice: twice)
        #expect(found.map(\.basis) == [.causal])
        #expect(found.map(\.loser.value) == ["Plan"])
        #expect(found.map(\.winner.value) == ["Draft"])
    }

    @Test func writeOverOneThatHadArrivedIsNone() {
        let entries = [
            Entry(device: "phone", n: 1, number: 1, arrived: 0, fields: ["title": "Plan"]),
            Entry(device: "tablet", n: 1, number: 2, arrived: 1, fields: ["title": "Draft"]),
        ]
        #expect(audit(entries).isEmpty)
        #expect(audit(entries.reversed()).isEmpty)
    }

    @Test func writeThatMayHaveBeenTakenBeforeIsNone() {
        #expect(
            audit([
                Entry(device: "tablet", n: 1, number: 2, arrived: 1, fields: ["title": "Draft"]),
                Entry(device: "phone", n: 1, number: 3, arrived: 0, earliest: 1, fields: ["title": "Plan"]),
            ]).isEmpty)
    }

    @Test func writeOfUnknownContextIsOnlySuspected() {
        let found = audit([
            Entry(device: "phone", n: 1, number: 1, arrived: 0, fields: ["title": "Plan"]),
            Entry(device: "tablet", n: 1, number: 2, arrived: nil, fields: ["title": "Draft"]),
        ])
        #expect(found.map(\.basis.isProof) == [false])
    }

    @Test func otherFieldsAreNoConflict() {
        #expect(
            audit([
                Entry(device: "phone", n: 1, number: 1, arrived: 0, fields: ["title": "Plan"]),
                Entry(device: "tablet", n: 1, number: 2, arrived: 0, fields: ["note": "a"]),
            ]).isEmpty)
    }

    @Test func deleteOverEditThatHadNotArrivedIsDestructive() {
        let found = audit([
            Entry(device: "phone", n: 1, number: 2, arrived: 1, fields: ["title": "Plan"]),
            Entry(device: "tablet", n: 1, number: 3, arrived: 1, fields: nil),
        ])
        #expect(found.map(\.kind) == [.deleteUpdate])
        #expect(found.map(\.severity) == [.destructive])
        #expect(
            audit([
                Entry(device: "phone", n: 1, number: 2, arrived: 1, fields: ["title": "Plan"]),
                Entry(device: "tablet", n: 1, number: 3, arrived: 2, fields: nil),
            ]).isEmpty)
    }

    @Test func editOverDeleteThatHadArrivedIsNone() {
        #expect(
            audit([
                Entry(device: "phone", n: 1, number: 2, arrived: 1, fields: nil),
                Entry(device: "tablet", n: 1, number: 3, arrived: 2, fields: ["title": "Plan"]),
            ]).isEmpty)
    }

    @Test func laterLifeOfADeviceHasSeenTheEarlierOne() {
        let entries = [
            Entry(device: "phone", n: 1, number: 1, arrived: 0, fields: ["title": "Plan"], source: "phone"),
            Entry(device: "phone.x", n: 1, number: 2, arrived: 0, fields: ["title": "Draft"], source: "phone"),
        ]
        #expect(audit(entries).isEmpty)
    }

    /// With a context that names every writer, or a search through all that the log names, either took minutes.
    @Test(.timeLimit(.minutes(10)), arguments: [false, true]) func manyWritersOfARecordCostNoMoreThanTheirLines(inOneLog: Bool) {
        let entries = (1...histories(1_000, of: 20_000)).map { number in
            Entry(
                device: DeviceID("d\(number)"), n: 1, number: UInt64(number), arrived: UInt64(number - 1),
                source: inOneLog ? "phone" : nil)
        }
        #expect(audit(entries).allSatisfy { !$0.basis.isProof })
    }

    @Test func proofOfOneLogIsToldOnceByTheNamesOfTheWrites() throws {
        let entries = [
            Entry(device: "phone", n: 1, number: 1, arrived: 0, fields: ["title": "Plan"]),
            Entry(device: "tablet", n: 1, number: 2, arrived: 0, fields: ["title": "Draft"]),
        ]
        let found = try #require(audit(entries).first)
        var audit = JoinedAudit()
        audit.observe(AuditEvent(at: 1, .conflict(found)), source: "phone")
        #expect(audit.finish().conflicts == [found])
        #expect(audit.finish().statistics.totalConflicts == 1)
    }
}
