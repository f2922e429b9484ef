import SyncBytes

extension LogFollower {
    /// A line or a notice after a step.
    public enum Event: Hashable, Sendable {
        /// A line was written.
        case line(Line)
        /// Something else happened that a person may want to know.
        case notice(Notice)

        /// The line that was read, or passed over because it is too long; nil for any other notice.
        package var inputLine: InputLine? {
            switch self {
            case .line(let line):
                InputLine(file: line.path, bytes: line.bytes, isFirst: line.isFirst, isUnfinished: line.isUnfinished)
            case .notice(let notice): if case .lineTooLong = notice.kind { InputLine(file: notice.path, bytes: nil) } else { nil }
            }
        }
    }

    /// A line that was written to a followed file.
    public struct Line: Hashable, Sendable {
        /// The name of the file that it was read from.
        public let path: String
        /// The line without its line break.
        public let bytes: [UInt8]
        /// Whether it ended without a line break where its file ended for good: it may have been torn.
        public let isUnfinished: Bool
        /// Whether its file begins with it.
        package let isFirst: Bool
    }

    /// A notice about a followed path.
    public struct Notice: Hashable, Sendable, CustomStringConvertible {
        /// The kind of a notice.
        public enum Kind: Hashable, Sendable {
            /// There is no file at the path; it is waited for.
            case missing
            /// A file has appeared at the path.
            case appeared
            /// Another file is at the path, as after a rotation.
            case replaced
            /// The file was emptied, or something else was written into it.
            case rewritten
            /// The file has gone; the next one is waited for.
            case gone
            /// The file cannot be read; a sentence tells why.
            case unreadable(String)
            /// A line was passed over because it is longer than the limit, in bytes.
            case lineTooLong(limit: Int)
        }

        /// The path.
        public let path: String
        /// The kind of a notice.
        public let kind: Kind

        /// Path and kind as a sentence; nothing in it acts on a terminal.
        public var description: String {
            let sentence =
                switch kind {
                case .missing: "there is no such file yet; waiting for it"
                case .appeared: "the file has appeared"
                case .replaced: "another file has taken its place; going on with that one"
                case .rewritten: "the file was emptied or rewritten; starting again at its first line"
                case .gone: "the file has gone; waiting for the next one"
                case .unreadable(let problem): problem.escaped(for: .terminal)
                case .lineTooLong(let limit): "a line was passed over: \(LineProblem.tooLong(limit).sentence)"
                }
            return "\(path.escaped(for: .terminal)): \(sentence)"
        }
    }
}
