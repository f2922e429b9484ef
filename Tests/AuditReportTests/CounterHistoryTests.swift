import SyncModel
import Testing

@testable import AuditReport

/// The counters of a running exporter: every increase can be seen.
@Suite struct CounterHistoryTests {
    private func families(_ counts: [String: Int], gauge: Int = 5) -> [MetricFamily] {
        var counter = MetricFamily("syncaudit_field_edits_lost", .counter, "Help.")
        for (field, count) in counts.sorted(by: { $0.key < $1.key }) { counter.add(["field": field], count) }
        var waiting = MetricFamily("syncaudit_unresolved_conflicts", .gauge, "Help.")
        waiting.add([:], gauge)
        return [counter, waiting]
    }

    private func describe(_ families: [MetricFamily]) -> [String] {
        families.flatMap { $0.samples.map { "\($0.labels.map(\.value).joined())=\($0.value.text)@\($0.created.map(String.init) ?? "")" } }
    }

    @Test func aLaterSeriesBeginsAt0WithItsStartTime() {
        var history = CounterHistory(start: 100)
        #expect(describe(history.update(families(["a": 7]), now: 200)) == ["a=7@100", "=5@"])
        #expect(!history.isHolding)
        #expect(describe(history.update(families(["a": 8, "b": 1]), now: 300)) == ["a=8@100", "b=0@300", "=5@"])
        #expect(history.isHolding)
        #expect(describe(history.update(families(["a": 8, "b": 2, "c": 0]), now: 400)) == ["a=8@100", "b=2@300", "c=0@400", "=5@"])
        #expect(!history.isHolding)
    }

    @Test func noCounterFallsAndNoneGoes() {
        var history = CounterHistory(start: 100)
        _ = history.update(families(["a": 7, "b": 2]), now: 200)
        #expect(describe(history.update(families(["a": 5], gauge: 3), now: 300)) == ["a=7@100", "b=2@100", "=3@"])
        #expect(describe(history.update(families(["a": 8]), now: 400)) == ["a=8@100", "b=2@100", "=5@"])
        #expect(history.series(of: "syncaudit_field_edits_lost").count == 2)
    }

    @Test func anotherExporterGoesOnWithWhatWasWritten() {
        var history = CounterHistory(start: 100)
        _ = history.update(families(["a": 7]), now: 200)
        _ = history.update(families(["a": 8, "b": 1]), now: 300)
        let name = "syncaudit_field_edits_lost"
        #expect(history.series(of: name).filter { history.hasBegun(name, $0) }.map { $0.map(\.value) } == [["b"]])
        var next = CounterHistory(start: history.start, written: history.written)
        #expect(describe(next.update(families(["a": 1, "b": 1, "c": 2]), now: 400)) == ["a=8@100", "b=1@300", "c=0@400", "=5@"])
        #expect(next.isHolding)
    }

    @Test func onlyOpenMetricsWritesWhenACounterWasCreated() {
        var history = CounterHistory(start: 1500)
        let families = history.update(families(["a": 7]), now: 2000)
        #expect(
            PrometheusText(.openMetrics).render(families).contains(
                "syncaudit_field_edits_lost_total{field=\"a\"} 7\nsyncaudit_field_edits_lost_created{field=\"a\"} 1.500\n"))
        #expect(!PrometheusText(.prometheus).render(families).contains("_created"))
    }
}
