import AuditAnalysis
import SyncBytes

/// Writes metrics for spreadsheets and other programs.
package enum MetricTables {
    private static let columns = [
        "certainty", "kind", "severity", "basis", "reason", "record_type", "field", "device", "percentile", "breakdown",
        "phase", "outcome", "error", "leg", "need",
    ]

    /// The metrics as comma-separated values, one row for each series, lines ended by CR LF (RFC 4180).
    ///
    /// What a spreadsheet would take for a formula begins with an apostrophe, and what a terminal acts on is written out.
    package static func csv(_ families: [MetricFamily]) -> String {
        var text = CSVText.line(["metric", "type"] + columns + ["value"])
        for family in families {
            for sample in family.samples {
                let labels = columns.map { name in sample.labels.first { $0.name == name }?.value ?? "" }
                let cells = [family.name, family.kind.rawValue] + labels.map { $0.escaped(for: .spreadsheet) } + [sample.value.text]
                text += CSVText.line(cells, separators: "; ")
            }
        }
        return text
    }

    /// The metrics as one JSON object on one line: `{"metrics":[{"name", "type", "help", "samples":[{"labels":{…},"value":n}]}]}`.
    package static func json(_ families: [MetricFamily]) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.object { object in
            object.list("metrics", families) { object, family in
                object.object { object in
                    object.field("name", family.name)
                    object.field("type", family.kind.rawValue)
                    object.field("help", family.help)
                    object.list("samples", family.samples) { object, sample in
                        object.object { object in
                            object.key("labels")
                            object.object { object in
                                for label in sample.labels {
                                    object.key(named: label.name)
                                    JSONText.append(label.value, to: &object)
                                }
                            }
                            object.key("value")
                            object.append(verbatim: sample.value.text)
                        }
                    }
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }
}
