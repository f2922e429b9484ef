import AuditLog
import Foundation
import SyncModel
import SyncSystem
import Testing

@testable import SyncAuditCommands

@Suite struct ProgressBarTests {
    private final class Terminal: Sendable {
        let shown = Locked([String]())
        let time = Locked(Int64(0))

        func bar(total: Int64?, width: Int = 80) -> ProgressBar {
            ProgressBar(
                total: total, width: width, show: { text in self.shown.withLock { $0.append(text) } }, now: { self.time.withLock { $0 } })
        }

        var texts: [String] { shown.withLock { $0 } }
    }

    private let terminal = Terminal()

    private func wait(_ milliseconds: Int64) { terminal.time.withLock { $0 += milliseconds } }

    @Test func shortWorkShowsNothing() {
        let bar = terminal.bar(total: 100)
        for _ in 0..<9 {
            bar.observer(10)
            wait(100)
        }
        bar.clear()
        #expect(terminal.texts.isEmpty)
    }

    @Test func longWorkIsDrawnNowAndThenAndTakenBack() {
        let bar = terminal.bar(total: 1000)
        for _ in 0..<30 {
            wait(50)
            bar.observer(10)
        }
        // From one second on, ten times a second.
        #expect(terminal.texts.count == 6)
        #expect(terminal.texts.allSatisfy { $0.hasPrefix("\r") && $0.hasSuffix("\u{1b}[K") })
        #expect(terminal.texts.first == "\r  20 %  ████████                                  200 B of 1000 B, 4 s left\u{1b}[K")
        bar.clear()
        bar.clear()
        #expect(terminal.texts.count == 7)
        #expect(terminal.texts.last == "\r\u{1b}[K")
        wait(1000)
        bar.observer(10)
        #expect(terminal.texts.count == 7)
    }

    @Test func whereNobodyKnowsTheEndOnlyBytesAreTold() {
        #expect(ProgressBar.line(bytes: 3 << 20, total: nil, elapsed: 5000, width: 80) == "  3.0 MiB read")
        #expect(ProgressBar.line(bytes: 0, total: 0, elapsed: 5000, width: 80) == "  0 B read")
    }

    @Test(arguments: [20, 21, 30, 40, 60, 80, 200]) func theLineFitsTheTerminal(width: Int) {
        for (bytes, total) in [(0, 1), (1, 3), (999, 1000), (1000, 1000), (5000, 1000), (Int64.max / 2, Int64.max)] as [(Int64, Int64)] {
            for elapsed in [1000, 86_400_000] as [Int64] {
                let line = ProgressBar.line(bytes: bytes, total: total, elapsed: elapsed, width: width)
                #expect(line.count < width, "\(line)")
                #expect(!line.contains("\n"))
            }
        }
    }

    @Test(arguments: ["audit", "report"]) func nothingIsShownWhereThereIsNoTerminal(verb: String) throws {
        let directory = try TemporaryDirectory()
        try directory.create("trace.jsonl", Trace.clash())
        let world = TestWorld()
        #expect(world.context.progressText == nil)
        #expect(world.run(verb, directory.file("trace.jsonl")) == .success)
        #expect(!world.errorText.contains("\u{1b}"))
    }

    /// What is read is what is there, compressed or not.
    @Test func everyByteOfAnInputIsCounted() throws {
        let directory = try TemporaryDirectory()
        let text = (0..<5_000).map { #"{"event":"network","ts":"2026-01-15T14:00:00Z","status":"\#($0)"}"# + "\n" }.joined()
        try directory.create("log.jsonl", text)
        let count = Locked(0)
        var reader = AuditLogReader()
        reader.onRead = { bytes in count.withLock { $0 += bytes } }
        try reader.read(path: directory.file("log.jsonl")) { _, _ in }
        #expect(count.withLock { $0 } == text.utf8.count)
    }
}
