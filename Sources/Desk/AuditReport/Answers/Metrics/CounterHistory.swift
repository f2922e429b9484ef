import SyncBytes

/// What an exporter that goes on has written so far, so that whoever reads its counters sees every increase and nothing else.
///
/// The difference of two readings is all that a monitoring system looks at: a series that appears with a count would hide it, and one that
/// falls would pass for a restart. So a series that comes later than the first export is written as 0 once, and with its count from the
/// next export on; none is ever written with less than before; and one that was written is written again for ever.
package struct CounterHistory: Sendable {
    /// What was written of a series last.
    package struct Series: Hashable, Sendable {
        /// When it began to count, in milliseconds since 1970.
        package let created: Int64
        /// The count.
        package let value: Int

        /// States both.
        package init(created: Int64, value: Int) {
            self.created = created
            self.value = value
        }
    }

    /// By the name of the metric and the labels.
    private var known: [String: [[MetricFamily.Label]: Series]] = [:]
    /// Those that the last export was the first to hold.
    private var begun: [String: Set<[MetricFamily.Label]>] = [:]
    /// Since when the counters of the first export count, in milliseconds since 1970.
    package let start: Int64

    /// Whether the last export wrote 0 for a series that counts more.
    package private(set) var isHolding = false

    /// Nothing was written.
    ///
    /// - Parameter start: Since when the counters of the first export count, in milliseconds since 1970.
    package init(start: Int64) {
        self.start = start
    }

    /// What was written by an exporter before this one.
    package init(start: Int64, written: [String: [[MetricFamily.Label]: Series]]) {
        self.start = start
        known = written
    }

    /// What the last export holds.
    package var written: [String: [[MetricFamily.Label]: Series]] { known }

    /// Whether the last export was the first to hold a series: should it never have been written, the series has to begin with 0 again.
    package func hasBegun(_ name: String, _ labels: [MetricFamily.Label]) -> Bool { begun[name]?.contains(labels) ?? false }

    /// The series of a metric that have been written.
    package func series(of name: String) -> Set<[MetricFamily.Label]> { Set((known[name] ?? [:]).keys) }

    /// The metrics as they are to be written now.
    ///
    /// - Complexity: O(*n* log *n*) in the series.
    package mutating func update(_ families: [MetricFamily], now: Int64) -> [MetricFamily] {
        let isFirst = known.isEmpty
        isHolding = false
        begun = [:]
        return families.map { family in
            guard family.kind == .counter else { return family }
            var before = known[family.name] ?? [:]
            var family = family.mapSamples { sample in
                guard case .count(let count) = sample.value else { return sample }
                let old = before.removeValue(forKey: sample.labels)
                if old == nil, !isFirst {
                    begun[family.name, default: []].insert(sample.labels)
                    if count > 0 { isHolding = true }
                }
                let series = Series(
                    created: old?.created ?? (isFirst ? start : now), value: old.map { max($0.value, count) } ?? (isFirst ? count : 0))
                known[family.name, default: [:]][sample.labels] = series
                return sample.with(series)
            }
            for labels in before.keys.ordered(by: MetricFamily.Label.precede) {
                if let series = before[labels] { family.add(labels, series) }
            }
            return family
        }
    }
}
