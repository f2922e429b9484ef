import ConflictAudit
import SyncBytes
import SyncModel

extension LineBuffer {
    /// Appends the health of sync: a list of what each device tells, in order of device, the others last, as `JSONRenderer` describes it.
    mutating func append(_ health: SyncHealth) {
        let devices = health.devices.ordered { SyncHealth.precedes($0.key, $1.key) }
        var rows = devices.map { (name: $0.key, isOthers: false, part: $0.value) }
        if let others = health.others { rows.append((name: nil, isOthers: true, part: others)) }
        list(rows) { buffer, row in
            buffer.object { object in
                if let device = row.name { object.field("source", device.rawValue) }
                if row.isOthers { object.field("others", true) }
                object.append(row.part)
            }
        }
    }

    private mutating func append(_ part: SyncHealth.Device) {
        if let newest = part.newest { date("newest", newest) }
        if let outbox = part.outbox {
            key("outbox")
            object { object in
                for (key, reading) in [("latest", outbox.latest), ("largest", outbox.largest)] {
                    object.key(named: key)
                    object.append(reading)
                }
            }
        }
        let phases = SyncActivity.Phase.allCases.compactMap { phase in part.phases[phase].map { (phase, $0) } }
        if !phases.isEmpty { list("phases", phases) { $0.append($1.0, $1.1) } }
        if !part.failures.isEmpty {
            list("failures", part.failures.ordered { $0.key < $1.key }) { buffer, row in
                buffer.object { object in
                    object.field("phase", row.key.phase.rawValue)
                    object.field("error", row.key.error.string)
                    object.field("count", row.value)
                }
            }
        }
        if part.otherFailures > 0 { field("otherFailures", part.otherFailures) }
        if !part.network.latest.isEmpty { list("network", part.network.latest) { $0.append($1) } }
        if part.network.areCut { field("networkIsCut", true) }
        if let account = part.account {
            key("account")
            append(account)
        }
        if let clock = part.clock {
            key("clock")
            object { object in
                object.date("at", clock.milliseconds)
                object.field("offsetMs", clock.offset)
                object.field("uncertaintyMs", clock.uncertainty)
            }
        }
        if let activity = part.activity {
            key("activity")
            object { object in
                object.date("at", activity.milliseconds)
                object.field("phase", activity.phase.rawValue)
                object.field("state", activity.state.rawValue)
                if let error = activity.error { object.field("error", error.string) }
            }
        }
        for (name, delays) in [("delivered", part.delivered), ("merged", part.merged)] where delays.count > 0 {
            key(named: name)
            append(delays)
        }
        if let showing = part.showing {
            key(named: "showing")
            append(showing)
        }
        if let storage = part.storage {
            key("storage")
            object { object in
                object.key("latest")
                object.append(storage.latest)
                object.list("weeks", storage.weeks) { $0.append($1) }
            }
        }
    }

    private mutating func append(_ size: SyncHealth.Storage.Size) {
        object { object in
            object.date("at", size.milliseconds)
            object.field("bytes", size.bytes)
        }
    }

    private mutating func append(_ showing: SyncHealth.Showing) {
        object { object in
            for (name, count) in SyncHealth.Showing.counts { object.field(name, showing[keyPath: count]) }
            guard let latest = showing.latest else { return }
            object.key(named: "latest")
            object.object { look in
                look.date("at", latest.milliseconds)
                look.field("isInForeground", latest.isInForeground)
                look.field("isBehind", latest.isBehind)
                look.field("pulseMs", latest.pulseMilliseconds)
            }
        }
    }

    private mutating func append(_ phase: SyncActivity.Phase, _ tally: SyncHealth.PhaseTally) {
        object { object in
            object.field("phase", phase.rawValue)
            object.field("started", tally.started)
            object.field("succeeded", tally.succeeded)
            object.field("failed", tally.failed)
            object.field("cancelled", tally.cancelled)
            if let time = tally.lastSuccess { object.date("lastSuccess", time) }
            if let time = tally.lastFailure { object.date("lastFailure", time) }
            object.key("durations")
            object.append(tally.durations)
        }
    }

    private mutating func append(_ change: SyncHealth.Change) {
        object { object in
            object.date("at", change.milliseconds)
            object.field("status", change.status.string)
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
            let part = try Device(row)
            if row.has("others"), try row.bool("others") {
                changeOthers { $0.merge(part) }
                continue
            }
            let name = row.has("source") ? DeviceID(try row.text("source")) : nil
            guard devices[name] == nil else { throw row.failure("source", "occurs twice") }
            change(name) { $0.merge(part) }
        }
    }
}

extension SyncHealth.Device {
    fileprivate init(_ row: SummaryReader) throws(AuditAnalysisError) {
        self.init()
        newest = try row.date("newest")
        if row.has("outbox") {
            let reader = try row.object("outbox")
            outbox = SyncHealth.Outbox(
                latest: try SyncHealth.Reading(reader.object("latest")), largest: try SyncHealth.Reading(reader.object("largest")))
        }
        // What a hostile summary says too much of is bounded as if lines had said so.
        if row.has("phases") {
            for reader in try row.rows("phases") {
                phases[try reader.phase(), default: SyncHealth.PhaseTally()].merge(try SyncHealth.PhaseTally(reader))
            }
        }
        if row.has("failures") {
            for reader in try row.rows("failures") {
                var part = SyncHealth.Device()
                part.failures[SyncHealth.Failure(phase: try reader.phase(), error: SyncHealth.ShortText(try reader.text("error")))] =
                    try reader.count("count")
                merge(part)
            }
        }
        if row.has("otherFailures") { otherFailures = otherFailures.addingCount(try row.count("otherFailures")) }
        if row.has("network") {
            for reader in try row.rows("network") { network.add(try SyncHealth.Change(reader)) }
        }
        if row.has("networkIsCut"), try row.bool("networkIsCut") { network.areCut = true }
        if row.has("account") { account = try SyncHealth.Change(row.object("account")) }
        if row.has("clock") { clock = try SyncHealth.Clock(row.object("clock")) }
        if row.has("activity") { activity = try SyncHealth.Activity(row.object("activity")) }
        if row.has("delivered") { delivered = try GapHistogram(row.object("delivered")) }
        if row.has("merged") { merged = try GapHistogram(row.object("merged")) }
        if row.has("showing") { showing = try SyncHealth.Showing(row.object("showing")) }
        if row.has("storage") {
            let reader = try row.object("storage")
            var weeks: [SyncHealth.Storage.Size] = []
            for size in try reader.rows("weeks") { weeks.append(try SyncHealth.Storage.Size(size)) }
            storage = SyncHealth.Storage(weeks: weeks, latest: try SyncHealth.Storage.Size(reader.object("latest")))
        }
    }
}

extension SyncHealth.Showing {
    /// The counts, each with its name in a summary.
    fileprivate static var counts: [(name: StaticString, count: WritableKeyPath<Self, Int>)] {
        [
            ("looks", \.looks), ("refreshes", \.refreshes), ("deferrals", \.deferrals), ("missedPulses", \.missedPulses),
            ("leavesBehind", \.leavesBehind),
        ]
    }

    fileprivate init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        self.init(latest: reader.has("latest") ? try SyncHealth.Look(reader.object("latest")) : nil)
        for (name, count) in Self.counts { self[keyPath: count] = try reader.count("\(name)") }
    }
}

extension SyncHealth.Storage.Size {
    fileprivate init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        guard let milliseconds = try reader.date("at") else { throw reader.failure("at", "is missing") }
        self.init(milliseconds: milliseconds, bytes: try reader.count("bytes"))
    }
}

extension SyncHealth.Look {
    fileprivate init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        guard let milliseconds = try reader.date("at") else { throw reader.failure("at", "is missing") }
        self.init(
            milliseconds: milliseconds, isInForeground: try reader.bool("isInForeground"), isBehind: try reader.bool("isBehind"),
            pulseMilliseconds: Int64(try reader.count("pulseMs")))
    }
}

extension SyncHealth.PhaseTally {
    fileprivate init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        self.init()
        started = try reader.count("started")
        succeeded = try reader.count("succeeded")
        failed = try reader.count("failed")
        cancelled = try reader.count("cancelled")
        lastSuccess = try reader.date("lastSuccess")
        lastFailure = try reader.date("lastFailure")
        durations = try GapHistogram(reader.object("durations"))
    }
}

extension SyncHealth.Change {
    fileprivate init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        guard let milliseconds = try reader.date("at") else { throw reader.failure("at", "is missing") }
        self.init(milliseconds: milliseconds, status: SyncHealth.ShortText(try reader.text("status"), limit: 40))
    }
}

extension SyncHealth.Clock {
    fileprivate init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        guard let milliseconds = try reader.date("at") else { throw reader.failure("at", "is missing") }
        guard let offset = try reader.value("offsetMs").integer else { throw reader.failure("offsetMs", "is no whole number") }
        self.init(milliseconds: milliseconds, offset: offset, uncertainty: try reader.length("uncertaintyMs"))
    }
}

extension SyncHealth.Activity {
    fileprivate init(_ reader: SummaryReader) throws(AuditAnalysisError) {
        guard let milliseconds = try reader.date("at") else { throw reader.failure("at", "is missing") }
        guard let state = SyncActivity.State(rawValue: try reader.text("state")) else {
            throw reader.failure("state", "is no state of a sync")
        }
        self.init(
            milliseconds: milliseconds, phase: try reader.phase(), state: state,
            error: reader.has("error") ? SyncHealth.ShortText(try reader.text("error")) : nil)
    }
}

extension SummaryReader {
    fileprivate func phase() throws(AuditAnalysisError) -> SyncActivity.Phase {
        let name = try text("phase")
        guard let phase = SyncActivity.Phase(rawValue: name) else { throw failure("phase", "is no phase of sync") }
        return phase
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
