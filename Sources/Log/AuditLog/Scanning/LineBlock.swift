import SyncBytes

/// Some whole lines of an input, to be read by one thread.
package struct LineBlock: Sendable {
    /// The memory; the lines stand somewhere in it, and ``LineCursor/padding`` bytes behind them at least.
    package internal(set) var bytes: [UInt8] = []
    /// Where the lines stand.
    ///
    /// A line break is the last byte or follows it.
    package internal(set) var range = 0..<0
    /// Whether a line that is longer than the limit comes behind them, and has been passed over.
    package internal(set) var isTooLong = false
    /// Whether the input begins with them.
    package internal(set) var isFirst = false

    /// A block to be filled.
    package init() {}

    /// A line, and what may come behind it, as a test makes it up; the scanner may look at as many bytes behind a line as this holds.
    package init(_ line: [UInt8], before rest: (Int) -> UInt8) {
        bytes = line + [0x0a] + (0..<LineCursor.padding).map(rest)
        range = 0..<line.count + 1
    }

    /// Drops the first `count` lines, or all where there are fewer.
    ///
    /// - Returns: How many, and the last of them as ``lastLine`` tells it.
    mutating func drop(atMost count: Int) -> (count: Int, last: [UInt8]) {
        let start = range.lowerBound
        var dropped = 0
        while dropped < count, !range.isEmpty {
            let end = bytes[range].firstIndex(of: 0x0a).map { $0 + 1 } ?? range.upperBound
            range = end..<range.upperBound
            dropped += 1
        }
        if dropped < count, isTooLong {
            isTooLong = false
            return (dropped + 1, [])
        }
        return (dropped, lastLine(in: start..<range.lowerBound))
    }

    /// The last kilobyte of the last line, without its line break; empty where the line is too long, and has been passed over.
    var lastLine: [UInt8] { isTooLong ? [] : lastLine(in: range) }

    private func lastLine(in range: Range<Int>) -> [UInt8] {
        let lines = bytes[range].last == 0x0a ? bytes[range].dropLast() : bytes[range]
        let start = lines.lastIndex(of: 0x0a).map { $0 + 1 } ?? lines.startIndex
        return Array(lines[start...].suffix(1024))
    }

    /// Whether a line is longer than is read; a summary may be longer than a line.
    package func isTooLong(_ range: Range<Int>, limit: Int) -> Bool {
        range.count > limit && !LineReader.beginsSummary(bytes.span.extracting(range))
    }

    /// Where the line break of a line is, or would.
    package func endOfLine(from start: Int) -> Int { min(bytes.span.newline(from: start) ?? range.upperBound, range.upperBound) }

    /// Whether a line ends with the input and not with a line break.
    package func isUnfinished(_ line: Range<Int>) -> Bool { line.upperBound == range.upperBound }

    /// Says what a line is.
    ///
    /// - Parameters:
    ///   - range: Where the line is in the block, as ``LineScanner/scan(_:maximumLineLength:_:)`` has said.
    ///   - isFirst: Whether its input begins with it.
    ///   - limit: The longest line read, in bytes.
    ///   - decoder: The decoder.
    package func outcome(
        of range: Range<Int>, isFirst: Bool, limit: Int, _ decoder: inout LineDecoder
    ) throws(LineProblem) -> LineDecoder.Outcome {
        if isTooLong(range, limit: limit) { throw .tooLong(limit) }
        return try decoder.outcome(
            of: bytes.span.extracting(range), isFirst: isFirst, isUnfinished: isUnfinished(range), takesSummaries: true)
    }
}

extension LineReader {
    /// Fills a block with the next lines, about `size` bytes of them; false at the end.
    ///
    /// The block's old memory becomes the reader's, so that nothing is copied but a last line that is not whole yet. Where reading fails,
    /// the whole lines before come first and the error with the next call.
    package mutating func fill(_ block: inout LineBlock, size: Int) throws(ReadingError) -> Bool {
        block.isTooLong = false
        // Up to where no line break is.
        var searched = start
        while true {
            if end - start >= size {
                if let last = lastNewline(from: searched) {
                    block.range = handOver(to: last + 1, &block.bytes)
                    return true
                }
                searched = end
                if isTooLong(end - start) {
                    guard try skipLine() else { return false }
                    block.range = 0..<0
                    block.isTooLong = true
                    return true
                }
            }
            makeRoom(for: size, &searched)
            let count: Int
            do throws(ReadingError) {
                count = try fill()
            } catch {
                guard let last = lastNewline(from: searched) else { throw error }
                block.range = handOver(to: last + 1, &block.bytes)
                return true
            }
            if count == 0 {
                let limit = readsUnfinishedLine ? end : lastNewline(from: searched).map { $0 + 1 } ?? start
                if limit == start { return false }
                block.range = handOver(to: limit, &block.bytes)
                return true
            }
        }
    }

    /// Exchanges the memory up to an index for other memory, into which only what is behind is copied.
    ///
    /// - Returns: Where in the memory given away the lines stand.
    private mutating func handOver(to limit: Int, _ bytes: inout [UInt8]) -> Range<Int> {
        if bytes.count < buffer.count { bytes = [UInt8](repeating: 0, count: buffer.count) }
        let rest = end - limit
        bytes.replaceSubrange(0..<rest, with: buffer[limit..<end])
        // The last line of an input may lack its line break.
        buffer[limit] = rest == 0 ? 0x0a : buffer[limit]
        swap(&bytes, &buffer)
        let range = start..<limit
        (start, end) = (0, rest)
        return range
    }
}
