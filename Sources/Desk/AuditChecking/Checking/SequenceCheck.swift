import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel

/// Looks for lines that are missing, there twice or out of order, by the numbers that every writer of a log gives them.
///
/// Lines that two files share are one finding: a store was copied with its log, or the log alone, and both may have gone on since.
///
/// - Complexity: memory grows with the lines, some 30 bytes for each.
struct SequenceCheck: Sendable {
    struct Writer: Hashable, Comparable, Sendable {
        let source: DeviceID
        /// The file, for the command's own output, of which every run begins anew.
        let file: Int32?

        static func < (left: Writer, right: Writer) -> Bool {
            left.source == right.source ? (left.file ?? -1) < (right.file ?? -1) : left.source < right.source
        }
    }

    /// What tells a line from another of the same number, and its file.
    private struct Print: Sendable {
        let content: UInt32
        let file: Int32
    }

    /// Two files that tell lines of the same numbers of one writer.
    private struct Pair: Hashable {
        let writer: Writer
        let first: Int32
        let second: Int32
    }

    /// The numbers of lines that are the same in both files, and of those that are not.
    private struct Copy {
        var location: LineLocation
        var shared = NumberSet()
        var others = NumberSet()
    }

    private struct Lines: Sendable {
        var prints: [UInt64: Print] = [:]
        var numbers = NumberSet()
        var latest: LineLocation
        var latestNumber: UInt64 = 0
        /// The location of each number that does not follow the one before, by that number.
        var jumps: [UInt64: LineLocation] = [:]
    }

    private var writers: [Writer: Lines] = [:]
    private var copies: [Pair: Copy] = [:]
    /// The lines of each writer that have no number: the first, and how many there are.
    private var unnumbered: [Writer: (first: LineLocation, count: Int)] = [:]

    /// What a line is by its number.
    enum Novelty {
        case new
        /// A line of the number was there, and told the same.
        case same
        /// A line of the number was there, and told something else: two writers have one name.
        case other
    }

    mutating func observe(
        _ event: AuditEvent, _ sequence: UInt64, of source: DeviceID, at location: LineLocation, _ findings: inout FindingList
    ) -> Novelty {
        let writer = Writer(source: source, file: source == .auditOfTrace ? location.file : nil)
        var lines = writers.removeValue(forKey: writer) ?? Lines(latest: location)
        let last = lines.numbers.maximum
        let isNew = lines.numbers.insert(sequence)
        if isNew, let last, sequence > last + 1, lines.jumps.count < 1000 { lines.jumps[sequence] = location }
        // The files of a log may be named in any order, the lines of a file stand in one.
        if isNew, location.file == lines.latest.file, sequence < lines.latestNumber {
            findings.add(
                .order, of: "line \(sequence) of \(source.rawValue)", at: location,
                "line \(sequence) of \(EventText.name(source.rawValue)) comes after line \(lines.latestNumber)")
        }
        (lines.latest, lines.latestNumber) = (location, sequence)
        let print = Print(content: event.print, file: location.file)
        let known = lines.prints[sequence]
        if isNew { lines.prints[sequence] = print }
        writers[writer] = lines
        if isNew { return .new }
        let isSame = known?.content == print.content
        if let known, known.file != location.file {
            let pair = Pair(writer: writer, first: known.file, second: location.file)
            let numbers: WritableKeyPath<Copy, NumberSet> = isSame ? \.shared : \.others
            _ = copies[pair, default: Copy(location: location)][keyPath: numbers].insert(sequence)
        } else {
            addDouble(sequence, of: source, at: location, &findings)
        }
        return isSame ? .same : .other
    }

    private func addDouble(_ sequence: UInt64, of source: DeviceID, at location: LineLocation, _ findings: inout FindingList) {
        findings.add(
            .duplicate, of: "line \(sequence) of \(source.rawValue)", at: location,
            "line \(sequence) of \(EventText.name(source.rawValue)) is there twice")
    }

    /// Tells of files that share lines.
    private func tellCopies(_ findings: inout FindingList) {
        let name = findings.name
        for (pair, copy) in copies.ordered(by: {
            ($0.key.writer, $0.key.first, $0.key.second) < ($1.key.writer, $1.key.first, $1.key.second)
        }) {
            let (source, location) = (pair.writer.source, copy.location)
            func file(_ index: Int32) -> String { name(LineLocation(file: index, line: 0)) }
            guard let first = copy.shared.runs.first, copy.shared.count + copy.others.count > 2 else {
                for number in [copy.shared, copy.others].flatMap(\.runs).joined().prefix(2) {
                    addDouble(number, of: source, at: location, &findings)
                }
                continue
            }
            let runs = copy.shared.runs.prefix(3).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
            let more = copy.shared.runs.count > 3 ? " and more" : ""
            var sentence =
                "\(file(pair.first)) and \(file(pair.second)) share lines \(runs.joined(separator: ", "))\(more) of "
                + EventText.name(source.rawValue) + (first.lowerBound == 1 ? ": a copied store" : "")
            if let own = copy.others.runs.first {
                sentence +=
                    "; both go on from line \(own.lowerBound), with \(HumanNumber.count(Int(clamping: copy.others.count), "line")) that "
                    + "\(copy.others.count == 1 ? "has" : "have") the number of another"
            }
            // Which of them was named first says nothing.
            let files = [pair.first, pair.second].map(findings.fileName).ordered { $0.utf8Precedes($1) }
            findings.add(.duplicate, of: "lines of \(source.rawValue) in \(files[0]) and \(files[1])", at: nil, sentence)
        }
    }

    /// The sources whose logs lack lines, so that what else they lack proves nothing.
    var incomplete: Set<DeviceID> { Set(writers.lazy.filter { $0.value.numbers.runs.count > 1 }.map(\.key.source)) }

    /// Whether a writer's lines are all there from its first on.
    func isWhole(_ writer: Writer) -> Bool { writers[writer].map { $0.numbers.runs.count == 1 && $0.numbers.minimum == 1 } ?? false }

    /// Takes note of a line that has no number.
    mutating func observeUnnumbered(of source: DeviceID, at location: LineLocation) {
        let writer = Writer(source: source, file: location.file)
        unnumbered[writer] = (unnumbered[writer]?.first ?? location, (unnumbered[writer]?.count ?? 0) + 1)
    }

    /// Tells of lines without a number in logs whose lines are numbered: no writer leaves out some.
    private func tellUnnumbered(_ findings: inout FindingList) {
        let numbered = Set(writers.keys.map(\.source))
        for (writer, lines) in unnumbered.ordered(by: { $0.key < $1.key }) where numbered.contains(writer.source) {
            let file = findings.fileName(lines.first.file)
            findings.add(
                .order, of: "lines of \(writer.source.rawValue) without a number in \(file)",
                at: lines.first,
                "\(HumanNumber.count(lines.count, "line")) of \(EventText.name(writer.source.rawValue)) "
                    + "\(lines.count == 1 ? "has" : "have") no number, and its other lines are numbered")
        }
    }

    func finish(_ findings: inout FindingList) {
        tellCopies(&findings)
        tellUnnumbered(&findings)
        // Few lack anything, and only those are put in order.
        let gappy = writers.filter { $0.value.numbers.runs.count > 1 }
        for (writer, told) in gappy.ordered(by: { $0.key < $1.key }) {
            for gap in told.numbers.gaps {
                let next = told.jumps[gap.upperBound + 1]
                let isOne = gap.lowerBound == gap.upperBound
                let lines = isOne ? "line \(gap.lowerBound)" : "lines \(gap.lowerBound) to \(gap.upperBound)"
                findings.add(
                    .missingLine, of: "\(lines) of \(writer.source.rawValue)", at: next ?? told.latest,
                    (next == nil ? "" : "before this line, ")
                        + "\(lines) of \(EventText.name(writer.source.rawValue)) \(isOne ? "is" : "are") missing")
            }
        }
    }
}

extension AuditEvent {
    /// A number that tells the event from others which a writer might give the same number.
    fileprivate var print: UInt32 {
        var hash = FNV1a()
        hash.combine(UInt64(bitPattern: milliseconds))
        switch content {
        case .write(let write): hash.combine(write.dot)
        case .conflict(let conflict): hash.combine(conflict.id.rawValue)
        case .sync(let activity): hash.combine(UInt64(activity.writes))
        default: break
        }
        return UInt32(truncatingIfNeeded: hash.value ^ hash.value >> 32)
    }
}
