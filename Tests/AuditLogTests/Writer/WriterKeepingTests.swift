import AuditLog
import ConflictAudit
import ConflictAuditTesting
import Testing

/// What a log has of the conflicts that somebody asks after.
@Suite struct WriterKeepingTests {
    private let event = RoundTripTests.conflict
    private let missing = ConflictID(rawValue: 0xfeed)

    @Test func aConflictIsFoundInTheFileThatIsWritten() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer()
        writer.record(AuditEvent(at: 1_768_485_600_000, .conflict(event)))
        for number in 0..<20 { writer.record(.numbered(number)) }
        #expect(writer.keptConflicts(among: [event.id, missing]) == [event.id])
        writer.close()
    }

    /// A program that ended just after the file was rotated finds there what it wrote last.
    @Test func aConflictIsFoundInTheFileThatWasRotatedLast() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer { $0.rotation = RotationPolicy(maximumBytes: 2000) }
        writer.record(AuditEvent(at: 1_768_485_600_000, .conflict(event)))
        writer.flush()
        while try directory.rotated.isEmpty {
            writer.record(.numbered(1))
            writer.flush()
        }
        #expect(try directory.rotated.count == 1)
        #expect(writer.keptConflicts(among: [event.id, missing]) == [event.id])
        writer.close()
    }

    @Test func theDiskHasWhatWasLoggedAfterFiveSeconds() {
        #expect(AuditLogWriter.Configuration().sync == .interval(.seconds(5)))
    }
}
