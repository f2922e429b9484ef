import ConflictAudit
import SyncBytes
public import SyncModel

/// Reads logs and traces line by line, in memory that does not grow with their length.
///
/// One reader reads one body of data, from its first file to its last: it numbers the writes that carry no number. A value type; its owner
/// guards it.
///
/// ```swift
/// var reader = AuditLogReader()
/// try reader.read(path: path) { line, location in
///     print(location, line.event.content)
/// }
/// ```
public struct AuditLogReader {
    /// The counts of what was read.
    public struct Counts: Hashable, Sendable {
        /// Lines, blank ones included.
        public var lines = 0
        /// Lines that hold an event that this version does not know.
        public var unknownEvents = 0
        /// Events of Apple's log that cannot be dated, since it tells no year, no offset from UTC or no time at all.
        public var undated = 0
        /// Lines passed over because they could not be understood, such as a last line that breaks off.
        public var skipped = 0
        /// The problem of the first line that was skipped, with file and line number.
        public var firstProblem: String?

        /// Nothing yet.
        package init() {}

        /// Counts lines that were passed over, by the location of the first and what is wrong with it.
        package mutating func passOver(_ problem: LineProblem, at location: some CustomStringConvertible, count: Int = 1) {
            skipped += count
            if firstProblem == nil { firstProblem = "\(location): \(problem.sentence)" }
        }
    }

    /// The location of a line: its file and its number.
    public struct Location: Hashable, Sendable, CustomStringConvertible {
        /// The file's name, or `standard input`.
        public let file: String
        /// The line's number in it, from 1; 0 where it is not known.
        public let line: Int

        package init(file: String, line: Int) {
            self.file = file
            self.line = line
        }

        /// File and line number, where it is known, with a colon between them; nothing in it acts on a terminal.
        public var description: String { file.escaped(for: .terminal) + (line == 0 ? "" : ":\(line)") }
    }

    /// The longest line read, in bytes, where nothing else is asked for.
    package static let longestLine = 16 << 20

    private let isLenient: Bool
    let maximumLineLength: Int
    package var decoder = LineDecoder()

    /// The devices that have written, and the highest number of each one's writes.
    package var devices: DeviceNumbers {
        get { decoder.numbering }
        _modify { yield &decoder.numbering }
    }

    /// How many writes lead back to revisions that have not come before them.
    package var orphans: Int { decoder.revisions?.orphans ?? 0 }

    /// Is told of every reading.
    package var onRead: ReadingObserver?

    /// Whether a last line without a line break is not read of plain files, which may grow.
    package var awaitsLineBreak = false

    /// The counts of what was read so far.
    public package(set) var counts = Counts()

    /// What is wrong with the line that was read last; nil where nothing is.
    package private(set) var problem: LineProblem?

    /// A reader.
    ///
    /// - Parameters:
    ///   - isLenient: Whether lines that cannot be understood are counted and passed over, instead of ending the reading.
    ///   - maximumLineLength: The longest line read, in bytes. A record holds 1 MB at most in the services that this package knows of; 16
    ///     MiB leaves room for both sides of a conflict and their escapes.
    public init(isLenient: Bool = false, maximumLineLength: Int = 16 << 20) {
        self.isLenient = isLenient
        self.maximumLineLength = maximumLineLength
    }

    /// Reads a file, plain or compressed by gzip, which its first bytes tell.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - summary: Called with each summary that is there instead of a line, and its location; without it a summary is a line that cannot
    ///     be understood.
    ///   - body: Called with each line and its location.
    /// - Throws: ``AuditLogError`` and what `summary` and `body` throw.
    public mutating func read(
        path: String, summary: ((FieldMap, Location) throws -> Void)? = nil, _ body: (AuditLine, Location) throws -> Void
    ) throws {
        try read(path: path, summary: summary, other: { _, _ in }, body)
    }

    /// Reads an open descriptor to its end, and leaves it open; see ``read(path:summary:_:)``.
    public mutating func read(
        descriptor: Int32, name: String, summary: ((FieldMap, Location) throws -> Void)? = nil, _ body: (AuditLine, Location) throws -> Void
    ) throws {
        try read(descriptor: descriptor, name: name, summary: summary, other: { _, _ in }, body)
    }

    /// Called with each line that tells of no event, and with what is wrong with it; nil where nothing is.
    typealias OtherLines = (LineProblem?, Location) -> Void

    mutating func read(
        path: String, summary: ((FieldMap, Location) throws -> Void)?, other: OtherLines, _ body: (AuditLine, Location) throws -> Void
    ) throws {
        var lines = try LineReader(path: path, maximumLength: maximumLineLength, onRead: onRead)
        lines.awaitsLineBreak = awaitsLineBreak
        try read(&lines, name: path, summary, other, body)
    }

    mutating func read(
        descriptor: Int32, name: String, summary: ((FieldMap, Location) throws -> Void)?, other: OtherLines,
        _ body: (AuditLine, Location) throws -> Void
    ) throws {
        var lines = LineReader(descriptor: descriptor, maximumLength: maximumLineLength, onRead: onRead)
        try read(&lines, name: name, summary, other, body)
    }

    /// Reads lines that are made and not read from anywhere; see ``read(path:summary:_:)``.
    mutating func read(
        lines: @escaping LineProducer, name: String, summary: ((FieldMap, Location) throws -> Void)?, other: OtherLines,
        _ body: (AuditLine, Location) throws -> Void
    ) throws {
        var lines = LineReader(lines, maximumLength: maximumLineLength)
        try read(&lines, name: name, summary, other, body)
    }

    private mutating func read(
        _ lines: inout LineReader, name: String, _ summary: ((FieldMap, Location) throws -> Void)?, _ other: OtherLines,
        _ body: (AuditLine, Location) throws -> Void
    ) throws {
        var number = 0
        lines.readsAppleLog = true
        while true {
            let line: LineReader.Line
            do throws(ReadingError) {
                line = try lines.next()
            } catch {
                throw AuditLogError(error.code, "\(name.escaped(for: .terminal)):\(number + 1): \(error.sentence)")
            }
            number += 1
            let location = Location(file: name, line: number)
            switch line {
            case .end: return
            case .tooLong:
                try rejectTooLong(at: location)
                other(problem, location)
            case .bytes(let range):
                let (isUnfinished, takesSummaries) = (lines.isUnfinished, summary != nil)
                switch try lines.withBytes(
                    range,
                    { bytes throws(AuditLogError) in
                        try outcome(of: bytes, at: location, isUnfinished: isUnfinished, takesSummaries: takesSummaries)
                    })
                {
                case .line(let line)?: try body(line, location)
                case .summary(let object)?: try summary?(object, location)
                case .unknownEvent, .undated, .blank, nil: other(problem, location)
                }
            }
        }
    }

    /// Decodes a line; nil where it is passed over.
    ///
    /// - Parameter isFirst: Whether its file begins with it; nil to go by its number.
    mutating func outcome(
        of bytes: Span<UInt8>, at location: Location, isFirst: Bool? = nil, isUnfinished: Bool, takesSummaries: Bool = false
    ) throws(AuditLogError) -> LineDecoder.Outcome? {
        counts.lines += 1
        problem = nil
        let outcome: LineDecoder.Outcome
        do throws(LineProblem) {
            outcome = try decoder.outcome(
                of: bytes, isFirst: isFirst ?? (location.line == 1), isUnfinished: isUnfinished, takesSummaries: takesSummaries)
        } catch {
            try reject(error, at: location)
            return nil
        }
        switch outcome {
        case .unknownEvent: counts.unknownEvents += 1
        case .undated: counts.undated += 1
        case .line, .summary, .blank: break
        }
        return outcome
    }

    /// Decodes a line as it comes from a file that grows, or from a stream; nil where it is passed over.
    package mutating func outcome(of line: InputLine) throws(AuditLogError) -> LineDecoder.Outcome? {
        guard let bytes = line.bytes else {
            try rejectTooLong(at: line.location)
            return nil
        }
        return try outcome(of: bytes.span, at: line.location, isFirst: line.isFirst, isUnfinished: line.isUnfinished)
    }

    /// Lets an observer learn from a line as it comes from a file that grows, or from a stream.
    package mutating func read(_ line: InputLine, into observer: inout some EventObserver) throws(AuditLogError) {
        if case .line(let event)? = try outcome(of: line) {
            observer.observe(event, at: line.location)
        } else {
            observer.observe(problem, at: line.location)
        }
    }

    /// Decodes a line; nil where there is nothing in it for this version, or it is passed over.
    ///
    /// - Parameter isUnfinished: Whether the input ends with it, without a line break.
    package mutating func decode(_ bytes: Span<UInt8>, at location: Location, isUnfinished: Bool) throws(AuditLogError) -> AuditLine? {
        guard case .line(let line)? = try outcome(of: bytes, at: location, isUnfinished: isUnfinished, takesSummaries: false) else {
            return nil
        }
        return line
    }

    package mutating func rejectTooLong(at location: Location) throws(AuditLogError) {
        counts.lines += 1
        try reject(.tooLong(maximumLineLength), at: location)
    }

    private mutating func reject(_ problem: LineProblem, at location: Location) throws(AuditLogError) {
        guard isLenient || problem.kind == .torn else { throw AuditLogError(problem, at: location) }
        counts.passOver(problem, at: location)
        self.problem = problem
    }
}

extension Span<UInt8> {
    /// Whether the bytes begin with U+FEFF in UTF-8, which is no part of the data.
    package var hasByteOrderMark: Bool {
        count >= 3 && self[0] == 0xef && self[1] == 0xbb && self[2] == 0xbf
    }
}

extension [UInt8] {
    /// The bytes without the byte order mark that they may begin with, which is no part of the data.
    package var withoutByteOrderMark: [UInt8] { span.hasByteOrderMark ? Array(dropFirst(3)) : self }
}
