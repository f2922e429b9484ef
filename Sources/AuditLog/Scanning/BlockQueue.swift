import SyncModel
import SyncSystem

/// Hands out the blocks of an input to several threads, in order.
package struct BlockQueue: ~Copyable {
    private var lines: LineReader
    private let blockSize: Int
    private let onRead: ReadingObserver?
    /// How many bytes of a plain file are read in pieces, by several threads at once; nil where the input is a stream.
    private let fileLength: Int?
    private var isStopped = false
    private var failure: (error: ReadingError, block: Int)?
    /// The lines of each block that has been read.
    private var lineCounts: [Int] = []
    /// How many lines are passed over, and how many of them are still to come.
    private let passedOver: Int
    private var toPassOver: Int

    /// A file's blocks.
    ///
    /// - Parameter passedOver: How many lines have been read of a file that may grow: those are passed over, and what follows a plain
    ///   file's last line break is not read.
    package init(
        path: String, after passedOver: Int? = nil, maximumLineLength: Int, blockSize: Int, onRead: ReadingObserver? = nil
    ) throws(AuditLogError) {
        lines = try AuditLogReader.lines(of: path, maximumLength: maximumLineLength, onRead: onRead)
        lines.awaitsLineBreak = passedOver != nil
        fileLength = passedOver == nil ? lines.plainLength : nil
        self.passedOver = passedOver ?? 0
        toPassOver = self.passedOver
        self.blockSize = blockSize
        self.onRead = onRead
    }

    /// The blocks of an open descriptor, which stays open.
    package init(descriptor: Int32, maximumLineLength: Int, blockSize: Int, onRead: ReadingObserver? = nil) {
        lines = LineReader(descriptor: descriptor, ownsDescriptor: false, maximumLength: maximumLineLength, onRead: onRead)
        fileLength = nil
        (passedOver, toPassOver) = (0, 0)
        self.blockSize = blockSize
        self.onRead = onRead
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
                    toPassOver -= block.drop(atMost: toPassOver)
                } while toPassOver > 0
            } catch {
                fail(error, at: number)
                return nil
            }
        }
        lineCounts.append(0)
        return (number, piece)
    }

    fileprivate mutating func fail(_ error: ReadingError, at block: Int) {
        isStopped = true
        if failure.map({ block < $0.block }) ?? true { failure = (error, block) }
    }

    /// Hands out no more blocks.
    package mutating func stop() { isStopped = true }

    /// Notes how many lines a block turned out to hold.
    package mutating func note(lines: Int, of block: Int) { lineCounts[block] = lines }

    /// The number of a line in the input from its number in a block, both from 1; known once all blocks before have been read.
    package func lineNumber(_ line: Int, in block: Int) -> Int { lineCounts[..<block].reduce(passedOver + line, +) }

    /// How many lines there are, those passed over included; known once all blocks have been read, nil where there are fewer than were to be passed over.
    package var lineCount: Int? { toPassOver > 0 ? nil : lineCounts.reduce(passedOver, +) }

    /// The block that could not be read; of those behind it some may have been.
    package var failedBlock: Int? { failure?.block }

    /// What kept the input from being read to its end.
    package func failure(name: String) -> AuditLogError? {
        failure.map { AuditLogError($0.error.code, "\(name.harmless):\(lineNumber(1, in: $0.block)): \($0.error.sentence)") }
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
