import Testing

private struct NeverTrue: Error {}

/// Waits until something is true.
@MainActor func until(_ condition: @MainActor () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while try !condition() {
        if ContinuousClock.now > end {
            Issue.record("it has not become true", sourceLocation: sourceLocation)
            throw NeverTrue()
        }
        try await Task.sleep(for: .milliseconds(1))
    }
}
