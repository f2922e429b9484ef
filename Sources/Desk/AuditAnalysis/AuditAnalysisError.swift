/// An error of a summary that cannot be read or added up.
///
/// ```swift
/// do {
///     summary.merge(try Summary(json: json))
/// } catch {
///     print(error.code, error)
/// }
/// ```
public struct AuditAnalysisError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure; more may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// A JSON object is not a summary that this version can read.
        public static let unreadableSummary = Code(description: "unreadable_summary")
        /// A summary cannot be added to another.
        public static let unmergeableSummary = Code(description: "unmergeable_summary")
    }

    /// The kind of failure.
    public let code: Code

    /// A sentence that names the value and what is wrong with it, safe to show on a terminal.
    public let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
