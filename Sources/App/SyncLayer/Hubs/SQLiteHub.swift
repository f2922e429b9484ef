import ConflictAudit
import SyncLines
public import SyncModel
import SyncSQLite

/// A hub in a SQLite file, for several processes on one machine.
///
/// Calls block for the length of a transaction; a process that finds another writing waits its turn.
///
/// ```swift
/// let hub = try SQLiteHub(path: "hub.sqlite")
/// try await SyncEngine(replica: replica, hub: hub).sync()
/// ```
public final class SQLiteHub: CompactingHub {
    private let database: StoreFile
    private let wallClock: WallClock
    private let limits: HubLimits

    /// Opens a hub; makes the file where there is none.
    ///
    /// - Parameters:
    ///   - path: The file. Its directory must exist and allow writing.
    ///   - busyTimeout: How long to wait for other processes, in whole milliseconds; 30 s unless given.
    ///   - wallClock: The hub's time of day.
    ///   - limits: What the hub refuses of its own accord.
    /// - Throws: ``SyncLayerError``: the file is damaged, was written by a later version, or cannot be written to. It is then unchanged.
    public init(
        path: String, busyTimeout: Duration = .seconds(30), wallClock: @escaping WallClock = systemWallClock,
        limits: HubLimits = HubLimits()
    ) throws(SyncLayerError) {
        database = try StoreFile(path: path, schema: Self.schema, busyTimeout: busyTimeout, maximumBytes: nil)
        self.wallClock = wallClock
        self.limits = limits
    }

    /// Looks through the whole file for damage.
    ///
    /// - Throws: ``SyncLayerError`` that names what was found.
    package func checkIntegrity() throws { try database.checkIntegrity() }

    /// How many bytes of the file are in use: what was let go of is not, though the file stays as large as it was.
    public func usedBytes() async throws -> Int {
        try database.read { connection in
            let pages = try connection.integer("PRAGMA page_count") - connection.integer("PRAGMA freelist_count")
            return Int(clamping: pages * (try connection.integer("PRAGMA page_size")))
        }
    }

    /// The hub's clock.
    public func now() async -> WallTime { wallClock() }

    /// Accepts writes of a device, all in one transaction that outlasts a power failure.
    public func push(_ request: PushRequest) async throws -> [PushOutcome] {
        let (device, writes) = (request.device, request.writes)
        try limits.check(writes, from: device)
        return try database.write(isDurable: true) { connection in
            try connection.refuseForgotten(device)
            var number = try connection.latestNumber(of: device)
            try HubRules.check(request.acknowledged, of: device, latest: number)
            try connection.check(request.reached, of: device)
            try connection.addUnknown(device, isAbsent: false)
            if try connection.isSuperseded(device) { return writes.map { _ in .numberTaken } }
            var isTaken = false
            return try writes.map { write in
                if isTaken { return .numberTaken }
                let content = write.encoded
                let known = write.dot.sequence > number ? nil : try connection.write(write.dot)
                if let outcome = HubRules.outcome(of: write, bytes: content.count, known: known, latest: number, limits: limits) {
                    isTaken = outcome == .numberTaken
                    return outcome
                }
                number = write.dot.sequence
                return .accepted(try connection.append(write.dot, content, at: WriteLimits.clamped(wallClock().millisecondsSince1970)))
            }
        }
    }

    /// Accepts writes that the hub has forgotten, all in one transaction that outlasts a power failure.
    public func giveBack(_ given: GivenBackWrites) async throws -> HubPlace {
        try HubRules.check(given, limits: limits)
        return try database.write(isDurable: true) { connection in
            try connection.refuseForgotten(given.device)
            try connection.check(given.reached, of: given.device)
            try connection.addUnknown(given.device, isAbsent: false)
            try connection.recordGivingBack(given)
            for write in given.writes {
                let content = write.encoded
                // A number below the latest is what is to be expected here.
                guard HubRules.outcome(of: write, bytes: content.count, known: nil, latest: 0, limits: limits) == nil,
                    try !connection.has(write.dot)
                else { continue }
                try connection.addUnknown(write.dot.device, isAbsent: true)
                _ = try connection.append(write.dot, content, at: WriteLimits.clamped(wallClock().millisecondsSince1970))
            }
            return try connection.end()
        }
    }

    /// The next writes in the hub's order.
    public func pull(_ request: PullRequest) async throws -> PullPage {
        try database.read { try $0.page(request, limits) }
    }

    /// Records a device, its progress and its clock.
    public func report(_ report: DeviceReport) async throws {
        try database.write { try $0.add(report) }
    }

    /// The last report of each device, in order of device.
    public func devices() async throws -> [DeviceReport] {
        try database.read { connection in
            let statement = try connection.statement(
                """
                SELECT device, cursor, clock_offset, clock_uncertainty, rules, rules_fingerprint FROM devices
                WHERE forgotten = 0 ORDER BY device
                """)
            defer { statement.reset() }
            var reports: [DeviceReport] = []
            while try statement.step() {
                var report = DeviceReport(
                    device: DeviceID(statement.text(0)), cursor: UInt64(clamping: statement.integer(1)),
                    rulesVersion: Int(clamping: statement.integer(4)), rulesFingerprint: statement.fingerprint(5))
                if statement.integer(3) >= 0 {
                    report.clock = ClockMeasurement(
                        device: report.device, offset: .milliseconds(statement.integer(2)), uncertainty: .milliseconds(statement.integer(3))
                    )
                }
                reports.append(report)
            }
            return reports
        }
    }

    /// The writes that every known device has merged.
    public func settled() async throws -> VersionVector {
        try database.read { connection in
            let statement = try connection.statement(
                """
                SELECT device, (
                    SELECT n FROM writes WHERE writes.device = devices.device
                        AND hub_sequence <= (SELECT min(cursor) FROM devices WHERE forgotten = 0 AND superseded = 0)
                    ORDER BY hub_sequence DESC LIMIT 1)
                FROM devices
                """)
            defer { statement.reset() }
            var settled = VersionVector()
            while try statement.step() {
                guard statement.integer(1) > 0 else { continue }
                settled.insert(Dot(device: DeviceID(statement.text(0)), sequence: UInt64(statement.integer(1))))
            }
            return settled
        }
    }

    /// Removes a lost device from those that must have merged a delete before it is settled.
    public func forget(_ device: DeviceID) async throws {
        try database.write { connection in
            let statement = try connection.statement(
                "INSERT INTO devices (device, forgotten) VALUES (?1, 1) ON CONFLICT (device) DO UPDATE SET forgotten = 1")
            try statement.bind(device.rawValue, at: 1)
            try statement.run()
        }
    }

    /// Lets go of writes that every device has merged, all in one transaction.
    ///
    /// The space in the file is used again.
    public func compact(_ request: CompactionRequest) async throws -> Compaction {
        try database.write { try $0.compact(request) }
    }

    private static let schema = SQLiteDatabase.Schema(
        applicationID: 0x5361_4875,
        migrations: [
            """
            CREATE TABLE writes (
                hub_sequence INTEGER PRIMARY KEY AUTOINCREMENT, device TEXT NOT NULL, n INTEGER NOT NULL, received INTEGER NOT NULL,
                content BLOB NOT NULL);
            CREATE UNIQUE INDEX writes_by_dot ON writes (device, n);
            CREATE INDEX writes_by_device ON writes (device, hub_sequence, n);
            CREATE TABLE devices (
                device TEXT PRIMARY KEY, cursor INTEGER NOT NULL DEFAULT 0, clock_offset INTEGER NOT NULL DEFAULT 0,
                clock_uncertainty INTEGER NOT NULL DEFAULT -1, forgotten INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
            """,
            "ALTER TABLE devices ADD COLUMN superseded INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE devices ADD COLUMN rules INTEGER NOT NULL DEFAULT 0",
            """
            CREATE TABLE hub (id INTEGER PRIMARY KEY CHECK (id = 1), epoch INTEGER NOT NULL);
            INSERT INTO hub (id, epoch) VALUES (1, 1 + (random() & 9223372036854775806));
            ALTER TABLE writes ADD COLUMN fingerprint INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE devices ADD COLUMN latest INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE devices ADD COLUMN giving_back INTEGER NOT NULL DEFAULT 0;
            """,
            // Those that only others' writes told of had none.
            "INSERT OR IGNORE INTO devices (device, superseded) SELECT DISTINCT device, 1 FROM writes",
            """
            ALTER TABLE writes ADD COLUMN compacted INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE devices ADD COLUMN rules_fingerprint INTEGER NOT NULL DEFAULT 0;
            """,
        ])
}
