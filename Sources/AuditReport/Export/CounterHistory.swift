/// What an exporter that goes on has written so far, so that whoever reads its counters sees every increase.
///
/// The difference of two readings is all that a monitoring system looks at: a series that appears with a count would hide it. So a series
/// that comes later than the first export is written as 0 once, and with its count from the next export on.
package struct CounterHistory: Sendable {
    /// When each series began to count, in milliseconds since 1970.
    private var created: [String: [[MetricFamily.Label]: Int64]] = [:]
    private let start: Int64

    /// Whether the last export wrote 0 for a series that counts more.
    package private(set) var isHolding = false

    /// Nothing was written.
    ///
    /// - Parameter start: Since when the counters of the first export count, in milliseconds since 1970.
    package init(start: Int64) {
        self.start = start
    }

    /// The metrics as they are to be written now.
    ///
    /// - Complexity: O(*n*) in the series.
    package mutating func update(_ families: [MetricFamily], now: Int64) -> [MetricFamily] {
        let isFirst = created.isEmpty
        isHolding = false
        return families.map { family in
            guard family.kind == .counter else { return family }
            var known = created[family.name] ?? [:]
            defer { created[family.name] = known }
            return family.mapSamples { sample in
                var sample = sample
                if let date = known[sample.labels] {
                    sample.created = date
                } else {
                    let date = isFirst ? start : now
                    known[sample.labels] = date
                    sample.created = date
                    if !isFirst, sample.value != .count(0) {
                        sample.value = .count(0)
                        isHolding = true
                    }
                }
                return sample
            }
        }
    }
}
