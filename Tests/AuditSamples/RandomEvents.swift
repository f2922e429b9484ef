package import ConflictAudit
import SyncMerge
package import SyncModel
package import SyncOracle

/// Makes events of every kind from few names, so that every counter meets the same key again.
package struct RandomEvents {
    package var generator: SplitMix64

    package init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    package mutating func events(_ count: Int) -> [(event: AuditEvent, source: DeviceID?)] {
        (0..<count).map { _ in (event(), pick([nil, "phone", "tablet"])) }
    }

    private mutating func event() -> AuditEvent {
        let date = milliseconds()
        switch Int.random(in: 0..<20, using: &generator) {
        case 0:
            var statistics = ConflictStatistics()
            statistics.writesObserved = Int.random(in: 0..<100, using: &generator)
            statistics.recordReverts(statistics.writesObserved % 3)
            return AuditEvent(at: date, .statistics(statistics))
        case 1: return AuditEvent(at: date, .log(pick([.opened, .rotated, .dropped(3), .truncated(2), .recovered(9), .dropped(-1)])))
        case 2: return AuditEvent(at: date, .network(status: "online", interface: nil))
        case 3: return AuditEvent(at: date, .account(status: "available"))
        case 4: return AuditEvent(at: date, .remoteChange(RemoteChange(changes: 1, refreshVersion: 2)))
        case 5:
            let (bytes, setAside) = (Int.random(in: 0..<6_000_000, using: &generator), Int.random(in: 0..<3, using: &generator))
            return AuditEvent(at: date, .outbox(OutboxStatus(writes: bytes / 1000, bytes: bytes, setAside: setAside)))
        case 6, 7:
            let dot = Dot(device: pick(["a", "b", "c"]), sequence: 1)
            let write = TaggedWrite(
                dot: dot, timestamp: HybridTimestamp(milliseconds: date), key: key(), operation: .put(["f": 1]), seen: nil)
            return AuditEvent(at: date, .write(write))
        default: return AuditEvent(at: date, .conflict(conflict()))
        }
    }

    package mutating func conflict() -> Conflict {
        let key = key()
        let field: FieldName? = pick([nil, "", "title", "colour"])
        let sides = (side(), side())
        let gap = abs(sides.0.timestamp.milliseconds - sides.1.timestamp.milliseconds)
        return Conflict(
            id: ConflictID(rawValue: generator.next()), kind: pick(Conflict.Kind.allCases), severity: pick(Conflict.Severity.allCases),
            basis: pick(Conflict.Basis.allCases), key: key, field: field, winner: sides.0, loser: sides.1, gap: .milliseconds(gap),
            withinWindow: gap <= 300_000, window: .seconds(300), policy: "lastWriterWins",
            resolution: pick(Conflict.Resolution.allCases), reason: pick(Conflict.Reason.allCases),
            clockSuspect: Bool.random(using: &generator), isStale: Bool.random(using: &generator))
    }

    private mutating func side() -> Conflict.Side {
        Conflict.Side(
            dot: Dot(device: pick(["a", "b", "c", "\u{1b}[31mred"]), sequence: 1), timestamp: HybridTimestamp(milliseconds: milliseconds()),
            operation: .put, value: nil, app: pick([nil, "1.0", "2.0 (\u{e9}\")"]))
    }

    private mutating func key() -> RecordKey {
        RecordKey(type: pick(["Note", "Tag"]), id: pick(["1", "2", "3", "e\u{301}", "\u{e9}"]))
    }

    /// Some days around 1970, so that negative dates occur.
    private mutating func milliseconds() -> Int64 { Int64.random(in: -300_000_000...300_000_000, using: &generator) }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &generator)]
    }
}

/// A conflict whose parts are named only where a test cares.
package func conflict(
    _ key: RecordKey = RecordKey(type: "Note", id: "1"), field: FieldName? = "title", winner: DeviceID = "phone",
    loser: DeviceID = "tablet",
    at milliseconds: Int64 = 1_768_485_600_000, gap: Int64 = 1500, kind: Conflict.Kind = .updateUpdate,
    severity: Conflict.Severity = .lossy,
    basis: Conflict.Basis = .causal, resolution: Conflict.Resolution = .applyRemote, reason: Conflict.Reason = .newer,
    clockSuspect: Bool = false
) -> Conflict {
    let dots = (Dot(device: winner, sequence: 2), Dot(device: loser, sequence: 1))
    return Conflict(
        id: ConflictID(key: key, field: field, dots: dots), kind: kind, severity: severity, basis: basis, key: key, field: field,
        winner: Conflict.Side(dot: dots.0, timestamp: HybridTimestamp(milliseconds: milliseconds), operation: .put, value: 2),
        loser: Conflict.Side(dot: dots.1, timestamp: HybridTimestamp(milliseconds: milliseconds - gap), operation: .put, value: 1),
        gap: .milliseconds(gap), withinWindow: gap <= 300_000, window: .seconds(300), policy: "lastWriterWins", resolution: resolution,
        reason: reason, clockSuspect: clockSuspect)
}

/// A conflict whose every string is the same.
package func conflictNamed(_ name: String) -> Conflict {
    let side = { (number: UInt64) in
        Conflict.Side(
            dot: Dot(device: DeviceID(name), sequence: number), timestamp: HybridTimestamp(milliseconds: Int64(number) * 1000),
            operation: .put, value: ["a": .string(name), "b": .array([.string(name), .number(JSONNumber(Int64(number)))])])
    }
    return Conflict(
        id: ConflictID(rawValue: 7), kind: .updateUpdate, severity: .lossy, basis: .causal,
        key: RecordKey(type: RecordType(name), id: RecordID(name)), field: FieldName(name), winner: side(2), loser: side(1),
        ancestor: .string(name), gap: .seconds(1), withinWindow: true, window: .milliseconds(1), policy: name, resolution: .keepLocal,
        reason: .custom, clockSuspect: true)
}

/// A put whose parts are named only where a test cares.
package func write(
    _ key: RecordKey = RecordKey(type: "Note", id: "1"), device: DeviceID = "phone", at milliseconds: Int64 = 1_768_485_600_000
)
    -> TaggedWrite
{
    TaggedWrite(
        dot: Dot(device: device, sequence: 1), timestamp: HybridTimestamp(milliseconds: milliseconds), key: key,
        operation: .put(["title": "x"]), seen: nil)
}
