import SyncModel

/// Hands out the blocks of an input to several threads, in order.
package struct BlockQueue: ~Copyable {
    private var lines: LineReader
    private let blockSize: Int
    private var taken = 0
    private var isStopped = false
    private var failure: ReadingError?
    /// The lines of each block that has been read.
    private var lineCounts: [Int] = []

    /// A file's blocks.
    package init(path: String, maximumLineLength: Int, blockSize: Int, onRead: ReadingObserver? = nil) throws(AuditLogError) {
        lines = try AuditLogReader.lines(of: path, maximumLength: maximumLineLength, onRead: onRead)
        self.blockSize = blockSize
    }

    /// The blocks of an open descriptor, which stays open.
    package init(descriptor: Int32, maximumLineLength: Int, blockSize: Int, onRead: ReadingObserver? = nil) {
        lines = LineReader(descriptor: descriptor, ownsDescriptor: false, maximumLength: maximumLineLength, onRead: onRead)
        self.blockSize = blockSize
    }

    /// Whether all there is fits into one block, as far as is known.
    package var isShort: Bool { lines.length.map { $0 < blockSize } ?? false }

    /// Fills a block with the next lines.
    ///
    /// - Returns: The block's number, from 0; nil at the end, after ``stop()``, and where reading fails.
    package mutating func next(_ block: inout LineBlock) -> Int? {
        guard !isStopped else { return nil }
        do throws(ReadingError) {
            guard try lines.fill(&block, size: blockSize) else { return nil }
        } catch {
            failure = error
            isStopped = true
            return nil
        }
        taken += 1
        lineCounts.append(0)
        return taken - 1
    }

    /// Hands out no more blocks.
    package mutating func stop() { isStopped = true }

    /// Notes how many lines a block turned out to hold.
    package mutating func note(lines: Int, of block: Int) { lineCounts[block] = lines }

    /// The number of a line in the input from its number in a block, both from 1; known once all blocks before have been read.
    package func lineNumber(_ line: Int, in block: Int) -> Int { lineCounts[..<block].reduce(line, +) }

    /// What kept the input from being read to its end.
    package func failure(name: String) -> AuditLogError? {
        failure.map { AuditLogError($0.code, "\(name.harmless):\(lineCounts.reduce(1, +)): \($0.sentence)") }
    }
}
