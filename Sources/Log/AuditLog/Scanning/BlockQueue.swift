import SyncBytes
import SyncSystem

/// How much of a log has been read.
package struct ReadLines: Hashable, Sendable {
    /// How many lines.
    package let count: Int
    /// A hash of the end of the last of them, by which a log is told from another one that begins alike.
    package let lastHash: UInt64

    /// What has been read, nothing unless told otherwise.
    package init(count: Int = 0, lastHash: UInt64 = 0) {
        self.count = count
        self.lastHash = lastHash
    }

    /// - Parameter last: The end of the last line, as ``LineBlock`` tells it.
    fileprivate init(count: Int, last: [UInt8]) {
        self.init(count: count, lastHash: count == 0 ? 0 : FNV1a.hash(last.span))
    }
}

/// Hands out the blocks of an input to several threads, in order.
package struct BlockQueue: ~Copyable {
    /// About how many bytes a block holds.
    package static let usualBlockSize = 1 << 18

    private var lines: LineReader
    private let blockSize: Int
    private let onRead: ReadingObserver?
    /// How many bytes of a plain file are read in pieces, by several threads at once; nil where the input is a stream.
    private let fileLength: Int?
    private var isStopped = false
    private var failure: (error: ReadingError, block: Int)?
    /// The lines of each block that has been read.
    private var lineCounts: [Int] = []
    /// The lines that are passed over, and how many of them are still to come.
    private let passedOver: ReadLines
    private var toPassOver: Int
    /// The end of the last line handed out, where the input is a stream; nil where none was.
    private var last: [UInt8]?

    /// A file's blocks.
    ///
    /// - Parameter passedOver: What has been read of a file that may grow: this is passed over, and what follows a plain file's last line
    ///   break is not read.
    package init(
        path: String, after passedOver: ReadLines? = nil, maximumLineLength: Int = AuditLogReader.longestLine,
        blockSize: Int = usualBlockSize, onRead: ReadingObserver? = nil
    ) throws(AuditLogError) {
        lines = try LineReader(path: path, maximumLength: maximumLineLength, onRead: onRead)
        lines.awaitsLineBreak = passedOver != nil
        lines.readsAppleLog = true
        fileLength = passedOver == nil ? lines.plainLength : nil
        self.passedOver = passedOver ?? ReadLines()
        toPassOver = self.passedOver.count
        self.blockSize = blockSize
        self.onRead = onRead
    }

    /// The blocks of an open descriptor, which stays open.
    package init(
        descriptor: Int32, maximumLineLength: Int = AuditLogReader.longestLine, blockSize: Int = usualBlockSize,
        onRead: ReadingObserver? = nil
    ) {
        lines = LineReader(descriptor: descriptor, maximumLength: maximumLineLength, onRead: onRead)
        lines.readsAppleLog = true
        fileLength = nil
        (passedOver, toPassOver) = (ReadLines(), 0)
        self.blockSize = blockSize
        self.onRead = onRead
    }

    /// The blocks of lines that are made and not read.
    package init(lines: @escaping LineProducer, maximumLineLength: Int = AuditLogReader.longestLine, blockSize: Int = usualBlockSize) {
        self.lines = LineReader(lines, maximumLength: maximumLineLength)
        self.lines.readsAppleLog = true
        (fileLength, onRead) = (nil, nil)
        (passedOver, toPassOver) = (ReadLines(), 0)
        self.blockSize = blockSize
    }

    /// Whether all there is fits into one block, as far as is known.
    package var isShort: Bool { lines.length.map { $0 < blockSize } ?? false }

    /// Takes the next block: fills it from a stream, or says of which piece of a file it is to be filled.
    fileprivate mutating func next(_ block: inout LineBlock) -> (number: Int, piece: FilePiece?)? {
        guard !isStopped else { return nil }
        let number = lineCounts.count
        var piece: FilePiece?
        if let fileLength {
            let start = number * blockSize
            guard start < fileLength else { return nil }
            piece = FilePiece(
                descriptor: lines.descriptor, range: start..<min(start + blockSize, fileLength), fileLength: fileLength,
                maximumLineLength: lines.maximumLength, onRead: onRead)
        } else {
            do throws(ReadingError) {
                repeat {
                    guard try lines.fill(&block, size: blockSize) else {
                        // What another thread would find now may lack what was passed over.
                        isStopped = true
                        return nil
                    }
                    guard toPassOver > 0 else { break }
                    let passed = block.drop(atMost: toPassOver)
                    // Another log, which is not to be read from here on.
                    if passed.count == toPassOver, ReadLines(count: 1, last: passed.last).lastHash != passedOver.lastHash {
                        isStopped = true
                        return nil
                    }
                    toPassOver -= passed.count
                } while toPassOver > 0
                if !block.range.isEmpty || block.isTooLong { last = block.lastLine }
            } catch {
                fail(error, at: number)
                return nil
            }
        }
        lineCounts.append(0)
        block.isFirst = number == 0 && passedOver.count == 0
        return (number, piece)
    }

    fileprivate mutating func fail(_ error: ReadingError, at block: Int) {
        isStopped = true
        if failure.map({ block < $0.block }) ?? true { failure = (error, block) }
    }

    /// Hands out no more blocks.
    package mutating func stop() { isStopped = true }

    /// Notes how many lines a block turned out to hold.
    package mutating func record(lines: Int, of block: Int) { lineCounts[block] = lines }

    /// The number of a line in the input from its number in a block, both from 1; known once all blocks before have been read.
    package func lineNumber(_ line: Int, in block: Int) -> Int { lineCounts[..<block].reduce(passedOver.count + line, +) }

    /// What has been read of a file that may grow, what was passed over included; nil where the file does not hold that.
    ///
    /// Known once all blocks have been read.
    package var linesRead: ReadLines? {
        if toPassOver > 0 { return nil }
        let count = lineCounts.reduce(passedOver.count, +)
        return last.map { ReadLines(count: count, last: $0) } ?? ReadLines(count: count, lastHash: passedOver.lastHash)
    }

    /// The block that could not be read; of those behind it some may have been.
    package var failedBlock: Int? { failure?.block }

    /// What kept the input from being read to its end.
    package func failure(name: String) -> AuditLogError? {
        failure.map { AuditLogError($0.error.code, "\(name.escaped(for: .terminal)):\(lineNumber(1, in: $0.block)): \($0.error.sentence)") }
    }
}

extension Locked<BlockQueue> {
    /// Fills a block with the next lines.
    ///
    /// - Returns: The block's number, from 0; nil at the end, after ``BlockQueue/stop()``, and where reading fails.
    package func next(_ block: inout LineBlock) -> Int? {
        guard let (number, piece) = withLock({ $0.next(&block) }) else { return nil }
        do throws(ReadingError) {
            try piece?.read(into: &block)
            return number
        } catch {
            withLock { $0.fail(error, at: number) }
            return nil
        }
    }
}
