import AuditLog
import ConflictAudit
import SeededRandom
import SyncMerge
import SyncModel

/// Makes the log that a fleet of devices may write in a day: seven of ten lines are conflicts, and every event occurs.
struct LogMaker {
    private var random: SplitMix64
    private let devices: [DeviceID]
    private let records: Int
    private var sequences: [UInt64]
    private var written: [UInt64]
    // 2026-01-15T00:00:00Z
    private var now: Int64 = 1_768_435_200_000
    /// What other devices may log too.
    private var recent: [Conflict] = []

    init(seed: UInt64, devices: Int = 200, records: Int = 100_000) {
        random = SplitMix64(seed: seed)
        let models = ["iPhone", "iPad", "MacBook", "Watch", "Pixel"]
        self.devices = (0..<devices).map { DeviceID("\(models[$0 % models.count])-\(1000 + $0)") }
        self.records = records
        sequences = [UInt64](repeating: 0, count: devices)
        written = [UInt64](repeating: 0, count: devices)
    }

    /// The next line.
    mutating func next() -> AuditLine {
        now += Int64.random(in: 0...172, using: &random)
        let logging = Int.random(in: 0..<devices.count, using: &random)
        sequences[logging] += 1
        return AuditLine(sequence: sequences[logging], source: devices[logging], event: event(of: logging))
    }

    private mutating func event(of logging: Int) -> AuditEvent {
        if random.happens(perMille: 700) {
            let conflict = nextConflict()
            return AuditEvent(at: WallTime(millisecondsSince1970: now), .conflict(conflict))
        }
        if random.happens(perMille: 667) {
            let write = write(of: logging)
            return AuditEvent(at: write.timestamp.wallTime, .write(write))
        }
        return AuditEvent(at: WallTime(millisecondsSince1970: now), other(of: logging))
    }

    private mutating func record() -> Int {
        // Some records are edited more than others.
        min(Int.random(in: 0..<records, using: &random), Int.random(in: 0..<records, using: &random))
    }

    private mutating func dot(of device: Int) -> Dot {
        written[device] += 1
        return Dot(device: devices[device], sequence: written[device])
    }

    private mutating func timestamp(before moment: Int64, by range: ClosedRange<Int64>) -> HybridTimestamp {
        HybridTimestamp(
            milliseconds: moment - Int64.random(in: range, using: &random),
            counter: random.happens(perMille: 20) ? UInt32.random(in: 1...3, using: &random) : 0)
    }

    private mutating func write(of device: Int) -> TaggedWrite {
        let record = record()
        let kind = SampleData.kind(of: record)
        var fields = FieldMap()
        for name in kind.texts.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)) {
            fields[name] = SampleData.value(isText: true, &random)
        }
        if random.happens(perMille: 200) { fields[random.pick(kind.others)] = SampleData.value(isText: false, &random) }
        var seen = VersionVector()
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            // Its own later writes a device cannot have seen.
            let other = (device + Int.random(in: 1..<devices.count, using: &random)) % devices.count
            seen.insert(Dot(device: devices[other], sequence: max(1, written[other])))
        }
        return TaggedWrite(
            dot: dot(of: device), timestamp: timestamp(before: now, by: 0...20), key: SampleData.key(of: record),
            operation: random.happens(perMille: 30) ? .delete : .put(fields), seen: seen)
    }

    /// A conflict; three of ten are known already and logged by one device more.
    private mutating func nextConflict() -> Conflict {
        if recent.count == 1024, random.happens(perMille: 300) { return random.pick(recent) }
        let conflict = newConflict()
        if recent.count < 1024 {
            recent.append(conflict)
        } else {
            recent[Int.random(in: 0..<1024, using: &random)] = conflict
        }
        return conflict
    }

    private mutating func newConflict() -> Conflict {
        let kind: Conflict.Kind = random.pick([
            (620, .updateUpdate), (200, .disjointUpdate), (70, .insertInsert), (80, .deleteUpdate), (20, .deleteDelete), (7, .uniqueKey),
            (3, .danglingReference),
        ])
        let basis: Conflict.Basis = random.pick([(900, .causal), (30, .ancestor), (70, .window)])
        let record = record()
        let shape = SampleData.kind(of: record)
        let isText = random.happens(perMille: 800)
        let hasField = kind != .disjointUpdate && kind != .deleteDelete
        let field = hasField ? random.pick(isText ? shape.texts : shape.others) : nil
        let isMeeting = random.happens(perMille: 150)
        let values = (SampleData.value(isText: isText, &random), isMeeting ? nil : SampleData.value(isText: isText, &random))
        let sides = sides(kind, field: field, values: (values.0, values.1 ?? values.0), basis == .window)
        let gap = sides.winner.timestamp.milliseconds - sides.loser.timestamp.milliseconds
        let key = SampleData.key(of: record)
        let severity = severity(kind, isSame: isMeeting)
        let isManual = random.happens(perMille: 10)
        return Conflict(
            id: Self.id(sides.winner.dot, sides.loser.dot), kind: kind, severity: severity, basis: basis,
            key: key, field: field, related: kind == .uniqueKey || kind == .danglingReference ? SampleData.key(of: record / 2) : nil,
            winner: sides.winner, loser: sides.loser,
            ancestor: basis == .ancestor ? SampleData.value(isText: isText, &random) : nil,
            result: kind == .disjointUpdate ? sides.winner.value : nil, gap: .milliseconds(abs(gap)), withinWindow: abs(gap) <= 300_000,
            window: .seconds(300), policy: "lastWriterWins",
            resolution: isManual ? .manualPending : severity == .merged ? .merged : random.pick([.keepLocal, .applyRemote]),
            reason: kind == .deleteUpdate ? .deleteWins : gap == 0 ? .tieBreak : .newer, clockSuspect: random.happens(perMille: 15))
    }

    /// An identifier that no other two writes have; the package's own is not public.
    private static func id(_ dots: Dot...) -> ConflictID {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in dots.map(\.description).joined(separator: " ").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return ConflictID(rawValue: hash)
    }

    private mutating func sides(
        _ kind: Conflict.Kind, field: FieldName?, values: (FieldValue, FieldValue), _ isSuspected: Bool
    ) -> (winner: Conflict.Side, loser: Conflict.Side) {
        let winner = Int.random(in: 0..<devices.count, using: &random)
        let loser = (winner + Int.random(in: 1..<devices.count, using: &random)) % devices.count
        let later = timestamp(before: now, by: 0...60_000)
        // Most edits meet within minutes, some after days offline.
        let gaps: ClosedRange<Int64> =
            isSuspected ? 0...60_000 : random.pick([(400, 0...60_000), (400, 60_000...3_600_000), (200, 3_600_000...2_000_000_000)])
        let earlier = timestamp(before: later.milliseconds, by: gaps)
        func object(_ value: FieldValue, _ name: FieldName) -> FieldValue {
            var fields = FieldMap()
            fields[name] = value
            return .object(fields)
        }
        let whole = field == nil
        return (
            Conflict.Side(
                dot: dot(of: winner), timestamp: later, operation: kind == .deleteUpdate || kind == .deleteDelete ? .delete : .put,
                value: kind == .deleteUpdate || kind == .deleteDelete ? nil : whole ? object(values.0, "title") : values.0),
            Conflict.Side(
                dot: dot(of: loser), timestamp: earlier, operation: kind == .deleteDelete ? .delete : .put,
                value: kind == .deleteDelete ? nil : whole ? object(values.1, "notes") : values.1)
        )
    }

    private func severity(_ kind: Conflict.Kind, isSame: Bool) -> Conflict.Severity {
        switch kind {
        case .disjointUpdate: .merged
        case .deleteDelete: .benign
        case .deleteUpdate: .destructive
        case .updateUpdate, .insertInsert: isSame ? .benign : .lossy
        case .uniqueKey, .danglingReference: .lossy
        }
    }

    private mutating func other(of device: Int) -> AuditEvent.Content {
        let count = Int.random(in: 1...400, using: &random)
        switch Int.random(in: 0..<1000, using: &random) {
        case ..<500:
            let hasFailed = random.happens(perMille: 40)
            return .sync(
                SyncActivity(
                    phase: random.pick([.import, .export]), state: hasFailed ? .failed : random.pick([.started, .succeeded]), writes: count,
                    bytes: count * 310, duration: .milliseconds(count * 3),
                    error: hasFailed ? "the server answered 503: \"try again later\"" : nil))
        case ..<750: return .remoteChange(RemoteChange(changes: count, refreshVersion: Int(sequences[device])))
        case ..<830: return .network(status: random.pick(["satisfied", "unsatisfied"]), interface: random.pick(["wifi", "cellular", nil]))
        case ..<850: return .account(status: random.pick(["available", "no_account"]))
        case ..<940:
            return .clock(
                ClockMeasurement(
                    device: devices[device], offset: .milliseconds(count - 200), uncertainty: .milliseconds(count / 4)))
        case ..<970:
            var seen = VersionVector()
            for _ in 0..<8 { seen.insert(Dot(device: random.pick(devices), sequence: UInt64(count))) }
            return .checkpoint(
                Checkpoint(seen: seen, records: records, digest: String(UInt64.random(in: .min ... .max, using: &random), radix: 16)))
        case ..<990:
            return .log(random.pick([.opened, .rotated, .truncated(count), .recovered(count), .dropped(count % 3 + 1)]))
        default:
            var statistics = ConflictStatistics()
            for conflict in recent.prefix(20) { statistics.record(conflict) }
            statistics.recordWrites(Int(written[device]), withContext: 0)
            return .statistics(statistics)
        }
    }
}
