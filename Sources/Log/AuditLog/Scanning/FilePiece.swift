import SyncBytes
import SyncSystem

/// The lines of a file whose preceding line break is in a range of its bytes; of the first range also the first line.
///
/// So each line belongs to one piece, and nobody has to know of the pieces before: several threads read a file at once, each into memory of
/// its own. Reads with `pread(2)`: a file that another process truncates meanwhile just ends early.
struct FilePiece: Sendable {
    let descriptor: Int32
    let range: Range<Int>
    /// How many bytes of the file are read in all.
    let fileLength: Int
    /// The longest line read, in bytes; a block tells of one that is longer.
    let maximumLineLength: Int
    let onRead: ReadingObserver?

    /// How much is read behind the range at first, in the hope that the last line ends there.
    private static let lookahead = 1024

    /// Reads the lines into a block.
    func read(into block: inout LineBlock) throws(ReadingError) {
        (block.range, block.isTooLong) = (0..<0, false)
        let length = range.count
        var end = 0
        var isWhole = try read(upTo: length + Self.lookahead, &block, &end)
        onRead?(min(length, end))
        guard let first = range.lowerBound == 0 ? 0 : block.bytes.span.extracting(0..<min(length, end)).newline(from: 0).map({ $0 + 1 })
        else { return }
        var searched = length
        while true {
            if let last = block.bytes.span.extracting(0..<end).newline(from: searched) {
                block.range = first..<last + 1
                return
            }
            if isWhole {
                block.bytes[end] = 0x0a
                block.range = min(first, end)..<end
                return
            }
            searched = max(searched, end)
            let start = block.bytes.span.extracting(first..<length).lastNewline.map { first + $0 + 1 } ?? first
            if end - start > LineReader.maximumSummaryLength || block.isTooLong(start..<end, limit: maximumLineLength) {
                block.range = first..<start
                block.isTooLong = true
                return
            }
            isWhole = try read(upTo: end + 2 * max(end - length, Self.lookahead), &block, &end)
        }
    }

    /// Reads on until the block holds `wanted` bytes from the start of the range, and says whether the file ends with them.
    private func read(upTo wanted: Int, _ block: inout LineBlock, _ end: inout Int) throws(ReadingError) -> Bool {
        let limit = min(wanted, fileLength - range.lowerBound)
        block.makeRoom(for: limit)
        while end < limit {
            let room = end..<limit
            let count = unsafe block.bytes.withUnsafeMutableBytes { bytes in
                let start = unsafe bytes.baseAddress.map { unsafe $0 + room.lowerBound }
                return unsafe pread(descriptor, start, room.count, off_t(range.lowerBound + room.lowerBound))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ReadingError(.last) }
            if count == 0 { return true }
            end += count
        }
        return range.lowerBound + end == fileLength
    }
}

extension LineBlock {
    /// Makes room for `count` bytes, a line break, and what may be looked at behind it.
    fileprivate mutating func makeRoom(for count: Int) {
        let missing = count + 1 + LineCursor.padding - bytes.count
        if missing > 0 { bytes.append(contentsOf: repeatElement(0, count: missing)) }
    }
}
