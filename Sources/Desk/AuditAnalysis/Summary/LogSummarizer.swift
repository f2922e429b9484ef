public import AuditLog
import ConflictAudit
import SyncBytes
import SyncModel
import SyncSystem

/// Sums up logs on several threads.
///
/// ```swift
/// var summarizer = LogSummarizer()
/// try summarizer.read(path: path)
/// ```
///
/// The threads take blocks of lines in turn and count each for itself; their counts are put together at the end, in whichever order, since
/// a ``Summary`` is merged without loss. Where each conflict and each write counts once, which line is the first is found out in the order
/// of the blocks. Ordinary lines are counted as they stand (`LineScanner`), all others are decoded. Its owner guards it; it cannot be
/// copied, since ``summary`` takes out of the threads' hands what they have counted.
///
/// - Complexity: O(*n*) in the bytes read. Memory does not grow with the number of lines; see ``Summary`` for what it grows with.
public struct LogSummarizer: ~Copyable {
    /// Those that have had something to do: each sets much memory aside.
    private var workers: [Locked<SummaryWorker>] = []
    private let threads: Int
    private let filter: ReportFilter
    private let isLenient: Bool
    private let maximumLineLength: Int
    private let blockSize: Int
    /// What has been counted, nil where every line counts.
    private let copies: Locked<FirstCopies>?
    private let recordLimit: Int

    /// Is told of every reading.
    package var onRead: ReadingObserver?
    /// Whether summaries among the lines count; else they are passed over.
    package var takesSummaries = true

    /// What was read so far.
    public private(set) var counts = AuditLogReader.Counts()

    /// Whether a summary was read instead of a log's lines.
    package private(set) var hasReadSummaries = false

    /// What was taken from the workers, and of that what others had summed up, which has passed the filter already.
    private var counted: Summary
    private var summaries = Summary()

    /// Prepares to read.
    ///
    /// - Parameters:
    ///   - filter: What counts.
    ///   - countsCopies: Whether every line counts, also where several devices logged one conflict or one write; otherwise the first.
    ///   - isLenient: Whether lines that cannot be understood are counted and passed over, instead of ending the reading.
    ///   - threads: How many threads there are to work on, 1 or more.
    ///   - maximumLineLength: The longest line read, in bytes.
    ///   - blockSize: About how many bytes a thread takes at a time.
    public init(
        filter: ReportFilter = ReportFilter(), countsCopies: Bool = false, isLenient: Bool = false, threads: Int = 1,
        maximumLineLength: Int = 16 << 20, blockSize: Int = 1 << 18
    ) {
        self.init(
            filter: filter, copies: countsCopies ? nil : FirstCopies(), isLenient: isLenient, threads: threads,
            maximumLineLength: maximumLineLength, blockSize: blockSize)
    }

    /// Prepares to read.
    ///
    /// - Parameters:
    ///   - copies: What has been counted, nil where every line counts.
    ///   - recordLimit: How many records each thread counts exactly.
    package init(
        filter: ReportFilter, copies: FirstCopies?, isLenient: Bool, threads: Int, maximumLineLength: Int = 16 << 20,
        blockSize: Int = 1 << 18, recordLimit: Int = Summary.recordLimit
    ) {
        self.copies = copies.map { Locked($0) }
        self.recordLimit = recordLimit
        self.threads = max(1, threads)
        self.filter = filter
        self.isLenient = isLenient
        self.maximumLineLength = maximumLineLength
        self.blockSize = blockSize
        counted = Summary(filter: filter)
    }

    /// What has been counted, nil where every line counts.
    package var knownCopies: FirstCopies? { copies?.withLock { $0 } }

    /// Everything counted so far.
    ///
    /// - Complexity: O(*n*) in the distinct names.
    public var summary: Summary {
        mutating get {
            // The workers count lines.
            let distinct = counted.writes.distinct
            var parts: [SummaryCounters.Part] = []
            for worker in workers {
                let (part, rest, summaries) = worker.withLock { ($0.part, $0.rest, $0.summaries) }
                parts.append(part)
                counted.merge(rest)
                self.summaries.merge(summaries)
            }
            // Nobody else holds what is put together then, so that none of it is copied; who reads on gets new workers.
            workers = []
            if !parts.isEmpty { counted.merge(SummaryCounters.summary(of: consume parts, filter: filter)) }
            if let copies {
                counted.writes.distinct = distinct
                counted.add(copies.withLock { $0.drainTallies() })
            }
            counted.boundRecords(recordLimit)
            var all = counted
            all.merge(summaries)
            return all
        }
    }

    /// Reads a file.
    ///
    /// - Throws: `AuditLogError`.
    public mutating func read(path: String) throws {
        _ = try read(path: path, after: nil)
    }

    /// Reads a file without its first lines.
    ///
    /// - Parameter lines: What is left out of a file that may grow; what follows a plain file's last line break is not read then. Nil for a
    ///   file that is read as it is.
    /// - Returns: What has been read of the file, what was left out included; nil where the file does not hold that: then nothing is
    ///   counted.
    /// - Throws: `AuditLogError`.
    package mutating func read(path: String, after lines: ReadLines?) throws -> ReadLines? {
        try read(
            BlockQueue(path: path, after: lines, maximumLineLength: maximumLineLength, blockSize: blockSize, onRead: onRead), name: path)
    }

    /// Reads an open descriptor to its end, and leaves it open.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor.
    ///   - name: The input's name in messages.
    /// - Throws: `AuditLogError`.
    package mutating func read(descriptor: Int32, name: String) throws {
        _ = try read(
            BlockQueue(descriptor: descriptor, maximumLineLength: maximumLineLength, blockSize: blockSize, onRead: onRead), name: name)
    }

    /// Reads lines that are made and not read from anywhere; see ``read(descriptor:name:)``.
    package mutating func read(lines: @escaping LineProducer, name: String) throws {
        _ = try read(BlockQueue(lines: lines, maximumLineLength: maximumLineLength, blockSize: blockSize), name: name)
    }

    /// Reads the blocks of an input, one of whatever kind, and says what has been read; nil as of a file that may grow.
    @discardableResult
    package mutating func read(_ queue: consuming sending BlockQueue, name: String) throws -> ReadLines? {
        let count = queue.isShort ? 1 : threads
        while workers.count < count {
            workers.append(
                Locked(
                    SummaryWorker(
                        filter: filter, isLenient: isLenient, maximumLineLength: maximumLineLength, copies: copies,
                        recordLimit: recordLimit,
                        takesSummaries: takesSummaries
                    )))
        }
        let queue = Locked(queue)
        let turns = BlockTurns()
        let results = inParallel(workers, count: count) { worker, _ in worker.read(queue, turns) }
        for result in results {
            counts.lines += result.lines
            counts.unknownEvents += result.unknownEvents
            counts.undated += result.undated
            counts.skipped += result.skipped
            hasReadSummaries = hasReadSummaries || result.hasSummaries
        }
        // What another thread found behind a block that could not be read is not known to stand at any line.
        let end = queue.withLock { $0.failedBlock } ?? .max
        let problems = results.compactMap(\.firstProblem).filter { $0.block < end }
        // A problem that ends the reading is worth more than one that is passed over.
        let fatal = problems.filter(\.endsReading)
        let first = (fatal.isEmpty ? problems : fatal).min { ($0.block, $0.line) < ($1.block, $1.line) }
        let failure = queue.withLock { $0.failure(name: name) }
        if let first {
            let line = queue.withLock { $0.lineNumber(first.line, in: first.block) }
            let error = AuditLogError(first.problem, at: AuditLogReader.Location(file: name, line: line))
            if first.endsReading { throw error }
            if counts.firstProblem == nil { counts.firstProblem = error.description }
        }
        if let failure { throw failure }
        return queue.withLock { $0.linesRead }
    }
}

/// What one thread counts.
private struct SummaryWorker: ~Copyable {
    /// What is wrong with a line, and its location, both counted from the start of the input: the block from 0, the line in it from 1.
    struct Problem: Sendable {
        let block: Int
        let line: Int
        let problem: LineProblem
        /// Whether nothing is read behind the line; else it is passed over.
        let endsReading: Bool
    }

    /// What was read of one input.
    struct Result: Sendable {
        var lines = 0
        var unknownEvents = 0
        var undated = 0
        var skipped = 0
        var hasSummaries = false
        var firstProblem: Problem?
    }

    private let isLenient: Bool
    private let maximumLineLength: Int
    private let copies: Locked<FirstCopies>?
    private let recordLimit: Int
    private var scanner: LineScanner
    private var block = LineBlock()
    private var tally: Tally

    init(
        filter: ReportFilter, isLenient: Bool, maximumLineLength: Int, copies: Locked<FirstCopies>?, recordLimit: Int, takesSummaries: Bool
    ) {
        self.isLenient = isLenient
        self.recordLimit = recordLimit
        self.maximumLineLength = maximumLineLength
        self.copies = copies
        tally = Tally(filter: filter, holdsLines: copies != nil, takesSummaries: takesSummaries)
        scanner = LineScanner(
            numbersDevices: true, numbersWriters: !filter.isUnrestricted, numbersRecords: !filter.records.isEmpty, readsSync: true)
    }

    /// What is counted, apart from the scanner that finds it.
    private struct Tally {
        var counters = SummaryCounters()
        var filter: ScanFilter
        /// The lines that were not ordinary ones, and those about sync itself that are not in ``health``.
        var rest: Summary
        /// What the first devices tell of sync itself, by their numbers plus 1, where nothing is left out.
        private var health: [SyncHealth.Device] = []
        /// The summaries that were given instead of lines.
        var summaries = Summary()
        var decoder = LineDecoder(isFast: false, numbersWrites: false)
        var result = Result()
        /// The heaviest loss seen of some records, by the scanner's numbers: no other loss of theirs is worth decoding.
        var heaviest: [(record: Int32, weight: LossExamples.Weight)] = []
        /// The lines of a block until it is known which of them count, where not all do.
        var held: HeldLines?

        /// Whether ``summaries`` count.
        let takesSummaries: Bool

        init(filter: ReportFilter, holdsLines: Bool, takesSummaries: Bool) {
            self.takesSummaries = takesSummaries
            self.filter = ScanFilter(filter)
            rest = Summary(filter: filter)
            held = holdsLines ? HeldLines() : nil
        }

        /// Counts lines of a block, or holds them until it is known which of them count.
        mutating func count(_ lines: Span<ScannedLine>, _ block: LineBlock) {
            if held == nil { countNow(lines, block) } else { held?.append(lines) }
        }

        /// Counts lines about sync itself: each is told once, whoever else has logged what it says.
        mutating func countHealth(_ lines: Span<SyncLine>, _ devices: NameTable) {
            for index in lines.indices {
                let device = Int(lines[index].device) + 1
                guard filter.isUnrestricted, device <= SyncHealth.deviceLimit else {
                    let name = Self.name(device, devices)
                    rest.observeHealth(lines[index].event.measured(of: name), source: name)
                    continue
                }
                while health.count <= device { health.append(SyncHealth.Device()) }
                health[device].observe(lines[index].event)
            }
        }

        private static func name(_ device: Int, _ devices: NameTable) -> DeviceID? {
            device == 0 ? nil : DeviceID(devices.name(device - 1).text)
        }

        /// What was not ordinary, and what was told of sync itself.
        func rest(_ devices: NameTable) -> Summary {
            var rest = rest
            for (device, told) in health.enumerated() where told.newest != nil {
                rest.health.change(Self.name(device, devices)) { $0.merge(told) }
            }
            return rest
        }

        private mutating func countNow(_ lines: Span<ScannedLine>, _ block: LineBlock) {
            counters.count(lines)
            findExamples(lines, block)
        }

        /// Counts a line that is not an ordinary one, or holds it where it may be a copy.
        mutating func count(_ line: AuditLine) {
            switch line.event.content {
            case .conflict where held != nil, .write where held != nil: held?.append(line)
            default: rest.observe(line.event, source: line.source)
            }
        }

        /// Looks whether any of the lines tells of a loss worth showing; few do, so that these alone are decoded.
        private mutating func findExamples(_ lines: Span<ScannedLine>, _ block: LineBlock) {
            // An example is a whole conflict, and dear to look at for every line.
            var least = rest.examples.leastWeight
            for index in lines.indices {
                guard lines[index].isConflict else { continue }
                let traits = lines[index].traits
                guard traits.losesEdit else { continue }
                let weight = LossExamples.Weight(
                    isProven: traits.basis.isProof, severity: traits.severity, gapMilliseconds: lines[index].gap)
                if let least, weight < least { continue }
                let known = heaviest.firstIndex { $0.record == lines[index].record }
                if let known, weight < heaviest[known].weight { continue }
                let start = Int(lines[index].start)
                guard case .line(let line)? = try? decoder.decode(block.bytes.span.extracting(start..<block.endOfLine(from: start))),
                    case .conflict(let conflict) = line.event.content
                else { continue }
                rest.examples.observe(conflict)
                least = rest.examples.leastWeight
                if let known { heaviest.remove(at: known) }
                heaviest.append((lines[index].record, weight))
                if heaviest.count > 2 * LossExamples.limit { heaviest.removeFirst() }
            }
        }

        /// Drops the lines held that tell of what has been counted, and counts those that are not ordinary ones.
        mutating func dropCopies(_ copies: inout FirstCopies, _ devices: NameTable) {
            func device(_ number: Int32) -> DeviceID { DeviceID(devices.name(Int(number)).text) }
            held?.dropCopies(&copies, device: device) { line, copies in
                rest.observe(line.event, source: line.source, once: &copies)
            }
        }

        /// Counts the lines held of a block: a copy that does not count is no example either.
        mutating func countHeld(_ block: LineBlock) {
            guard var lines = held.take() else { return }
            lines.drainLines { countNow($0, block) }
            held = lines
        }
    }

    /// What was counted by the scanner's numbers, and the rest.
    var part: SummaryCounters.Part { SummaryCounters.Part(names: scanner.names, counters: tally.counters) }
    var rest: Summary { tally.rest(scanner.names.devices) }
    var summaries: Summary { tally.summaries }

    /// Takes blocks until there are no more.
    mutating func read(_ queue: Locked<BlockQueue>, _ turns: BlockTurns) -> Result {
        tally.result = Result()
        while let number = queue.next(&block) {
            if tally.counters.isFull {
                tally.rest.merge(SummaryCounters.summary(of: [part], filter: tally.filter.filter))
                tally.rest.boundRecords(recordLimit)
                tally.counters = SummaryCounters()
            }
            if scanner.names.records.count > recordLimit {
                scanner.keepRecords(tally.counters.evictRecords(room: recordLimit / 2))
                // They have other numbers now.
                tally.heaviest = []
            }
            tally.counters.enterRecords(upTo: scanner.names.records.count)
            let before = tally.result.lines
            let goesOn = Self.read(block, number: number, maximumLineLength, isLenient, &scanner, &tally)
            if let copies {
                turns.wait(for: number)
                copies.withLock { tally.dropCopies(&$0, scanner.names.devices) }
                turns.end(number)
                tally.countHeld(block)
            }
            let lines = tally.result.lines - before
            queue.withLock {
                $0.record(lines: lines, of: number)
                if !goesOn { $0.stop() }
            }
            if !goesOn { turns.giveUp() }
        }
        if queue.withLock({ $0.failedBlock != nil }) { turns.giveUp() }
        return tally.result
    }

    /// Counts the lines of a block; false where one ends the reading.
    private static func read(
        _ block: LineBlock, number: Int, _ maximumLineLength: Int, _ isLenient: Bool, _ scanner: inout LineScanner, _ tally: inout Tally
    ) -> Bool {
        let linesBefore = tally.result.lines
        func reject(_ problem: LineProblem, _ tally: inout Tally, endsReading: Bool) -> Bool {
            tally.result.skipped += 1
            if endsReading || tally.result.firstProblem == nil {
                tally.result.firstProblem = Problem(
                    block: number, line: tally.result.lines - linesBefore, problem: problem, endsReading: endsReading)
            }
            return !endsReading
        }
        var start: Int?
        repeat {
            let unread = scanner.scan(block, from: &start, maximumLineLength: maximumLineLength)
            scanner.withLines { lines in tally.result.lines += lines.count }
            if !tally.filter.isUnrestricted {
                scanner.withLines { lines in tally.counters.lookAtAll(lines) }
                scanner.filter { tally.filter.passes($0, $1) }
            }
            scanner.withLines { lines in tally.count(lines, block) }
            tally.countHealth(scanner.syncLines.span, scanner.names.devices)
            guard let unread else { continue }
            tally.result.lines += 1
            let isFirst = block.isFirst && tally.result.lines == linesBefore + 1
            do throws(LineProblem) {
                switch try block.outcome(of: unread, isFirst: isFirst, limit: maximumLineLength, &tally.decoder) {
                case .line(let line): tally.count(line)
                case .summary(let object):
                    guard tally.takesSummaries else { break }
                    tally.result.hasSummaries = true
                    if let problem = tally.summaries.problem(merging: object, filter: tally.filter.filter) {
                        return reject(LineProblem(sentence: problem, kind: .summary), &tally, endsReading: true)
                    }
                case .unknownEvent: tally.result.unknownEvents += 1
                case .undated: tally.result.undated += 1
                case .blank: break
                }
            } catch {
                guard reject(error, &tally, endsReading: !isLenient && error.kind != .torn) else { return false }
            }
        } while start != nil
        guard block.isTooLong else { return true }
        tally.result.lines += 1
        return reject(.tooLong(maximumLineLength), &tally, endsReading: !isLenient)
    }
}

extension Summary {
    /// Adds a summary in JSON; returns what is wrong with it.
    fileprivate mutating func problem(merging object: FieldMap, filter: ReportFilter) -> String? {
        do throws(AuditAnalysisError) {
            try merge(json: object, filter: filter)
            return nil
        } catch {
            return error.description
        }
    }
}

extension AuditEvent {
    /// The event with the name of the device whose clock was measured, which a scanner tells apart from it.
    fileprivate func measured(of device: DeviceID?) -> AuditEvent {
        guard case .clock(let measurement) = content, let device else { return self }
        let named = ClockMeasurement(
            device: device, offset: .milliseconds(measurement.offsetMilliseconds),
            uncertainty: .milliseconds(measurement.uncertaintyMilliseconds))
        return AuditEvent(at: milliseconds, .clock(named))
    }
}
