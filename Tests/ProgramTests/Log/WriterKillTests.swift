import Foundation
import Testing

/// `kill -9` at random times; `AUDITLOG_KILL_ROUNDS` sets how many.
struct WriterKillTests {
    @Test func nothingAcknowledgedIsLostToAKill() throws {
        try KilledWriter.check(rounds: ProcessInfo.processInfo.environment["AUDITLOG_KILL_ROUNDS"].flatMap(Int.init) ?? 20)
    }
}
