public import ConflictAudit
import SyncModel

/// What every audit sink must do, as a check that can be run against any of them.
///
/// ```swift
/// @Test func mySinkKeepsItsPromises() async throws {
///     let conformance = AuditSinkConformance(make: { MySink() }, kept: { $0.events })
///     #expect(try await conformance.problems() == [])
/// }
/// ```
///
/// The sink must be set up to keep everything, values included.
public struct AuditSinkConformance<Sink: AuditSink>: Sendable {
    private let make: @Sendable () throws -> Sink
    private let kept: @Sendable (Sink) throws -> [AuditEvent]

    /// A check.
    ///
    /// - Parameters:
    ///   - make: Makes a sink that holds nothing yet. Called several times.
    ///   - kept: What a sink was given so far, in its order, without what the sink adds of its own.
    public init(make: @escaping @Sendable () throws -> Sink, kept: @escaping @Sendable (Sink) throws -> [AuditEvent]) {
        self.make = make
        self.kept = kept
    }

    /// Runs every check.
    ///
    /// - Returns: A sentence for each promise that the sink breaks; none for a good sink.
    public func problems() async throws -> [String] {
        var problems: [String] = []
        let idle = try make()
        if try !kept(idle).isEmpty { problems.append("a sink that was given nothing holds events") }
        for event in AuditEventSamples.all {
            let sink = try make()
            sink.record(event)
            if try kept(sink) != [event] { problems.append("one event does not come back alone and equal: \(event.content)") }
        }
        let sink = try make()
        for _ in 0..<3 { AuditEventSamples.all.forEach(sink.record) }
        let expected = Array(repeatElement(AuditEventSamples.all, count: 3).joined())
        if try kept(sink) != expected {
            problems.append("events of one thread do not come back in their order, each as often as it was given")
        }
        let another = try make()
        var rest = expected[...]
        for length in [0, 1, 2, expected.count] {
            another.record(contentsOf: Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        if try kept(another) != expected { problems.append("events given several at once do not come back as if they had come one by one") }
        problems += try await concurrencyProblems()
        return problems
    }

    private func concurrencyProblems() async throws -> [String] {
        let (writers, events) = (8, 200)
        let sink = try make()
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    for number in 0..<events {
                        sink.record(AuditEvent(at: Int64(number), .remoteChange(RemoteChange(changes: writer, refreshVersion: number))))
                    }
                }
            }
        }
        var numbers = [[Int]](repeating: [], count: writers)
        for event in try kept(sink) {
            guard case .remoteChange(let change) = event.content, numbers.indices.contains(change.changes) else { continue }
            numbers[change.changes].append(change.refreshVersion)
        }
        return numbers.allSatisfy { $0 == Array(0..<events) }
            ? [] : ["of events from several threads at once, some are missing, twice there or out of their thread's order"]
    }
}
