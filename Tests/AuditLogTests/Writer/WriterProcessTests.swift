import AuditLog
import ChildProcess
import ConflictAudit
import Testing

/// Writers in processes of their own; more kills are among the tests of programs.
@Suite(.serialized) struct WriterProcessTests {
    @Test func aSecondProcessIsToldWhoHoldsTheLog() throws {
        let directory = try LogDirectory()
        let holder = try ChildProcess(helper: "AuditLogProcess", ["hold", directory.path])
        let number = try #require(holder.line())
        let error = #expect(throws: AuditLogError.self) { try directory.writer() }
        #expect(error?.code == .inUse)
        #expect(error?.description.contains("process \(number) ") == true, "\(error?.description ?? "")")
        let second = try ChildProcess(helper: "AuditLogProcess", ["hold", directory.path])
        #expect(second.line()?.contains("process \(number) ") == true)
        second.closeInput()
        second.wait()
        #expect(second.wait() == 1)
        holder.closeInput()
        holder.wait()
        try directory.writer().close()
        #expect(try directory.lines().notes == [.opened, .opened])
    }

    @Test func aSecondWriterOfThisProcessIsRefusedToo() throws {
        let directory = try LogDirectory()
        let writer = try directory.writer()
        let error = #expect(throws: AuditLogError.self) { try directory.writer() }
        #expect(error?.description.contains("another writer of this process") == true)
        writer.close()
        try directory.writer().close()
    }

    @Test func nothingAcknowledgedIsLostToAFewKills() throws { try KilledWriter.check(rounds: 3) }
}
