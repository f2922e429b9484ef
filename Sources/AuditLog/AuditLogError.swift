/// Why a log or a trace could not be read or written.
public struct AuditLogError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What sort of thing went wrong.
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

    /// What sort of thing went wrong.
    public let code: Code

    /// A sentence that names the value, the place and the remedy.
    public let description: String

    /// States what went wrong.
    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
