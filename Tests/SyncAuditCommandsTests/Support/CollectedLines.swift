import AuditLog
import ConflictAudit
import Foundation
import SyncAuditCommands
import SyncBytes
import SyncModel
import Synchronization

/// A sink that keeps events, to be written as a device's log.
final class CollectedLines: AuditSink {
    private let events = Mutex<[AuditEvent]>([])

    func record(_ event: AuditEvent) { events.withLock { $0.append(event) } }

    /// The log's lines, without numbers.
    func text(_ source: String) -> String {
        var bytes: [UInt8] = []
        for event in events.withLock({ $0 }) { LineEncoder.append(AuditLine(source: DeviceID(source), event: event), to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension TestWorld {
    /// The name of the first conflict that some lines tell of.
    static func conflictID(in text: String) throws -> String? {
        for line in text.split(separator: "\n") {
            let object = try JSONParser.parse(String(line)).object
            if object?["event"] == "conflict" { return object?["id"]?.string }
        }
        return nil
    }
}
