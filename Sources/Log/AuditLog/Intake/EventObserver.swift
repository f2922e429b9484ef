package import ConflictAudit
package import SyncModel

/// Learns from the lines of logs, in the order in which an ``EventSource`` reads them.
///
/// A verb is a source, its observers, an answer and a format. What an observer asks for beside the events, it says by the requirements
/// that have an answer here.
package protocol EventObserver {
    /// Whether ``chooses(_:_:)`` is asked at all: an event of which nobody asked is made of no line then.
    static var choosesLines: Bool { get }

    /// Whether ``ScannedLine/statesName`` is of use to ``chooses(_:_:)``, and is looked up.
    var asksForNames: Bool { get }

    /// Begins an input.
    mutating func begin(_ input: EventSource.Input)

    /// Whether an event is to be made of an ordinary line. Every other line is told, and the first of each input.
    mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool

    /// Learns from a line that tells of an event, and was chosen where it is an ordinary one.
    mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location)

    /// Learns of a line that tells of no event, and of what is wrong with it; nil where it is blank, or has an event that this version does
    /// not know.
    mutating func observe(_ problem: LineProblem?, at location: AuditLogReader.Location)

    /// Whether all lines are to be read once more; asked when they have been.
    mutating func looksAgain() -> Bool

    /// Whether nothing more has to be read.
    var isDone: Bool { get }
}

extension EventObserver {
    package static var choosesLines: Bool { false }
    package var asksForNames: Bool { false }
    package var isDone: Bool { false }
    package mutating func begin(_ input: EventSource.Input) {}
    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool { true }
    package mutating func observe(_ problem: LineProblem?, at location: AuditLogReader.Location) {}
    package mutating func looksAgain() -> Bool { false }

    /// Learns from an event that comes from no line of a log, as if a device had logged it.
    package mutating func observe(_ event: AuditEvent, source: DeviceID? = nil) {
        observe(AuditLine(source: source, event: event), at: AuditLogReader.Location(file: "", line: 0))
    }
}

/// Two observers of the same lines; each learns from those alone that it has chosen.
package struct ObserverPair<First: EventObserver, Second: EventObserver>: EventObserver {
    /// One of the two.
    package var first: First
    /// The other one.
    package var second: Second
    /// Which of the two chose the line that comes next; both where they were not asked.
    private var choice = (true, true)
    /// Which of the two takes part in the look at hand.
    private var looks = (true, true)

    /// Lets two observers learn from the same lines.
    package init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

    package static var choosesLines: Bool { First.choosesLines && Second.choosesLines }
    package var asksForNames: Bool { first.asksForNames || second.asksForNames }
    package var isDone: Bool { first.isDone && second.isDone }

    package mutating func begin(_ input: EventSource.Input) {
        if looks.0 { first.begin(input) }
        if looks.1 { second.begin(input) }
    }

    package mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        choice = (looks.0 && first.chooses(line, names), looks.1 && second.chooses(line, names))
        if choice.0 || choice.1 { return true }
        choice = (true, true)
        return false
    }

    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        if looks.0, choice.0 { first.observe(line, at: location) }
        if looks.1, choice.1 { second.observe(line, at: location) }
        choice = (true, true)
    }

    package mutating func observe(_ problem: LineProblem?, at location: AuditLogReader.Location) {
        if looks.0 { first.observe(problem, at: location) }
        if looks.1 { second.observe(problem, at: location) }
        choice = (true, true)
    }

    package mutating func looksAgain() -> Bool {
        looks = (looks.0 && first.looksAgain(), looks.1 && second.looksAgain())
        return looks.0 || looks.1
    }
}
