import AuditAnalysis
import AuditReport
import ChildProcess
import Foundation
import SyncModel
import Testing

@testable import SyncAuditCommands

/// What `Samples/monitoring` holds works with what the exporter writes.
@Suite struct MonitoringSampleTests {
    private static let hasPrometheus =
        ChildProcess.run(["promtool", "--version"]).status == 0 && ChildProcess.run(["prometheus", "--version"]).status == 0

    private static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Samples/monitoring/\(name)").standardized
            .path
    }

    private func sample(_ name: String) throws -> String { try String(contentsOfFile: Self.path(name), encoding: .utf8) }

    /// A panel of the dashboard and what it asks for.
    private struct Query {
        let panel: String
        let expression: String
    }

    private func panels() throws -> [FieldMap] {
        let dashboard = try #require(try JSONParser.parse(try sample("grafana-dashboard.json")).object)
        return (dashboard["panels"]?.array ?? []).compactMap(\.object)
    }

    private func queries() throws -> [Query] {
        try panels().flatMap { panel in
            (panel["targets"]?.array ?? []).map { Query(panel: panel["title"]?.string ?? "", expression: $0.object?["expr"]?.string ?? "") }
        }
    }

    @Test func theDataSourceIsAVariable() throws {
        let dashboard = try #require(try JSONParser.parse(try sample("grafana-dashboard.json")).object)
        let variables = dashboard["templating"]?.object?["list"]?.array?.compactMap(\.object) ?? []
        #expect(variables.contains { $0["name"] == "datasource" && $0["type"] == "datasource" && $0["query"] == "prometheus" })
        let panels = try panels()
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
            try queries().map(\.expression)
            + sample("syncaudit-rules.yml").split(separator: "\n").filter { $0.contains("expr:") }.map(String.init)
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
        let alerts = try sample("syncaudit-rules.yml").matches(of: /- alert: (\w+)/).map { String($0.1) }
        let tests = try sample("syncaudit-rules-test.yml")
        #expect(alerts.count >= 8)
        for alert in alerts {
            #expect(tests.contains("{alertname: \(alert), ") && tests.contains("- alertname: \(alert)\n"), "\(alert)")
        }
        let records = try sample("syncaudit-rules.yml").matches(of: /- record: (\S+)/).map { String($0.1) }
        for record in records { #expect(tests.contains("expr: \(record)"), "\(record)") }
    }

    @Test(.enabled(if: hasPrometheus, "Debian's package prometheus holds promtool and prometheus"))
    func promtoolFindsEachAlertAsItIsTested() throws {
        let outcome = ChildProcess.run(["sh", "-c", "promtool test rules \"$1\" >&2", "sh", Self.path("syncaudit-rules-test.yml")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("SUCCESS"))
    }

    @Test(.enabled(if: hasPrometheus, "Debian's package prometheus holds promtool and prometheus"))
    func aRealPrometheusAnswersEachQueryOfTheDashboard() throws {
        let directory = try TemporaryDirectory()
        let prometheus = try Prometheus(holding: try outputs(directory), in: directory)
        for query in try queries() {
            for certainty in ["proven", "(proven|suspected)"] {
                let expression = query.expression.replacing("$__range", with: "3h").replacing("$__interval", with: "3h")
                    .replacing("$certainty", with: certainty)
                #expect(!expression.contains("$"), "\(expression)")
                let values = try prometheus.values(of: expression)
                #expect(!values.isEmpty && values.allSatisfy(\.isFinite), "\(query.panel): \(expression)")
            }
        }
        let lost = try #require(try queries().first { $0.panel == "Edits lost" }).expression
            .replacing("$__range", with: "3h").replacing("$certainty", with: "proven")
        // Prometheus extrapolates to the ends of the range.
        let increase = try prometheus.values(of: lost).first ?? 0
        #expect((28.5...32).contains(increase), "\(increase)")
        for family in MetricFamily.all(of: Summary(), maximumSeries: 1) where family.kind == .counter {
            #expect(try prometheus.values(of: "sum(resets(\(family.name)_total[1d])) or vector(0)") == [0], "\(family.name)")
        }
        #expect(try prometheus.values(of: #"sum(increase(syncaudit_field_edits_lost_total[1d]))"#).allSatisfy { (28.5...32).contains($0) })
        // What was told of sync stays counted with the logs that are gone.
        for outcome in ["failed", "succeeded"] {
            let query = "sum(increase(syncaudit_device_syncs_total{device=\"a\",outcome=\"\(outcome)\"}[1d]))"
            #expect(try prometheus.values(of: query).allSatisfy { (28.5...32).contains($0) }, "\(outcome)")
        }
        for name in ["missed_pulses", "left_unshown"] {
            #expect(try prometheus.values(of: "sum(increase(syncaudit_device_\(name)_total[1d]))").allSatisfy { (28.5...32).contains($0) })
        }
        #expect(try prometheus.values(of: "sum(increase(syncaudit_deliveries_total[1d]))").allSatisfy { (28.5...32).contains($0) })
    }

    /// A sync of a device that sent something, fetched nothing, and left something.
    private static func syncLines(minute: Int) -> String {
        let start = #"{"v":1,"ts":"2026-01-15T14:\#(minute + 10):00.000Z","source":"a","event":"#
        return """
            \(start)"sync","phase":"import","state":"failed","writes":0,"bytes":0,"durationMs":4,"error":"no network"}
            \(start)"sync","phase":"export","state":"succeeded","writes":1,"bytes":2,"durationMs":3,"delays":{"minMs":9,"maxMs":9,"buckets":[[9,1]]}}
            \(start)"outbox","writes":1,"bytes":2000,"warningBytes":3000000,"setAside":1}
            \(start)"refresh","trigger":"pulse","decision":"refresh","shownVersion":1,"refreshVersion":1,"reloads":1,"foreground":true,"missedPulses":1,"pulseMs":9}
            \(start)"refresh","trigger":"background","decision":"deferred","shownVersion":1,"refreshVersion":2,"reloads":1,"foreground":false,"pulseMs":9}
            \(start)"account","status":"available"}
            \(start)"network","status":"connected"}

            """
    }

    /// What an exporter wrote that was started again for each output, while logs grew, were rotated and deleted.
    private func outputs(_ directory: TemporaryDirectory) throws -> [String] {
        let world = TestWorld()
        let traces = (1...30).map { number in
            Trace.put("a", number, at: number, "\(number)", #"{"v":1}"#) + Trace.put("b", number, at: number, "\(number)", #"{"v":2}"#)
        }
        try world.pipe(traces.joined())
        #expect(world.run("audit") == .success)
        let groups = zip(traces, world.output.text.split(separator: "\n")).enumerated().map {
            $1.0 + $1.1 + "\n" + Self.syncLines(minute: $0)
        }
        #expect(groups.count == 30)
        try directory.create("logs/0.jsonl", "")
        var outputs: [String] = []
        for step in -1...groups.count {
            if groups.indices.contains(step) {
                let name = "logs/\(step / 8).jsonl"
                try directory.create(name, (directory.content(name) ?? "") + groups[step])
            }
            if step == 12 { try FileManager.default.removeItem(atPath: directory.file("logs/0.jsonl")) }
            if step == 20 {
                try FileManager.default.moveItem(atPath: directory.file("logs/1.jsonl"), toPath: directory.file("logs/1-rotated.jsonl"))
            }
            let exporter = TestWorld()
            var context = exporter.context
            try exporter.pipe("")
            context.catchStopSignals = { exporter.standardInput }
            let arguments = ["export", "--watch", "100ms", "-o", directory.file("out.prom"), directory.file("logs")]
            #expect(SyncAudit.run(arguments: arguments, context: context) == .success)
            outputs.append(try #require(directory.content("out.prom")))
        }
        return outputs
    }
}

/// A Prometheus that holds outputs of the exporter, one for every five minutes up to now.
private final class Prometheus {
    private let server: ChildProcess
    private let address: String
    private let alarm: DispatchWorkItem

    deinit { alarm.cancel() }

    init(holding outputs: [String], in directory: TemporaryDirectory) throws {
        // Backfilling takes samples with their times, those of a metric together.
        var names: [Substring] = []
        var samples: [Substring: [String]] = [:]
        let end = Int(Date.now.timeIntervalSince1970)
        for (index, output) in outputs.enumerated() {
            for line in output.split(separator: "\n") where !line.hasPrefix("#") {
                let name = line.prefix { $0 != "{" && $0 != " " }
                if samples[name] == nil { names.append(name) }
                samples[name, default: []].append("\(line) \(end - 300 * (outputs.count - 1 - index))\n")
            }
        }
        try directory.create("all.txt", names.flatMap { samples[$0] ?? [] }.joined() + "# EOF\n")
        try directory.create(
            "prometheus.yml",
            "rule_files: [\(URL(fileURLWithPath: #filePath).deletingLastPathComponent().path)/../../Samples/monitoring/syncaudit-rules.yml]\n"
        )
        let data = directory.file("data")
        let outcome = ChildProcess.run(
            ["sh", "-c", "promtool tsdb create-blocks-from openmetrics \"$1\" \"$2\" >&2", "sh", directory.file("all.txt"), data])
        try #require(outcome.status == 0, "\(outcome.errors)")
        let script = #"exec prometheus --config.file="$1" --storage.tsdb.path="$2" --web.listen-address=127.0.0.1:0 2>&1"#
        server = try ChildProcess(path: "/bin/sh", ["-c", script, "sh", directory.file("prometheus.yml"), data])
        // One that hangs ends with an error, not with a test that never ends.
        let identifier = server.identifier
        alarm = DispatchWorkItem { kill(identifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: alarm)
        var address: String?
        var isReady = false
        while !isReady, let line = server.line() {
            if line.contains("\"Listening on\""), let match = line.firstMatch(of: /address=(\S+)/) { address = String(match.1) }
            isReady = line.contains("Server is ready")
        }
        self.address = try #require(address, "Prometheus has not started")
    }

    /// The values of an instant query.
    func values(of expression: String) throws -> [Double] {
        let query = try ChildProcess(path: "/usr/bin/env", ["promtool", "query", "instant", "http://" + address, expression])
        query.closeInput()
        let answer = String(decoding: query.readToEnd(), as: UTF8.self)
        try #require(query.wait() == 0, "\(expression): \(String(decoding: query.errorsToEnd(), as: UTF8.self))")
        return answer.matches(of: #/ => (\S+) @\[/#).compactMap { Double($0.1) }
    }
}
