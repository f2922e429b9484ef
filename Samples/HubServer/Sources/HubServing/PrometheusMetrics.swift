import CoreMetrics
import Synchronization

/// What swift-metrics counts, as Prometheus reads it: the server's own backend, for whoever brings none.
public final class PrometheusMetrics: MetricsFactory {
    fileprivate struct Series: Hashable, Comparable {
        let name: String
        let labels: String

        static func < (left: Series, right: Series) -> Bool { (left.name, left.labels) < (right.name, right.labels) }
    }

    fileprivate enum Kind: String {
        case counter, gauge, summary
    }

    fileprivate struct Value {
        var kind: Kind
        var sum = 0.0
        var count = 0
    }

    private let values = Mutex<[Series: Value]>([:])

    /// Nothing is counted yet.
    public init() {}

    /// All series, in the text format of Prometheus.
    public var text: String {
        var text = ""
        var last = ""
        for (series, value) in values.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            if series.name != last { text += "# TYPE \(series.name) \(value.kind.rawValue)\n" }
            last = series.name
            if value.kind == .summary {
                text += "\(series.name)_sum\(series.labels) \(value.sum)\n\(series.name)_count\(series.labels) \(value.count)\n"
            } else {
                let isWhole = value.sum == value.sum.rounded() && abs(value.sum) < 1e15
                text += "\(series.name)\(series.labels) \(isWhole ? "\(Int64(value.sum))" : "\(value.sum)")\n"
            }
        }
        return text
    }

    fileprivate func change(_ series: Series, _ kind: Kind, _ change: (inout Value) -> Void) {
        values.withLock { change(&$0[series, default: Value(kind: kind)]) }
    }

    private func handler(_ label: String, _ dimensions: [(String, String)], _ kind: Kind) -> Handler {
        func escaped(_ text: String) -> String {
            text.reduce(into: "") { $0 += $1 == "\\" ? "\\\\" : $1 == "\"" ? "\\\"" : $1.isNewline ? "\\n" : String($1) }
        }
        let labels = dimensions.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
        let series = Series(name: label, labels: labels.isEmpty ? "" : "{\(labels)}")
        change(series, kind) { _ in }
        return Handler(metrics: self, series: series, kind: kind)
    }

    /// A number that only grows.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { handler(label, dimensions, .counter) }

    /// A number that only grows, by parts of one.
    public func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        handler(label, dimensions, .counter)
    }

    /// A number that goes up and down.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { handler(label, dimensions, .gauge) }

    /// Numbers, of which the latest is shown, or their sum and count.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        handler(label, dimensions, aggregate ? .summary : .gauge)
    }

    /// Times, of which the sum in seconds and the count are shown.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { handler(label, dimensions, .summary) }

    /// Does nothing: Prometheus takes a series that is gone for a server that has begun anew.
    public func destroyCounter(_ handler: any CounterHandler) {}

    /// Does nothing.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}

    /// Does nothing.
    public func destroyMeter(_ handler: any MeterHandler) {}

    /// Does nothing.
    public func destroyRecorder(_ handler: any RecorderHandler) {}

    /// Does nothing.
    public func destroyTimer(_ handler: any TimerHandler) {}
}

private final class Handler: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    let metrics: PrometheusMetrics
    let series: PrometheusMetrics.Series
    let kind: PrometheusMetrics.Kind

    init(metrics: PrometheusMetrics, series: PrometheusMetrics.Series, kind: PrometheusMetrics.Kind) {
        (self.metrics, self.series, self.kind) = (metrics, series, kind)
    }

    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func reset() { metrics.change(series, kind) { $0.sum = 0 } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { metrics.change(series, kind) { $0.sum = value } }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { kind == .summary ? add(value) : set(value) }
    func recordNanoseconds(_ duration: Int64) { add(Double(duration) / 1e9) }

    private func add(_ amount: Double) {
        metrics.change(series, kind) {
            $0.sum += amount
            $0.count += 1
        }
    }
}
