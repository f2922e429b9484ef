import AuditAnalysis
import AuditSamples
import ConflictAudit
import SyncModel
import Testing

@testable import AuditReport

/// The numbers that only a page draws.
@Suite struct PageFiguresTests {
    @Test(arguments: [1, 2, 3, 4, 12]) func aMatrixAddsUpToTheTotal(limit: Int) {
        var random = RandomEvents(seed: UInt64(limit))
        var summary = Summary()
        for _ in 0..<300 { summary.observe(AuditEvent(at: 0, .conflict(random.conflict())), source: nil) }
        for tally in [summary.proven, summary.suspected] {
            let matrix = DeviceMatrix(tally.byDevicePair, limit: limit)
            #expect(matrix.counts.joined().reduce(0) { $0 + $1.conflicts } == tally.total.conflicts)
            #expect(matrix.counts.joined().reduce(0) { $0 + $1.losses } == tally.total.losses)
            // Four devices: one row more than the limit is shown rather than one for the rest.
            #expect(matrix.names.count == (limit >= 3 ? 4 : limit + 1))
        }
    }

    @Test func theRowWonOverTheColumn() {
        let pair = ConflictStatistics.DevicePair(winner: "b", loser: "a")
        let matrix = DeviceMatrix([pair: .init(conflicts: 3, losses: 2)], limit: 5)
        #expect(matrix.names == ["a", "b"])
        #expect(matrix.counts[1][0].conflicts == 3 && matrix.counts[0][1].conflicts == 0)
    }

    @Test(
        arguments: [
            (0, "up to 1 s"), (1000, "up to 1 s"), (1030, "1 s to 1 min"), (60_000, "1 s to 1 min"), (250_000, "1 to 5 min"),
            (300_000, "1 to 5 min"),
            (3_600_000, "5 min to 1 h"), (86_400_000, "1 h to 1 d"), (604_800_000, "1 to 7 d"), (2_592_000_000, "7 to 30 d"),
            (31_536_000_000, "30 d to 1 y"), (32_100_000_000, "over 1 y"), (.max, "over 1 y"),
        ] as [(Int64, String)])
    func aLengthLiesInItsBin(length: Int64, bin: String) {
        var gaps = GapHistogram()
        gaps.record(.milliseconds(length))
        let rows = GapBins(proven: gaps, suspected: GapHistogram()).rows
        #expect(rows.filter { $0.proven.conflicts == 1 }.map(\.label) == [bin])
    }

    @Test func theBinsAddUpToTheTotal() {
        var random = RandomEvents(seed: 9)
        var summary = Summary()
        for _ in 0..<300 { summary.observe(AuditEvent(at: 0, .conflict(random.conflict())), source: nil) }
        let rows = GapBins(proven: summary.proven.statistics.gaps, suspected: summary.suspected.statistics.gaps).rows
        #expect(rows.reduce(0) { $0 + $1.proven.conflicts } == summary.proven.total.conflicts)
        #expect(rows.reduce(0) { $0 + $1.suspected.conflicts } == summary.suspected.total.conflicts)
    }

    @Test(
        arguments: [(0, "0%"), (1, "100%"), (0.5, "50%"), (1.0 / 3, "33.33%"), (0.0005, "0.05%"), (7, "100%"), (-1, "0%")]
            as [(Double, String)])
    func shares(share: Double, text: String) {
        #expect(HTMLMarkup.percent(share) == text)
    }
}
