/// What went wrong in watching the device, in a form to act on and a sentence to read.
///
/// ```swift
/// do {
///     try network.start()
/// } catch let error as SyncMonitoringError where error.code == .networkUnknown {
///     print(error)
/// }
/// ```
///
/// A value; safe to share.
public struct SyncMonitoringError: Error, Sendable, CustomStringConvertible {
    /// What kind of problem it is.
    ///
    /// More may be added: a `switch` over codes needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ name: String) { description = name }

        /// The system does not tell whether there is a network.
        public static let networkUnknown = Code("networkUnknown")
    }

    /// What kind of problem it is.
    public let code: Code

    /// A sentence that names the value and the remedy, without its full stop.
    public let description: String

    /// Describes a problem.
    ///
    /// - Parameters:
    ///   - code: What kind of problem it is.
    ///   - description: A sentence that names the value and the remedy, without its full stop.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
