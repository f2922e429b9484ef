import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncLines
import SyncModel

/// Looks for lines that are missing, there twice or out of order, by the numbers that every writer of a log gives them.
///
/// - Complexity: memory grows with the writers and the gaps.
struct SequenceCheck: Sendable {
    struct Writer: Hashable, Comparable, Sendable {
        let source: DeviceID
        /// The file, for the command's own output, of which every run begins anew.
        let file: Int32?

        static func < (left: Writer, right: Writer) -> Bool {
            left.source == right.source ? (left.file ?? -1) < (right.file ?? -1) : left.source < right.source
        }
    }

    private struct Lines: Sendable {
        var numbers = NumberSet()
        var latest: LineLocation
        var latestNumber: UInt64 = 0
        /// The location of each number that does not follow the one before, by that number.
        var jumps: [UInt64: LineLocation] = [:]
    }

    private var writers: [Writer: Lines] = [:]

    /// - Returns: False where the line was there already.
    mutating func observe(
        _ sequence: UInt64, of source: DeviceID, at location: LineLocation, name: (LineLocation) -> String, _ findings: inout FindingList
    )
        -> Bool
    {
        let writer = Writer(source: source, file: source == .auditOfTrace ? location.file : nil)
        var lines = writers.removeValue(forKey: writer) ?? Lines(latest: location)
        let last = lines.numbers.maximum
        let isNew = lines.numbers.insert(sequence)
        if isNew, let last, sequence > last + 1, lines.jumps.count < 1000 { lines.jumps[sequence] = location }
        // The files of a log may be named in any order, the lines of a file stand in one.
        if isNew, location.file == lines.latest.file, sequence < lines.latestNumber {
            findings.add(
                .order, "\(name(location)): line \(sequence) of \(EventText.name(source.rawValue)) comes after line \(lines.latestNumber)")
        }
        (lines.latest, lines.latestNumber) = (location, sequence)
        writers[writer] = lines
        if !isNew {
            findings.add(.duplicate, "\(name(location)): line \(sequence) of \(EventText.name(source.rawValue)) is there twice")
        }
        return isNew
    }

    /// The sources whose logs lack lines, so that what else they lack proves nothing.
    var incomplete: Set<DeviceID> { Set(writers.lazy.filter { $0.value.numbers.runs.count > 1 }.map(\.key.source)) }

    /// Whether a writer's lines are all there from its first on.
    func isWhole(_ writer: Writer) -> Bool { writers[writer].map { $0.numbers.runs.count == 1 && $0.numbers.minimum == 1 } ?? false }

    func finish(name: (LineLocation) -> String, _ findings: inout FindingList) {
        for (writer, lines) in writers.ordered(by: { $0.key < $1.key }) {
            for gap in lines.numbers.gaps {
                let location = lines.jumps[gap.upperBound + 1].map { "\(name($0)): before this line, " } ?? "\(name(lines.latest)): "
                let source = EventText.name(writer.source.rawValue)
                findings.add(
                    .missingLine,
                    gap.lowerBound == gap.upperBound
                        ? "\(location)line \(gap.lowerBound) of \(source) is missing"
                        : "\(location)lines \(gap.lowerBound) to \(gap.upperBound) of \(source) are missing")
            }
        }
    }
}
