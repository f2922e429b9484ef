import AuditAnalysis
import SyncBytes

/// Writes metrics as Prometheus and its relatives read them.
///
/// Sources: the text-based format of the Prometheus documentation (*Exposition formats*), version 0.0.4, and OpenMetrics 1.0.
package struct PrometheusText: Sendable {
    /// Which of the two formats.
    package enum Dialect: Sendable {
        /// What the node exporter's textfile collector takes.
        case prometheus
        /// The standard made from it.
        case openMetrics
    }

    private let dialect: Dialect

    /// A renderer.
    package init(_ dialect: Dialect) {
        self.dialect = dialect
    }

    /// The metrics as text, lines ended by line feeds.
    ///
    /// What a terminal would act on is written out in label values, which come from data; values that are then the same share a series.
    package func render(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families where !family.samples.isEmpty {
            let sample = family.name + (family.kind == .counter ? "_total" : "")
            let name = dialect == .openMetrics ? family.name : sample
            text += "# HELP \(name) \(family.help)\n# TYPE \(name) \(family.kind.rawValue)\n"
            if dialect == .openMetrics, family.isInSeconds || family.isInBytes {
                text += "# UNIT \(name) \(family.isInSeconds ? "seconds" : "bytes")\n"
            }
            for series in family.samples({ $0.escaped(for: .terminal) }) {
                var labels = series.labels.map { "\($0.name)=\"\($0.value.escaped(for: .metricLabel))\"" }.joined(separator: ",")
                if !labels.isEmpty { labels = "{\(labels)}" }
                text += "\(sample)\(labels) \(series.value.text)\n"
                if dialect == .openMetrics, let created = series.created {
                    text += "\(family.name)_created\(labels) \(MetricFamily.Value.milliseconds(created).text)\n"
                }
            }
        }
        return dialect == .openMetrics ? text + "# EOF\n" : text
    }
}

extension Escaping {
    /// Writes what would end the value of a label.
    static let metricLabel = Escaping(replacing: { scalar in
        switch scalar {
        case "\\": "\\\\"
        case "\"": "\\\""
        case "\n": "\\n"
        default: nil
        }
    })
}
