/// One property that every implementation of a protocol must have.
///
/// ```swift
/// @Test(arguments: ReplicaStoreConformance.checks)
/// func theStoreConforms(check: ConformanceCheck<any ReplicaStore>) async throws { try await check.run(InMemoryStore()) }
/// ```
///
/// Not tied to a test framework: with Swift Testing, `@Test(arguments: ReplicaStoreConformance.checks)` makes each a test case of its own.
public struct ConformanceCheck<Subject>: Sendable, CustomStringConvertible {
    /// What must hold.
    public let description: String

    private let body: @Sendable (Subject) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (Subject) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks it.
    ///
    /// - Throws: ``ConformanceFailure`` where it does not hold, and what the subject throws.
    public func run(_ subject: Subject) async throws {
        try await body(subject)
    }
}

/// A property does not hold.
///
/// ```swift
/// do {
///     try await check.run(InMemoryStore())
/// } catch let failure as ConformanceFailure {
///     print(failure)
/// }
/// ```
public struct ConformanceFailure: Error, Hashable, CustomStringConvertible {
    /// What was expected, and what was found.
    public let description: String
}

/// Fails unless two values are equal.
func expectEqual<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws {
    guard found == wanted else { throw ConformanceFailure(description: "\(what): expected \(wanted), found \(found)") }
}

/// Fails unless something holds.
func expect(_ condition: Bool, _ what: String) throws {
    guard condition else { throw ConformanceFailure(description: what) }
}
