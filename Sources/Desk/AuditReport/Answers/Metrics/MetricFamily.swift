import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncModel

/// A metric with all of its series, free of any format.
package struct MetricFamily: Hashable, Sendable {
    /// What kind of number it is.
    package enum Kind: String, Hashable, Sendable {
        /// Only ever grows.
        case counter
        /// Goes up and down.
        case gauge
    }

    /// One series: a set of labels and its number.
    package struct Sample: Hashable, Sendable {
        /// The labels in order, each once.
        package let labels: [Label]
        /// The number.
        package internal(set) var value: Value
        /// Since when a counter counts, in milliseconds since 1970, where that is known.
        package internal(set) var created: Int64?

        /// The series with another count.
        func with(_ series: CounterHistory.Series) -> Sample {
            Sample(labels: labels, value: .count(series.value), created: series.created)
        }
    }

    /// A label.
    package struct Label: Hashable, Sendable {
        /// Its name.
        package let name: String
        /// Its value, from data: may hold anything.
        package let value: String

        /// States both.
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Whether labels come before others: by value.
        static func precede(_ left: [Label], _ right: [Label]) -> Bool {
            left.lexicographicallyPrecedes(right) { $0.value.utf8Precedes($1.value) }
        }
    }

    /// A number.
    package enum Value: Hashable, Sendable {
        /// A count.
        case count(Int)
        /// A duration or a timestamp, in milliseconds; written in seconds.
        case milliseconds(Int64)
    }

    /// The name without the ending that a format gives it, such as `syncaudit_conflicts`.
    package let name: String
    /// What kind of number it is.
    package let kind: Kind
    /// A sentence.
    package let help: String
    /// The series, no two with the same labels.
    package private(set) var samples: [Sample] = []

    init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }

    /// Whether the numbers are seconds.
    package var isInSeconds: Bool { name.hasSuffix("_seconds") }
    /// Whether the numbers are bytes.
    package var isInBytes: Bool { name.hasSuffix("_bytes") }

    mutating func add(_ labels: [Label], _ value: Value) { samples.append(Sample(labels: labels, value: value)) }

    mutating func add(_ labels: [Label], _ series: CounterHistory.Series) {
        samples.append(Sample(labels: labels, value: .count(series.value), created: series.created))
    }

    mutating func add(_ labels: KeyValuePairs<String, String>, _ value: Value) {
        add(labels.map { Label(name: $0.key, value: $0.value) }, value)
    }

    mutating func add(_ labels: KeyValuePairs<String, String>, _ count: Int) { add(labels, .count(count)) }

    /// The metric with each series changed.
    func mapSamples(_ change: (Sample) -> Sample) -> MetricFamily {
        var family = self
        family.samples = samples.map(change)
        return family
    }

    /// The series with their label values rewritten; those that then have the same labels are added up.
    func samples(_ rewrite: (String) -> String) -> [Sample] {
        var result: [Sample] = []
        var indices: [[Label]: Int] = [:]
        for sample in samples {
            let labels = sample.labels.map { Label(name: $0.name, value: rewrite($0.value)) }
            if let index = indices[labels], case .count(let known) = result[index].value, case .count(let more) = sample.value {
                result[index].value = .count(known.addingCount(more))
            } else {
                indices[labels] = result.count
                result.append(Sample(labels: labels, value: sample.value, created: sample.created))
            }
        }
        return result
    }
}

extension MetricFamily.Value {
    /// The number in decimal digits.
    var text: String {
        switch self {
        case .count(let count): return String(count)
        case .milliseconds(let milliseconds):
            let (seconds, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1000)
            let fraction = rest == 0 ? "" : "." + String(String(1000 + rest).dropFirst())
            return (milliseconds < 0 ? "-" : "") + String(seconds) + fraction
        }
    }
}
