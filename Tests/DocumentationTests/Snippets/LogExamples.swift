import AuditLog
import ConflictAudit
import ConflictAuditTesting
import SyncModel
import TemporaryDirectory
import Testing

/// The examples in the documentation of the public types of AuditLog.
@Suite struct LogExamples {
    private let event = AuditEvent(at: WallTime(millisecondsSince1970: 1_768_485_900_000), .log(.opened))
    private let directory: TemporaryDirectory
    private var folder: String { directory.path }

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func auditLineExample() {
        let line = AuditLine(sequence: 1, source: "iPhone", event: event)
        print(line.event.time)
        #expect(line.sequence == 1)
    }

    @Test func auditLogErrorExample() throws {
        var reader = AuditLogReader()
        let path = folder + "/no-such-log.jsonl"
        do {
            try reader.read(path: path) { line, _ in print(line.event.content) }
        } catch let error as AuditLogError where error.code == .noInput {
            print(error)
        }
        #expect(reader.counts.lines == 0)
    }

    @Test func auditLogReaderExample() throws {
        let path = try directory.create("audit.jsonl", "")
        var reader = AuditLogReader()
        try reader.read(path: path) { line, location in
            print(location, line.event.content)
        }
        #expect(reader.counts.lines == 0)
    }

    @Test func lineEncoderExample() {
        var bytes: [UInt8] = []
        LineEncoder.append(AuditLine(sequence: 1, source: "iPhone", event: event), to: &bytes)
        #expect(bytes.last == 0x0a)
    }

    @Test func valuePrivacyExample() {
        var configuration = AuditLogWriter.Configuration()
        configuration.values = ValuePrivacy(.omitted, fields: [.init(type: "Card", field: "notes"): .full])
        #expect(configuration.values != .omitted)
    }

    @Test func auditConfigurationExample() throws {
        let sink = CollectingAuditSink()
        let path = try directory.create(".syncaudit.json", #"{"window": "1m", "types": {"Card": {"fields": {"tags": {"policy": "set"}}}}}"#)
        let configuration = try AuditConfiguration(contentsOfFile: path)
        let auditor = TraceAuditor(mergeRules: configuration.mergeRules, auditRules: configuration.auditRules, sink: sink)
        #expect(auditor.statistics.totalConflicts == 0)
        #expect(configuration.auditRules.window == .seconds(60) && sink.conflicts.isEmpty)
    }

    @Test func auditLogWriterExample() throws {
        let log = try AuditLogWriter(directory: folder, source: "iPhone")
        log.record(event)
        #expect(log.close())
    }

    @Test func truncatedValueExample() {
        let value: FieldValue = ["$truncated": 5000, "start": "Once upon a time"]
        if let truncated = TruncatedValue(value) {
            print("\(truncated.start)…, \(truncated.bytes) bytes in all")
        }
        #expect(TruncatedValue(value)?.bytes == 5000)
    }

    @Test func flushPolicyExample() {
        var configuration = AuditLogWriter.Configuration()
        configuration.flush = .interval(.milliseconds(100))
        #expect(configuration.flush != .eachLine)
    }

    @Test func syncPolicyExample() {
        var configuration = AuditLogWriter.Configuration()
        configuration.sync = .eachBatch
        #expect(configuration.sync == .eachBatch)
    }

    @Test func rotationPolicyExample() {
        var configuration = AuditLogWriter.Configuration()
        configuration.rotation = .daily(maximumBytes: 16 << 20)
        #expect(configuration.rotation.maximumBytes == 16 << 20)
    }

    @Test func retentionPolicyExample() {
        var configuration = AuditLogWriter.Configuration()
        configuration.retention = RetentionPolicy(maximumFiles: 30)
        #expect(configuration.retention.maximumFiles == 30)
    }

    // Compiled, and not run.
    func logFollowerExample() {
        var follower = LogFollower(paths: ["audit.jsonl"])
        while true {
            for case .line(let line) in follower.step() { print(String(decoding: line.bytes, as: UTF8.self)) }
            follower.wait()
        }
    }
}
