import AuditAnalysis
import AuditReport
import Foundation
import SyncBytes
import SyncModel
import Testing

@testable import SyncAuditCommands

/// What `Samples/monitoring` holds works with what the exporter writes.
@Suite struct MonitoringSampleTests {
    @Test func theDataSourceIsAVariable() throws {
        let dashboard = try #require(try JSONParser.parse(try MonitoringSample.text("grafana-dashboard.json")).object)
        let variables = dashboard["templating"]?.object?["list"]?.array?.compactMap(\.object) ?? []
        #expect(variables.contains { $0["name"] == "datasource" && $0["type"] == "datasource" && $0["query"] == "prometheus" })
        let panels = try MonitoringSample.panels()
        #expect(panels.count >= 10)
        #expect(Set(panels.compactMap { $0["id"]?.integer }).count == panels.count)
        for panel in panels {
            let targets = (panel["targets"]?.array ?? []).compactMap(\.object)
            #expect(!targets.isEmpty && Set(targets.compactMap { $0["refId"]?.string }).count == targets.count)
            for object in [panel] + targets { #expect(object["datasource"] == ["type": "prometheus", "uid": "${datasource}"]) }
        }
    }

    @Test func onlyMetricsThatAreWrittenAreAskedFor() throws {
        let families = MetricFamily.all(of: Summary(), maximumSeries: 1)
        let known = Set(families.map { $0.name + ($0.kind == .counter ? "_total" : "") })
        let asked =
            try MonitoringSample.queries().map(\.expression)
            + MonitoringSample.text("syncaudit-rules.yml").split(separator: "\n").filter { $0.contains("expr:") }.map(String.init)
        var count = 0
        for expression in asked {
            for match in expression.matches(of: /(^|[^:a-z_])(syncaudit_[a-z_]+)/) {
                count += 1
                #expect(known.contains(String(match.2)), "\(match.2)")
            }
        }
        #expect(count > 20)
    }

    @Test func eachAlertIsTestedSilentAndFiring() throws {
        let alerts = try MonitoringSample.text("syncaudit-rules.yml").matches(of: /- alert: (\w+)/).map { String($0.1) }
        let tests = try MonitoringSample.text("syncaudit-rules-test.yml")
        #expect(alerts.count >= 8)
        for alert in alerts {
            #expect(tests.contains("{alertname: \(alert), ") && tests.contains("- alertname: \(alert)\n"), "\(alert)")
        }
        let records = try MonitoringSample.text("syncaudit-rules.yml").matches(of: /- record: (\S+)/).map { String($0.1) }
        for record in records { #expect(tests.contains("expr: \(record)"), "\(record)") }
    }
}
