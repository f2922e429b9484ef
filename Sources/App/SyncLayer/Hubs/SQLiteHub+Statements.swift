import ConflictAudit
import SyncModel
import SyncSQLite

extension SQLiteConnection {
    /// Throws where a device is to be forgotten.
    func refuseForgotten(_ device: DeviceID) throws {
        let known = try statement("SELECT forgotten FROM devices WHERE device = ?1")
        defer { known.reset() }
        try known.bind(device.rawValue, at: 1)
        if try known.step(), known.integer(0) != 0 { throw HubRules.forgotten(device) }
    }

    /// Makes a device known, unless it is.
    ///
    /// - Parameter isAbsent: Whether nobody is to wait for it until it reports.
    func addUnknown(_ device: DeviceID, isAbsent: Bool) throws {
        let statement = try statement("INSERT INTO devices (device, superseded) VALUES (?1, ?2) ON CONFLICT (device) DO NOTHING")
        try statement.bind(device.rawValue, at: 1)
        try statement.bind(isAbsent ? 1 : 0, at: 2)
        try statement.run()
    }

    /// Records a device, unless it is to be forgotten.
    func add(_ report: DeviceReport) throws {
        try HubRules.check(report)
        try refuseForgotten(report.device)
        try check(report.cursor, of: report.device, known: report.position)
        let cursor = try statement(
            """
            INSERT INTO devices (device, cursor, rules, rules_fingerprint) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (device) DO UPDATE SET cursor = max(cursor, excluded.cursor), rules = max(rules, excluded.rules), superseded = 0,
                rules_fingerprint = iif(excluded.rules_fingerprint = 0, rules_fingerprint, excluded.rules_fingerprint)
            """)
        try cursor.bind(report.device.rawValue, at: 1)
        try cursor.bind(Int64(report.cursor), at: 2)
        try cursor.bind(Int64(report.rulesVersion), at: 3)
        try cursor.bind(Int64(clamping: report.rulesFingerprint ?? 0), at: 4)
        try cursor.run()
        if report.cursor > 0 {
            for name in try givers(report.device.firstWriter) where name.isWriter(of: report.device.firstWriter) { try endGivingBack(name) }
        }
        if let predecessor = report.predecessor {
            let superseded = try statement("UPDATE devices SET superseded = 1 WHERE device = ?1")
            try superseded.bind(predecessor.rawValue, at: 1)
            try superseded.run()
        }
        guard let measurement = report.clock else { return }
        let clock = try statement("UPDATE devices SET clock_offset = ?2, clock_uncertainty = ?3 WHERE device = ?1")
        try clock.bind(report.device.rawValue, at: 1)
        try clock.bind(measurement.offsetMilliseconds, at: 2)
        try clock.bind(measurement.uncertaintyMilliseconds, at: 3)
        try clock.run()
    }

    /// Those that are giving back, among them all writers that a device became.
    private func givers(_ device: DeviceID) throws -> [DeviceID] {
        // The names of a device's later writers begin with its own and `~`, which the last one-byte character follows.
        let statement = try statement(
            "SELECT device FROM devices WHERE giving_back = 1 AND (device = ?1 OR device > ?2 AND device < ?3)")
        defer { statement.reset() }
        try statement.bind(device.rawValue, at: 1)
        try statement.bind(device.rawValue + "~", at: 2)
        try statement.bind(device.rawValue + "\u{7f}", at: 3)
        var names: [DeviceID] = []
        while try statement.step() { names.append(DeviceID(statement.text(0))) }
        return names
    }

    private func endGivingBack(_ device: DeviceID) throws {
        let statement = try statement("UPDATE devices SET giving_back = 0 WHERE device = ?1")
        try statement.bind(device.rawValue, at: 1)
        try statement.run()
    }

    /// Whether a later writer has superseded a name, or only others have told of it, and it has not reported since.
    func isSuperseded(_ device: DeviceID) throws -> Bool {
        let statement = try statement("SELECT superseded FROM devices WHERE device = ?1 AND forgotten = 0")
        defer { statement.reset() }
        try statement.bind(device.rawValue, at: 1)
        return try statement.step() && statement.integer(0) != 0
    }

    /// The write of a name, nil where the hub does not have it.
    func write(_ dot: Dot) throws -> KnownWrite? {
        let statement = try statement("SELECT hub_sequence, received, content, compacted FROM writes WHERE device = ?1 AND n = ?2")
        defer { statement.reset() }
        try statement.bind(dot.device.rawValue, at: 1)
        try statement.bind(Int64(dot.sequence), at: 2)
        guard try statement.step() else { return nil }
        guard statement.integer(3) != 0 else { return .whole(try statement.receivedWrite()) }
        return .compacted(statement.fingerprint(2) ?? 0, statement.receipt)
    }

    /// Whether the hub has a write of this name, readable or not.
    func has(_ dot: Dot) throws -> Bool {
        let statement = try statement("SELECT 1 FROM writes WHERE device = ?1 AND n = ?2")
        defer { statement.reset() }
        try statement.bind(dot.device.rawValue, at: 1)
        try statement.bind(Int64(dot.sequence), at: 2)
        return try statement.step()
    }

    /// The highest number that the hub has, or had, of a device's writes.
    func latestNumber(of device: DeviceID) throws -> UInt64 {
        let statement = try statement(
            """
            SELECT max(coalesce((SELECT n FROM writes WHERE device = ?1 ORDER BY n DESC LIMIT 1), 0),
                coalesce((SELECT latest FROM devices WHERE device = ?1), 0))
            """)
        defer { statement.reset() }
        try statement.bind(device.rawValue, at: 1)
        return try statement.step() ? UInt64(clamping: statement.integer(0)) : 0
    }

    /// Records which device gives writes back.
    func recordGivingBack(_ given: GivenBackWrites) throws {
        let statement = try statement("UPDATE devices SET giving_back = ?2, latest = max(latest, ?3) WHERE device = ?1")
        try statement.bind(given.device.rawValue, at: 1)
        try statement.bind(given.isWhole ? 0 : 1, at: 2)
        // A hub that was put back in between has not all of them.
        try statement.bind(given.isLast ? Int64(clamping: given.acknowledged) : 0, at: 3)
        try statement.run()
    }

    /// What the hub has at a number of its order.
    func position(at cursor: UInt64) throws -> HubPosition {
        let statement = try statement(
            "SELECT epoch, coalesce((SELECT fingerprint FROM writes WHERE hub_sequence = ?1), 0) FROM hub WHERE id = 1")
        defer { statement.reset() }
        try statement.bind(Int64(clamping: cursor), at: 1)
        guard try statement.step() else {
            throw SyncLayerError(.damaged, "the hub's file does not say which hub it is: restore it from a backup")
        }
        return HubPosition(epoch: UInt64(clamping: statement.integer(0)), fingerprint: UInt64(clamping: statement.integer(1)))
    }

    private var isWhole: Bool {
        get throws { try integer("SELECT count(*) FROM devices WHERE giving_back = 1 AND forgotten = 0 AND superseded = 0") == 0 }
    }

    private func lastPlace() throws -> UInt64 {
        UInt64(clamping: try integer("SELECT coalesce(max(hub_sequence), 0) FROM writes"))
    }

    /// The end of the hub's order.
    func end() throws -> HubPlace {
        let cursor = try lastPlace()
        return HubPlace(cursor: cursor, position: try position(at: cursor))
    }

    func check(_ reached: HubPlace, of device: DeviceID) throws {
        try check(reached.cursor, of: device, known: reached.position)
    }

    private func check(_ cursor: UInt64, of device: DeviceID, known: HubPosition?) throws {
        try HubRules.check(cursor, of: device, known: known, position: try position(at: cursor), last: try lastPlace())
    }

    /// Appends a write to the log.
    func append(_ dot: Dot, _ content: [UInt8], at milliseconds: Int64) throws -> TaggedWrite.Receipt {
        let statement = try statement("INSERT INTO writes (device, n, received, content) VALUES (?1, ?2, ?3, ?4) RETURNING hub_sequence")
        defer { statement.reset() }
        try statement.bind(dot.device.rawValue, at: 1)
        try statement.bind(Int64(dot.sequence), at: 2)
        try statement.bind(milliseconds, at: 3)
        try statement.bind(content, at: 4)
        _ = try statement.step()
        let number = UInt64(clamping: statement.integer(0))
        while try statement.step() {}
        let receipt = TaggedWrite.Receipt(milliseconds: milliseconds, hubSequence: number)
        let fingerprint = try self.statement("UPDATE writes SET fingerprint = ?2 WHERE hub_sequence = ?1")
        try fingerprint.bind(Int64(clamping: number), at: 1)
        try fingerprint.bind(Int64(clamping: try position(at: number - 1).next(dot, receipt)), at: 2)
        try fingerprint.run()
        return receipt
    }

    /// The next writes in the hub's order.
    func page(_ request: PullRequest, _ limits: HubLimits) throws -> PullPage {
        try check(request.cursor, of: request.device, known: request.position)
        let last = try lastPlace()
        let isWhole = try isWhole
        let statement = try statement(
            """
            SELECT hub_sequence, received, content, device, n, compacted FROM writes
            WHERE hub_sequence > ?1 AND (compacted = 0 OR device = ?2) AND NOT (device = ?2 AND n <= ?3) ORDER BY hub_sequence LIMIT ?4
            """)
        defer { statement.reset() }
        let limit = max(1, request.limit)
        try statement.bind(Int64(clamping: request.cursor), at: 1)
        try statement.bind(request.device.rawValue, at: 2)
        try statement.bind(Int64(clamping: request.ownSequence), at: 3)
        try statement.bind(Int64(limit), at: 4)
        var writes: [TaggedWrite] = []
        var skipped: [SkippedWrite] = []
        var own: [OwnCompactedWrite] = []
        var bytes = 0
        var end: UInt64 = 0
        while bytes < limits.bytesPerPage, try statement.step() {
            end = UInt64(clamping: statement.integer(0))
            if statement.integer(5) != 0 {
                own.append(
                    OwnCompactedWrite(
                        dot: Dot(device: request.device, sequence: UInt64(clamping: statement.integer(4))),
                        fingerprint: statement.fingerprint(2) ?? 0,
                        receipt: statement.receipt))
                continue
            }
            do throws(SyncLayerError) {
                writes.append(try statement.receivedWrite())
                bytes += statement.byteCount(2)
            } catch {
                let number = UInt64(clamping: statement.integer(4))
                let dot = number == 0 ? nil : Dot(device: DeviceID(statement.text(3)), sequence: number)
                skipped.append(SkippedWrite(hubSequence: end, dot: dot, reason: error.description))
            }
        }
        // A full page may not be the last; with any other, everything up to the end was looked at.
        let reached = writes.count + skipped.count + own.count == limit || bytes >= limits.bytesPerPage ? end : last
        var compacted = try compacted(after: request.cursor, upTo: reached)
        compacted.own = own
        return PullPage(
            writes: writes, bytes: bytes, cursor: max(request.cursor, reached), hasMore: reached < last,
            leftOut: try leftOut(of: request, upTo: reached), skipped: skipped,
            rulesVersion: Int(clamping: try integer("SELECT coalesce(max(rules), 0) FROM devices")),
            position: try position(at: max(request.cursor, reached)),
            latestNumber: try latestNumber(of: request.device), isWhole: isWhole,
            compacted: compacted)
    }

    /// How many writes a request leaves out, up to a number in the hub's order.
    ///
    /// Counted, not reckoned from the numbers: rows that are gone must not pass for them.
    private func leftOut(of request: PullRequest, upTo number: UInt64) throws -> Int {
        let statement = try statement(
            "SELECT count(*) FROM writes WHERE device = ?2 AND hub_sequence > ?1 AND hub_sequence <= ?4 AND n <= ?3 AND compacted = 0")
        defer { statement.reset() }
        try statement.bind(Int64(clamping: request.cursor), at: 1)
        try statement.bind(request.device.rawValue, at: 2)
        try statement.bind(Int64(clamping: request.ownSequence), at: 3)
        try statement.bind(Int64(clamping: number), at: 4)
        return try statement.step() ? Int(clamping: statement.integer(0)) : 0
    }

    /// The writes that the hub has let go of, in a part of its order.
    private func compacted(after cursor: UInt64, upTo number: UInt64) throws -> CompactedWrites {
        let statement = try statement(
            "SELECT device, max(n), count(*) FROM writes WHERE hub_sequence > ?1 AND hub_sequence <= ?2 AND compacted = 1 GROUP BY device")
        defer { statement.reset() }
        try statement.bind(Int64(clamping: cursor), at: 1)
        try statement.bind(Int64(clamping: number), at: 2)
        var count = 0
        var latest: [Dot] = []
        while try statement.step() {
            latest.append(Dot(device: DeviceID(statement.text(0)), sequence: UInt64(clamping: statement.integer(1))))
            count += Int(clamping: statement.integer(2))
        }
        return CompactedWrites(count: count, latest: VersionVector(latest))
    }

    /// Lets go of writes that every device has merged.
    func compact(_ request: CompactionRequest) throws -> Compaction {
        try check(request.reached, of: "a compaction")
        let awaited = try statement("SELECT device, cursor, rules_fingerprint FROM devices WHERE forgotten = 0 AND superseded = 0")
        defer { awaited.reset() }
        var devices: [(name: DeviceID, fingerprint: UInt64?)] = []
        var limit = UInt64.max
        while try awaited.step() {
            devices.append((DeviceID(awaited.text(0)), awaited.fingerprint(2)))
            limit = min(limit, UInt64(clamping: awaited.integer(1)))
        }
        guard try isWhole, !devices.isEmpty else { return Compaction() }
        try HubRules.check(request, devices)
        var done = Compaction(limit: limit)
        if limit < request.limit { return done }
        for dot in request.compacted {
            guard case .whole(let write)? = try self.write(dot), write.hubSequence ?? .max <= request.limit else { continue }
            let statement = try statement("UPDATE writes SET content = ?3, compacted = 1 WHERE device = ?1 AND n = ?2")
            try statement.bind(dot.device.rawValue, at: 1)
            try statement.bind(Int64(clamping: dot.sequence), at: 2)
            try statement.bind(Int64(clamping: write.fingerprint), at: 3)
            try statement.run()
            done.compacted += 1
        }
        return done
    }
}

extension SQLiteStatement {
    /// The write in a row of number, time of receipt and content.
    fileprivate func receivedWrite() throws(SyncLayerError) -> TaggedWrite {
        try TaggedWrite(encoded: bytes(2), from: "the hub's log")
            .received(receipt)
    }

    /// The receipt in a row that begins with number and time of receipt.
    fileprivate var receipt: TaggedWrite.Receipt {
        TaggedWrite.Receipt(milliseconds: integer(1), hubSequence: UInt64(clamping: integer(0)))
    }

    /// A fingerprint, nil where there is none.
    func fingerprint(_ column: Int32) -> UInt64? {
        let number = integer(column)
        return number > 0 ? UInt64(number) : nil
    }
}
