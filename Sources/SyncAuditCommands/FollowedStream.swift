import AuditLog

/// A stream among what is followed.
final class FollowedStream {
    var lines: StreamedLines
    let name: String
    var isDone = false

    var descriptor: Int32 { lines.descriptor }
    /// Whether reading gives something at once.
    var isReadable: Bool { lines.holdsMore || StopSignals.isTold(lines.descriptor, within: 0) }

    init(_ lines: consuming StreamedLines, name: String) {
        self.lines = lines
        self.name = name
    }
}
