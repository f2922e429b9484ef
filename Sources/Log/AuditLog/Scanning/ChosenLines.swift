import ConflictAudit
import SyncBytes
import SyncLines
package import SyncModel
import SyncSystem

/// Says of an ordinary line whether an event is to be made of it; any other line is decoded, since it may be anything.
package typealias LineChoice = (ScannedLine, ScannedNames) -> Bool

/// Reads logs in order and makes events of those lines alone that are chosen, and of the first of each log; the others are checked and
/// counted.
///
/// Most lines are passed over for a tenth of what an event costs. What is wrong with a line is told as ``AuditLogReader`` tells it. Reads
/// one body of data, from its first file to its last. It cannot be copied, since its scanner's memory is for one user alone.
package struct ChosenLines: ~Copyable {
    private var reader: AuditLogReader
    // Lines about sync itself are half of a log, and nobody who chooses asks for many of them: 'lost' takes 0.9 to 1.1 s of processor time
    // for 126 MB of 32 logs, and 2.8 to 3.3 s where they are decoded (30 November 2026).
    private var scanner = LineScanner(numbersRecords: true, readsSync: true)
    private var block = LineBlock()
    /// The highest numbers of writes passed over, by their devices' numbers, and the devices whose numbers the decoder has not been told.
    private var highest: [(number: UInt64, isTold: Bool)] = []
    private var untold: [Int32] = []
    /// Whether it is looked up of every conflict whether it states what people call its record.
    private let looksUpNames: Bool

    /// Beyond so many records their names are forgotten, and come anew.
    private static let recordLimit = 1 << 20

    /// Reads by a reader's rules, its counts included.
    ///
    /// - Parameter looksUpNames: Whether it is looked up of every conflict whether it states what people call its record.
    package init(_ reader: AuditLogReader, looksUpNames: Bool = false) {
        self.reader = reader
        self.looksUpNames = looksUpNames
    }

    /// The counts of what was read so far.
    package var counts: AuditLogReader.Counts { reader.counts }

    /// Reads the blocks of an input, one of whatever kind.
    ///
    /// - Parameters:
    ///   - queue: The blocks, cut by ``AuditLogReader/maximumLineLength``.
    ///   - name: The input's name in messages.
    ///   - isChosen: Asked of every ordinary line but the first.
    ///   - summary: Called with each summary that is there instead of a line; without it a summary is a line that cannot be understood.
    ///   - other: Called with each line that tells of no event, and with what is wrong with it; nil where nothing is.
    ///   - body: Called with each line of which an event was made, and its location.
    /// - Throws: ``AuditLogError`` and what `summary` and `body` throw.
    package mutating func read(
        _ queue: consuming sending BlockQueue, name: String, where isChosen: LineChoice,
        summary: ((FieldMap, AuditLogReader.Location) throws -> Void)? = nil,
        other: (LineProblem?, AuditLogReader.Location) -> Void = { _, _ in }, _ body: (AuditLine, AuditLogReader.Location) throws -> Void
    ) throws {
        func decode(_ range: Range<Int>, at number: Int, _ body: (AuditLine, AuditLogReader.Location) throws -> Void) throws {
            let location = AuditLogReader.Location(file: name, line: number)
            tellNumbers()
            switch try reader.outcome(of: range, in: block, at: location, takesSummaries: summary != nil) {
            case .line(let line)?: try body(line, location)
            case .summary(let object)?: try summary?(object, location)
            case .unknownEvent, .undated, .blank, nil: other(reader.problem, location)
            }
        }
        func rejectTooLong(at number: Int) throws {
            let location = AuditLogReader.Location(file: name, line: number)
            try reader.rejectTooLong(at: location)
            other(reader.problem, location)
        }
        let queue = Locked(queue)
        var number = 0
        while let index = queue.next(&block) {
            if scanner.names.records.count > Self.recordLimit { scanner.keepRecords([]) }
            let before = number
            var start: Int?
            repeat {
                let unread = scanner.scan(block, from: &start, maximumLineLength: reader.maximumLineLength)
                for line in 0..<scanner.lineCount {
                    var scanned = scanner.line(line)
                    number += 1
                    let start = Int(scanned.start)
                    if looksUpNames { scanned.statesName = statesName(scanned) }
                    if scanned.isUnnumberedWrite {
                        // For its number, which those that follow come after; whether it can have one is not known before.
                        try decode(start..<block.endOfLine(from: start), at: number) { line, location in
                            if number == 1 || isChosen(scanned, scanner.names) { try body(line, location) }
                        }
                    } else if number == 1 || isChosen(scanned, scanner.names) {
                        // The first line tells where the log begins.
                        try decode(start..<block.endOfLine(from: start), at: number, body)
                    } else {
                        reader.counts.lines += 1
                        if scanned.content == .write { passOver(scanned) }
                    }
                }
                guard let unread else { continue }
                number += 1
                if block.isTooLong(unread, limit: reader.maximumLineLength) {
                    try rejectTooLong(at: number)
                } else {
                    try decode(unread, at: number, body)
                }
            } while start != nil
            if block.isTooLong {
                number += 1
                try rejectTooLong(at: number)
            }
            queue.withLock { $0.record(lines: number - before, of: index) }
        }
        if let failure = queue.withLock({ $0.failure(name: name) }) { throw failure }
    }

    /// Tells the decoder the numbers of the writes that were passed over.
    private mutating func tellNumbers() {
        for device in untold {
            let name = DeviceID(scanner.names.devices.name(Int(device)).text)
            reader.decoder.remember(Dot(device: name, sequence: highest[Int(device)].number))
            highest[Int(device)].isTold = true
        }
        untold.removeAll(keepingCapacity: true)
    }

    /// Remembers the number of a write that is passed over: one without a number may come later.
    private mutating func passOver(_ write: ScannedLine) {
        let device = Int(write.device)
        while highest.count <= device { highest.append((0, true)) }
        guard let number = UInt64(exactly: write.count), number > highest[device].number else { return }
        if highest[device].isTold { untold.append(write.device) }
        highest[device] = (number, false)
    }

    /// Whether a conflict's line holds the key of a name, unescaped; more than that only its event can say.
    private func statesName(_ line: ScannedLine) -> Bool {
        guard line.isConflict else { return false }
        let bytes = block.bytes.span
        let end = block.endOfLine(from: Int(line.start))
        var index = Int(line.start)
        while let quote = bytes.position(of: UInt8(ascii: "\""), from: index), quote + 8 <= end {
            // The key and its quotes.
            if bytes.word(at: quote) & 0xffff_ffff_ffff == 0x22_65_6d_61_6e_22 { return true }
            index = quote + 1
        }
        return false
    }
}

extension AuditLogReader {
    fileprivate mutating func outcome(
        of range: Range<Int>, in block: LineBlock, at location: Location, takesSummaries: Bool
    ) throws(AuditLogError) -> LineDecoder.Outcome? {
        try outcome(
            of: block.bytes.span.extracting(range), at: location, isUnfinished: block.isUnfinished(range), takesSummaries: takesSummaries)
    }
}

extension ScannedLine {
    /// Whether it is a write that gets its number by those that come before.
    fileprivate var isUnnumberedWrite: Bool { content == .write && dot == nil }
}

/// Some records, by the numbers that a scanner gives them: each name is compared once, however many lines it is in.
package struct ChosenRecords: Sendable {
    private let keys: Set<RecordKey>
    private var known: [Bool] = []
    private var generation = 0

    /// Chooses the records that keys name.
    package init(_ keys: Set<RecordKey>) { self.keys = keys }

    /// Whether a line of a conflict or a write is about one of the records.
    package mutating func contain(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        guard line.content == .conflict || line.content == .write else { return false }
        // Names were forgotten, and have other numbers.
        if names.generation != generation { (known, generation) = ([], names.generation) }
        for number in known.count..<names.records.count {
            known.append(keys.contains(names.key(ofRecord: Int32(truncatingIfNeeded: number))))
        }
        return known[Int(line.record)]
    }
}
