import SyncBytes
import SyncSystem

/// Cuts a stream of bytes into lines at 0x0A, in memory that does not grow with the number of lines.
///
/// Gzip data are decompressed on the way (``InputBytes``).
package struct LineReader: ~Copyable {
    private var input: InputBytes
    /// The longest line kept, in bytes.
    package let maximumLength: Int
    /// What has been read; the last ``LineCursor/padding`` bytes stay free, and one more for a line break that the last line may lack.
    package internal(set) var buffer: [UInt8]
    var start = 0
    var end = 0
    /// Whether a last line without a line break is not read where the input is a plain file: its writer may not have ended it yet.
    var awaitsLineBreak = false

    /// Whether the line that ``next()`` returned last ends with the input and not with a line break.
    package private(set) var isUnfinished = false

    /// Whether Apple's log is read as the records that it holds; set before the first line is read.
    package var readsAppleLog: Bool {
        get { input.readsAppleLog }
        set { input.readsAppleLog = newValue }
    }

    /// Whether a line that begins as a summary does may be longer than other lines.
    package var keepsSummaries = true

    /// One line.
    package enum Line {
        /// The line's bytes in the buffer, without the line break.
        case bytes(Range<Int>)
        /// The line was longer than the limit and has been passed over.
        case tooLong
        /// There are no more lines.
        case end
    }

    /// The longest line kept that begins as a summary does, in bytes: it grows with the records, not with the lines of a log.
    static let maximumSummaryLength = 1 << 30

    /// Opens a file.
    ///
    /// - Parameter bufferSize: About how many bytes are read at a time.
    /// - Throws: ``AuditLogError`` that names the path.
    package init(
        path: String, maximumLength: Int, bufferSize: Int = 256 << 10, onRead: ReadingObserver? = nil
    ) throws(AuditLogError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.openingFailed(path, .last) }
        if let status = try? FileStatus(descriptor: descriptor), status.isDirectory {
            close(descriptor)
            throw Self.openingFailed(path, Errno(number: EISDIR))
        }
        self.init(descriptor: descriptor, ownsDescriptor: true, maximumLength: maximumLength, bufferSize: bufferSize, onRead: onRead)
    }

    /// Reads from an open descriptor, closed with the reader only where the reader owns it.
    package init(
        descriptor: Int32, ownsDescriptor: Bool = false, maximumLength: Int, bufferSize: Int = 256 << 10, onRead: ReadingObserver? = nil
    ) {
        input = InputBytes(descriptor: descriptor, ownsDescriptor: ownsDescriptor, onRead: onRead)
        self.maximumLength = maximumLength
        buffer = [UInt8](repeating: 0, count: max(bufferSize, 4096))
    }

    /// Cuts up lines that are made and not read.
    package init(_ produce: @escaping LineProducer, maximumLength: Int, bufferSize: Int = 256 << 10) {
        input = InputBytes(produce)
        self.maximumLength = maximumLength
        buffer = [UInt8](repeating: 0, count: max(bufferSize, 4096))
    }

    /// How many bytes a file holds, as they are on disk; nil where that cannot be known.
    var length: Int? {
        guard let status = try? FileStatus(descriptor: input.descriptor), status.isRegular else { return nil }
        return Int(clamping: status.size)
    }

    /// How many bytes a file holds that can be read from any offset; nil where it is none, compressed or converted.
    var plainLength: Int? {
        guard let length, length > 0 else { return nil }
        let looksForLog = readsAppleLog
        let size = looksForLog ? AppleLogDetector.longestHead : 2
        let isPlain = unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { bytes in
            let count = unsafe pread(input.descriptor, bytes.baseAddress, bytes.count, 0)
            guard count >= 0 else { return false }
            let head = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
            if unsafe GzipDecoder.recognizes(head) { return false }
            var detector = AppleLogDetector()
            return unsafe !looksForLog || detector.judge([UInt8](head), isWhole: true) == .other
        }
        return isPlain ? length : nil
    }

    /// Whether a line that ends with the input and not with a line break is a line.
    var readsUnfinishedLine: Bool { !awaitsLineBreak || input.isCompressed || length == nil }

    /// The descriptor that is read from.
    var descriptor: Int32 { input.descriptor }

    /// Looks at the bytes of the line that ``next()`` returned last.
    package borrowing func withBytes<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(buffer.span.extracting(range))
    }

    /// The next line.
    ///
    /// - Throws: ``ReadingError``.
    package mutating func next() throws(ReadingError) -> Line {
        var scanned = start
        isUnfinished = false
        while true {
            if let lineEnd = newline(from: scanned) {
                defer { start = lineEnd + 1 }
                return isTooLong(lineEnd - start) ? .tooLong : .bytes(start..<lineEnd)
            }
            scanned = end
            if isTooLong(end - start) { return try skipLine() ? .tooLong : .end }
            makeRoom(&scanned)
            if try fill() == 0 {
                defer { start = end }
                isUnfinished = start < end && readsUnfinishedLine
                return isUnfinished ? .bytes(start..<end) : .end
            }
        }
    }

    /// Whether a line begins as `JSONRenderer` begins a summary.
    static func beginsSummary(_ bytes: Span<UInt8>) -> Bool {
        let beginning = Array(#"{"summary":"#.utf8)
        return bytes.count >= beginning.count && beginning.indices.allSatisfy { bytes[$0] == beginning[$0] }
    }

    /// Whether the line that begins at ``start`` is longer than is kept when it has a number of bytes.
    func isTooLong(_ length: Int) -> Bool {
        if length <= maximumLength { return false }
        return !keepsSummaries || length > Self.maximumSummaryLength || !Self.beginsSummary(buffer.span.extracting(start..<end))
    }

    static func openingFailed(_ path: String, _ error: Errno) -> AuditLogError {
        let problem =
            switch error.number {
            case ENOENT: "there is no such file"
            case EACCES, EPERM: "the file may not be read: permission denied"
            case EISDIR: "this is a directory, not a file of JSON lines"
            default: "the file cannot be opened: \(error.sentence)"
            }
        return AuditLogError(.noInput, "\(path.escaped(for: .terminal)): \(problem)")
    }

    private func newline(from index: Int) -> Int? { buffer.span.extracting(0..<end).newline(from: index) }

    /// The last line break that has been read, at an index or after it.
    func lastNewline(from index: Int) -> Int? {
        buffer.span.extracting(index..<max(index, end)).lastNewline.map { index + $0 }
    }

    /// Moves what is left of a line to the front, and doubles the buffer where a line fills it.
    mutating func makeRoom(_ scanned: inout Int) {
        if start > 0 {
            unsafe buffer.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                unsafe memmove(base, base + start, end - start)
            }
            scanned -= start
            end -= start
            start = 0
        }
        if end == capacity { buffer += [UInt8](repeating: 0, count: buffer.count) }
    }

    /// Fills the buffer as above, and makes sure that a number of bytes fit.
    mutating func makeRoom(for size: Int, _ scanned: inout Int) {
        makeRoom(&scanned)
        if capacity < size { buffer += [UInt8](repeating: 0, count: size - capacity) }
    }

    private var capacity: Int { buffer.count - 1 - LineCursor.padding }

    /// Reads behind what is there; 0 at the end of the stream.
    mutating func fill() throws(ReadingError) -> Int {
        let room = end..<capacity
        let result = unsafe buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(ReadingError) in unsafe try input.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[room])) }
        }
        let count = try result.get()
        end += count
        return count
    }

    /// Passes over the rest of a line; false where it is no line yet.
    mutating func skipLine() throws(ReadingError) -> Bool {
        repeat {
            start = 0
            end = 0
            if try fill() == 0 { return readsUnfinishedLine }
            if let lineEnd = newline(from: 0) {
                start = lineEnd + 1
                return true
            }
        } while true
    }
}

extension Span<UInt8> {
    /// The last line break.
    var lastNewline: Int? {
        var place = count
        while place > 0 {
            place -= 1
            if self[place] == 0x0a { return place }
        }
        return nil
    }

    /// The first line break at an index or after it.
    package func newline(from index: Int) -> Int? { position(of: 0x0a, from: index) }

    /// The first byte with a value, at an index or after it.
    func position(of byte: UInt8, from index: Int) -> Int? {
        guard index < count else { return nil }
        return unsafe withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = unsafe memchr(base + index, Int32(byte), bytes.count - index) else {
                return nil
            }
            return unsafe UnsafeRawPointer(found) - base
        }
    }
}
