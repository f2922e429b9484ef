import SyncSystem
import Testing

@testable import SyncAuditCommands

/// A terminal that is given back by a process that has gone wrong in earnest.
@Suite struct TerminalHoldTests {
    /// What a trap and a stack without end leave behind on standard output.
    private static func hold() {
        _ = TerminalHold(keys: 0, output: 1, saved: termios(), taken: termios())
    }

    @Test func aTrapGivesTheTerminalBack() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardOutputContent]) {
            Self.hold()
            let none: [Int] = []
            _ = none[1]
        }
        #expect(String(decoding: result.standardOutputContent, as: UTF8.self).hasSuffix("\u{1b}[?1049l"))
    }

    @Test func aStackWithoutEndGivesTheTerminalBack() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardOutputContent]) {
            Self.hold()
            _ = Self.sum(of: 1)
        }
        #expect(String(decoding: result.standardOutputContent, as: UTF8.self).hasSuffix("\u{1b}[?1049l"))
    }

    @inline(never) private static func sum(of number: Int) -> Int { number == 0 ? 0 : sum(of: number &+ 1) &+ number }
}
