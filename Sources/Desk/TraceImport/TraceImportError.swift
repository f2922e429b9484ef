/// Why a history could not be imported.
package struct TraceImportError: Error, Hashable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Hashable, Sendable {
        /// The history is there but holds something that cannot be imported, or lacks something that is needed.
        case badData
        /// The history, or the program that reads it, is not there or may not be used.
        case noInput
        /// Reading failed underway.
        case inputOutput
    }

    /// The kind of failure.
    package let code: Code

    /// A sentence that names the value and the remedy, without its full stop.
    package let description: String

    /// States what went wrong.
    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
