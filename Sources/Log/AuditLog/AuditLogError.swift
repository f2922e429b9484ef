/// An error of reading or writing a log or a trace.
///
/// ```swift
/// do {
///     try reader.read(path: path) { line, _ in print(line.event.content) }
/// } catch let error as AuditLogError where error.code == .noInput {
///     print(error)
/// }
/// ```
public struct AuditLogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error.
    ///
    /// More may be added.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// The input is there but holds something that cannot be understood.
        public static let badData = Code(name: "badData")
        /// The input is not there or may not be read.
        public static let noInput = Code(name: "noInput")
        /// Another writer writes the log.
        public static let inUse = Code(name: "inUse")
        /// Reading or writing failed underway.
        public static let inputOutput = Code(name: "inputOutput")
    }

    /// The kind of an error.
    public let code: Code

    /// A sentence that names the value, the location and the remedy.
    public let description: String

    /// Whether a lenient reader would have gone on.
    package let canBePassedOver: Bool

    /// States what went wrong.
    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
        canBePassedOver = false
    }

    /// States what is wrong with a line.
    package init(_ problem: LineProblem, at location: AuditLogReader.Location) {
        code = .badData
        description = "\(location): \(problem.sentence)"
        canBePassedOver = problem.canBePassedOver
    }
}
