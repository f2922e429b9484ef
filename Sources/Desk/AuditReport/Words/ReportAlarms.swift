import AuditAnalysis

/// What only a second look at the lines tells: what is so grave that a report says it before all else, why it may not know of it, and how
/// many lost edits came back.
package struct ReportAlarms: Hashable, Sendable {
    /// Why no look was taken for mass effects and alternating winners.
    package enum Unlooked: Hashable, Sendable {
        /// What was read can be read only once.
        case stream
        /// There are more lines than are read a second time.
        case length(limit: Int)
        /// There is no write in the lines, whose order would tell of mass effects.
        case noWrites

        /// Whether `check` finds them in the same logs.
        var isForCheck: Bool { self != .noWrites }

        /// The reason and what to do about it, without the full stop.
        var sentence: String {
            switch self {
            case .stream: "\(Self.look), since what comes by a pipe is read once: 'syncaudit check' looks for them in files and pipes"
            case .length(let limit):
                "\(Self.look), since the logs are longer than \(HumanNumber.count(limit)) lines: 'syncaudit check' looks for them in logs of any length"
            case .noWrites:
                "No look was taken for mass effects, of which only lines of writes tell: 'syncaudit check' looks for them in a trace, and in logs with writes"
            }
        }

        private static let look = "No look was taken for mass effects and alternating winners"
    }

    /// What was found, the gravest first.
    package var found: [String] = []
    /// Why no look was taken; nil where one was, or none was asked for.
    package var unlooked: Unlooked?
    /// How many of the lost edits were written again later; nil where no look was taken, or no write is there to tell.
    package var restored: Int?

    /// None.
    package static let none = ReportAlarms()

    /// Alarms.
    package init(found: [String] = [], unlooked: Unlooked? = nil, restored: Int? = nil) {
        (self.found, self.unlooked, self.restored) = (found, unlooked, restored)
    }
}
