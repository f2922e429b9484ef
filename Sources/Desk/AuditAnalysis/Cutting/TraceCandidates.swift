package import AuditLog
package import ConflictAudit
import SyncMerge
import SyncModel

/// The lines of a trace that a conflict may depend on: those of its records, and the comparisons of its devices' clocks.
///
/// Of a record with very many lines the nearest are kept: before the first of the two sides, between them, and after both.
///
/// - Complexity: memory is bounded by ``lineLimit`` lines and ``byteLimit`` bytes of each of the three stretches. A value type; its
///   owner guards it.
package struct TraceCandidates: EventObserver, Sendable {
    /// The most lines of a stretch.
    package static let lineLimit = 1024
    /// The most bytes of a stretch.
    package static let byteLimit = 64 << 20

    /// The conflict.
    package let conflict: Conflict
    /// How many lines the conflict may depend on.
    package private(set) var lineCount = 0
    /// How many of them are not kept.
    package private(set) var droppedLines = 0

    private var stretches = [Stretch(keeps: .last), Stretch(keeps: .last), Stretch(keeps: .first)]
    private var sides: [(position: Int, line: TraceLine)] = []
    private var position = 0
    private let lineLimit: Int

    /// Prepares to look through the trace in which a conflict was found.
    ///
    /// - Parameter lineLimit: The most lines of a stretch.
    package init(of conflict: Conflict, lineLimit: Int = Self.lineLimit) {
        self.conflict = conflict
        self.lineLimit = lineLimit
    }

    /// Looks at a line of the trace.
    package mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        let event = line.event
        switch event.content {
        case .write(let write):
            guard isConcerned(write.key) else { return }
            let line = TraceLine(write)
            // Only the first of several with one name is merged.
            if conflict.hasSide(write.dot), !sides.contains(where: { $0.line.write?.dot == write.dot }) {
                lineCount += 1
                position += 1
                sides.append((position, line))
            } else {
                append(line)
            }
        case .merge(let merge): if isConcerned(merge.key) { append(TraceLine(event)) }
        case .clock(let measurement):
            let device = measurement.device
            if device == conflict.winner.dot.device || device == conflict.loser.dot.device { append(TraceLine(event)) }
        default: break
        }
    }

    private func isConcerned(_ key: RecordKey) -> Bool { key == conflict.key || key == conflict.related }

    private mutating func append(_ line: TraceLine) {
        lineCount += 1
        position += 1
        droppedLines += stretches[min(sides.count, 2)].append(line, at: position, limit: lineLimit)
    }

    /// The lines kept in the order of the trace, and the indices of the two sides among them.
    var lines: (all: [TraceLine], sides: [Int]) {
        let entries = (stretches.flatMap(\.entries) + sides).sorted { $0.position < $1.position }
        let positions = Set(sides.map(\.position))
        return (entries.map(\.line), entries.indices.filter { positions.contains(entries[$0].position) })
    }
}

extension Conflict {
    /// Whether a write is one of the two that met.
    fileprivate func hasSide(_ dot: Dot) -> Bool { dot == winner.dot || dot == loser.dot }
}

/// A number of lines in a row, of which the first or the last are kept.
private struct Stretch: Sendable {
    enum End: Sendable {
        case first
        case last
    }

    let keeps: End
    private var kept: [(position: Int, line: TraceLine)] = []
    private var start = 0
    private var bytes = 0

    init(keeps: End) {
        self.keeps = keeps
    }

    var entries: ArraySlice<(position: Int, line: TraceLine)> { kept[start...] }

    /// Keeps a line, or another instead of it.
    ///
    /// - Returns: How many lines are kept no longer, this one included.
    mutating func append(_ line: TraceLine, at position: Int, limit: Int) -> Int {
        let isFull = kept.count - start >= limit || bytes + line.bytes.count > TraceCandidates.byteLimit
        if isFull, keeps == .first { return 1 }
        kept.append((position, line))
        bytes += line.bytes.count
        var dropped = 0
        while kept.count - start > limit || bytes > TraceCandidates.byteLimit, start < kept.count {
            bytes -= kept[start].line.bytes.count
            start += 1
            dropped += 1
        }
        if start > limit {
            kept.removeFirst(start)
            start = 0
        }
        return dropped
    }
}
