import AuditLog
import AuditSamples
import ConflictAudit
import Foundation
import SyncBytes
import SyncModel
import Testing

/// On one device an edit loses to one write, on another to another: it is lost once, whichever verb counts.
@Suite struct FleetLossTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func log(_ source: DeviceID, _ conflicts: [Conflict]) throws -> String {
        var bytes: [UInt8] = []
        for (index, conflict) in conflicts.enumerated() {
            let event = AuditEvent(at: conflict.milliseconds, .conflict(conflict))
            LineEncoder.append(AuditLine(sequence: UInt64(index + 1), source: source, event: event), to: &bytes)
        }
        return try directory.path(String(decoding: bytes, as: UTF8.self), as: "\(source).jsonl")
    }

    /// A name that only the general decoder reads, too.
    @Test(arguments: ["1", "\"1\\"]) func anEditThatLosesToTwoWritesIsLostOnce(id: String) throws {
        let key = RecordKey(type: "Note", id: RecordID(id))
        let logs = [
            try log("phone", [conflict(key, winner: "phone"), conflict(key, field: "colour", winner: "phone")]),
            try log("mac", [conflict(key, winner: "mac"), conflict(key, winner: "mac", loser: "phone")]),
        ]
        for logs in [logs, logs.reversed()] {
            let report = try run(["report", "-f", "json"] + logs)
            #expect(report["editsLost"]?.integer == 3 && report["conflicts"]?.integer == 4, "\(report)")
            let lost = try run(["lost", "-f", "json"] + logs)
            #expect(lost["losses"]?.array?.count == 3, "\(lost)")
            let check = try run(["check", "-f", "json"] + logs)
            #expect(check["lostEdits"]?.integer == 3 && check["conflicts"]?.integer == 4, "\(check)")
        }
        let plain = try run(["report", "-f", "json", "--all-copies"] + logs)
        #expect(plain["editsLost"]?.integer == 4, "every line counts")
    }

    /// Which of the logs is read first decides nothing: a proof is told beside a suspicion, and any of the conflicts may be made good.
    @Test func theOrderOfLogsDecidesNothing() throws {
        let key = RecordKey(type: "Note", id: "1")
        let logs = [
            try log("phone", [conflict(key, winner: "phone", basis: .window)]),
            try log("mac", [conflict(key, winner: "mac")]), try log("pad", [conflict(key, winner: "pad", severity: .destructive)]),
        ]
        let answers = try [logs, logs.reversed(), [logs[1], logs[0], logs[2]]].map { logs in
            let report = try run(["report", "-f", "json"] + logs)
            #expect(report["editsLost"]?.integer == 2, "one for certain, and one perhaps")
            let check = try run(["check", "-f", "json"] + logs)
            #expect(check["lostEdits"]?.integer == 2)
            return try run(["lost", "-f", "json"] + logs)["losses"]
        }
        #expect(Set(answers).count == 1)
    }

    private func run(_ arguments: [String]) throws -> FieldMap {
        let world = TestWorld()
        _ = world.run(arguments)
        return try #require(try JSONParser.parse(world.output.text).object, Comment(rawValue: world.errorText))
    }
}
