import AuditLog
import ConflictAudit
import SyncOracle
import Testing

/// Events recorded together.
@Suite struct WriterBatchTests {
    /// Also where the queue is full, a line would never fit, and files change by size and by time.
    @Test(arguments: 0..<UInt64(histories(15, of: 40)))
    func severalAtOnceGiveTheLinesOfOneByOne(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let directories = [try LogDirectory(), try LogDirectory()]
        let clock = ManualClock()
        let writers = try directories.map { directory in
            try directory.writer(clock: clock) {
                $0.maximumQueuedLines = 30
                $0.maximumQueuedBytes = 3000
                $0.rotation = RotationPolicy(maximumBytes: seed % 2 == 0 ? 2000 : nil, period: seed % 3 == 0 ? .seconds(1) : nil)
                $0.values = seed % 5 == 0 ? .omitted : .full
            }
        }
        for batch in 0..<40 {
            let events = (0..<random.below(20)).map { number in
                AuditEvent.numbered(batch * 100 + number, padding: random.below(10) == 0 ? random.below(4000) : random.below(60))
            }
            for event in events { writers[0].record(event) }
            writers[1].record(contentsOf: events)
            if random.below(3) == 0 { for writer in writers { writer.flush() } }
            clock.advance(Int64(random.below(700)))
        }
        for writer in writers { #expect(writer.close()) }
        let lines = try directories.map { try $0.lines() }
        #expect(lines[0] == lines[1])
        #expect(try directories[0].rotated.count == directories[1].rotated.count)
        #expect(writers[0].statistics == writers[1].statistics)
        lines[1].expectNumberedWithoutUnexplainedGaps()
    }
}
