import SyncLines
import SyncSystem

/// Reads whole lines from a pipe, a terminal, a compressed file or whatever else can only be read from front to back, as they come.
package struct StreamedLines: ~Copyable {
    /// What one reading gave.
    package struct Batch {
        /// The lines, without their line breaks, in order; nil for one that is longer than what is read.
        package let lines: [[UInt8]?]
        /// Whether the last line has no line break: the stream ends within it.
        package var isUnfinished = false
        /// How many lines came before them.
        fileprivate(set) var start = 0

        /// The lines with what tells how each is read.
        package var numbered: [Line] {
            lines.enumerated().map { Line(bytes: $1, number: start + $0 + 1, isUnfinished: isUnfinished && $0 == lines.count - 1) }
        }
    }

    /// A line of the stream.
    package struct Line {
        /// The line without its line break; nil where it is longer than what is read.
        package let bytes: [UInt8]?
        /// The line's number, from 1.
        package let number: Int
        /// Whether the stream ends with it, without a line break.
        package let isUnfinished: Bool
        /// Whether the stream begins with it.
        package var isFirst: Bool { number == 1 }
    }

    /// How many lines were read.
    package private(set) var count = 0

    /// The descriptor, to wait for.
    package var descriptor: Int32 { input.descriptor }

    /// Whether there may be more to read although nothing comes by the descriptor: what it gave and has not been decompressed.
    package var holdsMore: Bool { input.holdsMore }

    private var input: InputBytes
    private let maximumLineLength: Int
    private var mark = ContentMark()
    private var isDone = false

    /// Reads from an open descriptor and leaves it open.
    package init(descriptor: Int32, maximumLineLength: Int = 16 << 20) {
        input = InputBytes(descriptor: descriptor, ownsDescriptor: false)
        (input.readsAppleLog, input.readsOnce) = (true, true)
        self.maximumLineLength = maximumLineLength
    }

    /// Opens a path.
    ///
    /// - Parameter waits: Whether opening and reading a pipe wait for its writer; otherwise the caller waits until there is something to
    ///   read.
    /// - Throws: ``AuditLogError`` that names the path.
    package init(path: String, waits: Bool, maximumLineLength: Int = 16 << 20) throws(AuditLogError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else {
            throw AuditLogError(.noInput, "\(path.escaped(for: .terminal)): cannot be read: \(Errno.last.sentence)")
        }
        input = InputBytes(descriptor: descriptor, ownsDescriptor: true)
        (input.readsAppleLog, input.readsOnce) = (true, true)
        self.maximumLineLength = maximumLineLength
    }

    /// Whether there is at a path a file whose lines cannot be read from the end: compressed, or Apple's log, whose messages belong
    /// together.
    package static func mustBeStreamed(_ path: String) -> Bool {
        isCompressed(path) || AppleLogDetector.verdict(ofFileAt: path) != .other
    }

    /// Whether a file is Apple's log as it is printed for people, or one array, so that no line of it tells what it means by itself.
    package static func isPrintedLog(_ path: String) -> Bool {
        switch AppleLogDetector.verdict(ofFileAt: path) {
        case .log(.text), .log(.array): true
        case .log(.json), .other, .open: false
        }
    }

    /// Whether there is at a path a file that is compressed by gzip, so that its lines cannot be read from the end.
    package static func isCompressed(_ path: String) -> Bool {
        do throws(Errno) {
            let file = try ReadableFile(path: path)
            let start = file.isRegular ? try file.read(at: 0, count: 2) : []
            return unsafe start.withUnsafeBytes { unsafe GzipDecoder.recognizes($0) }
        } catch {
            return false
        }
    }

    /// Reads once.
    ///
    /// - Returns: The lines that were ended by what was read, and at the end of the stream the one that was not; nil after that.
    /// - Throws: ``AuditLogError``, without a name.
    package mutating func read() throws(AuditLogError) -> Batch? {
        guard var batch = try nextBatch() else { return nil }
        batch.start = count
        count += batch.lines.count
        return batch
    }

    private mutating func nextBatch() throws(AuditLogError) -> Batch? {
        if isDone { return nil }
        guard let bytes = try readPiece() else { return Batch(lines: []) }
        if bytes.isEmpty {
            isDone = true
            return mark.lastLine.map { Batch(lines: [$0], isUnfinished: true) }
        }
        let pieces = mark.append(bytes[...], maximumLineLength: maximumLineLength)
        return Batch(lines: pieces.map { if case .line(let line) = $0 { line } else { nil } })
    }

    /// The next bytes, none at the end; nil where there are none yet.
    private mutating func readPiece() throws(AuditLogError) -> [UInt8]? {
        var failure: ReadingError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64 * 1024) { buffer, filled in
            do throws(ReadingError) {
                filled = unsafe try input.read(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        guard let failure else { return bytes }
        if [EAGAIN, EWOULDBLOCK].contains(failure.number) { return nil }
        throw AuditLogError(failure.code, failure.sentence)
    }
}
