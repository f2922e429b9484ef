import ConflictAudit
import SyncLines
import SyncModel

extension LineBuffer {
    /// Appends the health of sync: a list of `{source?, outbox?}`, in order of device, with `outbox` `{latest, largest}` and each of them what an `outbox`
    /// line says, with its time as `at`.
    mutating func append(_ health: SyncHealth) {
        let devices = health.devices.sorted { ($0.key?.rawValue ?? "") < ($1.key?.rawValue ?? "") }
        list(devices) { buffer, entry in
            buffer.object { object in
                if let device = entry.key { object.field("source", device.rawValue) }
                guard let outbox = entry.value.outbox else { return }
                object.key("outbox")
                object.object { object in
                    for (key, reading) in [("latest", outbox.latest), ("largest", outbox.largest)] {
                        object.key(named: key)
                        object.append(reading)
                    }
                }
            }
        }
    }

    private mutating func append(_ reading: SyncHealth.Reading) {
        object { object in
            object.date("at", reading.milliseconds)
            object.field("writes", reading.status.writes)
            object.field("bytes", reading.status.bytes)
            object.field("warningBytes", reading.status.warningBytes)
            object.field("setAside", reading.status.setAside)
            if let oldest = reading.status.oldest { object.date("oldest", oldest.millisecondsSince1970) }
        }
    }
}

extension SyncHealth {
    /// Reads what was appended to a line.
    init(_ rows: [SummaryReader]) throws(AuditAnalysisError) {
        self.init()
        for row in rows {
            var device = Device()
            if row.has("outbox") {
                let outbox = try row.object("outbox")
                device.outbox = Outbox(latest: try Reading(outbox.object("latest")), largest: try Reading(outbox.object("largest")))
            }
            let name = row.has("source") ? DeviceID(try row.text("source")) : nil
            guard devices.updateValue(device, forKey: name) == nil else { throw row.failure("source", "occurs twice") }
        }
    }
}

extension SyncHealth.Reading {
    fileprivate init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        guard let milliseconds = try reader.date("at") else { throw reader.failure("at", "is missing") }
        self.milliseconds = milliseconds
        status = OutboxStatus(
            writes: try reader.count("writes"), bytes: try reader.count("bytes"), setAside: try reader.count("setAside"),
            warningBytes: try reader.count("warningBytes"),
            oldest: try reader.date("oldest").map(WallTime.init(millisecondsSince1970:)))
    }
}
