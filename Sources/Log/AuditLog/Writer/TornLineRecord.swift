import SyncBytes
import SyncModel

/// What is remembered of a torn line from before it is removed until the log itself tells of it, in a file beside the log: a writer that is
/// killed in between would otherwise have lost bytes without a count.
struct TornLineRecord: Hashable {
    /// The number of the last line before the torn one: the line that tells of it comes next.
    let lastSequence: UInt64
    /// How many bytes are to be told of.
    let bytes: Int
    /// The torn line as it was found last.
    let length: Int
    let hash: UInt64

    /// What there is to tell, now that a log has been found with a certain end.
    ///
    /// - Parameters:
    ///   - earlier: What an earlier writer has left behind.
    ///   - tail: The end of the log.
    ///   - lastSequence: The number of the last line of the log, also in files that were rotated.
    init?(earlier: TornLineRecord?, _ tail: LogTail, lastSequence: UInt64) {
        var bytes = tail.tornBytes
        // A line with a higher number is there only where the earlier writer has come to tell.
        if let earlier, lastSequence <= earlier.lastSequence {
            let isSame = tail.tornBytes == earlier.length && tail.tornHash == earlier.hash
            bytes = isSame ? earlier.bytes : earlier.bytes + tail.tornBytes
        }
        guard bytes > 0 else { return nil }
        self.init(lastSequence: lastSequence, bytes: bytes, length: tail.tornBytes, hash: tail.tornHash)
    }

    private init(lastSequence: UInt64, bytes: Int, length: Int, hash: UInt64) {
        self.lastSequence = lastSequence
        self.bytes = bytes
        self.length = length
        self.hash = hash
    }

    /// Reads the file; nil where there is none, or none that was finished.
    init?(path: String, calls: SystemCalls) {
        guard calls.status(of: path) != nil, let descriptor = try? calls.openForAppending(path) else { return nil }
        defer { calls.close(descriptor) }
        guard let text = try? calls.read(descriptor, at: 0, count: 200), text.last == UInt8(ascii: "\n") else { return nil }
        let numbers = text.dropLast().split(separator: UInt8(ascii: " ")).map { UInt64(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == 4, let last = numbers[0], let bytes = numbers[1].flatMap(Int.init(exactly:)),
            let length = numbers[2].flatMap(Int.init(exactly:)), let hash = numbers[3], (1...Int.largestTornCount).contains(bytes)
        else { return nil }
        self.init(lastSequence: last, bytes: bytes, length: length, hash: hash)
    }

    /// Writes the file, in place of one that is there.
    ///
    /// Where that fails the log is repaired all the same; the count is then in the memory of the writer alone.
    func write(to path: String, calls: SystemCalls) {
        let unfinished = path + ".new"
        guard let descriptor = try? calls.openForAppending(unfinished) else { return }
        defer { calls.close(descriptor) }
        var line = LineBuffer()
        for number in [lastSequence, UInt64(bytes), UInt64(length), hash] {
            if !line.isEmpty { line.append(UInt8(ascii: " ")) }
            line.append(decimal: number)
        }
        line.append(UInt8(ascii: "\n"))
        // A writer that was killed here before may have left something.
        guard calls.truncate(descriptor, 0) == 0 else { return }
        let written = unsafe line.withBytes { unsafe calls.write(descriptor, $0) }
        if written == line.count { try? calls.rename(unfinished, to: path) }
    }
}

extension Int {
    /// More than any file holds.
    fileprivate static var largestTornCount: Int { Int(clamping: Int64(1) << 50) }
}
