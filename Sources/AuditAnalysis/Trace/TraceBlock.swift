import AuditLog
import SyncModel

/// Some whole lines of an input, to be read by one thread.
struct TraceBlock: Sendable {
    /// The memory in which the lines stand.
    let bytes: [UInt8]
    /// The lines with their line breaks; the last of an input may lack its own.
    let range: Range<Int>
    /// Whether the block stands for one line that is longer than the limit and has been passed over.
    var isTooLong = false
}

extension LineReader {
    /// The next lines, about so many bytes of them; nil at the end.
    ///
    /// Where reading fails, the whole lines before come first and the error with the next call.
    ///
    /// - Parameter spare: An array that is no longer needed, whose memory is used again; empty where that is done.
    mutating func nextBlock(of size: Int, reusing spare: inout [UInt8]) throws(ReadingError) -> TraceBlock? {
        var searched = start
        while true {
            if end - start >= size, let block = takeLines(from: searched, &spare) { return block }
            if end - start >= size { searched = end }
            if end - start > maximumLength, lastNewline(from: searched) == nil {
                try skipLine()
                return TraceBlock(bytes: [], range: 0..<0, isTooLong: true)
            }
            makeRoom(&searched)
            let count: Int
            do throws(ReadingError) {
                count = try fill()
            } catch {
                if let block = takeLines(from: start, &spare) { return block }
                throw error
            }
            if count == 0 {
                defer { start = end }
                return start == end ? nil : TraceBlock(bytes: Array(buffer[start..<end]), range: 0..<end - start)
            }
        }
    }

    private mutating func takeLines(from index: Int, _ spare: inout [UInt8]) -> TraceBlock? {
        guard let last = lastNewline(from: index) else { return nil }
        let range = handOver(to: last + 1, &spare)
        defer { spare = [] }
        return TraceBlock(bytes: spare, range: range)
    }
}
