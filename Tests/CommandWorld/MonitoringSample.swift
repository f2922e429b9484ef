import Foundation
import SyncBytes
package import SyncModel
import Testing

/// What `Samples/monitoring` holds.
package enum MonitoringSample {
    /// The path of a file there.
    package static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Samples/monitoring/\(name)").standardized
            .path
    }

    /// What a file there holds.
    package static func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// A panel of the dashboard and what it asks for.
    package struct Query {
        /// The panel's title.
        package let panel: String
        /// In Prometheus's language.
        package let expression: String
    }

    /// The dashboard.
    package static func dashboard() throws -> FieldMap {
        try #require(try JSONParser.parse(try text("grafana-dashboard.json")).object)
    }

    /// Its panels.
    package static func panels() throws -> [FieldMap] {
        (try dashboard()["panels"]?.array ?? []).compactMap(\.object)
    }

    /// What they ask for.
    package static func queries() throws -> [Query] {
        try panels().flatMap { panel in
            (panel["targets"]?.array ?? []).map { Query(panel: panel["title"]?.string ?? "", expression: $0.object?["expr"]?.string ?? "") }
        }
    }
}
