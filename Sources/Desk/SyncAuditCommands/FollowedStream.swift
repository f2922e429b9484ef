import AuditLog

/// A stream among what is followed.
final class FollowedStream {
    private var lines: StreamedLines
    private(set) var isDone = false

    var descriptor: Int32 { lines.descriptor }
    /// Whether reading gives something at once.
    var isReadable: Bool { lines.holdsMore || StopSignals.isTold(lines.descriptor, within: 0) }

    init(_ lines: consuming StreamedLines) {
        self.lines = lines
    }

    /// Reads what is there.
    func read(_ body: (InputLine) throws -> Void) throws {
        repeat {
            guard let found = try lines.read() else {
                isDone = true
                return
            }
            for line in found { try body(line) }
        } while lines.holdsMore
    }
}
