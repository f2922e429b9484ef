import ConflictAudit
import SyncBytes
package import SyncLines
package import SyncModel
import SyncSystem

/// The inputs of a command as one run of events, each with its location.
///
/// The same lines can be read by three engines: in order, by ``read(into:)`` and ``read(summary:_:)``; in order, with events made of chosen
/// lines alone, where the observer chooses; and in blocks for several threads, by ``blocks(of:)``. Each of them asks
/// ``LineDecoder/outcome(of:isFirst:isUnfinished:takesSummaries:)`` what a line is.
package struct EventSource {
    /// Where the bytes of one input come from.
    package enum Input {
        /// A file by its path.
        case file(String)
        /// An open descriptor, and the offset from which on it is read each time; nil where it is a stream, which is read once.
        case descriptor(Int32, start: Int64?, name: String)
        /// Bytes that are made, or read by somebody else, from the first on each time.
        case bytes(name: String, (ReadingObserver?) -> LineProducer)

        /// The path of a file; nil for what is none.
        package var path: String? { if case .file(let path) = self { path } else { nil } }

        /// Its name in messages, which may be any text.
        package var name: String {
            switch self {
            case .file(let path): path
            case .descriptor(_, _, let name), .bytes(let name, _): name
            }
        }
    }

    /// The inputs, in the order in which they are read.
    package let inputs: [Input]
    /// Whether lines that cannot be understood are counted and passed over, instead of ending the reading.
    package var isLenient: Bool
    /// What is taken besides the format itself.
    package var reading = LineReading()
    /// Whether files may grow, so that a last line without a line break is not read yet.
    package var awaitsLineBreak = false
    /// Is told of every reading.
    package var onRead: ReadingObserver?

    /// A source of events.
    package init(_ inputs: [Input], isLenient: Bool) { (self.inputs, self.isLenient) = (inputs, isLenient) }

    /// Lets an observer learn from all lines, as often as it looks.
    ///
    /// - Returns: What was read at the first look.
    /// - Throws: ``AuditLogError``.
    @discardableResult
    package func read<Observer: EventObserver>(into observer: inout Observer) throws -> AuditLogReader.Counts {
        let counts = try look(&observer)
        while observer.looksAgain() { try look(&observer) }
        return counts
    }

    /// Lets two observers learn from the same lines; see ``read(into:)``.
    @discardableResult
    package func read<First: EventObserver, Second: EventObserver>(
        into first: inout First, _ second: inout Second
    ) throws -> AuditLogReader.Counts {
        var pair = ObserverPair(first, second)
        defer { (first, second) = (pair.first, pair.second) }
        return try read(into: &pair)
    }

    /// Lets three observers learn from the same lines; see ``read(into:)``.
    @discardableResult
    package func read<First: EventObserver, Second: EventObserver, Third: EventObserver>(
        into first: inout First, _ second: inout Second, _ third: inout Third
    ) throws -> AuditLogReader.Counts {
        var pair = ObserverPair(second, third)
        defer { (second, third) = (pair.first, pair.second) }
        return try read(into: &first, &pair)
    }

    @discardableResult
    private func look<Observer: EventObserver>(_ observer: inout Observer) throws -> AuditLogReader.Counts {
        func observe(_ line: AuditLine, _ location: AuditLogReader.Location) throws {
            observer.observe(line, at: location)
            if observer.isDone { throw Done() }
        }
        var reader = reader
        guard Observer.choosesLines else {
            for input in inputs where !observer.isDone {
                observer.begin(input)
                do {
                    try reader.read(input, onRead, other: { observer.observe($0, at: $1) }, observe)
                } catch is Done {}
            }
            return reader.counts
        }
        var lines = ChosenLines(reader, looksUpNames: observer.asksForNames)
        for input in inputs where !observer.isDone {
            observer.begin(input)
            do {
                try lines.read(
                    try blocks(of: input), name: input.name, where: { observer.chooses($0, $1) }, other: { observer.observe($0, at: $1) },
                    observe)
            } catch is Done {}
        }
        return lines.counts
    }

    /// Reads everything from the first line to the last.
    ///
    /// - Parameters:
    ///   - summary: Takes each summary that is given instead of a line; without it a summary is a line that cannot be understood.
    ///   - body: Takes each line and its location.
    /// - Returns: What was read.
    /// - Throws: ``AuditLogError`` and what `summary` and `body` throw.
    @discardableResult
    package func read(
        summary: ((FieldMap, AuditLogReader.Location) throws -> Void)? = nil, _ body: (AuditLine, AuditLogReader.Location) throws -> Void
    ) throws -> AuditLogReader.Counts {
        var reader = reader
        for input in inputs { try reader.read(input, onRead, summary: summary, body) }
        return reader.counts
    }

    /// Reads everything, where events are made of chosen ones of the ordinary lines; see ``read(summary:_:)``.
    @discardableResult
    package func read(
        where isChosen: LineChoice, summary: ((FieldMap, AuditLogReader.Location) throws -> Void)? = nil,
        _ body: (AuditLine, AuditLogReader.Location) throws -> Void
    ) throws -> AuditLogReader.Counts {
        var lines = ChosenLines(reader)
        for input in inputs { try lines.read(try blocks(of: input), name: input.name, where: isChosen, summary: summary, body) }
        return lines.counts
    }

    /// The blocks of an input, from its first line on.
    package func blocks(of input: Input) throws -> sending BlockQueue {
        switch input {
        case .file(let path): return try BlockQueue(path: path, after: awaitsLineBreak ? ReadLines() : nil, onRead: onRead)
        case .descriptor(let descriptor, let start, _):
            if let start { lseek(descriptor, off_t(start), SEEK_SET) }
            return BlockQueue(descriptor: descriptor, onRead: onRead)
        case .bytes(_, let make): return BlockQueue(lines: make(onRead))
        }
    }

    private var reader: AuditLogReader {
        var reader = AuditLogReader(isLenient: isLenient)
        reader.decoder.reading = reading
        reader.onRead = onRead
        reader.awaitsLineBreak = awaitsLineBreak
        return reader
    }
}

extension AuditLogReader {
    fileprivate mutating func read(
        _ input: EventSource.Input, _ onRead: ReadingObserver?, summary: ((FieldMap, Location) throws -> Void)? = nil,
        other: OtherLines = { _, _ in }, _ body: (AuditLine, Location) throws -> Void
    ) throws {
        switch input {
        case .file(let path): try read(path: path, summary: summary, other: other, body)
        case .descriptor(let descriptor, let start, let name):
            if let start { lseek(descriptor, off_t(start), SEEK_SET) }
            try read(descriptor: descriptor, name: name, summary: summary, other: other, body)
        case .bytes(let name, let make): try read(lines: make(onRead), name: name, summary: summary, other: other, body)
        }
    }
}

/// Ends a reading whose observer has seen enough.
private struct Done: Error {}
