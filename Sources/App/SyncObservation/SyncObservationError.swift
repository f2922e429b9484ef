/// What went wrong in an observer, in a form to act on and a sentence to read.
///
/// ```swift
/// } catch let error as SyncObservationError where error.code == .notFound {
///     print(error)
/// ```
public struct SyncObservationError: Error, Sendable, CustomStringConvertible {
    /// What kind of problem it is.
    ///
    /// More may be added: a `switch` over codes needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ name: String) { description = name }

        /// The shadow's file is no shadow, or its content contradicts itself.
        public static let damaged = Code("damaged")
        /// A later version of this package wrote the shadow.
        public static let newerSchema = Code("newerSchema")
        /// The shadow's file cannot be opened, written to or kept.
        public static let storage = Code("storage")
        /// There is no such conflict, or its lost value is no longer kept.
        public static let notFound = Code("notFound")
        /// What a conflict decided has been replaced since.
        public static let superseded = Code("superseded")
    }

    /// What kind of problem it is.
    public let code: Code

    /// A sentence that names the value and the remedy, without its full stop.
    public let description: String

    /// What caused it, where that was an error too.
    public let underlying: (any Error)?

    init(_ code: Code, _ description: String, underlying: (any Error)? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }
}
