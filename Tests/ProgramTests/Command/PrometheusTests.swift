import AuditAnalysis
import AuditReport
import ChildProcess
import CommandWorld
import Foundation
import SyncAuditCommands
import Testing

/// A real Prometheus, which reads what the exporter writes and answers what `Samples/monitoring` asks.
@Suite(.enabled(if: Prometheus.isThere, "Debian's package prometheus holds promtool and prometheus"))
struct PrometheusTests {
    @Test func promtoolHasNothingToSay() throws {
        let directory = try TemporaryDirectory()
        let world = TestWorld()
        try world.pipe(HarmfulNames.log)
        #expect(world.run("export") == .success)
        try directory.create("metrics", world.output.text)
        let outcome = ChildProcess.run(["sh", "-c", "promtool check metrics < \"$1\" >&2", "sh", directory.file("metrics")])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
    }

    @Test func promtoolFindsEachAlertAsItIsTested() throws {
        let outcome = ChildProcess.run([
            "sh", "-c", "promtool test rules \"$1\" >&2", "sh", MonitoringSample.path("syncaudit-rules-test.yml"),
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("SUCCESS"))
    }

    @Test func aRealPrometheusAnswersEachQueryOfTheDashboard() throws {
        let directory = try TemporaryDirectory()
        let prometheus = try Prometheus(holding: try outputs(directory), in: directory)
        for query in try MonitoringSample.queries() {
            for certainty in ["proven", "(proven|suspected)"] {
                let expression = query.expression.replacing("$__range", with: "3h").replacing("$__interval", with: "3h")
                    .replacing("$certainty", with: certainty)
                #expect(!expression.contains("$"), "\(expression)")
                let values = try prometheus.values(of: expression)
                #expect(!values.isEmpty && values.allSatisfy(\.isFinite), "\(query.panel): \(expression)")
            }
        }
        let lost = try #require(try MonitoringSample.queries().first { $0.panel == "Edits lost" }).expression
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
        let groups = zip(traces, world.found).enumerated().map {
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
    static let isThere =
        ChildProcess.run(["promtool", "--version"]).status == 0 && ChildProcess.run(["prometheus", "--version"]).status == 0

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
            "rule_files: [\(MonitoringSample.path("syncaudit-rules.yml"))]\n"
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
        DispatchQueue.global().asyncAfter(deadline: .now() + 600, execute: alarm)
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
