import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

/// The lines of a block, held until it is known which of them tell of a conflict that has been counted.
struct HeldLines {
    private var lines: [ScannedLine] = []
    /// Those that are not ordinary ones, each with how many of the others come before.
    private var decoded: [(before: Int, line: AuditLine)] = []
    /// Kept, so that looking ahead is not taken for idle.
    private var touched: UInt64 = 0

    /// How many lines are looked ahead for.
    private static let chunk = 64

    mutating func append(_ more: Span<ScannedLine>) {
        for index in more.indices { lines.append(more[index]) }
    }

    mutating func append(_ line: AuditLine) { decoded.append((lines.count, line)) }

    /// Drops the lines of conflicts that have been counted; the writes are counted, and their lines stay.
    ///
    /// - Parameters:
    ///   - copies: What has been counted.
    ///   - device: The device of a number.
    ///   - body: Takes each line that is not an ordinary one, in its turn.
    mutating func dropCopies(
        _ copies: inout FirstCopies, device: (Int32) -> DeviceID, _ body: (AuditLine, inout FirstCopies) -> Void
    ) {
        var rest = decoded[...]
        var kept = 0
        var index = 0
        while index < lines.count {
            let end = min(index + Self.chunk, lines.count)
            touch(index..<end, copies)
            while index < end {
                while let next = rest.first, next.before == index { body(rest.removeFirst().line, &copies) }
                if admits(&lines[index], &copies, device) {
                    if kept < index { lines[kept] = lines[index] }
                    kept += 1
                }
                index += 1
            }
        }
        for (_, line) in rest { body(line, &copies) }
        lines.removeSubrange(kept...)
        decoded.removeAll(keepingCapacity: true)
    }

    private mutating func touch(_ range: Range<Int>, _ copies: FirstCopies) {
        for index in range where lines[index].isConflict { touched ^= copies.touch(conflict: lines[index].id) }
    }

    @inline(__always) private func admits(
        _ line: inout ScannedLine, _ copies: inout FirstCopies, _ device: (Int32) -> DeviceID
    ) -> Bool {
        if line.isConflict {
            let isFirst = copies.isFirst(
                line.id, isPending: line.traits.isPending, isFinal: line.traits.isFinal, isSuspected: !line.traits.basis.isProof,
                isClockSuspect: line.traits.isClockSuspect, winner: device(line.device))
            if isFirst, let edit = line.dot, copies.isKnownLoss(edit) { line.markRepeated() }
            return isFirst
        }
        if line.content == .write {
            copies.count(dot: line.dot, hasContext: line.contexts > 0)
        }
        return true
    }

    /// Gives away the lines, no more at a time than a scanner shows.
    mutating func drainLines(_ body: (Span<ScannedLine>) -> Void) {
        var index = 0
        while index < lines.count {
            let end = min(index + LineScanner.linesAtATime, lines.count)
            body(lines.span.extracting(index..<end))
            index = end
        }
        lines.removeAll(keepingCapacity: true)
    }
}
