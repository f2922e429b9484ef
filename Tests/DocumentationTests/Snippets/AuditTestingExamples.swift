import ConflictAudit
import ConflictAuditTesting
import Synchronization
import Testing

/// The examples in the documentation of the public types of ConflictAuditTesting.
@Suite struct AuditTestingExamples {
    /// A sink that an app wrote.
    private final class MySink: AuditSink {
        private let kept = Mutex([AuditEvent]())

        var events: [AuditEvent] { kept.withLock { $0 } }

        func record(_ event: AuditEvent) { kept.withLock { $0.append(event) } }
    }

    @Test func mySinkKeepsItsPromises() async throws {
        let conformance = AuditSinkConformance(make: { MySink() }, kept: { $0.events })
        #expect(try await conformance.problems() == [])
    }

    @Test func auditEventSamplesExample() {
        let log = CollectingAuditSink()
        for event in AuditEventSamples.all { log.record(event) }
        #expect(log.events == AuditEventSamples.all)
    }
}
