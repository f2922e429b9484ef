import AuditAnalysis
import ConflictAudit

/// How many conflicts lie how far apart, in lengths of time that people think in.
struct GapBins {
    /// The longest length of each bin but the last, in milliseconds, and what the bin is called.
    private static let limits: [(milliseconds: Int64, label: String)] = [
        (1000, "up to 1 s"), (60_000, "1 s to 1 min"), (300_000, "1 to 5 min"), (3_600_000, "5 min to 1 h"), (86_400_000, "1 h to 1 d"),
        (604_800_000, "1 to 7 d"), (2_592_000_000, "7 to 30 d"), (31_536_000_000, "30 d to 1 y"),
    ]

    /// A row for each bin, shortest first.
    let rows: [ReportRow]

    /// The conflicts of the bin with a label.
    static func selection(_ label: String) -> ConflictSelection? {
        let index = limits.firstIndex { $0.label == label } ?? limits.count
        let lower = index == 0 ? 0 : limits[index - 1].milliseconds + 1
        // The largest integer that a number of JavaScript holds exactly.
        return ConflictSelection().with("gap", lower...(index < limits.count ? limits[index].milliseconds : 1 << 53), label: label)
    }

    /// Distributes what two histograms counted; where a bin ends within a bucket, the bucket counts with the longer lengths, as for
    /// percentiles.
    init(proven: GapHistogram, suspected: GapHistogram) {
        var rows = (Self.limits.map(\.label) + ["over 1 y"]).map {
            ReportRow(label: $0, proven: .init(), suspected: .init(), countsLosses: false)
        }
        for (histogram, part) in [(proven, \ReportRow.proven), (suspected, \ReportRow.suspected)] {
            for bucket in histogram.buckets {
                let length = min(GapHistogram.upperBound(of: bucket.index), histogram.maximumMilliseconds ?? .max)
                let bin = Self.limits.firstIndex { length <= $0.milliseconds } ?? Self.limits.count
                rows[bin][keyPath: part].conflicts = rows[bin][keyPath: part].conflicts.addingCount(bucket.count)
            }
        }
        self.rows = rows
    }
}
